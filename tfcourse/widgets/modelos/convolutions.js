// Lo que mira una imagen: convoluciones que la reducen a casillas, y un codificador que las compara.
// Una imagen o un mapa son sus puntos por filas, con los números de cada punto seguidos.

/** Ondas de unas coordenadas entre 0 y 1: `each` números por coordenada. */
function coordinateWaves(values, each, temperature = 10000) {
  const waves = new Float32Array(values.length * each);
  values.forEach((value, n) => {
    for (let i = 0; i < each; i += 2) {
      const angle = 2 * Math.PI * value * temperature ** (-i / each);
      waves[n * each + i] = Math.sin(angle);
      waves[n * each + i + 1] = Math.cos(angle);
    }
  });
  return waves;
}

/** Las ondas de las casillas de una cuadrícula: media para la fila, media para la columna. */
function gridWaves(side, width) {
  const corners = Array.from({ length: 2 * side * side }, (_, i) =>
    (i % 2 ? (i >> 1) % side : Math.floor((i >> 1) / side)) / side + 1 / side,
  );
  return coordinateWaves(corners, width / 2);
}

class ImageModel extends LiveModel {
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

  /** Las etapas de una red convolucional pequeña: las `halving` primeras reducen a la mitad. */
  foldedStages(name, count, halving) {
    return Array.from({ length: count }, (_, n) => this.foldedStage(`${name}.${n}`, n < halving ? 2 : 1));
  }

  /** Pasa un mapa por varias etapas: el mapa y su lado. */
  convolveAll(x, side, stages) {
    for (const stage of stages) {
      x = this.convolve(x, side, stage);
      side = Math.ceil(side / stage.stride);
    }
    return [x, side];
  }

  /** Un bloque con la norma delante; la posición, si la hay, solo va a consultas y claves. */
  encoderBlock(x, rows, at, places, activation, watch) {
    const y = this.norm(x, `${at}.around_attention.norm`);
    const asked = places ? plus(y, places) : y;
    x = plus(x, this.attention(asked, asked, y, rows, rows, `${at}.attention`, { watch }));
    const z = this.norm(x, `${at}.around_feed_forward.norm`);
    return plus(x, this.feedForward(z, rows, `${at}.feed_forward`, activation));
  }

  /** Un codificador de casillas, con sus posiciones. */
  encodeCells(x, side, at) {
    const cells = side * side;
    const places = gridWaves(side, this.config.d_model);
    x = plus(this.project(x, cells, `${at}.projection`), places);
    x = this.encoderBlock(x, cells, `${at}.blocks.0`, places, relu);
    return { memory: this.norm(x, `${at}.norm`), places, cells, side };
  }
}
