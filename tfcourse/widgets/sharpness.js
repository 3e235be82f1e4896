// Nitidez del softmax: cómo la cambian el tamaño de los vectores, la escala y la temperatura, y
// cuánto gradiente le llega a cada consulta.

const TEMPERATURES = [0.1, 0.2, 0.5, 1, 2, 5, 10];
const LITTLE = 0.03; // la décima parte de lo que llega con el divisor

class SharpnessView {
  constructor({ sizes, draws }) {
    this.sizes = sizes;
    this.draws = draws;
    this.size = sizes.length - 3;
    this.query = 0;
    this.scaled = "no";
    this.temperature = TEMPERATURES.indexOf(1);
    this.list = element("div", { role: "list", "aria-label": "Peso de cada clave" });
    this.told = element("p", { class: "tfc-told", role: "status" });
    const set = (name) => (value) => {
      this[name] = value;
      this.update();
    };
    this.node = figureNode(
      "tfc-sharpness",
      "la nitidez del softmax",
      element(
        "div",
        { class: "tfc-controls" },
        rangeField(
          "Tamaño de consulta y claves, dₖ",
          { min: 0, max: sizes.length - 1, value: this.size, say: (i) => String(sizes[i]) },
          set("size"),
        ),
        rangeField(
          "Temperatura, τ",
          {
            min: 0,
            max: TEMPERATURES.length - 1,
            value: this.temperature,
            say: (i) => formatNumber(TEMPERATURES[i], 1),
          },
          set("temperature"),
        ),
        rangeField(
          "Consulta",
          { min: 0, max: draws.length - 1, value: this.query, say: (i) => String(i + 1) },
          set("query"),
        ),
        radioField("Puntajes", [["no", "q·k"], ["yes", "q·k / √dₖ"]], "no", set("scaled")),
      ),
      this.list,
      this.told,
    );
    this.update();
  }

  update() {
    const size = this.sizes[this.size];
    const divisor = (this.scaled === "yes" ? Math.sqrt(size) : 1) * TEMPERATURES[this.temperature];
    const found = this.draws.map((draw) => queryGradient(draw[this.size], divisor));
    const { scores, weights, gradient } = found[this.query];
    this.list.replaceChildren(
      ...weights.map((weight, i) =>
        barNode(`clave ${i + 1}`, weight, `${formatNumber(scores[i], 1)} → ${formatWeight(weight)}`, "key"),
      ),
    );
    const gradients = found.map((each) => each.gradient);
    const without = gradients.filter((each) => each < LITTLE).length;
    const mean = gradients.reduce((sum, each) => sum + each, 0) / gradients.length;
    this.told.textContent =
      `El peso mayor es ${formatWeight(Math.max(...weights))}, y a esta consulta le llega un ` +
      `gradiente de ${formatNumber(gradient, 3)}. De las ${gradients.length}, ` +
      `${without} reciben menos de ${formatNumber(LITTLE)}; la media es ${formatNumber(mean)} ` +
      `y la que más, ${formatNumber(Math.max(...gradients))}.`;
  }
}

/** Pesos de una consulta y norma de su gradiente: la de αᵢ (kᵢ − Σⱼ αⱼ kⱼ) / c. */
function queryGradient({ scores, keys }, divisor) {
  const divided = scores.map((score) => score / divisor);
  const weights = softmax(divided);
  let square = 0;
  weights.forEach((weight, i) => {
    // kᵢ menos la media, escrito con coeficientes sobre las claves: su norma sale de los productos.
    const apart = weights.map((other, j) => (i === j ? 1 : 0) - other);
    let norm = 0;
    apart.forEach((a, j) => apart.forEach((b, m) => (norm += a * b * keys[j][m])));
    square += (weight / divisor) ** 2 * Math.max(norm, 0);
  });
  return { scores: divided, weights, gradient: Math.sqrt(square) };
}

function render({ model, el }) {
  el.replaceChildren(new SharpnessView(model.get("state")).node);
}

export default { render };
