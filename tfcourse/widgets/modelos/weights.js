// Los pesos: leer un archivo safetensors y dejar cada matriz en números de 32 bits.

const ROW_SCALE = "|escala"; // lo que se añade al nombre de una matriz guardada en octetos

/**
 * Pesos de un archivo safetensors: nombre → {shape, data}.
 *
 * El archivo son 8 octetos con el tamaño de la cabecera, la cabecera, en JSON, y los números,
 * seguidos. Una matriz de octetos con signo se multiplica, fila a fila, por su escala.
 */
function readWeights(buffer) {
  const size = Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
  const weights = {};
  for (const [name, { dtype, shape, data_offsets: range }] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const bytes = buffer.slice(8 + size + range[0], 8 + size + range[1]);
    weights[name] = { shape, data: readNumbers(bytes, dtype, name) };
  }
  for (const [name, weight] of Object.entries(weights)) {
    const scale = weights[name + ROW_SCALE];
    if (scale) scaleRows(weight, scale.data);
  }
  return weights;
}

/** Los números de un tensor, sea cual sea su tamaño en el archivo. */
function readNumbers(bytes, dtype, name) {
  if (dtype === "F32") return new Float32Array(bytes);
  if (dtype === "F16") return fromHalves(new Uint16Array(bytes));
  if (dtype === "I8") return new Float32Array(new Int8Array(bytes));
  throw new Error(`no se sabe leer «${name}», de tipo ${dtype}`);
}

/** Multiplica cada fila de una matriz por su escala. */
function scaleRows({ shape, data }, scales) {
  const width = data.length / shape[0];
  for (let row = 0, i = 0; row < shape[0]; row++) {
    const scale = scales[row];
    for (const end = i + width; i < end; i++) data[i] *= scale;
  }
}

/** Números de 16 bits (1 de signo, 5 de exponente y 10 de fracción) en 32. */
function fromHalves(halves) {
  const powers = Array.from({ length: 32 }, (_, exponent) => 2 ** (Math.max(exponent, 1) - 15));
  const numbers = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i++) {
    const exponent = (halves[i] >> 10) & 31;
    const fraction = (halves[i] & 1023) / 1024;
    let size = (exponent === 0 ? fraction : 1 + fraction) * powers[exponent];
    if (exponent === 31) size = fraction ? NaN : Infinity;
    numbers[i] = halves[i] >> 15 ? -size : size;
  }
  return numbers;
}
