// Codificador y decodificador: lo que lee una vez y escribe por pasos, sea texto, sonido o imagen.

/** Lo que lleva escrito una frase: cuántos tokens y la caché de cada capa. */
class Written {
  constructor(layers, room, width) {
    this.length = 0;
    this.caches = Array.from({ length: layers }, () => new LayerCache(room, width));
  }

  copy() {
    const other = new Written(0, 0, 0);
    other.length = this.length;
    other.caches = this.caches.map((cache) => cache.copy());
    return other;
  }
}

const MAX_WRITTEN = 64;
const START = 1;
const STOP = 2;

class Seq2Seq extends LiveModel {
  /** Lee la entrada y deja calculado lo que el decodificador mirará en cada paso. */
  readSource(tokens) {
    this.sourceLength = tokens.length;
    const memory = this.encode(tokens);
    this.seen = Array.from({ length: this.config.n_layers }, (_, n) =>
      ["k_proj", "v_proj"].map((part) =>
        this.project(memory, tokens.length, `${this.decoderBlock(n)}.cross_attention.${part}`),
      ),
    );
  }

  start() {
    return new Written(this.config.n_layers, MAX_WRITTEN + 1, this.innerWidth());
  }

  /** Escribe un token más y da los logits del siguiente. `watch` recibe la atención a la entrada. */
  step(token, written, watch) {
    const heads = this.config.n_heads;
    const total = written.length + 1;
    let x = this.embedWritten(token, written.length);
    for (let n = 0; n < this.config.n_layers; n++) {
      const at = this.decoderBlock(n);
      const cache = written.caches[n];
      const y = this.around(x, `${at}.around_attention`);
      cache.write(
        this.project(y, 1, `${at}.attention.k_proj`),
        this.project(y, 1, `${at}.attention.v_proj`),
        written.length,
      );
      const q = this.project(y, 1, `${at}.attention.q_proj`);
      const own = attend(q, cache.keys, cache.values, 1, total, heads, {
        scaled: this.scaled(),
        bias: this.writtenBias(total),
      });
      x = plus(x, this.project(own, 1, `${at}.attention.out_proj`));
      const z = this.around(x, `${at}.around_cross_attention`);
      const asked = this.project(z, 1, `${at}.cross_attention.q_proj`);
      const looked = attend(asked, ...this.seen[n], 1, this.sourceLength, heads, {
        scaled: this.scaled(),
        watch: watch && ((head, _, weights) => watch(n, head, weights)),
      });
      x = plus(x, this.project(looked, 1, `${at}.cross_attention.out_proj`));
      const rest = this.around(x, `${at}.around_feed_forward`);
      x = plus(x, this.feedForward(rest, 1, `${at}.feed_forward`, relu));
    }
    written.length = total;
    return this.logits(x);
  }

  /** Un bloque del codificador con la norma delante (Pre-LN). */
  encoderBlock(x, rows, at, bias) {
    const y = this.around(x, `${at}.around_attention`);
    x = plus(x, this.attention(y, y, y, rows, rows, `${at}.attention`, { scaled: this.scaled(), bias }));
    const z = this.around(x, `${at}.around_feed_forward`);
    return plus(x, this.feedForward(z, rows, `${at}.feed_forward`, relu));
  }
}
