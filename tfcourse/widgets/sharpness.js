// Nitidez del softmax: cómo la cambian el tamaño de los vectores, la escala y la temperatura.

const TEMPERATURES = [0.1, 0.2, 0.5, 1, 2, 5, 10];

class SharpnessView {
  constructor({ sizes, scores }) {
    this.sizes = sizes;
    this.scores = scores;
    this.size = sizes.length - 3;
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
    const scores = this.scores[this.size].map((score) => score / divisor);
    const weights = softmax(scores);
    this.list.replaceChildren(
      ...weights.map((weight, i) =>
        barNode(`clave ${i + 1}`, weight, `${formatNumber(scores[i], 1)} → ${formatWeight(weight)}`, "key"),
      ),
    );
    const slope = Math.max(...weights.map((weight) => weight * (1 - weight)));
    const spread = Math.max(...scores) - Math.min(...scores);
    this.told.textContent =
      `Del puntaje menor al mayor van ${formatNumber(spread, 1)}. El peso mayor es ` +
      `${formatWeight(Math.max(...weights))}, y la mayor derivada, p(1 − p), ` +
      `${formatNumber(slope, 3)}: ${verdict(slope)}.`;
  }
}

function verdict(slope) {
  if (slope < 0.01) return "el softmax está saturado y apenas aprende";
  return slope < 0.1 ? "queda poco gradiente" : "el gradiente pasa";
}

function render({ model, el }) {
  el.replaceChildren(new SharpnessView(model.get("state")).node);
}

export default { render };
