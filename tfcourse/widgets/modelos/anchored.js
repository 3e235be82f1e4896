// DETR con anclas: las consultas salen de las casillas más prometedoras y corrigen su caja dos veces.

const ANCHOR_TEMPERATURE = 20;
const FIRST_SIDE = 0.25;
const SMALLEST = 0.05; // una caja diminuta no vería ni una casilla

const inverseSigmoid = (v) => {
  const inside = Math.min(Math.max(v, 1e-4), 1 - 1e-4);
  return Math.log(inside / (1 - inside));
};

class AnchoredDetector extends Detector {
  /** Clases y cajas de unos vectores: cada caja es su ancla, corregida. */
  found(x, rows, anchors) {
    const state = this.norm(x, "norm");
    const moved = plus(this.boxHead(state, rows), anchors.map(inverseSigmoid));
    return { state, logits: this.project(state, rows, "class_head"), boxes: moved.map(sigmoid) };
  }

  /** Las casillas que mejor puntúa el codificador, con su contenido y su caja. */
  bestCells(memory, centers, cells) {
    const { n_queries: rows, n_classes: classes, d_model: width } = this.config;
    const first = new Float32Array(4 * cells).fill(FIRST_SIDE);
    for (let i = 0; i < cells; i++) first.set(centers.subarray(2 * i, 2 * i + 2), 4 * i);
    const { state, logits, boxes } = this.found(memory, cells, first);
    const scores = Array.from({ length: cells }, (_, i) =>
      Math.max(...logits.subarray(i * classes, (i + 1) * classes)),
    );
    const x = new Float32Array(rows * width);
    const anchors = new Float32Array(rows * 4);
    largest(scores, rows).forEach((cell, n) => {
      x.set(state.subarray(cell * width, (cell + 1) * width), n * width);
      anchors.set(boxes.subarray(4 * cell, 4 * cell + 4), 4 * n);
    });
    return [x, anchors];
  }

  /** Lo que las anclas suman a un puntaje: un producto entre posiciones y una campana. */
  anchorBias(layer, x, anchors, centers, cells) {
    const { n_queries: rows, n_heads: heads, d_model: width } = this.config;
    const each = width / heads;
    const middles = Float32Array.from({ length: 2 * rows }, (_, i) => anchors[4 * (i >> 1) + (i % 2)]);
    const asked = this.project(
      this.project(x, rows, `spatial.${layer}.scale.0`).map(relu), rows, `spatial.${layer}.scale.2`,
    );
    const waves = coordinateWaves(middles, width / 2, ANCHOR_TEMPERATURE).map((v, i) => v * asked[i]);
    const q = this.project(waves, rows, `spatial.${layer}.q_proj`);
    const places = coordinateWaves(centers, width / 2, ANCHOR_TEMPERATURE);
    const k = this.project(places, cells, `spatial.${layer}.k_proj`);
    const offset = this.project(x, rows, `gaussian.${layer}.offset`);
    const sharpness = this.weight(`gaussian.${layer}.sharpness`).data.map((v) => Math.log1p(Math.exp(v)));
    return (h, i, j) => {
      let product = 0;
      for (let c = 0; c < each; c++) product += q[i * width + h * each + c] * k[j * width + h * each + c];
      let away = 0;
      for (let axis = 0; axis < 2; axis++) {
        const size = Math.max(anchors[4 * i + 2 + axis], SMALLEST);
        const center = middles[2 * i + axis] + offset[i * 2 * heads + 2 * h + axis] * size;
        away += ((centers[2 * j + axis] - center) / size) ** 2;
      }
      return product / Math.sqrt(each) - sharpness[h] * away;
    };
  }

  /** Qué objetos hay: por cada consulta, un sí o un no por clase, y su caja. */
  detect(image) {
    const { memory, places, cells, side } = this.encode(image);
    const { n_queries: rows, n_decoder: layers, d_model: width } = this.config;
    const centers = Float32Array.from({ length: 2 * cells }, (_, i) =>
      ((i % 2 ? Math.floor((i >> 1) / side) : (i >> 1) % side) + 0.5) / side,
    );
    const keys = plus(memory, places);
    let [x, anchors] = this.bestCells(memory, centers, cells);
    let answer;
    for (let n = 0; n < layers; n++) {
      const waves = coordinateWaves(anchors, width / 2, ANCHOR_TEMPERATURE);
      const queries = this.project(
        this.project(waves, rows, "anchor_mlp.0").map(relu), rows, "anchor_mlp.2",
      );
      const bias = this.anchorBias(n, x, anchors, centers, cells);
      x = this.objectBlock(x, n, queries, keys, memory, cells, { bias });
      answer = this.found(x, rows, anchors);
      anchors = answer.boxes;
    }
    return answer;
  }

  /** La probabilidad de cada clase: un sí o un no cada una. */
  odds(logits) {
    return logits.map(sigmoid);
  }
}
