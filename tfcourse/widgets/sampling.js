// Elegir el token siguiente: qué le hacen la temperatura, top-k y top-p a una distribución real.

const HEATS = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3];
const SHOWN_TOKENS = 10;

class SamplingView {
  constructor({ tokens, prompts }) {
    this.tokens = tokens;
    this.prompts = prompts;
    this.prompt = 0;
    this.heat = HEATS.indexOf(1);
    this.kept = tokens.length;
    this.nucleus = 100;
    this.counts = [1, 2, 3, 5, 10, 20, 50, 100, 300].filter((k) => k < tokens.length);
    this.counts.push(tokens.length);
    this.list = element("div", { role: "list", "aria-label": "Probabilidad de cada token" });
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.node = figureNode("tfc-sampling", "cómo se elige el token siguiente", this.controls(), this.list, this.told);
    this.update();
  }

  controls() {
    const set = (change) => (value) => {
      change(value);
      this.update();
    };
    const last = this.counts.length - 1;
    const starts = this.prompts.map(({ text }, i) => [String(i), `«${text}»`]);
    return element(
      "div",
      { class: "tfc-controls" },
      radioField("Comienzo", starts, "0", set((value) => (this.prompt = Number(value)))),
      rangeField(
        "Temperatura, τ",
        { min: 0, max: HEATS.length - 1, value: this.heat, say: (i) => formatNumber(HEATS[i], 1) },
        set((i) => (this.heat = i)),
      ),
      rangeField(
        "Top-k",
        { min: 0, max: last, value: last, say: (i) => (i === last ? "sin límite" : String(this.counts[i])) },
        set((i) => (this.kept = this.counts[i])),
      ),
      rangeField(
        "Top-p",
        { min: 5, max: 100, step: 5, value: 100, say: (p) => (p === 100 ? "sin límite" : formatNumber(p / 100)) },
        set((p) => (this.nucleus = p)),
      ),
    );
  }

  /** Las probabilidades con las que se sortea, de mayor a menor, y el número de cada token. */
  chosen() {
    const heated = softmax(this.prompts[this.prompt].logits.map((x) => x / HEATS[this.heat]));
    const order = heated.map((_, i) => i).sort((a, b) => heated[b] - heated[a]);
    const first = order.slice(0, this.kept);
    const total = first.reduce((sum, i) => sum + heated[i], 0);
    const kept = [];
    let reached = 0;
    for (const i of first) {
      if (kept.length && this.nucleus < 100 && reached >= this.nucleus / 100 - 1e-9) break;
      kept.push(i);
      reached += heated[i] / total;
    }
    const mass = kept.reduce((sum, i) => sum + heated[i], 0);
    return kept.map((i) => [i, heated[i] / mass]);
  }

  update() {
    const chosen = this.chosen();
    this.list.replaceChildren(
      ...chosen
        .slice(0, SHOWN_TOKENS)
        .map(([i, weight]) => barNode(this.tokens[i], weight, formatWeight(weight), "query")),
    );
    const bits = chosen.reduce((sum, [, p]) => (p > 0 ? sum - p * Math.log2(p) : sum), 0);
    const rest = chosen.slice(SHOWN_TOKENS).reduce((sum, [, p]) => sum + p, 0);
    const one = chosen.length === 1;
    this.told.textContent =
      `${one ? "Queda un token posible" : `Quedan ${chosen.length} tokens posibles`}, con ` +
      `${formatNumber(bits)} bits de duda: como elegir entre ${formatNumber(2 ** bits, 1)} igual de ` +
      `probables. ${rest > 0 ? `Los que no se dibujan suman ${formatWeight(rest)}.` : "Se dibujan todos."}`;
  }
}

function render({ model, el }) {
  el.replaceChildren(new SamplingView(model.get("state")).node);
}

export default { render };
