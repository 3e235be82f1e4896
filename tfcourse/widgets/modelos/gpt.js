// GPT y su caché: lee unos tokens y da los logits del siguiente. También es el cuerpo de Gato.

class CausalModel extends LiveModel {
  constructor(buffer, config) {
    super(buffer, config);
    this.caches = Array.from(
      { length: config.n_layers },
      () => new LayerCache(config.max_length, config.d_model),
    );
    this.length = 0;
  }

  /** Olvida lo leído desde esa posición. */
  rewind(length = 0) {
    this.length = length;
  }

  /** Gira cada pareja (i, i + Dh/2) de cada cabeza el ángulo de su posición (RoPE). */
  rotate(x, rows) {
    const { d_model: width, n_heads: heads } = this.config;
    const [each, half] = [width / heads, width / heads / 2];
    for (let r = 0; r < rows; r++) {
      for (let i = 0; i < half; i++) {
        const angle = (this.length + r) * 10000 ** ((-2 * i) / each);
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        for (let h = 0; h < heads; h++) {
          const at = r * width + h * each + i;
          const [a, b] = [x[at], x[at + half]];
          x[at] = a * cos - b * sin;
          x[at + half] = b * cos + a * sin;
        }
      }
    }
    return x;
  }

  /** Pasa unos vectores por todos los bloques, detrás de lo ya leído. `watch` recibe la capa. */
  blocks(x, rows, eps, watch) {
    const { n_layers: layers, n_heads: heads } = this.config;
    const total = this.length + rows;
    for (let n = 0; n < layers; n++) {
      const at = `blocks.${n}`;
      const cache = this.caches[n];
      const y = this.norm(x, `${at}.around_attention.norm`, eps);
      const q = this.rotate(this.project(y, rows, `${at}.attention.q_proj`), rows);
      const k = this.rotate(this.project(y, rows, `${at}.attention.k_proj`), rows);
      cache.write(k, this.project(y, rows, `${at}.attention.v_proj`), this.length);
      const mixed = attend(q, cache.keys, cache.values, rows, total, heads, {
        causal: true,
        watch: watch && ((head, query, weights) => watch(n, head, this.length + query, weights)),
      });
      x = plus(x, this.project(mixed, rows, `${at}.attention.out_proj`));
      const z = this.norm(x, `${at}.around_feed_forward.norm`, eps);
      x = plus(x, this.feedForward(z, rows, `${at}.feed_forward`, tanhGelu));
    }
    this.length = total;
    return x;
  }
}

class GPT extends CausalModel {
  /** Lee unos tokens detrás de lo ya leído y da los logits del que sigue al último. */
  read(tokens, watch) {
    const width = this.config.d_model;
    const x = this.blocks(this.lookUp(tokens, "embedding.weight"), tokens.length, 1e-6, watch);
    const last = x.subarray((tokens.length - 1) * width);
    return linear(this.norm(last, "closing_norm", 1e-6), 1, this.weight("embedding.weight"));
  }
}
