// El núcleo: la capa lineal en WebAssembly, con instrucciones que hacen cuatro cuentas a la vez (SIMD).
// Un módulo de WebAssembly es una lista de octetos. Aquí se escriben uno a uno, cada cual con su nombre.

const LANES = 4; // los números de 32 bits que caben en un vector de 128
const SUMS = 4; // los vectores que se acumulan a la vez: ninguna suma espera a la anterior
const PANEL = LANES * SUMS; // las salidas que se calculan de una pasada
const RUN = 16; // los productos que se suman antes de pasarlos al total
const FLOAT = 4; // octetos de un número de 32 bits

/** Las instrucciones. Es una máquina de pila: cada una toma lo que dejaron las anteriores. */
const WASM = {
  get: (local) => [0x20, local],
  set: (local) => [0x21, local],
  plusBytes: (count) => [0x41, count | 0x80, 0, 0x6a], // avanza una dirección hasta 127 octetos
  plusLocal: (local) => [0x20, local, 0x6a],
  isLess: 0x49,
  smaller: (a, b) => [0x20, a, 0x20, b, 0x20, a, 0x20, b, 0x49, 0x1b], // el menor de dos
  load: (offset) => [0xfd, 0x00, 2, offset], // cuatro números seguidos
  loadRepeated: [0xfd, 0x09, 2, 0], // un número, cuatro veces
  store: (offset) => [0xfd, 0x0b, 2, offset],
  zeros: [0xfd, 0x0c, ...Array(16).fill(0)],
  add: [0xfd, 0xe4, 1], // cuatro sumas
  multiply: [0xfd, 0xe6, 1], // cuatro productos
  repeat: (...body) => [0x03, 0x40, ...body, 0x0d, 0, 0x0b], // mientras se cumpla la condición del final
  end: 0x0b,
};

/** El bucle del núcleo: dieciséis salidas, las de un panel de pesos, para todas las filas de x. */
function panelCode() {
  // Todo son direcciones y tamaños en octetos. El panel empieza por los sesgos de sus dieciséis salidas
  // y sigue con los dieciséis pesos de cada entrada: se lee de principio a fin, sin saltos.
  const { get, set, plusBytes, plusLocal, isLess, smaller, load, loadRepeated, store } = WASM;
  const { zeros, add, multiply, repeat, end } = WASM;
  const [x, xEnd, xRow, panel, y, yRow] = [0, 1, 2, 3, 4, 5]; // lo que recibe
  const [rowEnd, runEnd, w, input] = [6, 7, 8, 9]; // dos finales, por dónde va el panel y el número leído
  const each = (make) => Array.from({ length: SUMS }, (_, n) => make(10 + n, 10 + SUMS + n, n * LANES * FLOAT));
  return [
    repeat( // cada fila
      get(x), plusLocal(xRow), set(rowEnd),
      get(panel), set(w),
      each((total, _, offset) => [get(w), load(offset), set(total)]), // el total empieza en el sesgo
      repeat( // cada tramo de la fila
        get(x), plusBytes(RUN * FLOAT), set(runEnd), smaller(runEnd, rowEnd), set(runEnd),
        each((_, sum) => [zeros, set(sum)]),
        repeat( // cada número del tramo, que multiplica a dieciséis pesos
          get(w), plusBytes(PANEL * FLOAT), set(w),
          get(x), loadRepeated, set(input),
          each((_, sum, offset) => [get(sum), get(input), get(w), load(offset), multiply, add, set(sum)]),
          get(x), plusBytes(FLOAT), set(x),
          get(x), get(runEnd), isLess,
        ),
        each((total, sum) => [get(total), get(sum), add, set(total)]),
        get(x), get(rowEnd), isLess,
      ),
      each((total, _, offset) => [get(y), get(total), store(offset)]),
      get(y), plusLocal(yRow), set(y),
      get(x), get(xEnd), isLess,
    ),
    end,
  ].flat(Infinity);
}

