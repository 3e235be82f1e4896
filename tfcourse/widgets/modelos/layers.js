// Las piezas de un Transformer. Una lista de vectores es un Float32Array con las filas seguidas.

/** y = x Wᵀ + b, para `rows` vectores; W es (salidas, entradas), como en PyTorch. */
function linear(x, rows, weight, bias) {
  return KERNEL ? KERNEL.linear(x, rows, weight, bias) : plainLinear(x, rows, weight, bias);
}

/** La capa lineal sin el núcleo. Cuatro salidas a la vez: cada número de x se lee una vez para las cuatro. */
function plainLinear(x, rows, weight, bias) {
  const outputs = weight.shape[0];
  const width = weight.data.length / outputs;
  const w = weight.data;
  const y = new Float32Array(rows * outputs);
  const last = outputs - 1; // si al final quedan menos de cuatro, se repite
  for (let o = 0; o < outputs; o += 4) {
    const [p, q, s] = [Math.min(o + 1, last), Math.min(o + 2, last), Math.min(o + 3, last)];
    for (let r = 0; r < rows; r++) {
      let a = 0, b = 0, c = 0, d = 0;
      for (let i = 0, j = r * width; i < width; i++, j++) {
        const value = x[j];
        a += value * w[o * width + i];
        b += value * w[p * width + i];
        c += value * w[q * width + i];
        d += value * w[s * width + i];
      }
      const to = r * outputs;
      y[to + o] = a;
      y[to + p] = b;
      y[to + q] = c;
      y[to + s] = d;
    }
  }
  return bias ? plus(y, bias.data) : y;
}

/** Suma; si `y` es más corto se repite, como un sesgo. */
function plus(x, y) {
  const sum = new x.constructor(x.length);
  for (let i = 0, j = 0; i < x.length; i++, j++) {
    if (j === y.length) j = 0;
    sum[i] = x[i] + y[j];
  }
  return sum;
}

const relu = (v) => Math.max(v, 0);
const sigmoid = (v) => 1 / (1 + Math.exp(-v));

/** GELU, con la aproximación que usan los GPT. */
function tanhGelu(v) {
  return 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)));
}

/** GELU exacta: v · Φ(v). */
function gelu(v) {
  return 0.5 * v * (1 + erf(v * Math.SQRT1_2));
}

/** La función de error: su serie cerca de cero y, lejos, una fracción continua. */
function erf(v) {
  const x = Math.abs(v);
  if (x > 5) return Math.sign(v);
  if (x < 2.5) {
    let [term, sum] = [x, x];
    for (let n = 1; Math.abs(term) > 1e-12; n++) {
      term *= (-x * x) / n;
      sum += term / (2 * n + 1);
    }
    return (Math.sign(v) * 2 * sum) / Math.sqrt(Math.PI);
  }
  let fraction = 0;
  for (let n = 24; n > 0; n--) fraction = n / 2 / (x + fraction);
  return Math.sign(v) * (1 - Math.exp(-x * x) / (Math.sqrt(Math.PI) * (x + fraction)));
}

/** Normaliza cada vector: a media 0 y varianza 1 o, sin `bias`, solo de tamaño (RMSNorm). */
function normalize(x, gain, bias, eps) {
  const width = gain.data.length;
  const y = new Float32Array(x.length);
  for (let from = 0; from < x.length; from += width) {
    let [sum, square] = [0, 0];
    for (let i = from; bias && i < from + width; i++) sum += x[i]; // sin `bias`, la media es 0
    const mean = sum / width;
    for (let i = from; i < from + width; i++) square += (x[i] - mean) * (x[i] - mean);
    const scale = 1 / Math.sqrt(square / width + eps);
    for (let i = 0; i < width; i++) {
      y[from + i] = (x[from + i] - mean) * scale * gain.data[i] + (bias ? bias.data[i] : 0);
    }
  }
  return y;
}

/** Convierte en pesos que suman 1 los `count` primeros puntajes, en el mismo sitio. */
function softmaxInPlace(scores, count = scores.length) {
  let [top, total] = [-Infinity, 0];
  for (let i = 0; i < count; i++) top = Math.max(top, scores[i]);
  for (let i = 0; i < count; i++) total += scores[i] = Math.exp(scores[i] - top);
  for (let i = 0; i < count; i++) scores[i] /= total;
  return scores;
}

