// DiT: un ViT que lee una imagen con ruido y dice hacia dónde mover cada punto; y dar pasos con él.

const TIME_SCALE = 1000; // el instante va de 0 a 1, y las ondas se pensaron para contar pasos

/** Ondas de un instante: primero los cosenos y después los senos, redondeando como PyTorch. */
function timeWaves(time, width) {
  const half = width / 2;
  const waves = new Float32Array(width);
  for (let i = 0; i < half; i++) {
    const frequency = Math.fround(Math.exp(Math.fround(Math.fround(-Math.log(10000) * i) / half)));
    const angle = Math.fround(Math.fround(TIME_SCALE * Math.fround(time)) * frequency);
    waves[i] = Math.cos(angle);
    waves[half + i] = Math.sin(angle);
  }
  return waves;
}

const silu = (v) => v * sigmoid(v);

class DiT extends ViT {
  constructor(buffer, config) {
    super(buffer, config);
    const { image_size: side, patch_size: size, d_model: width } = config;
    const each = side / size;
    const places = Array.from({ length: each * each }, (_, n) => [Math.floor(n / each), n % each]);
    this.places = coordinateWaves(places.flat().map((place) => place / (2 * Math.PI)), width / 2);
    this.order = this.patches(Float32Array.from({ length: side * side }, (_, i) => i)); // de qué punto es cada número
  }

  /** El vector que modula todos los bloques: instante más clase. */
  condition(time, label) {
    const hidden = this.project(timeWaves(time, this.config.d_model), 1, "time.hidden").map(silu);
    return plus(this.project(hidden, 1, "time.output"), this.lookUp([label], "classes.weight"));
  }

  /** Los vectores que salen de la condición: desplazamientos, escalas y, en un bloque, compuertas. */
  modulators(condition, name) {
    const all = this.project(condition.map(silu), 1, `${name}.modulation`);
    const width = this.config.d_model;
    return Array.from({ length: all.length / width }, (_, n) => all.subarray(n * width, (n + 1) * width));
  }

  /** Normaliza cada vector, sin parámetros propios, lo escala y lo desplaza. */
  modulate(x, shift, scale) {
    return normalize(x, { data: scale.map((v) => 1 + v) }, { data: shift }, 1e-6);
  }

  /** La velocidad de cada punto de una imagen, de −1 a 1, en un instante; `label` es la clase. */
  velocity(image, time, label) {
    const { n_layers: layers, d_model: width } = this.config;
    const rows = this.places.length / width;
    const condition = this.condition(time, label);
    const gated = (x, gate, y) => x.map((v, i) => v + gate[i % width] * y[i]);
    let x = plus(this.project(this.patches(image), rows, "embedding.projection"), this.places);
    for (let n = 0; n < layers; n++) {
      const at = `blocks.${n}`;
      const [shift, scale, gate, shift2, scale2, gate2] = this.modulators(condition, at);
      const y = this.modulate(x, shift, scale);
      x = gated(x, gate, this.attention(y, y, y, rows, rows, `${at}.attention`));
      const z = this.modulate(x, shift2, scale2);
      x = gated(x, gate2, this.feedForward(z, rows, `${at}.feed_forward`, tanhGelu));
    }
    const cut = this.project(this.modulate(x, ...this.modulators(condition, "head")), rows, "head.output");
    const moved = new Float32Array(image.length);
    cut.forEach((value, i) => (moved[this.order[i]] = value));
    return moved;
  }

  /** La velocidad guiada: la de no decir la clase más `guidance` veces lo que cambia al decirla. */
  guided(image, time, label, guidance) {
    if (guidance === 1) return this.velocity(image, time, label);
    const plain = this.velocity(image, time, this.config.n_classes);
    if (guidance === 0) return plain;
    const told = this.velocity(image, time, label);
    return plain.map((v, i) => v + guidance * (told[i] - v));
  }

  /** El camino entero en pasos de Euler: de cada momento, la imagen y adónde apunta entonces. */
  path(noise, label, guidance, steps) {
    const moments = [];
    let x = noise;
    for (let n = 0; n < steps; n++) {
      const speed = this.guided(x, n / steps, label, guidance);
      moments.push({ image: x, aim: x.map((v, i) => v + (1 - n / steps) * speed[i]) });
      x = x.map((v, i) => v + speed[i] / steps);
    }
    return [...moments, { image: x, aim: x }];
  }
}
