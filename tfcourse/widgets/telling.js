// Contar una escena palabra a palabra con un Pix2Seq: qué caja escribe antes, y a dónde mira en cada palabra.

const PARTS = ["y₁", "x₁", "y₂", "x₂"];
const CELLS = 8;

class TellingFigure extends SceneFigure {
  constructor(model) {
    super(model, "tfc-telling", "un Pix2Seq que escribe las cajas de las figuras que mueves");
  }

  build(buffer) {
    const { config } = this.state;
    this.writer = new BoxWriter(buffer, config);
    Object.assign(this, { layer: config.n_decoder - 1, head: -1 });
    this.prepare();
    this.strip = new TokenStrip("Lo que escribe: elige una palabra", "query", () => this.showLooks());
    this.looks = element("p", { class: "tfc-note" });
    const maps = headFields(config.n_decoder, config.n_heads, (choice) => {
      Object.assign(this, choice);
      this.showLooks();
    });
    maps[0].querySelector("select").value = String(this.layer);
    this.body.append(
      this.presetButtons(SCENE_PRESETS),
      this.canvas,
      element("p", { class: "tfc-note" }, "Arrastra las figuras, o elige una y muévela con los deslizadores. Cada caja lleva el número de orden en que se escribe; lo iluminado es a donde mira la palabra elegida."),
      this.strip.node,
      this.looks,
      this.picker,
      element("div", { class: "tfc-controls" }, ...maps),
    );
    this.open(SCENE_PRESETS["Como al entrenar"]());
  }

  look(image) {
    this.image = image;
    this.writer.see(image);
    const { objects, ending, maps } = this.writer.writeObjects(this.state.config.max_objects);
    Object.assign(this, { objects, ending });
    this.maps = [...objects.flatMap((one) => one.maps), ...(maps ? [maps] : [])];
    const names = objects.flatMap(({ words }) => words.map((word, i) => this.wordName(word, i)));
    this.strip.show(maps ? [...names, "fin"] : names, Math.min(Math.max(this.strip.chosen, 0), this.maps.length - 1));
    this.showLooks();
    this.say();
  }

  wordName(word, place) {
    const { n_bins: bins } = this.state.config;
    return place < PARTS.length ? `${PARTS[place]}=${word}` : SHAPE_NAMES[word - bins];
  }

  /** La caja de unas palabras, en partes de la imagen: esquina y tamaño. */
  box([top, left, bottom, right]) {
    const last = this.state.config.n_bins - 1;
    return [left / last, top / last, Math.max(right - left, 0) / last, Math.max(bottom - top, 0) / last];
  }

  showLooks() {
    const place = this.strip.chosen;
    const weights = headMap(this.maps[place][this.layer], this.head);
    const best = weights.indexOf(Math.max(...weights));
    const name = this.strip.row.children[place].firstChild.textContent;
    const where = `fila ${Math.floor(best / CELLS) + 1} y columna ${(best % CELLS) + 1} de ${CELLS} × ${CELLS}`;
    this.looks.textContent = `Al escribir «${name}» mira sobre todo a la casilla de la ${where} (${formatWeight(weights[best])}).`;
    this.draw(weights);
  }

  say() {
    const total = this.scene.objects.length;
    const names = this.objects.map(({ words, score }) => `${SHAPE_NAMES[words[4] - this.state.config.n_bins]} (${formatWeight(score)})`);
    const order = names.length ? `, por este orden: ${names.join(", ")}` : "";
    this.told.textContent =
      `Hay ${counted(total, "figura")} y escribe ${counted(names.length, "caja")}${order}. ` +
      `Probabilidad de acabar ahí: ${formatWeight(this.ending)}.`;
    this.canvas.setAttribute("aria-label", `Escena con ${counted(total, "figura")}. El modelo escribe: ${names.join(", ") || "nada"}.`);
  }

  draw(weights) {
    const context = drawPixels(this.canvas, this.image, SCENE);
    const size = this.canvas.width;
    const top = Math.max(...weights);
    weights.forEach((weight, n) => {
      context.fillStyle = `rgb(0 0 0 / ${0.7 * (1 - weight / top)})`; // se oscurece lo que no mira
      context.fillRect(((n % CELLS) * size) / CELLS, (Math.floor(n / CELLS) * size) / CELLS, size / CELLS, size / CELLS);
    });
    context.font = "bold 18px sans-serif";
    this.objects.forEach(({ words }, n) => {
      const [x, y, w, h] = this.box(words).map((value) => value * size);
      for (const [color, width] of [["#000", 5], ["#fff", 2]]) {
        Object.assign(context, { strokeStyle: color, lineWidth: width });
        context.strokeRect(x, y, w, h);
      }
      Object.assign(context, { strokeStyle: "#000", lineWidth: 4, fillStyle: "#fff" });
      const at = [Math.max(4, x + 3), Math.max(18, y + 18)];
      context.strokeText(String(n + 1), ...at);
      context.fillText(String(n + 1), ...at);
    });
  }
}

function render({ model, el }) {
  el.replaceChildren(new TellingFigure(model).node);
}

export default { render };
