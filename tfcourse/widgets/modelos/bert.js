// BERT: cada posición mira a todas, y en las tapadas dice qué había.

class Bert extends LiveModel {
  /** Vectores de una frase: bloques con la norma detrás (Post-LN), sin relleno. */
  states(tokens, watch) {
    const rows = tokens.length;
    const places = tokens.map((_, i) => i);
    let x = this.lookUp(tokens, "bert.embedding.table.weight");
    x = plus(x, this.lookUp(places, "bert.embedding.positions.table.weight"));
    x = plus(x, this.lookUp([0], "bert.embedding.segments.weight"));
    x = this.norm(x, "bert.embedding.norm", 1e-12);
    for (let n = 0; n < this.config.n_layers; n++) {
      const at = `bert.blocks.${n}`;
      const options = { watch: watch && ((head, query, w) => watch(n, head, query, w)) };
      const seen = this.attention(x, x, x, rows, rows, `${at}.attention`, options);
      x = this.norm(plus(x, seen), `${at}.around_attention.norm`, 1e-12);
      const changed = this.feedForward(x, rows, `${at}.feed_forward`, gelu);
      x = this.norm(plus(x, changed), `${at}.around_feed_forward.norm`, 1e-12);
    }
    return x;
  }

  /** Logits de lo que hay en una posición. */
  fill(tokens, place, watch) {
    const width = this.config.d_model;
    const state = this.states(tokens, watch).subarray(place * width, (place + 1) * width);
    const seen = this.norm(this.project(state, 1, "head.transform").map(gelu), "head.norm", 1e-12);
    const table = this.weight("bert.embedding.table.weight");
    return linear(seen, 1, table, this.weight("head.output.bias"));
  }
}
