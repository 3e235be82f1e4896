// Emparejamiento: se arrastran las cajas predichas y se ve qué coste tiene cada pareja.

const COST_KINDS = [
  ["todo", "clase y caja"],
  ["clase", "solo clase"],
  ["caja", "solo caja"],
];
const BOX_STEP = 0.02;

class MatchingView {
  constructor(state) {
    this.state = state;
    this.kind = "todo";
    this.predictions = state.predictions.map(({ name, box }) => ({ name, box: [...box] }));
    this.plane = shape("svg", {
      class: "tfc-plane",
      viewBox: "0 0 100 100",
      role: "img",
      "aria-label": "Objetos, con borde continuo, y predicciones, con borde discontinuo",
    });
    this.holder = element("div", { class: "tfc-holder" }, this.plane);
    this.table = element("table", { class: "tfc-costs" });
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.drawPlane();
    const change = (value) => {
      this.kind = value;
      this.update();
    };
    this.node = figureNode(
      "tfc-matching",
      "el emparejamiento húngaro",
      element("div", { class: "tfc-controls" }, radioField("Qué cuenta en el coste", COST_KINDS, "todo", change)),
      element(
        "div",
        { class: "tfc-matching-columns" },
        this.holder,
        element(
          "div",
          { class: "tfc-costs-holder", role: "region", tabindex: 0, "aria-label": "Tabla de costes" },
          this.table,
        ),
      ),
      this.told,
      element(
        "p",
        { class: "tfc-note" },
        "Arrastra una predicción por su asa o, con el asa enfocada, muévela con las flechas. ",
        "Las casillas marcadas con ✓ son las parejas de menor coste total.",
      ),
    );
    this.update();
  }

  drawPlane() {
    for (const { name, box } of this.state.things) {
      this.plane.append(this.boxNode("tfc-thing", box), this.labelNode("tfc-thing-name", name, box, -1.2));
    }
    this.guesses = this.predictions.map(({ box }) =>
      this.plane.appendChild(this.boxNode("tfc-guess", box)),
    );
    this.links = this.state.things.map(() => this.plane.appendChild(shape("line", { class: "tfc-pair" })));
    this.handles = this.predictions.map((_, i) => this.handleNode(i));
    this.holder.append(...this.handles);
  }

  boxNode(kind, box) {
    const node = shape("rect", { class: kind });
    this.placeBox(node, box);
    return node;
  }

  placeBox(node, [cx, cy, w, h]) {
    const sides = { x: cx - w / 2, y: cy - h / 2, width: w, height: h };
    for (const [name, value] of Object.entries(sides)) node.setAttribute(name, 100 * value);
  }

  labelNode(kind, name, [cx, cy, , h], gap) {
    return shape("text", { class: kind, x: 100 * cx, y: 100 * (cy - h / 2) + gap }, name);
  }

  handleNode(index) {
    const handle = element("button", { class: "tfc-handle", type: "button" }, String(index + 1));
    handle.addEventListener("keydown", (event) => this.pressed(event, index));
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      this.dragging = index;
    });
    handle.addEventListener("pointermove", (event) => this.dragging === index && this.dragged(event, index));
    for (const end of ["pointerup", "pointercancel"]) {
      handle.addEventListener(end, () => (this.dragging = null));
    }
    return handle;
  }

  pressed(event, index) {
    const moves = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [cx, cy] = this.predictions[index].box;
    this.moveTo(index, cx + BOX_STEP * move[0], cy + BOX_STEP * move[1]);
  }

  dragged(event, index) {
    const area = this.plane.getBoundingClientRect();
    this.moveTo(index, (event.clientX - area.left) / area.width, (event.clientY - area.top) / area.height);
  }

  moveTo(index, x, y) {
    const box = this.predictions[index].box;
    [x, y].forEach((value, axis) => {
      const half = box[2 + axis] / 2; // la caja no se sale de la imagen
      box[axis] = Math.round(1000 * Math.min(1 - half, Math.max(half, value))) / 1000;
    });
    this.update();
  }

  costs() {
    const [classes, l1, giou] = this.state.weights;
    const kept = { todo: [classes, l1, giou], clase: [classes, 0, 0], caja: [0, l1, giou] }[this.kind];
    return matchingTable(this.state.things, this.predictions, this.state.probabilities, kept);
  }

  update() {
    const table = this.costs();
    const best = bestColumns(table);
    const greedy = greedyColumns(table);
    this.predictions.forEach(({ name, box }, i) => {
      this.placeBox(this.guesses[i], box);
      this.guesses[i].classList.toggle("tfc-matched", best.columns.includes(i));
      this.handles[i].style.left = `${100 * box[0]}%`;
      this.handles[i].style.top = `${100 * box[1]}%`;
      const where = `(${formatNumber(box[0])}; ${formatNumber(box[1])})`;
      this.handles[i].setAttribute("aria-label", `Predicción ${i + 1}, «${name}», en ${where}`);
    });
    best.columns.forEach((column, row) => {
      const [from, to] = [this.state.things[row].box, this.predictions[column].box];
      const ends = { x1: from[0], y1: from[1], x2: to[0], y2: to[1] };
      for (const [name, value] of Object.entries(ends)) this.links[row].setAttribute(name, 100 * value);
    });
    this.writeTable(table, best.columns);
    this.tell(best, greedy);
  }

  writeTable(table, columns) {
    const head = element("tr", {}, element("th", { scope: "col" }, "objeto"));
    this.predictions.forEach(({ name }, i) => {
      head.append(element("th", { scope: "col" }, `${i + 1}`, element("br"), name));
    });
    const rows = table.map((row, t) => {
      const line = element("tr", {}, element("th", { scope: "row" }, this.state.things[t].name));
      row.forEach((cost, q) => {
        const mine = columns[t] === q;
        const text = formatNumber(cost) + (mine ? " ✓" : "");
        line.append(element("td", { class: mine ? "tfc-mine" : false }, text));
      });
      return line;
    });
    this.table.replaceChildren(
      element("caption", {}, "Coste de cada objeto con cada predicción"),
      element("thead", {}, head),
      element("tbody", {}, ...rows),
    );
  }

  tell(best, greedy) {
    const pairs = best.columns.map((column, t) => `${this.state.things[t].name} con la ${column + 1}`);
    const spare = this.predictions.map((_, i) => i + 1).filter((i) => !best.columns.includes(i - 1));
    const rest = spare.length ? ` A la ${spare.join(" y la ")} le toca decir «sin objeto».` : "";
    const worse = greedy.total > best.total + 1e-9;
    this.told.textContent =
      `Parejas: ${pairs.join(", ")}. Coste total: ${formatNumber(best.total)}.${rest} ` +
      (worse
        ? `Si cada objeto, por orden, tomara la más barata, costaría ${formatNumber(greedy.total)}.`
        : "Tomar por orden la más barata daría lo mismo.");
  }
}

function render({ model, el }) {
  el.replaceChildren(new MatchingView(model.get("state")).node);
}

export default { render };
