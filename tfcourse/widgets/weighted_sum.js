// Suma ponderada: se arrastra la consulta y se ve qué pesos reciben las claves y qué resulta.

const REACH = 2.2; // lo que abarca el plano desde el centro
const STEP = 0.1;

class WeightedSumView {
  constructor(state) {
    this.state = state;
    this.query = [...state.query];
    this.plane = shape("svg", {
      class: "tfc-plane",
      viewBox: `${-REACH} ${-REACH} ${2 * REACH} ${2 * REACH}`,
      role: "img",
      "aria-label": "Plano con las claves, los valores, la consulta y el resultado",
    });
    this.list = element("div", { role: "list", "aria-label": "Peso de cada clave" });
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.drawPlane();
    this.node = figureNode(
      "tfc-weighted",
      "la atención es una suma ponderada",
      element("div", { class: "tfc-weighted-columns" }, this.holder, this.list),
      this.told,
      element(
        "p",
        { class: "tfc-note" },
        "Arrastra la consulta o, con ella enfocada, muévela con las flechas. ",
        "Los cuadrados son los valores; el rombo, su media ponderada.",
      ),
    );
    this.update();
  }

  drawPlane() {
    const { keys, values, names } = this.state;
    this.plane.append(
      shape("line", { class: "tfc-axis", x1: -REACH, x2: REACH, y1: 0, y2: 0 }),
      shape("line", { class: "tfc-axis", x1: 0, x2: 0, y1: -REACH, y2: REACH }),
    );
    keys.forEach(([x, y], i) => {
      this.plane.append(
        shape("line", { class: "tfc-arrow tfc-is-key", x1: 0, y1: 0, x2: x, y2: -y }),
        shape("text", { class: "tfc-label tfc-is-key", x: 1.16 * x, y: -1.16 * y }, names[i]),
      );
    });
    values.forEach(([x, y], i) => {
      this.plane.append(
        shape("rect", { class: "tfc-is-value", x: x - 0.07, y: -y - 0.07, width: 0.14, height: 0.14 }),
        shape("text", { class: "tfc-label tfc-is-value", x, y: -y - 0.24 }, names[i]),
      );
    });
    this.links = values.map(() => this.plane.appendChild(shape("line", { class: "tfc-link" })));
    this.stick = this.plane.appendChild(shape("line", { class: "tfc-arrow tfc-is-query" }));
    const points = "0,-0.14 0.14,0 0,0.14 -0.14,0";
    this.result = this.plane.appendChild(shape("polygon", { class: "tfc-result", points }));
    // El asidero es un botón encima del dibujo: lo alcanzan el teclado y el lector de pantalla.
    this.handle = element("button", { class: "tfc-handle", type: "button" }, "q");
    this.holder = element("div", { class: "tfc-holder" }, this.plane, this.handle);
    this.handle.addEventListener("keydown", (event) => this.pressed(event));
    this.handle.addEventListener("pointerdown", (event) => {
      this.handle.setPointerCapture(event.pointerId);
      this.dragging = true;
    });
    this.handle.addEventListener("pointermove", (event) => this.dragging && this.dragged(event));
    for (const end of ["pointerup", "pointercancel"]) {
      this.handle.addEventListener(end, () => (this.dragging = false));
    }
  }

  pressed(event) {
    const moves = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.moveTo(this.query.map((value, axis) => value + STEP * move[axis]));
  }

  dragged(event) {
    const box = this.plane.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.moveTo([x * REACH, y * REACH]);
  }

  moveTo(point) {
    const edge = REACH - 0.15;
    this.query = point.map((value) => Math.round(Math.min(edge, Math.max(-edge, value)) * 100) / 100);
    this.update();
  }

  update() {
    const { keys, values, names } = this.state;
    const [qx, qy] = this.query;
    const scores = keys.map(([x, y]) => (qx * x + qy * y) / Math.SQRT2);
    const weights = softmax(scores);
    const mixed = [0, 1].map((axis) =>
      values.reduce((sum, value, i) => sum + weights[i] * value[axis], 0),
    );
    this.place(this.stick, 0, 0, qx, -qy);
    this.links.forEach((link, i) => {
      this.place(link, values[i][0], -values[i][1], mixed[0], -mixed[1]);
      link.style.strokeWidth = 0.14 * weights[i];
    });
    this.result.setAttribute("transform", `translate(${mixed[0]} ${-mixed[1]})`);
    this.handle.style.left = `${50 * (1 + qx / REACH)}%`;
    this.handle.style.top = `${50 * (1 - qy / REACH)}%`;
    const where = ([x, y]) => `(${formatNumber(x)}; ${formatNumber(y)})`;
    this.handle.setAttribute("aria-label", `Consulta en ${where(this.query)}`);
    this.list.replaceChildren(
      ...names.map((name, i) =>
        barNode(name, weights[i], `${formatNumber(scores[i])} → ${formatWeight(weights[i])}`, "key"),
      ),
    );
    const best = weights.indexOf(Math.max(...weights));
    this.told.textContent =
      `Con la consulta en ${where(this.query)}, la clave ${names[best]} recibe el mayor peso, ` +
      `${formatWeight(weights[best])}. La media de los valores es ${where(mixed)}.`;
  }

  place(line, x1, y1, x2, y2) {
    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value);
  }
}

function render({ model, el }) {
  el.replaceChildren(new WeightedSumView(model.get("state")).node);
}

export default { render };
