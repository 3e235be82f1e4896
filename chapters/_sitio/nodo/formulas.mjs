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

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, { ...options, displayMode: display }) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
