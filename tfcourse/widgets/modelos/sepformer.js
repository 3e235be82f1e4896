// SepFormer: de una mezcla de voces, una onda por voz. El espectro se reparte con una máscara.

/** El espectro de cada tramo de una onda: partes real e imaginaria de las frecuencias no negativas. */
function complexSpectrogram(wave, size, hop) {
  const window = hannWindow(size);
  const frames = [];
  for (let middle = 0; middle <= wave.length; middle += hop) {
    const frame = window.map((weight, n) => weight * reflected(wave, middle - size / 2 + n));
    const [re, im] = fft(frame);
    frames.push([re.slice(0, size / 2 + 1), im.slice(0, size / 2 + 1)]);
  }
  return frames;
}

/** El módulo de cada frecuencia de cada tramo, seguidos. */
function loudnessOf(frames) {
  const bins = frames[0][0].length;
  const loudness = new Float64Array(frames.length * bins);
  frames.forEach(([re, im], t) => {
    for (let k = 0; k < bins; k++) loudness[t * bins + k] = Math.sqrt(re[k] * re[k] + im[k] * im[k]);
  });
  return loudness;
}

function hannWindow(size) {
  return Float64Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
}

/** Deshace `complexSpectrogram`: suma lo que se solapa y divide entre lo que pesan las ventanas. */
function waveFromSpectrogram(frames, size, hop, length) {
  const window = hannWindow(size);
  const squared = window.map((v) => v * v);
  const total = new Float64Array((frames.length - 1) * hop + size);
  const weight = new Float64Array(total.length);
  frames.forEach(([re, im], t) => {
    const piece = inverseTransform(re, im, size);
    for (let n = 0; n < size; n++) {
      total[t * hop + n] += window[n] * piece[n];
      weight[t * hop + n] += squared[n];
    }
  });
  return Float32Array.from({ length }, (_, n) => total[size / 2 + n] / weight[size / 2 + n]);
}

/**
 * La señal real de esas frecuencias, con una sola transformada.
 *
 * x[n] = Σ (a + ib)(cos + i sen) / N, con a par y b impar: queda Σ (a cos − b sen) / N, que es la parte
 * real más la imaginaria de la transformada de a + b.
 */
function inverseTransform(re, im, size) {
  const both = new Float64Array(size);
  for (let k = 1; k < size / 2; k++) {
    both[k] = re[k] + im[k];
    both[size - k] = re[k] - im[k];
  }
  for (const k of [0, size / 2]) both[k] = re[k];
  const [cosines, sines] = fft(both);
  return cosines.map((value, n) => (value + sines[n]) / size);
}

/** SI-SNR, en decibelios: cuánto de una onda apunta a otra, frente a lo demás. */
function signalToNoise(estimate, target) {
  const dot = (x, y) => {
    let sum = 0;
    for (let n = 0; n < x.length; n++) sum += x[n] * y[n];
    return sum;
  };
  const centered = (x) => {
    const mean = x.reduce((a, b) => a + b, 0) / x.length;
    return new Float64Array(x).map((v) => v - mean);
  };
  const [e, t] = [centered(estimate), centered(target)];
  const share = dot(e, t) / dot(t, t);
  const signal = t.map((v) => share * v);
  const noise = e.map((v, n) => v - signal[n]);
  return 10 * Math.log10(dot(signal, signal) / dot(noise, noise));
}

class SepFormer extends LiveModel {
  /** Lo que lee la red: el logaritmo del módulo, con media 0 y desviación 1. */
  features(frames) {
    const loudness = loudnessOf(frames);
    const peak = Math.max(loudness.reduce((a, b) => Math.max(a, b), 0), 1e-8);
    const levels = new Float32Array(loudness.map((v) => Math.log(v / peak + 1e-4)));
    const mean = levels.reduce((a, b) => a + b, 0) / levels.length;
    const centered = levels.map((v) => v - mean);
    const spread = Math.sqrt(centered.reduce((sum, v) => sum + v * v, 0) / centered.length);
    return centered.map((v) => v / Math.max(spread, 1e-4));
  }

  prelu(x) {
    const slope = this.weight("mask_net.activation.weight").data[0];
    return x.map((v) => (v < 0 ? slope * v : v));
  }