/**
 * Atención de `nQ` consultas a `nK` claves, con todas las cabezas.
 *
 * Con `causal`, las consultas son las últimas posiciones y no miran más allá de sí mismas. `bias`
 * (cabeza, consulta, clave) da lo que se suma a un puntaje, y `watch` (cabeza, consulta, pesos)
 * recibe a qué ha mirado cada una; los pesos se copian si se quieren guardar.
 */
function attend(q, k, v, nQ, nK, heads, { causal = false, bias, watch, scaled = true } = {}) {
  const width = q.length / nQ;
  const each = width / heads;
  const scale = scaled ? 1 / Math.sqrt(each) : 1;
  const mixed = new Float32Array(q.length);
  const scores = new Float32Array(nK);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < nQ; i++) {
      const at = i * width + h * each;
      const seen = causal ? nK - nQ + i + 1 : nK;
      for (let j = 0; j < seen; j++) {
        const from = j * width + h * each;
        let sum = 0;
        for (let c = 0; c < each; c++) sum += q[at + c] * k[from + c];
        scores[j] = sum * scale + (bias ? bias(h, i, j) : 0);
      }
      softmaxInPlace(scores, seen);
      if (watch) watch(h, i, scores.subarray(0, seen));
      for (let j = 0; j < seen; j++) {
        const [from, weight] = [j * width + h * each, scores[j]];
        for (let c = 0; c < each; c++) mixed[at + c] += weight * v[from + c];
      }
    }
  }
  return mixed;
}

/** Lo que comparten los modelos: buscar un peso por su nombre y encadenar piezas. */
class LiveModel {
  constructor(buffer, config) {
    this.weights = readWeights(buffer);
    this.config = config;
  }

  weight(name) {
    if (!this.weights[name]) throw new Error(`faltan los pesos «${name}»`);
    return this.weights[name];
  }

  project(x, rows, name) {
    return linear(x, rows, this.weight(`${name}.weight`), this.weights[`${name}.bias`]);
  }

  norm(x, name, eps = 1e-5) {
    const gain = this.weights[`${name}.gain`] ?? this.weight(`${name}.weight`);
    return normalize(x, gain, this.weights[`${name}.bias`], eps);
  }

  /** La red por posición: ensancha, activa y vuelve. */
  feedForward(x, rows, name, activation) {
    const hidden = this.project(x, rows, `${name}.hidden`);
    for (let i = 0; i < hidden.length; i++) hidden[i] = activation(hidden[i]);
    return this.project(hidden, rows, `${name}.output`);
  }

  /** Atención multicabeza entera, con sus cuatro proyecciones. */
  attention(q, k, v, nQ, nK, name, options) {
    const projected = [
      this.project(q, nQ, `${name}.q_proj`),
      this.project(k, nK, `${name}.k_proj`),
      this.project(v, nK, `${name}.v_proj`),
    ];
    const mixed = attend(...projected, nQ, nK, this.config.n_heads, options);
    return this.project(mixed, nQ, `${name}.out_proj`);
  }

  /** Una fila de la tabla por token. */
  lookUp(tokens, name, scale = 1) {
    const table = this.weight(name);
    const width = table.shape[1];
    const x = new Float32Array(tokens.length * width);
    tokens.forEach((token, row) => {
      for (let i = 0; i < width; i++) x[row * width + i] = scale * table.data[token * width + i];
    });
    return x;
  }
}

/** Claves y valores ya calculados de una capa, con sitio para `room` posiciones. */
class LayerCache {
  constructor(room, width) {
    this.width = width;
    this.keys = new Float32Array(room * width);
    this.values = new Float32Array(room * width);
  }

  write(keys, values, from) {
    this.keys.set(keys, from * this.width);
    this.values.set(values, from * this.width);
  }

  copy() {
    const other = new LayerCache(0, this.width);
    other.keys = this.keys.slice();
    other.values = this.values.slice();
    return other;
  }
}
