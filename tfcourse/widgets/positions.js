// Posiciones sinusoidales: qué vector recibe cada sitio y a qué otros sitios se parece.

/** Componente `d` de la posición `p`: seno en las pares y coseno en las impares. */
function encoding(p, d, size) {
  const angle = p / 10000 ** ((d - (d % 2)) / size);
  return d % 2 ? Math.cos(angle) : Math.sin(angle);
}

class PositionsView {
  constructor({ length, size }) {
    this.length = length;
    this.size = size;
    this.vectors = Array.from({ length }, (_, p) =>
      Array.from({ length: size }, (_, d) => encoding(p, d, size)),
    );
    this.position = Math.floor(length / 3);
    this.pair = 1;
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.map = this.drawMap();
    this.likeness = curve("Parecido de la posición elegida con cada una de las demás");
    this.wave = curve("Onda del par de componentes elegido a lo largo de las posiciones");
    const set = (name) => (value) => {
      this[name] = value;
      this.update();
    };
    this.node = figureNode(
      "tfc-positions",
      "las posiciones sinusoidales",
      element(
        "div",
        { class: "tfc-controls" },
        rangeField("Posición", { min: 0, max: length - 1, value: this.position }, set("position")),
        rangeField(
          "Par de componentes",
          { min: 0, max: size / 2 - 1, value: this.pair, say: (i) => `${2 * i} y ${2 * i + 1}` },
          set("pair"),
        ),
      ),
      panel("Los vectores: cada columna, una posición", this.map),
      panel("Parecido con las demás posiciones (producto escalar)", this.likeness),
      panel("La onda del par elegido: seno (continua) y coseno (a trazos)", this.wave),
      this.told,
    );
    this.update();
  }

  drawMap() {
    const map = shape("svg", {
      class: "tfc-map",
      viewBox: `0 0 ${this.length} ${this.size}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": "Valor de cada componente en cada posición; azul, negativo; naranja, positivo",
    });
    this.vectors.forEach((vector, p) =>
      vector.forEach((value, d) => {
        const cell = { x: p, y: d, width: 1.02, height: 1.02, "fill-opacity": Math.abs(value).toFixed(2) };
        map.append(shape("rect", { ...cell, class: value < 0 ? "tfc-is-query" : "tfc-is-key" }));
      }),
    );
    this.column = map.appendChild(shape("rect", { class: "tfc-frame", y: 0, width: 1, height: this.size }));
    this.rows = map.appendChild(shape("rect", { class: "tfc-frame", x: 0, width: this.length, height: 2 }));
    return map;
  }

  update() {
    const chosen = this.vectors[this.position];
    const products = this.vectors.map((vector) =>
      vector.reduce((sum, value, d) => sum + value * chosen[d], 0),
    );
    this.column.setAttribute("x", this.position);
    this.rows.setAttribute("y", 2 * this.pair);
    const most = this.size / 2;
    this.drawCurve(this.likeness, [[products.map((value) => value / most), "tfc-is-value"]]);
    const waves = [0, 1].map((d) => this.vectors.map((vector) => vector[2 * this.pair + d]));
    this.drawCurve(this.wave, [
      [waves[0], "tfc-is-key"],
      [waves[1], "tfc-is-key tfc-dashed"],
    ]);
    const period = 2 * Math.PI * 10000 ** ((2 * this.pair) / this.size);
    const near = Math.min(this.position + 1, this.length - 1);
    const far = this.position < this.length / 2 ? this.length - 1 : 0;
    this.told.textContent =
      `La posición ${this.position} se parece a sí misma ${formatNumber(most, 1)}; a la ` +
      `${near}, ${formatNumber(products[near], 1)}; a la ${far}, ${formatNumber(products[far], 1)}. ` +
      `El par ${2 * this.pair} y ${2 * this.pair + 1} da una vuelta cada ` +
      `${formatNumber(period, period < 100 ? 1 : 0)} posiciones.`;
  }

  drawCurve(drawing, series) {
    const across = (p) => (100 * (p + 0.5)) / this.length;
    const lines = series.map(([values, name]) => {
      const points = values.map((value, p) => `${across(p)},${20 - 18 * value}`).join(" ");
      return shape("polyline", { class: `tfc-curve ${name}`, points });
    });
    const x = across(this.position);
    const here = shape("line", { class: "tfc-here", x1: x, x2: x, y1: 0, y2: 40 });
    const zero = shape("line", { class: "tfc-axis", x1: 0, x2: 100, y1: 20, y2: 20 });
    drawing.replaceChildren(zero, here, ...lines);
  }
}

function curve(label) {
  const attributes = { class: "tfc-chart", viewBox: "0 0 100 40", preserveAspectRatio: "none" };
  return shape("svg", { ...attributes, role: "img", "aria-label": label });
}

function panel(title, drawing) {
  return element("div", { class: "tfc-panel" }, element("div", { class: "tfc-panel-title" }, title), drawing);
}

function render({ model, el }) {
  el.replaceChildren(new PositionsView(model.get("state")).node);
}

export default { render };
