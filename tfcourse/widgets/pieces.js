// Trozos, lo que se ve: una frase que se puede cambiar y, debajo, cómo la corta cada tokenizador.

function pieceNode({ text, unknown }) {
  const shown = visibleToken(text).replaceAll("\n", "⏎");
  const spoken = text.trim() === "" ? "espacio" : text;
  return element(
    "span",
    { class: `tfc-piece${unknown ? " tfc-unknown" : ""}`, role: "listitem" },
    element("span", { "aria-hidden": "true" }, shown),
    element("span", { class: "tfc-only-spoken" }, unknown ? `${spoken}, desconocido` : spoken),
    unknown ? element("span", { class: "tfc-mark", "aria-hidden": "true" }, "?") : "",
  );
}

function countText(pieces) {
  const unknown = pieces.filter((piece) => piece.unknown).length;
  const count = `${pieces.length} ${pieces.length === 1 ? "trozo" : "trozos"}`;
  if (!unknown) return count;
  return `${count}, ${unknown} ${unknown === 1 ? "desconocido" : "desconocidos"}`;
}

class PiecesView {
  constructor(tokenizers, examples) {
    this.input = element("textarea", { class: "tfc-select tfc-text", rows: 2, maxlength: 300 });
    this.input.value = examples[0];
    this.input.addEventListener("input", () => this.draw());
    const choose = (index) => {
      this.input.value = examples[index];
      this.draw();
    };
    this.rows = tokenizers.map((tokenizer) => ({
      ...tokenizer,
      cut: cutter(tokenizer),
      count: element("span", { class: "tfc-caption" }),
      list: element("div", { class: "tfc-pieces", role: "list", "aria-label": tokenizer.name }),
    }));
    this.status = element("p", { class: "tfc-only-spoken", role: "status" });
    this.node = element(
      "div",
      {
        class: "tfc tfc-cuts",
        role: "group",
        "aria-label": "Figura interactiva: cómo corta una frase cada tokenizador",
        lang: "es",
      },
      element(
        "div",
        { class: "tfc-controls" },
        element("label", { class: "tfc-field" }, element("span", {}, "Escribe aquí"), this.input),
        selectField("O elige un ejemplo", examples, choose),
      ),
      ...this.rows.map((row) =>
        element(
          "div",
          { class: "tfc-cut" },
          element("div", { class: "tfc-heading" }, element("strong", {}, row.name), row.count),
          row.list,
        ),
      ),
      element(
        "p",
        { class: "tfc-help" },
        "El signo ␣ es un espacio que va dentro del trozo; ? señala lo que el tokenizador no conoce.",
      ),
      this.status,
    );
    keepKeys(this.node);
    this.draw();
  }

  draw() {
    const said = this.rows.map((row) => {
      const pieces = row.cut(this.input.value.normalize("NFC"));
      row.list.replaceChildren(...pieces.map(pieceNode));
      row.count.textContent = countText(pieces);
      return `${row.name}: ${row.count.textContent}`;
    });
    this.status.textContent = `${said.join(". ")}.`;
  }
}

function render({ model, el }) {
  el.replaceChildren(new PiecesView(model.get("tokenizers"), model.get("examples")).node);
}

export default { render };
