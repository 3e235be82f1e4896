// Piezas comunes de las figuras interactivas: elementos, controles con etiqueta, teclado y
// números en español. Python pone este texto delante del código propio de cada figura.

const WEIGHT_FORMAT = new Intl.NumberFormat("es", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Un peso con coma decimal y dos cifras: 0,97. */
function formatWeight(weight) {
  return WEIGHT_FORMAT.format(weight);
}

/** Crea un elemento; los atributos `false`, `null` o sin definir se omiten. */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

/** Lista desplegable con su etiqueta; `onChange` recibe el índice elegido. */
function selectField(label, options, onChange) {
  const select = element("select", { class: "tfc-select" });
  options.forEach((text, index) => select.append(element("option", { value: index }, text)));
  select.addEventListener("change", () => onChange(Number(select.value)));
  return element("label", { class: "tfc-field" }, element("span", {}, label), select);
}

/** Botones de opción con leyenda; `options` son pares [valor, texto]. */
function radioField(legend, options, chosen, onChange) {
  const name = `tfc-${Math.random().toString(36).slice(2)}`;
  const choices = element("div", { class: "tfc-choices" });
  for (const [value, text] of options) {
    const input = element("input", { type: "radio", name, value });
    input.checked = value === chosen;
    input.addEventListener("change", () => onChange(value));
    choices.append(element("label", {}, input, element("span", {}, text)));
  }
  return element("fieldset", { class: "tfc-radios" }, element("legend", {}, legend), choices);
}

/** Índice al que lleva una tecla dentro de una fila, o `null` si la tecla no mueve. */
function indexAfterKey(key, index, length) {
  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  if (key in steps) return Math.min(length - 1, Math.max(0, index + steps[key]));
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  return null;
}

/** Reserva para la figura las teclas que JupyterLab usaría para moverse entre celdas. */
function keepKeys(node) {
  // JupyterLab solo atiende a la marca si la lleva el propio elemento que tiene el foco.
  node.addEventListener("focusin", (event) => {
    event.target.setAttribute("data-lm-suppress-shortcuts", "true");
  });
}

/** Un símbolo tal como se dibuja: el espacio necesita un signo visible. */
function visibleToken(token) {
  return token.replaceAll(" ", "␣");
}

/** Un símbolo tal como se nombra en una frase o en un lector de pantalla. */
function namedToken(token) {
  return `«${token === " " ? "espacio" : token}»`;
}

/** Lo que envuelve a toda figura: su nombre, su lengua y sus teclas. */
function figureNode(name, label, ...children) {
  const node = element(
    "div",
    { class: `tfc ${name}`, role: "group", "aria-label": `Figura interactiva: ${label}`, lang: "es" },
    ...children,
  );
  keepKeys(node);
  return node;
}
