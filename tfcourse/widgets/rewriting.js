// Leer una frase y escribir otra: el traductor, con su haz a la vista, y las tareas de T5.

const MOST_READ = 60;

class RewritingFigure extends LiveFigure {
  constructor(model) {
    const name = model.get("state").tasks ? "un T5 que hace varias tareas" : "un traductor del inglés al español";
    super(model, "tfc-rewriting", name);
  }

  build(buffer) {
    const { config, tasks } = this.state;
    const tokenizer = JSON.parse(this.state.tokenizer);
    this.engine = tasks ? new T5(buffer, config) : new Translator(buffer, config);
    this.tokenizer = tasks ? new Unigram(tokenizer) : new ByteBPE(tokenizer);
    Object.assign(this, { size: 1, layer: 0, head: -1 });
    this.area = element("input", { class: "tfc-text", type: "text", maxlength: 240, spellcheck: "false" });
    this.area.addEventListener("input", () => this.write());
    this.prefix = tasks ? element("input", { class: "tfc-text", type: "text", maxlength: 30 }) : null;
    this.prefix?.addEventListener("input", () => this.write());
    this.written = new TokenStrip("Lo que escribe: elige un token", "query", () => this.showAttention());
    this.source = new TokenStrip("Lo que lee, y a qué mira al escribirlo", "key");
    this.beams = element("ol", { class: "tfc-beams" });
    this.looks = element("p", { class: "tfc-note" });
    this.body.append(
      this.exampleButtons(),
      element("div", { class: "tfc-controls" }, ...this.textFields()),
      this.written.node,
      this.source.node,
      element("div", { class: "tfc-controls" }, ...this.mapFields()),
      this.looks,
      ...this.beamNodes(),
    );
    this.put(this.state.examples[0]);
  }

  exampleButtons() {
    const buttons = this.state.examples.map((example) => {
      const text = example.task ? `${example.task}: ${example.text}` : example.text;
      return commandButton(`«${text}»`, () => this.put(example));
    });
    return buttonRow("Ejemplos", ...buttons);
  }

  textFields() {
    const field = (label, input) => element("label", { class: "tfc-field" }, element("span", {}, label), input);
    if (!this.prefix) return [field("Texto en inglés, de un programa de ordenador", this.area)];
    return [field(`Tarea: ${this.state.tasks.join(", ")}`, this.prefix), field("Texto", this.area)];
  }

  mapFields() {
    const { n_layers: layers, n_heads: heads } = this.state.config;
    return headFields(layers, heads, (choice) => {
      Object.assign(this, choice);
      this.showAttention();
    });
  }

  /** El haz, paso a paso; las tareas de T5 se escriben siempre con el token más probable. */
  beamNodes() {
    if (this.prefix) return [];
    this.moment = element("input", { class: "tfc-range", type: "range", min: 1, value: 1 });
    this.moment.addEventListener("input", () => this.showBeams());
    const sizes = ["1: voraz", "2", "3", "4"];
    return [
      element(
        "div",
        { class: "tfc-controls" },
        selectField("Frases que se siguen a la vez (haz)", sizes, (i) => {
          this.size = i + 1;
          this.write();
        }),
        element("label", { class: "tfc-field" }, element("span", {}, "Paso del haz"), this.moment),
      ),
      this.beams,
    ];
  }

  put({ task, text }) {
    if (this.prefix) this.prefix.value = task;
    this.area.value = text;
    this.write();
  }

  write() {
    const text = this.prefix ? `${this.prefix.value}: ${this.area.value}` : this.area.value;
    this.read = this.engine.closed(this.tokenizer.encode(text).slice(0, MOST_READ));
    if (!this.read.length) {
      this.told.textContent = "Escribe una frase.";
      return;
    }
    this.engine.readSource(this.read);
    const options = { size: this.size, start: START, stop: STOP, most: MAX_WRITTEN };
    const { best, steps } = beamSearch(this.engine, options);
    this.steps = steps;
    this.answer = [...best, STOP];
    this.maps = this.attentionMaps(best);
    const names = (list) => list.map((token) => this.tokenizer.readable(token));
    this.source.show(names(this.read));
    this.written.show(names(this.answer), 0);
    this.showAttention();
    const done = this.tokenizer.decode(best).trim();
    this.told.textContent = done ? `Escribe: «${done}».` : "No escribe nada: acaba en el primer paso.";
    if (this.moment) {
      this.moment.max = steps.length;
      this.moment.value = steps.length;
      this.showBeams();
    }
  }

  /** A qué mira cada token escrito: se vuelve a escribir la frase, apuntándolo. */
  attentionMaps(best) {
    const state = this.engine.start();
    return [START, ...best].map((token) => {
      const maps = Array.from({ length: this.state.config.n_layers }, () => []);
      this.engine.step(token, state, (layer, head, weights) => (maps[layer][head] = weights.slice()));
      return maps;
    });
  }

  showAttention() {
    const place = this.written.chosen;
    const weights = headMap(this.maps[place][this.layer], this.head);
    const names = this.read.map((token) => this.tokenizer.readable(token));
    this.source.shade(weights);
    const name = shownPiece(this.tokenizer.readable(this.answer[place]));
    this.looks.textContent = `Al escribir «${name}» mira sobre todo a ${strongest(weights, names)}.`;
  }

  showBeams() {
    const n = Number(this.moment.value);
    const { alive, done } = this.steps[n - 1];
    const line = (tokens, mark, score) =>
      element("li", {}, `«${this.tokenizer.decode(tokens)}» ${mark}, ${formatNumber(score)}`);
    this.moment.setAttribute("aria-valuetext", `paso ${n} de ${this.steps.length}`);
    this.beams.replaceChildren(
      ...alive.map(({ tokens, score }) => line(tokens, "sigue: log-probabilidad", score)),
      ...done.map(({ tokens, score }) => line(tokens, "acabada: por token", score)),
    );
  }
}

function render({ model, el }) {
  el.replaceChildren(new RewritingFigure(model).node);
}

export default { render };
