// Formar una cifra con un DiT: la palabra, la guía y el ruido, y lo que queda tras cada paso.

const WORDS = ["cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"];
const STEP_COUNTS = [1, 2, 4, 8, 16, 32];
const BLINK = 150; // milisegundos que se ve cada paso
const INKED = 0.5; // desde este número, un punto se cuenta como tinta al decirlo con palabras

/** Números al azar de una campana: de cada semilla, siempre los mismos. */
function seededNoise(seed, count) {
  let state = 2654435761 * (seed + 1);
  const draw = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return Float32Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw()),
  );
}

/** De −1 a 1, donde vive el modelo, a tinta de 0 a 1; lo que se sale se recorta. */
const toInk = (image) => image.map((v) => Math.min(Math.max((v + 1) / 2, 0), 1));

/** Dónde hay tinta, con palabras: de cada fila, sus tramos de puntos. */
function inkInWords(ink, side) {
  const rows = [];
  for (let r = 0; r < side; r++) {
    const runs = [];
    for (let c = 0; c < side; c++) {
      if (ink[r * side + c] < INKED) continue;
      const last = runs.at(-1);
      if (last && last[1] === c) last[1] = c + 1;
      else runs.push([c + 1, c + 1]);
    }
    if (runs.length) rows.push(`fila ${r + 1}, ${runs.map(([a, b]) => (a === b ? a : `${a} a ${b}`)).join(" y ")}`);
  }
  return rows.length ? `Tinta: ${rows.join("; ")}.` : "Sin tinta.";
}

/** Lo que se diferencian dos dibujos, de media por punto. */
const inkGap = (a, b) => a.reduce((sum, v, i) => sum + Math.abs(v - b[i]), 0) / a.length;

class FormingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-forming", "elige una cifra y mira cómo la forma un DiT");
  }

  build(buffer) {
    this.dit = new DiT(buffer, this.state.config);
    Object.assign(this, { word: 3, guidance: 2, seed: 0, steps: 16, at: 16 });
    this.now = this.board("Lo que hay");
    this.aim = this.board("Adónde apunta");
    this.play = commandButton("Ver cómo se forma", () => this.toggle());
    this.scrub = element("div", {});
    this.seedField = this.noiseField();
    this.body.append(
      element("div", { class: "tfc-controls" }, this.wordField(), this.guidanceField(), this.seedField, this.stepsField()),
      element("div", { class: "tfc-boards" }, this.now.node, this.aim.node),
      element("p", { class: "tfc-note" }, "A la derecha, adonde se llegaría si desde ahí se siguiera en línea recta."),
      this.scrub,
      buttonRow("Marcha", this.play, commandButton("Otro ruido", () => this.another())),
    );
    this.draw();
  }

  board(title) {
    const canvas = element("canvas", { class: "tfc-board", role: "img", width: 320, height: 320 });
    const heading = element("div", { class: "tfc-heading" }, element("strong", {}, title));
    return { canvas, title, node: element("div", { class: "tfc-board-side" }, heading, canvas) };
  }

  /** Lo que hace un mando: cambia algo y dibuja otra vez. */
  change(set) {
    return (value) => {
      set(value);
      this.draw();
    };
  }

  wordField() {
    const field = selectField("Palabra", WORDS, this.change((n) => (this.word = n)));
    field.querySelector("select").value = String(this.word);
    return field;
  }

  guidanceField() {
    const say = (n) => (n === 0 ? "0, sin decir la palabra" : formatNumber(n / 2, 1));
    return rangeField("Guía", { min: 0, max: 16, value: 2 * this.guidance, say }, this.change((n) => (this.guidance = n / 2)));
  }

  stepsField() {
    const range = { min: 0, max: STEP_COUNTS.length - 1, value: STEP_COUNTS.indexOf(this.steps), say: (i) => String(STEP_COUNTS[i]) };
    return rangeField("Pasos", range, this.change((i) => (this.steps = STEP_COUNTS[i])));
  }

  noiseField() {
    return rangeField("Ruido", { min: 0, max: 99, value: this.seed }, this.change((n) => (this.seed = n)));
  }

  another() {
    this.seed = (this.seed + 1) % 100;
    const field = this.noiseField();
    this.seedField.replaceWith(field);
    this.seedField = field;
    this.draw();
  }

  /** Calcula el camino entero y se queda en el paso en que estaba o, si ya son otros, en el último. */
  draw() {
    this.stop();
    const noise = seededNoise(this.seed, this.state.config.image_size ** 2);
    this.moments = this.dit.path(noise, this.word, this.guidance, this.steps)
      .map(({ image, aim }) => ({ image: toInk(image), aim: toInk(aim) }));
    if (this.total !== this.steps) this.at = this.steps;
    this.total = this.steps;
    const say = (n) => `${n} de ${this.steps}`;
    this.scrub.replaceChildren(
      rangeField("Paso", { min: 0, max: this.steps, value: this.at, say }, (n) => {
        this.stop();
        this.show(n);
        this.say();
      }),
    );
    this.show(this.at);
    this.say();
  }

  show(at) {
    this.at = at;
    const side = this.state.config.image_size;
    const { image, aim } = this.moments[at];
    for (const [{ canvas, title }, ink] of [[this.now, image], [this.aim, aim]]) {
      const gray = Float32Array.from({ length: 3 * ink.length }, (_, i) => 1 - ink[Math.floor(i / 3)]);
      drawPixels(canvas, gray, side);
      canvas.setAttribute("aria-label", `${title} tras el paso ${at} de ${this.steps}. ${inkInWords(ink, side)}`);
    }
  }

  say() {
    const end = this.moments.at(-1).image;
    const { image, aim } = this.moments[this.at];
    const asked = this.guidance === 0 ? "Sin decir la palabra" : `«${WORDS[this.word]}», con guía ${formatNumber(this.guidance, 1)}`;
    const where = `${asked}, tras el paso ${this.at} de ${this.steps} (t = ${formatNumber(this.at / this.steps)}).`;
    this.told.textContent = this.at === this.steps
      ? `${where} Es el dibujo acabado.`
      : `${where} Lo que hay se diferencia del dibujo acabado en ${formatNumber(inkGap(image, end))} por punto, de media; adónde apunta, en ${formatNumber(inkGap(aim, end))}.`;
  }

  toggle() {
    if (this.timer) return this.stop();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.advance(this.at < this.steps ? this.at + 1 : 0);
    this.play.textContent = "Parar";
    this.move(0);
    this.timer = setInterval(() => {
      if (this.at === this.steps || !this.node.isConnected) this.stop();
      else this.move(this.at + 1);
      if (this.at === this.steps) this.say();
    }, BLINK);
  }

  /** Sin movimiento: un paso por pulsación, y se dice. */
  advance(at) {
    this.move(at);
    this.say();
  }

  /** Lleva el mando del paso, y con él el dibujo. */
  move(at) {
    const slider = this.scrub.querySelector("input");
    slider.value = at;
    slider.setAttribute("aria-valuetext", `${at} de ${this.steps}`);
    this.scrub.querySelector(".tfc-shown").textContent = `${at} de ${this.steps}`;
    this.show(at);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Ver cómo se forma";
  }
}

function render({ model, el }) {
  el.replaceChildren(new FormingFigure(model).node);
}

export default { render };
