// Fusiones de BPE, una a una: qué par gana, cuántas veces sale y cómo quedan las palabras.

/** Palabras distintas de un texto y cuántas veces sale cada una. */
function countedWords(text) {
  const counts = new Map();
  for (const word of text.normalize("NFC").toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => ({ symbols: [...word], count }));
}

/** Pares de símbolos vecinos, del más frecuente al menos; si empatan, por orden alfabético. */
function rankedPairs(words) {
  const pairs = new Map();
  for (const { symbols, count } of words) {
    for (let i = 0; i + 1 < symbols.length; i += 1) {
      const key = `${symbols[i]}\u0000${symbols[i + 1]}`;
      pairs.set(key, (pairs.get(key) ?? 0) + count);
    }
  }
  return [...pairs]
    .map(([key, count]) => ({ pair: key.split("\u0000"), count, key }))
    .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

function merged(words, [left, right]) {
  return words.map(({ symbols, count }) => {
    const joined = [];
    for (let i = 0; i < symbols.length; i += 1) {
      const found = symbols[i] === left && symbols[i + 1] === right;
      joined.push(found ? left + right : symbols[i]);
      if (found) i += 1;
    }
    return { symbols: joined, count };
  });
}

class MergesView {
  constructor(text) {
    this.input = element("textarea", { class: "tfc-select tfc-text", rows: 2, maxlength: 600 });
    this.input.value = text;
    this.input.addEventListener("input", () => this.restart());
    this.back = this.button("Deshacer", () => this.history.pop());
    this.next = this.button("Fusionar el par más frecuente", () => this.fuse());
    this.pairs = element("div", { role: "list", "aria-label": "Pares más frecuentes" });
    this.words = element("div", { class: "tfc-words", role: "list", "aria-label": "Palabras" });
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.node = figureNode(
      "tfc-merges",
      "las fusiones de BPE, una a una",
      element(
        "div",
        { class: "tfc-controls" },
        element("label", { class: "tfc-field" }, element("span", {}, "Texto del que aprender"), this.input),
        element("div", { class: "tfc-buttons" }, this.next, this.back),
      ),
      this.words,
      this.told,
      this.pairs,
    );
    this.restart();
  }

  button(text, action) {
    const node = element("button", { class: "tfc-button", type: "button" }, text);
    node.addEventListener("click", () => {
      action();
      this.draw();
    });
    return node;
  }

  restart() {
    this.start = countedWords(this.input.value);
    this.history = [];
    this.draw();
  }

  current() {
    return this.history.length ? this.history.at(-1).words : this.start;
  }

  fuse() {
    const words = this.current();
    const [best] = rankedPairs(words);
    this.history.push({ words: merged(words, best.pair), ...best });
  }

  draw() {
    const words = this.current();
    const ranked = rankedPairs(words);
    const last = this.history.at(-1);
    const fresh = last ? last.pair.join("") : null;
    const most = ranked.length ? ranked[0].count : 1;
    this.back.disabled = !this.history.length;
    this.next.disabled = !ranked.length;
    this.words.replaceChildren(...words.map((word) => wordNode(word, fresh)));
    this.pairs.replaceChildren(
      ...ranked.slice(0, 6).map(({ pair, count }) =>
        barNode(pair.join("·"), count / most, `${count} ${count === 1 ? "vez" : "veces"}`, "key"),
      ),
    );
    const pieces = words.reduce((sum, { symbols, count }) => sum + symbols.length * count, 0);
    const step = last
      ? `Fusión ${this.history.length}: «${last.pair.join("» y «")}», que salían juntos ` +
        `${last.count} ${last.count === 1 ? "vez" : "veces"}. `
      : "Todavía no hay fusiones: cada letra es un trozo. ";
    this.told.textContent = `${step}El texto ocupa ${pieces} ${pieces === 1 ? "trozo" : "trozos"}.`;
  }
}

function wordNode({ symbols, count }, fresh) {
  const boxes = symbols.map((symbol) =>
    element("span", { class: `tfc-piece${symbol === fresh ? " tfc-fresh" : ""}` }, symbol),
  );
  return element(
    "span",
    { class: "tfc-merge-word", role: "listitem", "aria-label": `${symbols.join(" ")}, ${count}` },
    ...boxes,
    count > 1 ? element("span", { class: "tfc-count" }, `×${count}`) : "",
  );
}

function render({ model, el }) {
  el.replaceChildren(new MergesView(model.get("text")).node);
}

export default { render };
