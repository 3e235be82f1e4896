// Las formas que se pintan en una escena.

// Qué puntos son de cada forma, vistos desde ella: −1 y 1 son sus bordes.
const SHAPE_RULES = {
  círculo: (u, v) => u * u + v * v <= 1,
  cuadrado: (u, v) => Math.max(Math.abs(u), Math.abs(v)) <= 1,
  triángulo: (u, v) => v <= 1 && Math.abs(u) <= (v + 1) / 2,
  cruz: (u, v) =>
    Math.min(Math.abs(u), Math.abs(v)) <= 0.34 && Math.max(Math.abs(u), Math.abs(v)) <= 1,
};
const SHAPE_NAMES = Object.keys(SHAPE_RULES);
