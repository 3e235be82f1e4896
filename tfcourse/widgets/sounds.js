// Un sonido: se oye, y se ve su espectrograma con la ventana, el muestreo y la escala que se elijan.

const FLOOR = 60; // decibelios que se ven por debajo del máximo

class SoundView {
  constructor(state) {
    Object.assign(this, state);
    this.waves = this.sounds.map(({ samples }) => decoded(samples));
    this.sound = 0;
    this.window = Math.min(2, this.windows.length - 1);
    this.step = 0;
    this.scale = "hertz";
    this.place = 50;
    this.height = 25;
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.canvas = element("canvas", { class: "tfc-spectrogram", role: "img" });
    this.cursor = element("div", { class: "tfc-cursor", "aria-hidden": "true" });
    const set = (name) => (value) => {
      this[name] = value;
      this.update(!["place", "height"].includes(name));
    };
    const play = element("button", { type: "button", class: "tfc-listen" }, "Oír");
    play.addEventListener("click", () => this.listen());
    this.placeField = this.cursorField("Instante", "place", () => this.sayTime());
    this.heightField = this.cursorField("Altura", "height", () => this.sayHeight());
    this.node = figureNode(
      "tfc-sounds",
      "un sonido y su espectrograma",
      element(
        "div",
        { class: "tfc-controls" },
        selectField("Sonido", this.sounds.map(({ title }) => title), set("sound")),
        play,
        rangeField(
          "Ventana",
          { min: 0, max: this.windows.length - 1, value: this.window, say: (i) => this.sayWindow(i) },
          set("window"),
        ),
        rangeField(
          "Muestreo",
          { min: 0, max: this.steps.length - 1, value: 0, say: (i) => this.saySampling(i) },
          set("step"),
        ),
        radioField("Escala", [["hertz", "hercios"], ["mel", "mel"]], this.scale, set("scale")),
      ),
      element("div", { class: "tfc-picture" }, this.canvas, this.cursor),
      element("div", { class: "tfc-ends" }, element("span", {}, "0 s"), (this.ending = element("span"))),
      element("div", { class: "tfc-controls" }, this.placeField, this.heightField),
      this.told,
    );
    this.update(true);
  }

  /** Deslizador de una coordenada del cursor, de 0 a 100. */
  cursorField(label, name, say) {
    const input = element("input", { class: "tfc-range", type: "range", min: 0, max: 100, value: this[name] });
    input.say = () => input.setAttribute("aria-valuetext", say());
    input.addEventListener("input", () => {
      this[name] = Number(input.value);
      this.update(false);
    });
    return element("label", { class: "tfc-field" }, element("span", {}, label), input);
  }

  get rateNow() {
    return this.rate / this.steps[this.step];
  }

  sayWindow(i) {
    return `${this.windows[i]} muestras, ${formatNumber((1000 * this.windows[i]) / this.rate, 0)} ms`;
  }

  saySampling(i) {
    const step = this.steps[i];
    return `${this.rate / step} Hz${step > 1 ? `, una de cada ${step}, sin filtro` : ""}`;
  }

  sayTime() {
    return `${formatNumber((this.column * this.hop) / this.rate, 2)} s`;
  }

  sayHeight() {
    if (this.scale === "mel") return `banda ${this.row + 1} de ${this.rows}`;
    return `${formatNumber((this.row * this.rateNow) / (this.windows[this.window] / this.steps[this.step]), 0)} Hz`;
  }

  /** Las muestras que quedan con el muestreo elegido. */
  kept() {
    return this.waves[this.sound].filter((_, n) => n % this.steps[this.step] === 0);
  }

  measure() {
    const step = this.steps[this.step];
    const size = this.windows[this.window] / step;
    let columns = spectrogram(this.kept(), size, this.hop / step);
    if (this.scale === "mel") {
      const bank = melBank(this.corners, size / 2 + 1, this.rateNow / 2);
      columns = columns.map((power) =>
        bank.map((weights) => weights.reduce((sum, weight, k) => sum + weight * power[k], 0)),
      );
    }
    const top = Math.max(...columns.map((column) => Math.max(...column)), 1e-12);
    this.decibels = columns.map((column) =>
      column.map((power) => Math.max(-FLOOR, 10 * Math.log10(Math.max(power, 1e-20) / top))),
    );
    this.rows = columns[0].length;
  }

  update(again) {
    if (again) {
      this.measure();
      this.draw();
    }
    this.column = Math.round((this.place / 100) * (this.decibels.length - 1));
    this.row = Math.round((this.height / 100) * (this.rows - 1));
    this.placeField.lastChild.say();
    this.heightField.lastChild.say();
    this.cursor.style.left = `${(100 * (this.column + 0.5)) / this.decibels.length}%`;
    this.cursor.style.bottom = `${this.share() * ((100 * (this.row + 0.5)) / this.rows)}%`;
    const level = formatNumber(this.decibels[this.column][this.row], 1);
    const step = this.steps[this.step];
    const width = formatNumber(this.rate / this.windows[this.window], 0);
    const detail =
      this.scale === "mel"
        ? `Son ${this.rows} bandas, más anchas cuanto más agudas.`
        : `Cada casilla abarca ${width} Hz.`;
    const lost =
      step > 1
        ? ` A ${this.rateNow} Hz solo caben frecuencias de hasta ${this.rateNow / 2} Hz: las de arriba se han doblado hacia abajo.`
        : "";
    this.told.textContent =
      `A los ${this.sayTime()}, ${this.sayHeight()}: ${level} dB respecto al máximo. ${detail}${lost}`;
    this.canvas.setAttribute(
      "aria-label",
      `Espectrograma de «${this.sounds[this.sound].title}»: ${this.decibels.length} instantes y ${this.rows} filas`,
    );
    this.ending.textContent = `${formatNumber(this.waves[this.sound].length / this.rate, 2)} s`;
  }

  /** Parte de la altura del dibujo que ocupan las frecuencias que caben. */
  share() {
    return this.scale === "mel" ? 1 : 1 / this.steps[this.step];
  }

  draw() {
    const columns = this.decibels.length;
    const all = Math.round(this.rows / this.share());
    this.canvas.width = columns;
    this.canvas.height = all;
    const context = this.canvas.getContext("2d");
    const image = context.createImageData(columns, all);
    for (let x = 0; x < columns; x++) {
      for (let y = 0; y < all; y++) {
        const row = all - 1 - y;
        const level = row < this.rows ? 1 + this.decibels[x][row] / FLOOR : 0;
        image.data.set([...shade(level), row < this.rows ? 255 : 0], 4 * (y * columns + x));
      }
    }
    context.putImageData(image, 0, 0);
  }

  listen() {
    this.player?.pause();
    this.player = playWave(this.kept(), this.rateNow, () => {
      this.told.textContent = "Este navegador no ha podido reproducir el sonido.";
    });
  }
}

function render({ model, el }) {
  el.replaceChildren(new SoundView(model.get("state")).node);
}

export default { render };
