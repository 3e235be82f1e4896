// Mask2Former: doce consultas, y cada una dice una clase y una máscara de toda la imagen.

class Segmenter extends ImageModel {
  constructor(buffer, config) {
    super(buffer, config);
    this.fine = this.foldedStages("reader.fine", 2, 2);
    this.rest = this.foldedStages("reader.encoder.backbone", 3, 1);
    const pyramid = "reader.pixel_decoder";
    this.top = this.foldedStage(`${pyramid}.top`, 1);
    this.lateral = this.foldedStages(`${pyramid}.lateral`, 2, 0);
    this.smooth = this.foldedStages(`${pyramid}.smooth`, 2, 0);
  }

  /** Las 64 casillas, ya comparadas, y la pirámide: tres mapas, del más tosco al más fino. */
  encode(image) {
    const maps = [];
    let [x, side] = [image, Math.sqrt(image.length / 3)];
    for (const stage of this.fine) {
      [x, side] = this.convolveAll(x, side, [stage]);
      maps.unshift([x, side]);
    }
    [x, side] = this.convolveAll(x, side, this.rest);
    const { memory } = this.encodeCells(x, side, "reader.encoder");
    const levels = [[this.convolve(memory, side, this.top), side]];
    maps.forEach(([own, wide], n) => {
      const { weight, bias } = this.lateral[n];
      const seen = linear(own, wide * wide, weight, bias);
      const [coarse] = levels.at(-1);
      const each = seen.length / wide ** 2;
      // El piso anterior, con cada casilla repetida en un cuadro de dos por dos.
      const wider = seen.map((value, i) => {
        const [cell, k] = [Math.floor(i / each), i % each];
        const [r, c] = [Math.floor(cell / wide) >> 1, (cell % wide) >> 1];
        return value + coarse[((r * wide) / 2 + c) * each + k];
      });
      levels.push([this.convolve(wider, wide, this.smooth[n]), wide]);
    });
    return { memory, side, levels };
  }

  /** Los logits de las clases de unas consultas, y el vector con el que cada una busca sus puntos. */
  asked(x, rows) {
    const state = this.norm(x, "norm");
    const first = this.project(state, rows, "mask_head.0").map(relu);
    const second = this.project(first, rows, "mask_head.2").map(relu);
    return [this.project(state, rows, "class_head"), this.project(second, rows, "mask_head.4")];
  }

  /** Las consultas: las casillas que mejor puntúa el codificador, con su sitio. */
  bestCells(memory, side) {
    const { n_queries: rows, n_classes: classes, d_model: width } = this.config;
    const [logits] = this.asked(memory, side * side);
    const scores = Array.from({ length: side * side }, (_, i) =>
      Math.max(...logits.subarray(i * classes, (i + 1) * classes)),
    );
    const places = gridWaves(side, width);
    const best = largest(scores, rows);
    const pick = (from) => {
      const kept = new Float32Array(rows * width);
      best.forEach((cell, n) => kept.set(from.subarray(cell * width, (cell + 1) * width), n * width));
      return kept;
    };
    return [pick(memory), pick(places)];
  }

  /** Qué casillas de un mapa de `side` puede mirar cada consulta: donde su máscara dice que sí. */
  allowed(masks, from, side) {
    const rows = this.config.n_queries;
    const inside = new Uint8Array(rows * side * side);
    for (let n = 0; n < rows; n++) {
      const mask = masks.subarray(n * from * from, (n + 1) * from * from);
      const own = inside.subarray(n * side * side, (n + 1) * side * side);
      resized(mask, from, side).forEach((value, i) => (own[i] = value > 0));
      if (!own.some(Boolean)) own.fill(1);
    }
    return inside;
  }

