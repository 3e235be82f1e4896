// Compone fórmulas con KaTeX: por cada línea de entrada {tex, display}, una de salida {html} o
// {error}. El HTML lleva dentro MathML, que es lo que leen los lectores de pantalla.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { default: katex } = await import(pathToFileURL(process.argv[2]));

const options = {
  output: "htmlAndMathml",
  throwOnError: true,
  // Las tildes y la «ñ» dentro de una fórmula están bien; lo demás que KaTeX no entienda, no.
  strict: (code) => (code === "unicodeTextInMathMode" ? "ignore" : "error"),
};

/** El primero de un árbol que lleva una clase. */
function found(tree, name) {
  if (tree.hasClass?.(name)) return tree;
  return (tree.children ?? []).reduce((one, child) => one ?? found(child, name), undefined);
}

/** Junta en tramos lo que va de un espacio ancho a otro: en un móvil se parte antes por ahí. */
function byStretches(tree) {
  const shown = found(tree, "katex-html");
  const stretches = [[]];
  for (const piece of shown?.children ?? []) {
    stretches.at(-1).push(piece);
    if (piece.children?.some((one) => one.hasClass?.("allowbreak"))) stretches.push([]);
  }
  const full = stretches.filter((pieces) => pieces.length);
  if (full.length > 1) shown.children = full.map((pieces) => new katex.__domTree.Span(["tramo"], pieces));
  return tree;
}

const LONG = 12; // signos de una pieza que, como no se parte, quizá no cabe en un móvil

/** Cuántos signos hay en un árbol. */
function signs(tree) {
  return (tree.children ?? []).reduce((sum, child) => sum + signs(child), tree.text?.length ?? 0);
}

/** Entre palabras, una pieza larga lleva una caja en la que, si no cabe, se desliza. */
function wideOnesSlide(tree) {
  const shown = found(tree, "katex-html");
  shown.children = shown.children.map((piece) =>
    signs(piece) > LONG ? new katex.__domTree.Span(["pieza-larga"], [piece]) : piece,
  );
  return tree;
}

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    const tree = katex.__renderToDomTree(tex, { ...options, displayMode: display });
    answer = { html: (display ? byStretches(tree) : wideOnesSlide(tree)).toMarkup() };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
