// Cabezas y capas: se elige una oración, un sitio del modelo, una capa y una cabeza, y se mira
// con la figura de alineamiento a quién atiende cada símbolo.

class HeadsView {
  constructor(sentences) {
    this.sentences = sentences;
    this.chosen = { sentence: 0, place: 0, layer: 0, head: 0 };
    this.holder = element("div", {});
    this.controls = element("div", { class: "tfc-controls" });
    this.node = figureNode("tfc-heads", "capas y cabezas del traductor", this.controls, this.holder);
    this.drawControls();
    this.draw();
  }

  places() {
    return this.sentences[this.chosen.sentence].places;
  }

  maps() {
    return this.places()[this.chosen.place].maps;
  }

  drawControls() {
    const numbered = (name, count) => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);
    const field = (label, name, options) =>
      selectField(label, options, (index) => {
        this.chosen[name] = index;
        this.draw();
      });
    this.controls.append(
      field("Oración", "sentence", this.sentences.map(({ title }) => title)),
      field("Sitio", "place", this.places().map(({ name }) => name)),
      field("Capa", "layer", numbered("capa", this.maps().length)),
      field("Cabeza", "head", [...numbered("cabeza", this.maps()[0].length), "media de todas"]),
    );
  }

  draw() {
    const { rows, columns, names, maps } = this.places()[this.chosen.place];
    const heads = maps[this.chosen.layer];
    const weights = heads[this.chosen.head] ?? average(heads);
    const selected = this.view?.selected ?? 0;
    const example = { title: "", source: columns, target: rows, weights, reference: null, names };
    this.view = new AlignmentView([example]);
    this.view.select(Math.min(selected, rows.length - 1));
    this.holder.replaceChildren(this.view.node);
  }
}

function average(matrices) {
  return matrices[0].map((row, i) =>
    row.map((_, j) => matrices.reduce((sum, matrix) => sum + matrix[i][j], 0) / matrices.length),
  );
}

function render({ model, el }) {
  el.replaceChildren(new HeadsView(model.get("sentences")).node);
}

export default { render };
