// Ondas: de base64 a muestras, de muestras a un archivo que se oye, y el color de un espectrograma.

// Del blanco al marrón, como los mapas de calor del curso.
const SHADES = [[255, 255, 255], [242, 185, 138], [138, 58, 4]];

/** Muestras entre −1 y 1 a partir de enteros de 16 bits en base64. */
function decoded(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < bytes.length; n++) bytes[n] = letters.charCodeAt(n);
  return new Float32Array(new Int16Array(bytes.buffer)).map((sample) => sample / 32767);
}

/** Color de un nivel entre 0 y 1. */
function shade(level) {
  const place = Math.max(0, Math.min(1, level)) * (SHADES.length - 1);
  const from = Math.min(Math.floor(place), SHADES.length - 2);
  const part = place - from;
  return SHADES[from].map((value, i) => Math.round(value + part * (SHADES[from + 1][i] - value)));
}

/** Archivo WAV de 16 bits y un canal. */
function wavFile(samples, rate) {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  const text = (at, letters) => [...letters].forEach((l, i) => view.setUint8(at + i, l.charCodeAt(0)));
  text(0, "RIFF");
  view.setUint32(4, 36 + 2 * samples.length, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  samples.forEach((sample, n) => view.setInt16(44 + 2 * n, Math.round(32767 * sample), true));
  return view.buffer;
}

/** Reproduce unas muestras y devuelve el reproductor; si no se puede, llama a `onFailure`. */
function playWave(samples, rate, onFailure) {
  const url = URL.createObjectURL(new Blob([wavFile(samples, rate)], { type: "audio/wav" }));
  const player = new Audio(url);
  player.addEventListener("ended", () => URL.revokeObjectURL(url));
  player.play().catch(onFailure);
  return player;
}