  /** Un bloque: mira la imagen, solo dentro de su máscara; se habla con las demás, y piensa. */
  maskedBlock(x, n, queries, seen, places, cells, inside) {
    const at = `decoder.${n}`;
    const rows = this.config.n_queries;
    const bias = (_, i, j) => (inside[i * cells + j] ? 0 : -Infinity);
    const z = plus(this.norm(x, `${at}.around_cross_attention.norm`), queries);
    x = plus(x, this.attention(z, plus(seen, places), seen, rows, cells, `${at}.cross_attention`, { bias }));
    const y = this.norm(x, `${at}.around_attention.norm`);
    const own = plus(y, queries);
    x = plus(x, this.attention(own, own, y, rows, rows, `${at}.attention`));
    const rest = this.norm(x, `${at}.around_feed_forward.norm`);
    return plus(x, this.feedForward(rest, rows, `${at}.feed_forward`, relu));
  }

  /** De cada consulta, sus logits de clase y los de su máscara, de 32 × 32. */
  segment(image) {
    const { n_queries: rows, n_decoder: layers, d_model: width } = this.config;
    const { memory, side, levels } = this.encode(image);
    const [finest, wide] = levels.pop();
    const pixels = { shape: [wide * wide], data: finest, passing: true }; // hace de matriz en esta imagen
    let [x, queries] = this.bestCells(memory, side);
    let [logits, wanted] = this.asked(x, rows);
    let masks = linear(wanted, rows, pixels);
    for (let n = 0; n < layers; n++) {
      const number = n % levels.length;
      const [level, small] = levels[number];
      const cells = small * small;
      const name = this.weight("level.weight").data.subarray(number * width, (number + 1) * width);
      const seen = plus(this.project(level, cells, `to_memory.${number}`), name);
      const inside = this.allowed(masks, wide, small);
      x = this.maskedBlock(x, n, queries, seen, gridWaves(small, width), cells, inside);
      [logits, wanted] = this.asked(x, rows);
      masks = linear(wanted, rows, pixels);
    }
    return { logits, masks, side: wide };
  }
}

/** Un mapa cuadrado llevado a otro lado, mezclando los cuatro puntos más cercanos. */
function resized(map, from, to) {
  const out = new Float32Array(to * to);
  const near = (i) => {
    const at = Math.max(((i + 0.5) * from) / to - 0.5, 0);
    const low = Math.floor(at);
    return [low, Math.min(low + 1, from - 1), at - low];
  };
  for (let r = 0; r < to; r++) {
    const [top, bottom, down] = near(r);
    for (let c = 0; c < to; c++) {
      const [left, right, across] = near(c);
      const line = (row) => map[row * from + left] * (1 - across) + map[row * from + right] * across;
      out[r * to + c] = line(top) * (1 - down) + line(bottom) * down;
    }
  }
  return out;
}

/**
 * De quién es cada punto: de la consulta que más segura está de él, de entre las que pasan del umbral.
 *
 * Devuelve los segmentos que quedan, cada uno con su clase, su confianza y sus puntos; se quitan los
 * que otros dejan en menos de la mitad de su máscara. La clase 0 es el fondo, y no es un segmento.
 */
function panopticAnswer({ logits, masks, side }, { rows, classes, size, threshold }) {
  const queries = Array.from({ length: rows }, (_, n) => {
    const odds = logits.subarray(n * classes, (n + 1) * classes).map(sigmoid);
    const kind = largest(odds, 1)[0];
    const mask = resized(masks.subarray(n * side * side, (n + 1) * side * side), side, size).map(sigmoid);
    return { kind, score: odds[kind], mask };
  }).filter(({ score }) => score > threshold);
  const owners = new Int8Array(size * size).fill(-1);
  queries.forEach(({ score, mask }, n) => {
    mask.forEach((value, p) => {
      const rival = queries[owners[p]];
      if (!rival || score * value > rival.score * rival.mask[p]) owners[p] = n;
    });
  });
  return queries
    .map(({ kind, score, mask }, n) => {
      const own = mask.map((value) => Number(value > 0.5));
      const points = own.map((inside, p) => inside && Number(owners[p] === n));
      const sum = (values) => values.reduce((total, value) => total + value, 0);
      return { kind, score, points, kept: sum(points), whole: sum(own) };
    })
    .filter(({ kind, kept, whole }) => kind > 0 && kept > 0 && kept >= whole / 2);
}
