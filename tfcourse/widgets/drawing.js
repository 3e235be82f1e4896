// Dibujos y controles de las figuras que calculan: SVG, deslizadores, barras y softmax.

/** Un número en español, con las cifras decimales que se pidan y el signo menos de imprenta. */
function formatNumber(value, digits = 2) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat("es", options).format(value).replace("-", "−");
}

const SVG_SAMPLE = document.createElement("template");
SVG_SAMPLE.innerHTML = "<svg></svg>";

/** Elemento de un dibujo SVG. */
function shape(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG_SAMPLE.content.firstChild.namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Deslizador con su etiqueta y su valor escrito; `say` dice el valor con palabras. */
function rangeField(label, { min, max, step = 1, value, say = String }, onChange) {
  const input = element("input", { class: "tfc-range", type: "range", min, max, step, value });
  const shown = element("span", { class: "tfc-shown" });
  const update = () => {
    shown.textContent = say(Number(input.value));
    input.setAttribute("aria-valuetext", shown.textContent);
  };
  input.addEventListener("input", () => {
    update();
    onChange(Number(input.value));
  });
  update();
  return element("label", { class: "tfc-field" }, element("span", {}, `${label}: `, shown), input);
}

/** Los pesos softmax de unos puntajes. */
function softmax(scores) {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** Una barra con su nombre y su número, dentro de una lista. */
function barNode(name, weight, text, role) {
  const bar = element("span", { class: "tfc-bar", "aria-hidden": "true" }, element("span", {}));
  bar.firstChild.style.width = `${100 * weight}%`;
  return element(
    "div",
    { class: `tfc-bar-row tfc-role-${role}`, role: "listitem" },
    element("span", { class: "tfc-bar-name" }, name),
    bar,
    element("span", { class: "tfc-bar-value" }, text),
  );
}
