// Separar dos voces con un SepFormer: mézclalas a tu gusto, oye la mezcla y oye lo que devuelve.

const SEEN_DECIBELS = 50;
// Los colores que se ven, hechos de una vez: son muchos más los puntos.
const COLORS = Array.from({ length: 256 }, (_, n) => [...shade(n / 255), 255]);
const ROW = { width: 640, height: 130 };

class SeparatingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-separating", "mezcla dos voces y oye cómo las separa un SepFormer");
  }

  build(buffer) {
    this.sepformer = new SepFormer(buffer, this.state.config);
    this.waves = this.state.voices.map(({ samples }) => decoded(samples));
    Object.assign(this, { pair: [0, 1], level: 0, late: 0, rate: this.state.rate });
    this.rows = ["La mezcla", "Primera salida", "Segunda salida"].map((title) => this.row(title));
    const names = this.state.voices.map(({ title }) => title);
    const voiceField = (label, place) => {
      const field = selectField(label, names, (i) => {
        this.pair[place] = i;
        this.update();
      });
      field.querySelector("select").value = String(this.pair[place]);
      return field;
    };
    const slide = (label, range, say, name) =>
      rangeField(label, { ...range, value: 0, say }, (value) => {
        this[name] = value;
        this.update();
      });
    this.body.append(
      element(
        "div",
        { class: "tfc-controls" },
        voiceField("Voz A", 0),
        voiceField("Voz B", 1),
        slide("La voz B, respecto a la A", { min: -20, max: 20 }, (n) => `${formatNumber(n, 0)} dB`, "level"),
        slide("La voz B empieza", { min: 0, max: 10 }, (n) => (n ? `${formatNumber(n / 10, 1)} s después` : "a la vez"), "late"),
      ),
      buttonRow(
        "Oír por separado lo que se mezcla",
        commandButton("Oír la voz A sola", () => this.play(this.sources[0])),
        commandButton("Oír la voz B sola", () => this.play(this.sources[1])),
      ),
      ...this.rows.map(({ node }) => node),
    );
    this.update();
  }

  /** Una onda que se oye, con su espectrograma y lo que se dice de ella. */
  row(title) {
    const canvas = element("canvas", { class: "tfc-heard", role: "img", ...ROW });
    const note = element("span", { class: "tfc-weight" });
    const own = { canvas, note, wave: null };
    const button = commandButton("Oír", () => this.play(own.wave));
    button.setAttribute("aria-label", `Oír: ${title.toLowerCase()}`);
    const heading = element("div", { class: "tfc-heard-row" }, element("strong", {}, title), note, button);
    own.node = element("div", { class: "tfc-strip" }, heading, canvas);
    return own;
  }

  /** Las dos voces, con la misma duración, la B más fuerte o más floja y más tarde. */
  mixed() {
    const [a, b] = this.pair.map((i) => this.waves[i]);
    const late = Math.round((this.late / 10) * this.rate);
    const length = Math.max(a.length, b.length + late);
    const gain = 10 ** (this.level / 20);
    return [
      Float32Array.from({ length }, (_, n) => a[n] ?? 0),
      Float32Array.from({ length }, (_, n) => gain * (b[n - late] ?? 0)),
    ];
  }

  update() {
    this.sources = this.mixed();
    const mixture = this.sources[0].map((v, n) => v + this.sources[1][n]);
    const { waves, masks, frames } = this.sepformer.separate(mixture);
    const scores = waves.map((wave) => this.sources.map((source) => signalToNoise(wave, source)));
    // Las salidas no tienen orden: de los dos repartos, el que más suma.
    const straight = scores[0][0] + scores[1][1] >= scores[0][1] + scores[1][0];
    const whose = straight ? [0, 1] : [1, 0];
    const ones = new Float32Array(masks[0].length).fill(1);
    [mixture, ...waves].forEach((wave, n) => (this.rows[n].wave = wave));
    [ones, ...masks].forEach((mask, n) => this.draw(this.rows[n].canvas, frames, mask));
    const gains = whose.map((source, n) => scores[n][source] - signalToNoise(mixture, this.sources[source]));
    this.rows[0].note.textContent = "lo que oye el modelo";
    whose.forEach((source, n) => {
      this.rows[n + 1].note.textContent = `se parece a la voz ${"AB"[source]}: ${formatNumber(scores[n][source], 1)} dB de SI-SNR`;
    });
    this.describe(whose);
    this.say(gains, whose);
  }

  describe(whose) {
    const length = `${formatNumber(this.rows[0].wave.length / this.rate, 1)} segundos`;
    this.rows[0].canvas.setAttribute("aria-label", `Espectrograma de la mezcla: ${length}`);
    whose.forEach((source, n) =>
      this.rows[n + 1].canvas.setAttribute("aria-label", `Espectrograma de la salida que se parece a la voz ${"AB"[source]}`),
    );
  }

  say(gains, whose) {
    const side = (source) => `${formatNumber(gains[whose.indexOf(source)], 1)} dB`;
    const same = this.pair[0] === this.pair[1] ? " Las dos son la misma grabación: no hay nada que las distinga." : "";
    this.told.textContent = `Mejora de SI-SNR, frente a dejar la mezcla como está: la voz A, ${side(0)}; la voz B, ${side(1)}.${same}`;
  }

  /** El espectrograma de la mezcla, con lo que la máscara deja pasar. */
  draw(canvas, frames, mask) {
    const bins = frames[0][0].length;
    const loudness = loudnessOf(frames);
    const top = loudness.reduce((a, b) => Math.max(a, b), 1e-8);
    const pixels = new ImageData(frames.length, bins);
    loudness.forEach((size, place) => {
      const share = Math.max(size * mask[place], 1e-8) / top;
      const level = 1 + (20 * Math.log10(share)) / SEEN_DECIBELS;
      const k = place % bins;
      const at = 4 * ((bins - 1 - k) * frames.length + (place - k) / bins);
      pixels.data.set(COLORS[Math.round((COLORS.length - 1) * Math.max(0, Math.min(1, level)))], at);
    });
    const small = element("canvas", { width: frames.length, height: bins });
    small.getContext("2d").putImageData(pixels, 0, 0);
    const context = canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, canvas.width, canvas.height);
  }

  play(wave) {
    this.player?.pause();
    const peak = wave.reduce((top, v) => Math.max(top, Math.abs(v)), 1e-6);
    this.player = playWave(wave.map((v) => (0.7 * v) / peak), this.rate, () => {
      this.told.textContent = "Este navegador no ha podido reproducir el sonido.";
    });
  }
}

function render({ model, el }) {
  el.replaceChildren(new SeparatingFigure(model).node);
}

export default { render };
