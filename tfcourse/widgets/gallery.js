// Buscador de dibujos: el parecido de un texto con cada dibujo, con vectores ya calculados.

const SHOWN_PICTURES = 8;
const VECTOR_LEVELS = 127;

/** Vectores de octetos con signo, en base 64, como listas de números. */
function unpackVectors(packed, width) {
  const bytes = Int8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const count = bytes.length / width;
  return Array.from({ length: count }, (_, i) =>
    Array.from(bytes.subarray(i * width, (i + 1) * width), (x) => x / VECTOR_LEVELS),
  );
}

/** Un texto sin mayúsculas, tildes ni espacios de más, para compararlo con otro. */
function plainText(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
}

/** Los dibujos, del más parecido al menos: pares [número, coseno]. */
function rankPictures(query, pictures) {
  const cosine = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  return pictures.map((vector, i) => [i, cosine(query, vector)]).sort((a, b) => b[1] - a[1]);
}

/** Los textos que más se parecen a uno que no está: empiezan igual o lo contienen. */
function suggestTexts(wanted, texts) {
  const plain = texts.map((text) => [text, plainText(text)]);
  const starts = plain.filter(([, p]) => p.startsWith(wanted));
  const words = wanted.split(" ").filter((word) => word.length > 2);
  const shares = plain.filter(([, p]) => words.some((word) => ` ${p}`.includes(` ${word}`)));
  return [...new Set([...starts, ...shares].map(([text]) => text))].slice(0, 5);
}

class GalleryView {
  constructor(state) {
    this.state = state;
    this.pictures = unpackVectors(state.pictures, state.width);
    this.queries = unpackVectors(state.queries, state.width);
    this.places = new Map(state.texts.map((text, i) => [plainText(text), i]));
    this.rows = Math.ceil(state.names.length / state.columns);
    this.list = element("ol", { class: "tfc-finds", "aria-label": "Dibujos encontrados" });
    this.list.style.setProperty("--tfc-sheet", `url(data:image/png;base64,${state.sprite})`);
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.node = figureNode(
      "tfc-gallery",
      "buscar dibujos con palabras",
      this.searchForm(),
      this.exampleButtons(),
      this.list,
      this.told,
    );
    this.search(state.examples[0]);
  }

  searchForm() {
    const id = `tfc-${Math.random().toString(36).slice(2)}`;
    this.input = element("input", {
      class: "tfc-select",
      type: "search",
      list: id,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 80,
    });
    const options = this.state.texts.map((text) => element("option", { value: text }));
    const form = element(
      "form",
      { class: "tfc-controls", role: "search" },
      element("label", { class: "tfc-field" }, element("span", {}, "Busca un dibujo"), this.input),
      element("datalist", { id }, ...options),
      element("button", { type: "submit", class: "tfc-button" }, "Buscar"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.search(this.input.value);
    });
    // Elegir en la lista no manda el formulario: si lo escrito ya es un texto conocido, se busca.
    this.input.addEventListener("input", () => {
      if (this.places.has(plainText(this.input.value))) this.search(this.input.value, false);
    });
    return form;
  }

  exampleButtons() {
    const buttons = this.state.examples.map((text) => {
      const button = element("button", { type: "button", class: "tfc-button" }, text);
      button.addEventListener("click", () => this.search(text));
      return button;
    });
    return element("div", { class: "tfc-examples", role: "group", "aria-label": "Ejemplos" }, ...buttons);
  }

  search(text, rewrite = true) {
    const wanted = plainText(text);
    if (rewrite) this.input.value = text;
    const place = this.places.get(wanted);
    if (place === undefined) return this.explainMissing(text.trim(), wanted);
    const ranked = rankPictures(this.queries[place], this.pictures);
    const best = ranked.slice(0, SHOWN_PICTURES);
    this.list.replaceChildren(...best.map(([i, cosine]) => this.findNode(i, cosine)));
    const name = this.state.texts[place];
    const own = ranked.findIndex(([i]) => plainText(this.state.names[i]) === wanted) + 1;
    this.told.textContent =
      `Lo más parecido a «${name}» es «${this.state.names[best[0][0]]}», con un coseno de ` +
      `${formatWeight(best[0][1])}. ` +
      (own ? `El dibujo que se llama así ha quedado en el puesto ${own} de ${ranked.length}.` : "");
  }

  explainMissing(text, wanted) {
    const near = wanted ? suggestTexts(wanted, this.state.texts) : [];
    const hint = near.length
      ? `Prueba con ${near.map((name) => `«${name}»`).join(", ")}.`
      : "Elige uno de la lista o pulsa un ejemplo.";
    this.list.replaceChildren();
    this.told.textContent = text
      ? `La página no ha calculado el vector de «${text}». ${hint}`
      : "Escribe una palabra o pulsa un ejemplo.";
  }

  findNode(i, cosine) {
    const { columns, names } = this.state;
    const across = columns > 1 ? ((i % columns) / (columns - 1)) * 100 : 0;
    const down = this.rows > 1 ? (Math.floor(i / columns) / (this.rows - 1)) * 100 : 0;
    const thumb = element("span", { class: "tfc-thumb", "aria-hidden": "true" });
    Object.assign(thumb.style, {
      backgroundSize: `${columns * 100}% ${this.rows * 100}%`,
      backgroundPosition: `${across}% ${down}%`,
    });
    return element(
      "li",
      {},
      thumb,
      element("span", { class: "tfc-name" }, names[i]),
      element(
        "span",
        { class: "tfc-cosine" },
        element("span", { class: "tfc-only-spoken" }, "coseno "),
        formatWeight(cosine),
      ),
    );
  }
}

function render({ model, el }) {
  el.replaceChildren(new GalleryView(model.get("state")).node);
}

export default { render };