  /** Bloques sobre muchas secuencias de `each` vectores, cada una por su lado, con un residuo encima. */
  path(x, each, name) {
    const { d_model: width, n_heads: heads } = this.config;
    const rows = x.length / width;
    const places = new Float32Array(each * width);
    for (let n = 0; n < places.length; n++) {
      const i = n % width;
      const angle = Math.floor(n / width) * 10000 ** (-(i - (i % 2)) / width);
      places[n] = i % 2 ? Math.cos(angle) : Math.sin(angle);
    }
    let y = plus(x, places); // las mismas en todas las secuencias
    const at = `${name}.blocks.0`;
    const z = this.norm(y, `${at}.around_attention.norm`);
    const [q, k, v] = ["q", "k", "v"].map((part) => this.project(z, rows, `${at}.attention.${part}_proj`));
    const mixed = new Float32Array(x.length);
    for (let from = 0; from < x.length; from += each * width) {
      const part = [q, k, v].map((values) => values.subarray(from, from + each * width));
      mixed.set(attend(...part, each, each, heads), from);
    }
    y = plus(y, this.project(mixed, rows, `${at}.attention.out_proj`));
    const rest = this.norm(y, `${at}.around_feed_forward.norm`);
    y = plus(y, this.feedForward(rest, rows, `${at}.feed_forward`, relu));
    return plus(x, this.norm(y, `${name}.norm`));
  }

  /** Trozos que se solapan la mitad, con ceros en los bordes: (trozo, lugar, vector). */
  chunked(x, length) {
    const { d_model: width, chunk } = this.config;
    const half = chunk / 2;
    const count = Math.ceil(length / half) + 1;
    const chunks = new Float32Array(count * chunk * width);
    for (let n = 0; n < count; n++) {
      for (let c = 0; c < chunk; c++) {
        const row = (n - 1) * half + c;
        if (row < 0 || row >= length) continue;
        chunks.set(x.subarray(row * width, (row + 1) * width), (n * chunk + c) * width);
      }
    }
    return [chunks, count];
  }

  /** Deshace los trozos: cada vector es la media de las dos veces que salió. */
  rejoined(chunks, count, length) {
    const { d_model: width, chunk } = this.config;
    const x = new Float32Array(length * width);
    for (let n = 0; n < count; n++) {
      for (let c = 0; c < chunk; c++) {
        const row = ((n - 1) * chunk) / 2 + c;
        if (row < 0 || row >= length) continue;
        for (let i = 0; i < width; i++) x[row * width + i] += chunks[(n * chunk + c) * width + i] / 2;
      }
    }
    return x;
  }

  /** Cambia de sitio filas y columnas de una tabla de vectores. */
  turned(x, rows, columns) {
    const width = this.config.d_model;
    const y = new Float32Array(x.length);
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const from = (r * columns + c) * width;
        y.set(x.subarray(from, from + width), (c * rows + r) * width);
      }
    }
    return y;
  }

  /** De cada tramo y frecuencia, la parte de cada voz: entre todas suman 1. */
  masks(features, length) {
    const { d_model: width, n_blocks: blocks, n_speakers: speakers, chunk } = this.config;
    const inside = this.project(this.norm(features, "mask_net.norm"), length, "mask_net.input");
    let [x, count] = this.chunked(inside, length);
    for (let n = 0; n < blocks; n++) {
      x = this.path(x, chunk, `mask_net.blocks.${n}.intra`);
      x = this.turned(x, count, chunk);
      x = this.path(x, count, `mask_net.blocks.${n}.inter`);
      x = this.turned(x, chunk, count);
    }
    const joined = this.prelu(this.rejoined(x, count, length));
    const own = this.prelu(this.project(joined, length, "mask_net.split")); // voces seguidas en cada tramo
    const scores = this.project(own, length * speakers, "mask_net.output");
    const bins = scores.length / length / speakers;
    const masks = Array.from({ length: speakers }, () => new Float32Array(length * bins));
    const odds = new Float32Array(speakers);
    for (let n = 0; n < length * bins; n++) {
      const from = Math.floor(n / bins) * speakers * bins + (n % bins);
      for (let s = 0; s < speakers; s++) odds[s] = scores[from + s * bins];
      softmaxInPlace(odds);
      masks.forEach((mask, s) => (mask[n] = odds[s]));
    }
    return masks;
  }

  /** Una onda por voz, el espectro de la mezcla y las máscaras. */
  separate(wave) {
    const { kernel, stride } = this.config;
    const level = Math.max(Math.sqrt(wave.reduce((sum, v) => sum + v * v, 0) / wave.length), 1e-8);
    const frames = complexSpectrogram(wave.map((v) => v / level), kernel, stride);
    const masks = this.masks(this.features(frames), frames.length);
    const bins = kernel / 2 + 1;
    const waves = masks.map((mask) => {
      const kept = frames.map((parts, t) => parts.map((values) => values.map((v, k) => v * mask[t * bins + k])));
      return waveFromSpectrogram(kept, kernel, stride, wave.length).map((v) => v * level);
    });
    return { waves, masks, frames };
  }
}
