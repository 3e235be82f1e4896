// Rellenar huecos con un BERT: tapa el trozo que quieras y mira qué pondría.

const SHOWN_FILLS = 8;

class FillingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-filling", "un BERT que rellena el hueco que elijas");
  }

  build(buffer) {
    this.bert = new Bert(buffer, this.state.config);
    this.tokenizer = new WordPiece(JSON.parse(this.state.tokenizer));
    this.area = element("input", { class: "tfc-text", type: "text", maxlength: 200, spellcheck: "false" });
    this.area.addEventListener("input", () => this.type(this.area.value));
    this.strip = new TokenStrip("Elige qué trozo se tapa", "key", () => this.update());
    this.list = element("div", { role: "list", "aria-label": "Lo que pondría en el hueco" });
    this.body.append(
      buttonRow(
        "Frases",
        ...this.state.examples.map(({ text, place }) =>
          commandButton(`«${text}»`, () => this.type(text, place)),
        ),
      ),
      element("label", { class: "tfc-field" }, element("span", {}, "Tu frase"), this.area),
      element("p", { class: "tfc-note" }, "El modelo lee en minúsculas; lo que no conoce lo parte en trozos."),
      this.strip.node,
      this.list,
    );
    const { text, place } = this.state.examples[0];
    this.type(text, place);
  }

  type(text, place) {
    if (place !== undefined) this.area.value = text;
    const longest = this.state.config.max_length - 2;
    this.pieces = this.tokenizer.encode(text.toLowerCase()).slice(0, longest);
    const chosen = place ?? Math.min(Math.max(this.strip.chosen, 0), this.pieces.length - 1);
    this.strip.show(this.pieces.map((piece) => this.tokenizer.readable(piece)), chosen);
    this.update();
  }

  update() {
    if (!this.pieces.length) {
      this.list.replaceChildren();
      this.told.textContent = "Escribe una frase.";
      return;
    }
    const { cls, sep, mask } = this.state.marks;
    const place = this.strip.chosen;
    const seen = [cls, ...this.pieces, sep];
    seen[place + 1] = mask;
    const odds = softmaxInPlace(this.bert.fill(seen, place + 1));
    this.list.replaceChildren(
      ...largest(odds, SHOWN_FILLS).map((token) => {
        const name = this.tokenizer.readable(token);
        return pickBar(name, `Poner ${namedToken(name)}`, odds[token], "key", () => this.put(token));
      }),
    );
    const hidden = this.pieces[place];
    const rank = odds.filter((p) => p > odds[hidden]).length + 1;
    const others = this.pieces.length - 1;
    this.told.textContent =
      `Has tapado ${namedToken(this.tokenizer.readable(hidden))}. El modelo lo pone en el puesto ${rank} ` +
      `de ${odds.length}, con probabilidad ${formatNumber(odds[hidden], 3)}, mirando ` +
      (others === 1 ? "el otro trozo." : `los otros ${others} trozos, los de delante y los de detrás.`);
  }

  /** Cambia el trozo tapado por otro. */
  put(token) {
    this.pieces[this.strip.chosen] = token;
    const text = this.tokenizer.decode(this.pieces);
    this.type(text, this.strip.chosen);
  }
}

function render({ model, el }) {
  el.replaceChildren(new FillingFigure(model).node);
}

export default { render };
