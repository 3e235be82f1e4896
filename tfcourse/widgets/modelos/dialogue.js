// Un GPT que lee imágenes: la torre mira, el proyector junta vecinos y el GPT los lee como palabras.

const [FIRST_TOKEN, LAST_TOKEN] = [1, 2]; // los que abren y cierran lo que lee y lo que escribe

/** Los pesos de una parte del modelo, sin el nombre de la parte delante. */
function partWeights(weights, part) {
  const own = Object.entries(weights).filter(([name]) => name.startsWith(`${part}.`));
  return Object.fromEntries(own.map(([name, weight]) => [name.slice(part.length + 1), weight]));
}

/** La torre: un ViT sin token de clase, que da un vector por parche. */
class Tower extends ViT {
  constructor(buffer, config) {
    super(buffer, config);
    this.weights = partWeights(this.weights, "tower");
    this.side = config.image_size / config.patch_size;
    this.places = this.waves(config.d_model);
  }

  /** Senos y cosenos del lugar de cada parche: media anchura para su fila y media para su columna. */
  waves(width) {
    return Float32Array.from({ length: this.side ** 2 * width }, (_, at) => {
      const [n, i] = [Math.floor(at / width), at % (width / 2)];
      const place = at % width < width / 2 ? Math.floor(n / this.side) : n % this.side;
      const angle = place * 10000 ** (-(i - (i % 2)) / (width / 2));
      return i % 2 ? Math.cos(angle) : Math.sin(angle);
    });
  }

  encode(image) {
    const rows = this.side ** 2;
    const x = plus(this.project(this.patches(image), rows, "embedding.projection"), this.places);
    return this.norm(this.blocks(x, rows), "norm", 1e-6);
  }
}

/** De cada cuadrado de parches, uno solo con los números de todos, por filas. */
function joinNeighbours(states, side, factor) {
  const width = states.length / side ** 2;
  const joined = new Float32Array(states.length);
  let to = 0;
  for (let r = 0; r < side; r += factor) {
    for (let c = 0; c < side; c += factor) {
      for (let n = 0; n < factor ** 2; n++, to += width) {
        const from = ((r + Math.floor(n / factor)) * side + c + (n % factor)) * width;
        joined.set(states.subarray(from, from + width), to);
      }
    }
  }
  return joined;
}

class SeeingGPT extends GPT {
  constructor(buffer, { tower, language, factor }) {
    super(buffer, language);
    this.tower = new Tower(buffer, tower);
    this.factor = factor;
    this.imageTokens = (this.tower.side / factor) ** 2;
    this.projector = partWeights(this.weights, "projector");
    this.weights = partWeights(this.weights, "language");
  }

  /** Los vectores de una imagen, con el ancho de los de las palabras. */
  look(image) {
    const joined = joinNeighbours(this.tower.encode(image), this.tower.side, this.factor);
    const { projector: w, imageTokens: rows } = this;
    const hidden = linear(joined, rows, w["hidden.weight"], w["hidden.bias"]).map(gelu);
    return linear(hidden, rows, w["output.weight"], w["output.bias"]);
  }

  /** Lee una imagen, detrás del token que abre: después se le pregunta las veces que se quiera. */
  see(image) {
    this.rewind();
    const opening = this.lookUp([FIRST_TOKEN], "embedding.weight");
    const x = new Float32Array(opening.length * (1 + this.imageTokens));
    x.set(opening);
    x.set(this.look(image), opening.length);
    this.blocks(x, 1 + this.imageTokens, 1e-6);
  }

  /** Contesta a una pregunta sobre la imagen que ha leído, eligiendo siempre lo más probable. */
  // Da los tokens de la respuesta, sin el que cierra; los logits y las probabilidades del primero, y a
  // qué partes de la imagen mira el final de la pregunta: de cada capa, la media de las cabezas.
  ask(question, most) {
    const { n_layers: layers, n_heads: heads } = this.config;
    this.rewind(1 + this.imageTokens);
    const last = this.imageTokens + question.length;
    const looks = Array.from({ length: layers }, () => new Float32Array(this.imageTokens));
    const logits = this.read(question, (layer, _, query, weights) => {
      for (let i = 0; query === last && i < this.imageTokens; i++) looks[layer][i] += weights[1 + i] / heads;
    });
    const odds = softmaxInPlace(logits.slice());
    const tokens = [];
    const likeliest = (scores) => scores.indexOf(Math.max(...scores));
    let next = likeliest(logits);
    while (next !== LAST_TOKEN && tokens.length < most) {
      tokens.push(next);
      next = likeliest(this.read([next]));
    }
    return { tokens, logits, odds, looks };
  }
}
