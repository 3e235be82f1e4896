// Imágenes pequeñas: ruido que no parpadea, puntos agrandados y cuántas cosas hay.

const SCENE = 64; // puntos de lado
const ZOOM = 6;

/** Ruido normal de desviación 0,03, como al entrenar: siempre el mismo, para que nada parpadee. */
function sceneNoise() {
  let seed = 7;
  const draw = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  return Float32Array.from(
    { length: SCENE * SCENE * 3 },
    () => 0.03 * Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw()),
  );
}

/** Una imagen de números entre 0 y 1, agrandada sin suavizar hasta llenar un lienzo. */
function drawPixels(canvas, image, side) {
  const pixels = new ImageData(side, side);
  for (let p = 0; p < side * side; p++) {
    for (let i = 0; i < 3; i++) pixels.data[4 * p + i] = 255 * image[3 * p + i];
    pixels.data[4 * p + 3] = 255;
  }
  const small = element("canvas", { width: side, height: side });
  small.getContext("2d").putImageData(pixels, 0, 0);
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, canvas.width, canvas.height);
  return context;
}

const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
