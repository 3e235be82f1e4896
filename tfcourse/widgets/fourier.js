// Transformada rápida de Fourier y espectrograma, como los de Python.

/** Transformada de una señal real de longitud potencia de dos: partes real e imaginaria. */
function fft(real) {
  const size = real.length;
  if (size === 1) return [[real[0]], [0]];
  const even = fft(real.filter((_, n) => n % 2 === 0));
  const odd = fft(real.filter((_, n) => n % 2 === 1));
  const re = new Array(size);
  const im = new Array(size);
  for (let k = 0; k < size / 2; k++) {
    const c = Math.cos((-2 * Math.PI * k) / size);
    const s = Math.sin((-2 * Math.PI * k) / size);
    const tr = c * odd[0][k] - s * odd[1][k];
    const ti = c * odd[1][k] + s * odd[0][k];
    re[k] = even[0][k] + tr;
    im[k] = even[1][k] + ti;
    re[k + size / 2] = even[0][k] - tr;
    im[k + size / 2] = even[1][k] - ti;
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
