// ViT: una imagen cortada en parches se lee como una frase, detrás de un token de clase.

class ViT extends LiveModel {
  /** Los parches de una imagen, por filas: un vector por parche, con un color detrás de otro. */
  patches(image) {
    const { image_size: side, patch_size: size, channels = 1 } = this.config;
    const each = side / size;
    const cut = new Float32Array(image.length);
    for (let r = 0; r < side; r++) {
      for (let c = 0; c < side; c++) {
        const patch = Math.floor(r / size) * each + Math.floor(c / size);
        const inside = (r % size) * size + (c % size);
        for (let color = 0; color < channels; color++) {
          cut[(patch * channels + color) * size * size + inside] = image[(r * side + c) * channels + color];
        }
      }
    }
    return cut;
  }

  /** Pasa unos vectores por todos los bloques. `watch` recibe capa, cabeza, consulta y pesos. */
  blocks(x, rows, watch) {
    for (let n = 0; n < this.config.n_layers; n++) {
      const at = `blocks.${n}`;
      const y = this.norm(x, `${at}.around_attention.norm`, 1e-6);
      const options = { watch: watch && ((...seen) => watch(n, ...seen)) };
      x = plus(x, this.attention(y, y, y, rows, rows, `${at}.attention`, options));
      const z = this.norm(x, `${at}.around_feed_forward.norm`, 1e-6);
      x = plus(x, this.feedForward(z, rows, `${at}.feed_forward`, gelu));
    }
    return x;
  }

  /** Los logits de cada clase, y la atención de cada capa: capa → cabeza → consulta → pesos. */
  read(image) {
    const { image_size: side, patch_size: size, d_model: width, n_layers: layers } = this.config;
    const patches = (side / size) ** 2;
    const rows = patches + 1;
    let x = new Float32Array(rows * width);
    x.set(this.weight("class_token").data);
    x.set(this.project(this.patches(image), patches, "embedding.projection"), width);
    x = plus(x, this.weight("positions.table.weight").data);
    const maps = Array.from({ length: layers }, () => []);
    x = this.blocks(x, rows, (n, head, query, weights) => ((maps[n][head] ??= [])[query] = weights.slice()));
    const summary = this.norm(x.subarray(0, width), "norm", 1e-6);
    return { logits: this.project(summary, 1, "head"), maps };
  }
}

/** A qué mira el primer token en una capa, en media de las cabezas. */
function firstLooks(heads) {
  return heads[0][0].map((_, j) => heads.reduce((sum, head) => sum + head[0][j], 0) / heads.length);
}

/** Despliegue de la atención desde el primer token: media de cabezas, y la mitad, para el residuo. */
function attentionRollout(maps) {
  const length = maps[0][0].length;
  let share = new Float32Array(length);
  share[0] = 1;
  for (const heads of [...maps].reverse()) {
    const next = share.map((v) => v / 2);
    for (const head of heads) {
      for (let i = 0; i < length; i++) {
        for (let j = 0; j < length; j++) next[j] += (share[i] * head[i][j]) / (2 * heads.length);
      }
    }
    share = next;
  }
  return share;
}