/** El módulo entero: qué tipo tiene la función, su memoria, cómo se llaman las dos y el código. */
function kernelBytes() {
  const [address, vector] = [0x7f, 0x7b];
  const size = (count) => [count & 127 | 128, count >> 7]; // un tamaño, de siete en siete bits
  const section = (id, ...content) => [id, ...size(content.length), ...content];
  const name = (text) => [text.length, ...new TextEncoder().encode(text)];
  const code = [2, 3, address, 1 + 2 * SUMS, vector, ...panelCode()]; // variables propias, y qué se hace
  return Uint8Array.of(
    0, ...new TextEncoder().encode("asm"), 1, 0, 0, 0,
    ...section(1, 1, 0x60, 6, ...Array(6).fill(address), 0), // recibe seis direcciones y no devuelve nada
    ...section(3, 1, 0),
    ...section(5, 1, 0, 1), // la memoria, de una página
    ...section(7, 2, ...name("memory"), 2, 0, ...name("panel"), 0, 0),
    ...section(10, 1, ...size(code.length), ...code),
  );
}

/** Cuántos paneles ocupan las salidas de una matriz. */
const panelsOf = (weight) => Math.ceil(weight.shape[0] / PANEL);

/** El núcleo en marcha: una memoria con los pesos, que se copian una vez, y sitio para cada cuenta. */
class Kernel {
  constructor(bytes) {
    Object.assign(this, new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports);
    this.numbers = new Float32Array(this.memory.buffer);
    this.used = 0; // cuántos números ocupan los pesos
    this.places = new WeakMap();
  }

  /** Se asegura de que caben `count` números. */
  reserve(count) {
    const missing = count * FLOAT - this.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.memory.grow(Math.ceil(missing / 65536));
    this.numbers = new Float32Array(this.memory.buffer);
  }

  /** Dónde están los paneles de una matriz. Se copian la primera vez o, si está de paso, cada una. */
  place(weight, bias) {
    if (this.places.has(weight)) return this.places.get(weight);
    const at = this.used;
    const width = weight.data.length / weight.shape[0];
    const size = panelsOf(weight) * PANEL * (1 + width);
    this.reserve(at + size);
    for (let o = 0; o < weight.shape[0]; o++) {
      let to = at + Math.floor(o / PANEL) * PANEL * (1 + width) + (o % PANEL);
      this.numbers[to] = bias ? bias.data[o] : 0;
      for (let i = o * width; i < (o + 1) * width; i++) this.numbers[(to += PANEL)] = weight.data[i];
    }
    if (!weight.passing) {
      this.places.set(weight, at);
      this.used += size;
    }
    return at;
  }

  /** Lo mismo que `plainLinear`. */
  linear(x, rows, weight, bias) {
    const outputs = weight.shape[0];
    const width = weight.data.length / outputs;
    const each = PANEL * (1 + width);
    const at = this.place(weight, bias);
    const from = Math.max(this.used, at + panelsOf(weight) * each); // detrás de los pesos, x, y después, y
    const to = Math.ceil((from + rows * width) / PANEL) * PANEL;
    const row = panelsOf(weight) * PANEL;
    this.reserve(to + rows * row);
    this.numbers.set(x.subarray(0, rows * width), from);
    const given = [from, from + rows * width, width].map((count) => count * FLOAT);
    for (let n = 0; n < panelsOf(weight); n++) {
      this.panel(...given, (at + n * each) * FLOAT, (to + n * PANEL) * FLOAT, row * FLOAT);
    }
    if (row === outputs) return this.numbers.slice(to, to + rows * outputs);
    const y = new Float32Array(rows * outputs);
    for (let r = 0; r < rows; r++) {
      y.set(this.numbers.subarray(to + r * row, to + r * row + outputs), r * outputs);
    }
    return y;
  }
}

/** El núcleo, o nada: sin WebAssembly o sin SIMD, las cuentas se hacen en JavaScript. */
function startKernel() {
  try {
    const bytes = kernelBytes();
    return WebAssembly.validate(bytes) ? new Kernel(bytes) : null;
  } catch {
    return null;
  }
}

const KERNEL = startKernel();
