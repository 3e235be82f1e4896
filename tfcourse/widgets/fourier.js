// Transformada rápida de Fourier y espectrograma, como los de Python.

const TURNS = new Map(); // de cada tamaño, los cosenos y los senos de media vuelta
const ORDERS = new Map(); // de cada tamaño, en qué orden se leen las muestras

/** Los cosenos y los senos de los ángulos −2πk / size, que se calculan una vez. */
function halfTurn(size) {
  if (!TURNS.has(size)) {
    const angles = Float64Array.from({ length: size / 2 }, (_, k) => (-2 * Math.PI * k) / size);
    TURNS.set(size, [angles.map(Math.cos), angles.map(Math.sin)]);
  }
  return TURNS.get(size);
}

/** Las pares delante y las impares detrás; cada mitad, igual, hasta que quedan de una en una. */
function evensFirst(size) {
  if (!ORDERS.has(size)) {
    let order = [0];
    for (let step = size / 2; step >= 1; step /= 2) order = [...order, ...order.map((n) => n + step)];
    ORDERS.set(size, order);
  }
  return ORDERS.get(size);
}

/**
 * Transformada de una señal real de longitud potencia de dos: partes real e imaginaria.
 *
 * La de un tramo se hace con las de sus dos mitades, que son las muestras pares y las impares. Se
 * empieza por los tramos de una muestra y todo se escribe en el mismo sitio.
 */
function fft(real) {
  const size = real.length;
  const re = Float64Array.from(evensFirst(size), (n) => real[n]);
  const im = new Float64Array(size);
  for (let half = 1; half < size; half *= 2) {
    const [cosines, sines] = halfTurn(2 * half);
    for (let from = 0; from < size; from += 2 * half) {
      for (let k = 0, even = from, odd = from + half; k < half; k++, even++, odd++) {
        const tr = cosines[k] * re[odd] - sines[k] * im[odd];
        const ti = cosines[k] * im[odd] + sines[k] * re[odd];
        re[odd] = re[even] - tr;
        im[odd] = im[even] - ti;
        re[even] += tr;
        im[even] += ti;
      }
    }
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
