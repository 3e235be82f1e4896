// DETR: una imagen de 64 × 64 se vuelve 64 casillas, y ocho consultas preguntan qué hay y dónde.

class Detector extends ImageModel {
  constructor(buffer, config) {
    super(buffer, config);
    this.stages = this.foldedStages("encoder.backbone", 5, 3);
  }

  /** Las 64 casillas de una imagen, por filas y con los tres colores seguidos, y sus posiciones. */
  encode(image) {
    const [x, side] = this.convolveAll(image, Math.sqrt(image.length / 3), this.stages);
    return this.encodeCells(x, side, "encoder");
  }

  /** Un bloque del decodificador: las consultas se hablan, miran la imagen y piensan por separado. */
  objectBlock(x, n, queries, keys, memory, cells, options) {
    const at = `decoder.${n}`;
    const rows = this.config.n_queries;
    const y = this.norm(x, `${at}.around_attention.norm`);
    const own = plus(y, queries);
    x = plus(x, this.attention(own, own, y, rows, rows, `${at}.attention`));
    const z = plus(this.norm(x, `${at}.around_cross_attention.norm`), queries);
    x = plus(x, this.attention(z, keys, memory, rows, cells, `${at}.cross_attention`, options));
    const rest = this.norm(x, `${at}.around_feed_forward.norm`);
    return plus(x, this.feedForward(rest, rows, `${at}.feed_forward`, relu));
  }

  boxHead(state, rows) {
    const first = this.project(state, rows, "box_head.0").map(relu);
    return this.project(this.project(first, rows, "box_head.2").map(relu), rows, "box_head.4");
  }

  /** Qué objetos hay: los logits de cada consulta, con «sin objeto» al final, y sus cajas. */
  detect(image) {
    const { memory, places, cells } = this.encode(image);
    const { n_queries: rows, n_decoder: layers } = this.config;
    const queries = this.weight("queries.weight").data;
    const keys = plus(memory, places);
    let x = new Float32Array(queries.length);
    for (let n = 0; n < layers; n++) x = this.objectBlock(x, n, queries, keys, memory, cells);
    const state = this.norm(x, "norm");
    return {
      logits: this.project(state, rows, "class_head"),
      boxes: this.boxHead(state, rows).map(sigmoid),
    };
  }

  /** La probabilidad de cada clase de una consulta, y la de «sin objeto». */
  odds(logits) {
    return softmaxInPlace(logits.slice());
  }
}
