// Escribir con un GPT: qué cree que viene ahora, y qué hace con ello cada mando.

const WRITING_HEATS = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3];
const WRITING_COUNTS = [1, 2, 3, 5, 10, 20, 50, 100, 300];
const SHOWN_NEXT = 8;
const DROPPED_AT_ONCE = 32; // al llenarse la ventana, se sueltan de golpe: la caché sirve otro rato

class WritingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-writing", "un GPT que escribe en la página");
  }

  build(buffer) {
    this.gpt = new GPT(buffer, this.state.config);
    this.tokenizer = new BPE(JSON.parse(this.state.tokenizer));
    Object.assign(this, { heat: 1, kept: Infinity, nucleus: 100, layer: 0, head: -1 });
    Object.assign(this, { tokens: [], read: [], maps: [] });
    this.area = element("textarea", { class: "tfc-text", rows: 3, maxlength: 2000, spellcheck: "false" });
    this.area.addEventListener("input", () => this.type(this.area.value));
    this.strip = new TokenStrip("Tokens: elige uno y mira a cuáles mira", "query", () => this.showAttention());
    this.looks = element("p", { class: "tfc-note" });
    this.list = element("div", { role: "list", "aria-label": "Los tokens que pueden seguir" });
    this.back = commandButton("Deshacer", () => this.undo());
    this.body.append(
      buttonRow("Comienzos", ...this.state.starts.map((text) => this.startButton(text))),
      element("label", { class: "tfc-field" }, element("span", {}, "Tu texto"), this.area),
      element("p", { class: "tfc-note" }, "Pulsa un token para escribirlo, o que lo elija la suerte:"),
      buttonRow(
        "Escribir",
        commandButton("Sortear un token", () => this.write(1)),
        commandButton("Sortear veinte", () => this.write(20)),
        this.back,
      ),
      this.list,
      this.controls(),
      this.strip.node,
      element("div", { class: "tfc-controls" }, ...this.mapFields()),
      this.looks,
    );
    this.type(this.state.starts[0], true);
  }

  startButton(text) {
    const shown = text.replace(/^ | $/g, "␣");
    return commandButton(`«${shown}»`, () => this.type(text, true));
  }

  controls() {
    const set = (change) => (value) => {
      change(value);
      this.showNext();
    };
    const counts = WRITING_COUNTS;
    return element(
      "div",
      { class: "tfc-controls" },
      rangeField(
        "Temperatura, τ",
        { min: 0, max: WRITING_HEATS.length - 1, value: 6, say: (i) => formatNumber(WRITING_HEATS[i], 1) },
        set((i) => (this.heat = WRITING_HEATS[i])),
      ),
      rangeField(
        "Top-k",
        { min: 0, max: counts.length, value: counts.length, say: (i) => String(counts[i] ?? "sin límite") },
        set((i) => (this.kept = counts[i] ?? Infinity)),
      ),
      rangeField(
        "Top-p",
        { min: 5, max: 100, step: 5, value: 100, say: (p) => (p === 100 ? "sin límite" : formatNumber(p / 100)) },
        set((p) => (this.nucleus = p)),
      ),
    );
  }

  mapFields() {
    const { n_layers: layers, n_heads: heads } = this.state.config;
    return headFields(layers, heads, (choice) => {
      Object.assign(this, choice);
      this.showAttention();
    });
  }

  /** Otro texto, escrito a mano: se vuelve a cortar en tokens. */
  type(text, rewrite = false) {
    if (rewrite) this.area.value = text;
    this.tokens = this.tokenizer.encode(text);
    this.update();
  }

  append(token) {
    this.tokens = [...this.tokens, token];
    this.rewrite();
  }

  undo() {
    this.tokens = this.tokens.slice(0, -1);
    this.rewrite();
  }

  rewrite() {
    this.area.value = this.tokenizer.decode(this.tokens);
    this.update();
  }

  write(count) {
    for (let n = 0; n < count; n++) {
      let luck = Math.random();
      const options = this.chosen();
      const found = options.find(([, p]) => (luck -= p) < 0) ?? options[0];
      this.tokens = [...this.tokens, found[0]];
      this.readTokens();
    }
    this.rewrite();
  }

  /** Lee lo que no estaba ya leído: con la caché, casi siempre un token. */
  readTokens() {
    const room = this.state.config.max_length;
    const extra = Math.max(0, this.tokens.length - room);
    this.dropped = Math.ceil(extra / DROPPED_AT_ONCE) * DROPPED_AT_ONCE;
    // Sin nada escrito lee un salto de línea, que es lo que hay entre dos artículos.
    const seen = this.tokens.length ? this.tokens.slice(this.dropped) : this.tokenizer.encode("\n");
    let same = 0;
    while (same < seen.length - 1 && seen[same] === this.read[same]) same++;
    this.gpt.rewind(same);
    this.logits = this.gpt.read(seen.slice(same), (layer, head, query, weights) => {
      this.maps[layer] ??= [];
      this.maps[layer][head] ??= [];
      this.maps[layer][head][query] = weights.slice();
    });
    this.read = seen;
  }

  update() {
    this.readTokens();
    this.back.disabled = !this.tokens.length;
    const names = this.read.map((token) => this.tokenizer.readable(token));
    this.strip.show(names, names.length - 1);
    this.showAttention();
    this.showNext();
  }

  /** Lo que se sortea: pares [token, probabilidad], de mayor a menor, tras los tres mandos. */
  chosen() {
    const odds = softmaxInPlace(this.logits.map((x) => x / this.heat));
    const order = [...odds.keys()].sort((a, b) => odds[b] - odds[a]).slice(0, this.kept);
    const total = order.reduce((sum, i) => sum + odds[i], 0);
    let reached = 0;
    const kept = order.filter((i, rank) => {
      const enough = rank > 0 && this.nucleus < 100 && reached >= this.nucleus / 100 - 1e-9;
      reached += odds[i] / total;
      return !enough;
    });
    const mass = kept.reduce((sum, i) => sum + odds[i], 0);
    return kept.map((i) => [i, odds[i] / mass]);
  }

  showNext() {
    const options = this.chosen();
    this.list.replaceChildren(
      ...options.slice(0, SHOWN_NEXT).map(([token, weight]) => {
        const name = this.tokenizer.readable(token);
        const spoken = `Escribir ${namedToken(name.replace("\n", "salto de línea"))}`;
        return pickBar(shownPiece(name), spoken, weight, "query", () => this.append(token));
      }),
    );
    const bits = options.reduce((sum, [, p]) => (p > 0 ? sum - p * Math.log2(p) : sum), 0);
    const spaced = options
      .filter(([token]) => this.tokenizer.readable(token).startsWith(" "))
      .reduce((sum, [, p]) => sum + p, 0);
    const many = options.length === 1 ? "Queda un token posible" : `Quedan ${options.length} tokens posibles`;
    this.told.textContent =
      `${many}, con ${formatNumber(bits)} bits de duda. Los que empiezan por un espacio se llevan ` +
      `${formatWeight(spaced)} de la probabilidad` +
      (this.area.value.endsWith(" ") ? ", y tu texto acaba en uno." : ".");
  }

  showAttention() {
    const query = this.strip.chosen;
    const weights = headMap(this.maps[this.layer].map((head) => head[query]), this.head);
    const names = this.read.map((token) => this.tokenizer.readable(token));
    this.strip.shade(weights);
    this.looks.textContent =
      `${namedToken(shownPiece(names[query]))} mira sobre todo a ${strongest(weights, names)}.` +
      (this.dropped ? ` Los ${this.dropped} primeros tokens ya no caben en su ventana.` : "");
  }
}

function render({ model, el }) {
  el.replaceChildren(new WritingFigure(model).node);
}

export default { render };
