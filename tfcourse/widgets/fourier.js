// Transformada rápida de Fourier y espectrograma, como los de Python.

const TURNS = new Map(); // de cada tamaño, los cosenos y los senos de media vuelta

/** Los cosenos y los senos de los ángulos −2πk / size, que se calculan una vez. */
function halfTurn(size) {
  if (!TURNS.has(size)) {
    const angles = Array.from({ length: size / 2 }, (_, k) => (-2 * Math.PI * k) / size);
    TURNS.set(size, [angles.map(Math.cos), angles.map(Math.sin)]);
  }
  return TURNS.get(size);
}

/**
 * Transformada de una señal real de longitud potencia de dos: partes real e imaginaria.
 *
 * Son dos transformadas, las de las muestras pares y las impares: una de cada `step`, desde `first`.
 */
function fft(real, step = 1, first = 0) {
  const size = real.length / step;
  if (size === 2) {
    const [a, b] = [real[first], real[first + step]];
    return [[a + b, a - b], [0, 0]];
  }
  const [evenRe, evenIm] = fft(real, 2 * step, first);
  const [oddRe, oddIm] = fft(real, 2 * step, first + step);
  const [cosines, sines] = halfTurn(size);
  const half = size / 2;
  const re = new Array(size);
  const im = new Array(size);
  for (let k = 0; k < half; k++) {
    const [c, s] = [cosines[k], sines[k]];
    const tr = c * oddRe[k] - s * oddIm[k];
    const ti = c * oddIm[k] + s * oddRe[k];
    re[k] = evenRe[k] + tr;
    im[k] = evenIm[k] + ti;
    re[k + half] = evenRe[k] - tr;
    im[k + half] = evenIm[k] - ti;
  }
  return [re, im];
}

/** Muestra `n`, con la señal reflejada por los dos lados. */
function reflected(samples, n) {
  const last = samples.length - 1;
  if (n < 0) n = -n;
  if (n > last) n = 2 * last - n;
  return samples[Math.max(0, Math.min(last, n))];
}

/** Potencia de cada columna: ventana de Hann de `size` muestras, una columna cada `hop`. */
function spectrogram(samples, size, hop) {
  const window = Array.from({ length: size }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  const columns = [];
  for (let middle = 0; middle <= samples.length; middle += hop) {
    const frame = window.map((weight, n) => weight * reflected(samples, middle - size / 2 + n));
    const [re, im] = fft(frame);
    columns.push(Array.from({ length: size / 2 + 1 }, (_, k) => re[k] ** 2 + im[k] ** 2));
  }
  return columns;
}

/** Banco mel: para cada filtro, el peso de cada casilla. */
function melBank(corners, bins, nyquist) {
  return corners.slice(1, -1).map((center, m) =>
    Array.from({ length: bins }, (_, k) => {
      const hertz = (k * nyquist) / (bins - 1);
      const rising = (hertz - corners[m]) / (center - corners[m]);
      const falling = (corners[m + 2] - hertz) / (corners[m + 2] - center);
      return Math.max(0, Math.min(rising, falling));
    }),
  );
}
