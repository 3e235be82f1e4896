// DETR: una imagen de 64 × 64 se vuelve 64 casillas, y ocho consultas preguntan qué hay y dónde.

/** Ondas de unas coordenadas entre 0 y 1: `each` números por coordenada. */
function coordinateWaves(values, each) {
  const waves = new Float32Array(values.length * each);
  values.forEach((value, n) => {
    for (let i = 0; i < each; i += 2) {
      const angle = 2 * Math.PI * value * 10000 ** (-i / each);
      waves[n * each + i] = Math.sin(angle);
      waves[n * each + i + 1] = Math.cos(angle);
    }
  });
  return waves;
}

class Detector extends LiveModel {
  constructor(buffer, config) {
    super(buffer, config);
    this.stages = [0, 1, 2, 3, 4].map((n) => this.foldedStage(`encoder.backbone.${n}`, n < 3 ? 2 : 1));
  }

  /** La normalización por lotes, ya aprendida, es una escala y un desplazamiento de los filtros. */
  foldedStage(name, stride) {
    const filters = this.weight(`${name}.0.weight`);
    const [gain, shift, mean, variance] = ["weight", "bias", "running_mean", "running_var"].map(
      (part) => this.weight(`${name}.1.${part}`).data,
    );
    const scale = gain.map((g, i) => g / Math.sqrt(variance[i] + 1e-5));
    const each = filters.data.length / filters.shape[0];
    const data = filters.data.map((w, i) => w * scale[Math.floor(i / each)]);
    const bias = { data: shift.map((b, i) => b - mean[i] * scale[i]) };
    return { weight: { shape: filters.shape, data }, bias, stride };
  }

  /** Convolución de 3 × 3: cada ventana se escribe en una fila, y es una capa lineal. */
  convolve(x, side, { weight, bias, stride }) {
    const channels = weight.shape[1];
    const out = Math.ceil(side / stride);
    const windows = new Float32Array(out * out * channels * 9);
    let at = 0;
    for (let r = 0; r < out; r++) {
      for (let c = 0; c < out; c++) {
        for (let k = 0; k < channels; k++) {
          for (let i = r * stride - 1; i < r * stride + 2; i++) {
            for (let j = c * stride - 1; j < c * stride + 2; j++, at++) {
              const inside = i >= 0 && j >= 0 && i < side && j < side;
              if (inside) windows[at] = x[(i * side + j) * channels + k];
            }
          }
        }
      }
    }
    return linear(windows, out * out, weight, bias).map(relu);
  }

  /** Las 64 casillas de una imagen, por filas y con los tres colores seguidos, y sus posiciones. */
  encode(image) {
    let [x, side] = [image, Math.sqrt(image.length / 3)];
    for (const stage of this.stages) {
      x = this.convolve(x, side, stage);
      side = Math.ceil(side / stage.stride);
    }
    const cells = side * side;
    const corners = Array.from({ length: 2 * cells }, (_, i) =>
      (i % 2 ? (i >> 1) % side : Math.floor((i >> 1) / side)) / side + 1 / side,
    );
    const places = coordinateWaves(corners, this.config.d_model / 2);
    const at = "encoder.blocks.0";
    x = plus(this.project(x, cells, "encoder.projection"), places);
    const y = this.norm(x, `${at}.around_attention.norm`);
    const asked = plus(y, places);
    x = plus(x, this.attention(asked, asked, y, cells, cells, `${at}.attention`));
    const z = this.norm(x, `${at}.around_feed_forward.norm`);
    x = plus(x, this.feedForward(z, cells, `${at}.feed_forward`, relu));
    return { memory: this.norm(x, "encoder.norm"), places, cells };
  }

  /** Qué objetos hay: los logits de cada consulta, con «sin objeto» al final, y sus cajas. */
  detect(image, watch) {
    const { memory, places, cells } = this.encode(image);
    const { n_queries: rows, n_decoder: layers } = this.config;
    const queries = this.weight("queries.weight").data;
    const keys = plus(memory, places);
    let x = new Float32Array(queries.length);
    for (let n = 0; n < layers; n++) {
      const at = `decoder.${n}`;
      const y = this.norm(x, `${at}.around_attention.norm`);
      const own = plus(y, queries);
      x = plus(x, this.attention(own, own, y, rows, rows, `${at}.attention`));
      const z = plus(this.norm(x, `${at}.around_cross_attention.norm`), queries);
      const options = { watch: watch && ((head, query, weights) => watch(n, head, query, weights)) };
      x = plus(x, this.attention(z, keys, memory, rows, cells, `${at}.cross_attention`, options));
      const rest = this.norm(x, `${at}.around_feed_forward.norm`);
      x = plus(x, this.feedForward(rest, rows, `${at}.feed_forward`, relu));
    }
    const state = this.norm(x, "norm");
    let box = this.project(state, rows, "box_head.0").map(relu);
    box = this.project(box, rows, "box_head.2").map(relu);
    return {
      logits: this.project(state, rows, "class_head"),
      boxes: this.project(box, rows, "box_head.4").map(sigmoid),
    };
  }
}
