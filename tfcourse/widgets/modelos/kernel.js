// El núcleo: la capa lineal en WebAssembly, con instrucciones que hacen cuatro cuentas a la vez (SIMD).
// Un módulo de WebAssembly es una lista de octetos. Aquí se escriben uno a uno, cada cual con su nombre.

const LANES = 4; // los números de 32 bits que caben en un vector de 128
const SUMS = 4; // los vectores que se acumulan a la vez: ninguna suma espera a la anterior
const PANEL = LANES * SUMS; // las salidas que se calculan de una pasada
const FLOAT = 4; // octetos de un número de 32 bits

/** Las instrucciones. Es una máquina de pila: cada una toma lo que dejaron las anteriores. */
const WASM = {
  get: (local) => [0x20, local],
  set: (local) => [0x21, local],
  plusBytes: (count) => [0x41, count | 0x80, 0, 0x6a], // avanza una dirección hasta 127 octetos
  plusLocal: (local) => [0x20, local, 0x6a],
  isLess: 0x49,
  load: (offset) => [0xfd, 0x00, 2, offset], // cuatro números seguidos
  loadRepeated: [0xfd, 0x09, 2, 0], // un número, cuatro veces
  store: (offset) => [0xfd, 0x0b, 2, offset],
  add: [0xfd, 0xe4, 1], // cuatro sumas
  multiply: [0xfd, 0xe6, 1], // cuatro productos
  repeat: (...body) => [0x03, 0x40, ...body, 0x0d, 0, 0x0b], // mientras se cumpla la condición del final
  end: 0x0b,
};

/**
 * El bucle del núcleo: dieciséis salidas, las de un panel de pesos, para todas las filas de x.
 *
 * Todo son direcciones y tamaños en octetos. El panel empieza por los sesgos de sus dieciséis salidas
 * y sigue con los dieciséis pesos de cada entrada: se lee de principio a fin, sin saltos.
 */
function panelCode() {
  const { get, set, plusBytes, plusLocal, isLess, load, loadRepeated, store, add, multiply, repeat, end } = WASM;
  const [x, xEnd, xRow, panel, y, yRow] = [0, 1, 2, 3, 4, 5]; // lo que recibe
  const [rowEnd, w, input] = [6, 7, 8]; // dónde acaba la fila, por dónde va el panel, el número leído
  const sums = (make) => Array.from({ length: SUMS }, (_, n) => make(9 + n, n * LANES * FLOAT));
  return [
    repeat( // cada fila
      get(x), plusLocal(xRow), set(rowEnd),
      get(panel), set(w),
      sums((sum, offset) => [get(w), load(offset), set(sum)]), // las sumas empiezan en el sesgo
      repeat( // cada número de la fila, que multiplica a dieciséis pesos
        get(w), plusBytes(PANEL * FLOAT), set(w),
        get(x), loadRepeated, set(input),
        sums((sum, offset) => [get(sum), get(input), get(w), load(offset), multiply, add, set(sum)]),
        get(x), plusBytes(FLOAT), set(x),
        get(x), get(rowEnd), isLess,
      ),
      sums((sum, offset) => [get(y), get(sum), store(offset)]),
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
  const code = [2, 2, address, 1 + SUMS, vector, ...panelCode()]; // variables propias, y qué se hace
  return Uint8Array.of(
    0, ...new TextEncoder().encode("asm"), 1, 0, 0, 0,
    ...section(1, 1, 0x60, 6, ...Array(6).fill(address), 0), // recibe seis direcciones y no devuelve nada
    ...section(3, 1, 0),
    ...section(5, 1, 0, 1), // la memoria, de una página
    ...section(7, 2, ...name("memory"), 2, 0, ...name("panel"), 0, 0),
    ...section(10, 1, ...size(code.length), ...code),
  );
}

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

  /** Dónde están los paneles de una matriz; la primera vez los copia. */
  place(weight, bias) {
    if (this.places.has(weight)) return this.places.get(weight);
    const outputs = weight.shape[0];
    const width = weight.data.length / outputs;
    const at = this.used;
    this.used += Math.ceil(outputs / PANEL) * PANEL * (1 + width);
    this.reserve(this.used);
    for (let o = 0; o < outputs; o++) {
      let to = at + Math.floor(o / PANEL) * PANEL * (1 + width) + (o % PANEL);
      this.numbers[to] = bias ? bias.data[o] : 0;
      for (let i = o * width; i < (o + 1) * width; i++) this.numbers[(to += PANEL)] = weight.data[i];
    }
    this.places.set(weight, at);
    return at;
  }

  /** Lo mismo que `plainLinear`. */
  linear(x, rows, weight, bias) {
    const outputs = weight.shape[0];
    const width = weight.data.length / outputs;
    const panels = Math.ceil(outputs / PANEL);
    const at = this.place(weight, bias);
    const to = Math.ceil((this.used + rows * width) / PANEL) * PANEL;
    const row = panels * PANEL;
    this.reserve(to + rows * row);
    this.numbers.set(x.subarray(0, rows * width), this.used);
    const given = [this.used, this.used + rows * width, width].map((count) => count * FLOAT);
    for (let n = 0; n < panels; n++) {
      const panel = at + n * PANEL * (1 + width);
      this.panel(...given, panel * FLOAT, (to + n * PANEL) * FLOAT, row * FLOAT);
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
