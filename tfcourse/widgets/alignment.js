// Alineamiento, lo que se ve: se elige un símbolo de una fila y la otra dice con qué peso se miran.

function referenceLine(example) {
  const count = mistakes(example).length;
  const verdict = count
    ? `✗ la salida difiere en ${count} ${count === 1 ? "símbolo" : "símbolos"}`
    : "✓ la salida coincide";
  return element(
    "p",
    { class: "tfc-reference" },
    "Respuesta correcta: ",
    element("strong", {}, joined(example.reference)),
    " · ",
    element("span", { class: count ? "tfc-is-wrong" : "tfc-is-right" }, verdict),
  );
}

/** Un símbolo: en la fila activa es una opción; en la otra, un elemento con su peso. */
function tokenNode(example, side, index, active) {
  const wrong = side === "target" && mistakes(example).includes(index);
  const token = example[side][index];
  return element(
    "span",
    { class: `tfc-token${wrong ? " tfc-wrong" : ""}`, role: active ? "option" : "listitem" },
    element("span", { class: "tfc-glyph", "aria-hidden": "true" }, visibleToken(token)),
    element(
      "span",
      { class: "tfc-only-spoken" },
      `${token === " " ? "espacio" : token}${wrong ? ", equivocado" : ""}`,
    ),
    active ? "" : element("span", { class: "tfc-weight" }),
  );
}

/** Reparte los símbolos en palabras, para que los saltos de línea no las partan. */
function wordGroups(tokens, nodes) {
  const groups = [];
  let group = null;
  nodes.forEach((node, index) => {
    if (!group) groups.push((group = element("span", { class: "tfc-word" })));
    group.append(node);
    if (tokens[index] === " " || tokens[index].length > 1) group = null;
  });
  return groups;
}

function shadeLegend() {
  return element(
    "span",
    { class: "tfc-scale", "aria-hidden": "true" },
    "peso 0",
    element("span", { class: "tfc-ramp" }),
    "1",
  );
}

class AlignmentView {
  constructor(examples) {
    this.examples = examples;
    this.side = "target";
    this.selected = 0;
    this.example = examples[0];
    this.rows = element("div", {});
    this.status = element("p", { class: "tfc-status", role: "status" });
    this.node = figureNode(
      "tfc-alignment",
      "alineamiento entre salida y entrada",
      this.controls(),
      this.rows,
      this.status,
      this.help(),
    );
    this.drawRows();
  }

  controls() {
    const titles = this.examples.map((example) => example.title);
    const sides = ["target", "source"].map((side) => [side, sideName(this.examples[0], side)]);
    return element(
      "div",
      { class: "tfc-controls" },
      titles[0] ? selectField("Ejemplo", titles, (index) => this.showExample(index)) : "",
      radioField("Mirar desde", sides, this.side, (side) => this.showSide(side)),
    );
  }

  help() {
    const tokens = this.examples.flatMap((example) => [...example.source, ...example.target]);
    const space = tokens.some((token) => token.includes(" ")) ? " El signo ␣ es un espacio." : "";
    return element(
      "p",
      { class: "tfc-help" },
      "Pasa el puntero, toca un símbolo o muévete con ",
      element("kbd", {}, "←"),
      "\u00a0",
      element("kbd", {}, "→"),
      `. Sin número: menos de 0,005.${space}`,
    );
  }

  showExample(index) {
    this.example = this.examples[index];
    this.selected = 0;
    this.drawRows();
  }

  /** Al cambiar de lado se salta al símbolo más unido al que estaba elegido. */
  showSide(side) {
    if (side === this.side) return;
    this.selected = ranking(weightsFrom(this.example, this.side, this.selected))[0];
    this.side = side;
    this.drawRows();
  }

  drawRows() {
    this.tokens = {};
    this.captions = {};
    const reference = this.example.reference ? [referenceLine(this.example)] : [];
    this.rows.replaceChildren(this.drawRow("target"), ...reference, this.drawRow("source"));
    this.select(this.selected);
  }

  drawRow(side) {
    const active = side === this.side;
    const symbols = this.example[side];
    const nodes = symbols.map((_, index) => tokenNode(this.example, side, index, active));
    this.tokens[side] = nodes;
    this.captions[side] = element("span", { class: "tfc-caption" });
    const row = element(
      "div",
      {
        class: "tfc-row",
        role: active ? "listbox" : "list",
        "aria-orientation": active && "horizontal",
        "aria-label": `${rowName(this.example, side)}: ${active ? "elige un símbolo" : "pesos"}`,
      },
      ...wordGroups(symbols, nodes),
    );
    if (active) this.listen(row, nodes);
    return element(
      "div",
      { class: `tfc-side tfc-role-${SIDES[side].role}${active ? " tfc-active" : ""}` },
      element(
        "div",
        { class: "tfc-heading" },
        element("span", {}, element("strong", {}, rowName(this.example, side)), " ", this.captions[side]),
        active ? "" : shadeLegend(),
      ),
      row,
    );
  }

  listen(row, nodes) {
    const indexOf = (event) => nodes.indexOf(event.target.closest(".tfc-token"));
    const choose = (event) => indexOf(event) >= 0 && this.select(indexOf(event));
    row.addEventListener("click", choose);
    row.addEventListener("focusin", choose);
    row.addEventListener("pointerover", (event) => event.pointerType !== "touch" && choose(event));
    row.addEventListener("keydown", (event) => {
      const next = indexAfterKey(event.key, this.selected, nodes.length);
      if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      nodes[next].focus();
    });
  }

  select(index) {
    this.selected = index;
    const other = otherSide(this.side);
    this.tokens[this.side].forEach((node, i) => {
      node.setAttribute("aria-selected", String(i === index));
      node.tabIndex = i === index ? 0 : -1;
    });
    this.shade(other, weightsFrom(this.example, this.side, index));
    const name = namedToken(this.example[this.side][index]);
    this.captions[this.side].textContent = "elige un símbolo";
    this.captions[other].textContent =
      this.side === "target" ? `cuánto la mira ${name}` : `cuánto mira a ${name}`;
    const text = describe(this.example, this.side, index);
    if (this.status.textContent !== text) this.status.textContent = text;
  }

  shade(side, weights) {
    const strongest = ranking(weights)[0];
    this.tokens[side].forEach((node, index) => {
      const weight = weights[index];
      node.style.setProperty("--w", weight);
      node.classList.toggle("tfc-strongest", index === strongest && weight >= MIN_WEIGHT);
      node.querySelector(".tfc-weight").replaceChildren(
        weight >= MIN_WEIGHT
          ? formatWeight(weight)
          : element("span", { class: "tfc-only-spoken" }, "menos de 0,005"),
      );
    });
  }
}
