// Buscar en unos documentos: BM25 con lo que se escriba, y los vectores con consultas guardadas.

const SHOWN_DOCUMENTS = 5;
const COSINE_LEVELS = 10000;

/** Un texto sin mayúsculas, tildes ni espacios de más, para compararlo con otro. */
function plainText(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim().replace(/\s+/g, " ");
}

class FindingView {
  constructor(state) {
    this.state = state;
    this.index = new WordIndex(state.texts);
    this.stored = new Map(state.queries.map((query, i) => [plainText(query), i]));
    this.lists = new Map();
    this.told = element("p", { class: "tfc-told", role: "status" });
    const columns = ["BM25", state.reader, "los dos"].map((name) => this.column(name));
    this.node = figureNode(
      "tfc-finding",
      "buscar un documento con palabras y con vectores",
      this.searchForm(),
      this.exampleButtons(),
      element("div", { class: "tfc-columns" }, ...columns),
      this.told,
    );
    this.search(state.examples[0]);
  }

  column(name) {
    const list = element("ol", { class: "tfc-finds", "aria-label": `Los primeros de ${name}` });
    const none = element("p", { class: "tfc-none" });
    this.lists.set(name, { list, none });
    const title = `${name[0].toUpperCase()}${name.slice(1)}`;
    return element("div", {}, element("div", { class: "tfc-head", "aria-hidden": "true" }, title), list, none);
  }

  searchForm() {
    const id = `tfc-${Math.random().toString(36).slice(2)}`;
    this.input = element("input", {
      class: "tfc-select",
      type: "search",
      list: id,
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 120,
    });
    const options = this.state.queries.map((text) => element("option", { value: text }));
    const form = element(
      "form",
      { class: "tfc-controls", role: "search" },
      element("label", { class: "tfc-field" }, element("span", {}, "Tu consulta"), this.input),
      element("datalist", { id }, ...options),
      element("button", { type: "submit", class: "tfc-button" }, "Buscar"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.search(this.input.value, false);
    });
    // Elegir en la lista no manda el formulario: si lo escrito ya se conoce, se busca.
    this.input.addEventListener("input", () => {
      if (this.stored.has(plainText(this.input.value))) this.search(this.input.value, false);
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
    if (rewrite) this.input.value = text;
    const place = this.stored.get(plainText(text));
    const counted = this.index.scores(place === undefined ? text : this.state.queries[place]);
    const wanted = place === undefined ? -1 : this.state.wanted[place];
    const shown = new Map([["BM25", [counted, counted.some((score) => score > 0), 2]]]);
    if (place !== undefined) {
      const cosines = this.state.cosines[place].map((level) => level / COSINE_LEVELS);
      shown.set(this.state.reader, [cosines, true, 3]);
      shown.set("los dos", [fuseByPlace([counted, cosines]), true, 4]);
    }
    for (const name of this.lists.keys()) this.fill(name, shown.get(name), wanted);
    this.told.textContent = this.tell(text.trim(), counted, place, wanted);
  }

  fill(name, found, wanted) {
    const { list, none } = this.lists.get(name);
    const [scores, useful, digits] = found ?? [[], false, 0];
    const order = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a]);
    const best = useful ? order.filter((i) => scores[i] > 0).slice(0, SHOWN_DOCUMENTS) : [];
    list.replaceChildren(
      ...best.map((i) =>
        element(
          "li",
          { class: i === wanted ? "tfc-wanted" : null },
          element("span", { class: "tfc-name" }, this.state.titles[i] + (i === wanted ? " ✓" : "")),
          element("span", { class: "tfc-score" }, formatNumber(scores[i], digits)),
        ),
      ),
    );
    none.textContent = best.length ? "" : found ? "Ninguno comparte una palabra." : "Sin vector guardado.";
  }

  tell(text, counted, place, wanted) {
    if (!countWords(text).size) return "Escribe una consulta o pulsa un ejemplo.";
    const reader = this.state.reader;
    if (place === undefined) {
      return (
        `BM25 ha buscado «${text}» aquí mismo. El vector de esa consulta lo tendría que calcular ${reader}, ` +
        `que no cabe en la página: solo hay guardadas ${this.state.queries.length}, las de la lista del recuadro.`
      );
    }
    const cosines = this.state.cosines[place];
    const [first, second] = [placesOf(counted)[wanted], placesOf(cosines)[wanted]];
    const fused = placesOf(fuseByPlace([counted, cosines]))[wanted];
    const shared = counted[wanted] > 0 ? "" : ", sin compartir ninguna palabra";
    return (
      `Se busca «${this.state.titles[wanted]}»: BM25 lo deja en el puesto ${first} de ${counted.length}${shared}; ` +
      `${reader}, en el ${second}; los dos juntos, en el ${fused}. El coseno con ${reader} se calculó antes y está guardado.`
    );
  }
}

function render({ model, el }) {
  el.replaceChildren(new FindingView(model.get("state")).node);
}

export default { render };
