// El traductor de 2017 y T5: dos maneras de rellenar el mismo codificador y decodificador.

/** El Transformer de Vaswani et al. (2017), con una sola tabla para las dos lenguas. */
class Translator extends Seq2Seq {
  around = (x, name) => this.norm(x, `${name}.norm`);
  decoderBlock = (n) => `decoder.${n}`;
  innerWidth = () => this.config.d_model;
  closed = (tokens) => tokens;
  scaled = () => true;
  writtenBias = () => undefined;

  /** √D · E[x] + la posición: senos y cosenos, uno detrás de otro. */
  embed(tokens, from = 0) {
    const width = this.config.d_model;
    const x = this.lookUp(tokens, "source.table.weight", Math.sqrt(width));
    for (let r = 0; r < tokens.length; r++) {
      for (let i = 0; i < width; i += 2) {
        const angle = (from + r) * 10000 ** (-i / width);
        x[r * width + i] += Math.sin(angle);
        x[r * width + i + 1] += Math.cos(angle);
      }
    }
    return x;
  }

  embedWritten(token, place) {
    return this.embed([token], place);
  }

  encode(tokens) {
    let x = this.embed(tokens);
    for (let n = 0; n < this.config.n_layers; n++) {
      x = this.encoderBlock(x, tokens.length, `encoder.${n}`);
    }
    return this.norm(x, "encoder_norm");
  }

  logits(x) {
    return linear(this.norm(x, "decoder_norm"), 1, this.weight("source.table.weight"));
  }
}

/** T5: normas sin media, sin sesgos, y un sesgo aprendido según la distancia. */
class T5 extends Seq2Seq {
  around = (x, name) => this.norm(x, `${name}.norm`, 1e-6);
  decoderBlock = (n) => `decoder.blocks.${n}`;
  innerWidth = () => this.config.n_heads * this.config.d_head;
  closed = (tokens) => [...tokens, STOP]; // su entrada, además, lleva la marca de fin
  scaled = () => false;

  /** La cubeta de una distancia: exacta de cerca, y de lejos en una escala logarítmica. */
  bucket(offset, bidirectional) {
    const perSide = bidirectional ? 16 : 32;
    const exact = perSide / 2;
    const side = bidirectional && offset > 0 ? perSide : 0;
    const distance = bidirectional ? Math.abs(offset) : Math.max(-offset, 0);
    if (distance < exact) return side + distance;
    // Redondeado a 32 bits en cada cuenta, como en PyTorch: en las fronteras importa.
    const fraction = Math.fround(Math.fround(Math.log(distance / exact)) / Math.fround(Math.log(128 / exact)));
    return side + Math.min(exact + Math.floor(fraction * (perSide - exact)), perSide - 1);
  }

  relativeBias(stack, bidirectional, firstQuery = 0) {
    const table = this.weight(`${stack}.relative_bias.table.weight`);
    const heads = table.shape[1];
    return (head, i, j) =>
      table.data[this.bucket(j - firstQuery - i, bidirectional) * heads + head];
  }

  writtenBias(total) {
    return this.relativeBias("decoder", false, total - 1);
  }

  embedWritten(token) {
    return this.lookUp([token], "table.weight");
  }

  encode(tokens) {
    let x = this.lookUp(tokens, "table.weight");
    const bias = this.relativeBias("encoder", true);
    for (let n = 0; n < this.config.n_layers; n++) {
      x = this.encoderBlock(x, tokens.length, `encoder.blocks.${n}`, bias);
    }
    return this.norm(x, "encoder.norm", 1e-6);
  }

  logits(x) {
    const last = this.norm(x, "decoder.norm", 1e-6).map((v) => v / Math.sqrt(this.config.d_model));
    return linear(last, 1, this.weight("table.weight"));
  }
}
