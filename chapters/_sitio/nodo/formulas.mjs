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

// Lo que es solo texto en su renglón: ni tablas ni cajas con altura propia.
const PLAIN =
  /^(m(ord|op|bin|rel|open|close|punct|inner|space|tight|supsub)|math\w+|text\w*|ams\w+|katex-sizing|(reset-)?size\d+|corrido)$/;

const em = (length) => parseFloat(length ?? "0");

/** Si todo un árbol es texto seguido. */
function isPlain(tree) {
  if (!tree.children) return "text" in tree;
  const known = tree.classes?.every((name) => PLAIN.test(name)); // un dibujo no tiene clases
  return known && !tree.style.height && tree.children.every(isPlain);
}

/** Lo que un índice o un exponente solo lleva dentro, y cuánto sube o baja; nada, si son los dos. */
function onlyScript(tree) {
  const [row] = tree.children[0]?.children ?? [];
  const pieces = row?.children[0].children ?? [];
  if (pieces.length !== 1) return undefined;
  const [strut, ...inside] = pieces[0].children;
  return { style: pieces[0].style, down: em(strut.style.height) + em(pieces[0].style.top), inside };
}

/**
 * Un índice o un exponente solo, sin la tabla con que KaTeX apila los dos: el mismo texto en el
 * mismo sitio, con dos piezas en lugar de diez. Una página tiene cientos.
 */
function scriptsInLine(tree) {
  tree.children?.forEach((child, place) => {
    scriptsInLine(child);
    const script = child.hasClass?.("msupsub") && onlyScript(child);
    if (!script || !script.inside.every(isPlain)) return;
    const { marginLeft, marginRight } = script.style;
    const style = { top: `${Number(script.down.toFixed(4))}em`, ...(em(marginLeft) && { marginLeft }), marginRight };
    const made = new katex.__domTree.Span(["msupsub", "corrido"], script.inside);
    tree.children[place] = Object.assign(made, { style });
  });
  return tree;
}

// Lo que KaTeX dice de un signo y ningún estilo mira.
const SILENT = /^m(ord|bin|rel|open|close|punct|inner|tight)$/;

/** Quita las cajas de lo que es texto seguido y no dicen nada: los signos quedan sueltos. */
function looseSigns(tree) {
  for (const child of tree.children ?? []) looseSigns(child);
  if (!tree.children || !(isPlain(tree) || tree.hasClass?.("katex-base"))) return tree;
  tree.children = tree.children.flatMap((child) => {
    if (!isPlain(child)) return [child];
    child.classes = child.classes.filter((name) => name && !SILENT.test(name));
    const bare = child.children && !child.classes.length && !Object.keys(child.style).length;
    return bare ? child.children : [child];
  });
  return tree;
}

/** Entre palabras, un signo que no levanta su renglón no necesita caja. */
function shortOnesBare(tree) {
  const shown = found(tree, "katex-html");
  const [strut, piece, ...rest] = shown.children.length === 1 ? shown.children[0].children : [];
  const short = piece && !rest.length && signs(piece) <= LONG && isPlain(piece);
  if (!short || em(strut.style.height) > 1) return tree;
  shown.children = [piece];
  shown.classes.push("breve");
  return tree;
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
    const shown = found(tree, "katex-html");
    looseSigns(scriptsInLine(shown));
    answer = { html: (display ? byStretches(tree) : wideOnesSlide(shortOnesBare(tree))).toMarkup() };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
