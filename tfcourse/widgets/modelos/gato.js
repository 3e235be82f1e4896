// Gato sosteniendo el palo: números que se vuelven casillas, y una acción que es un token más.

const MU = 100;
const SPAN = 256;

/** La casilla de un número, tras la ley μ, que da más detalle cerca del cero. */
function muLawBin(x, bins) {
  const y = (Math.sign(x) * Math.log(MU * Math.abs(x) + 1)) / Math.log(MU * SPAN + 1);
  const clamped = Math.min(Math.max(y, -1), 1);
  return Math.min(Math.floor(((clamped + 1) / 2) * bins), bins - 1);
}

class Gato extends CausalModel {
  /** Lee unos tokens, cada uno con su lugar en el paso, y da los logits del siguiente. */
  read(tokens, places) {
    const width = this.config.d_model;
    const x = plus(this.lookUp(tokens, "table.weight"), this.lookUp(places, "places.weight"));
    const states = this.blocks(x, tokens.length, 1e-5);
    const last = states.subarray((tokens.length - 1) * width);
    return linear(this.norm(last, "norm"), 1, this.weight("table.weight"));
  }

  /** Una observación y su separador: los tokens y sus lugares. */
  observation(values) {
    const { n_bins: bins, n_words: words } = this.config;
    const tokens = values.map((value) => words + muLawBin(value, bins));
    const places = values.map((_, i) => i + 1);
    return [[...tokens, words + bins], [...places, 0]];
  }
}

const TICK = 0.02; // segundos de cada paso
const PER_STEP = 6; // tokens de un paso: cuatro números, el separador y la acción
const WINDOW = 60;
const KEPT_STEPS = 2; // pasos que se recuerdan al empezar una ventana nueva

/** Un paso del carro con el palo, como en CartPole-v1: x, ẋ, θ y θ̇; la fuerza, en newtons. */
function cartPhysics([x, dx, angle, spin], force) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const push = (force + 0.05 * spin ** 2 * sin) / 1.1;
  const turn = (9.8 * sin - cos * push) / (0.5 * (4 / 3 - (0.1 * cos ** 2) / 1.1));
  const slide = push - (0.05 * turn * cos) / 1.1;
  return [x + TICK * dx, dx + TICK * slide, angle + TICK * spin, spin + TICK * turn];
}

function hasFallen([x, , angle]) {
  return Math.abs(x) > 2.4 || Math.abs(angle) > (12 * Math.PI) / 180;
}

/** Quien mira y decide: lee la demostración, los últimos pasos y lo que ve ahora. */
class GatoPlayer {
  constructor(gato, demonstration) {
    Object.assign(this, { gato, demonstration, pending: null, past: [] });
    this.gato.rewind();
  }

  act(state) {
    const { n_words: words } = this.gato.config;
    const now = this.gato.observation(state);
    const move = (action) => [[words + action], [0]];
    let rows = [now];
    if (this.pending === null || this.gato.length + PER_STEP > WINDOW) {
      this.gato.rewind();
      const recent = this.past.slice(-KEPT_STEPS).flatMap(([seen, action]) => [seen, move(action)]);
      rows = [this.demonstration, ...recent, now];
    } else {
      rows = [move(this.pending), now];
    }
    const logits = this.gato.read(...[0, 1].map((part) => rows.flatMap((row) => row[part])));
    this.pending = logits[words + 1] > logits[words] ? 1 : 0;
    this.past.push([now, this.pending]);
    return this.pending;
  }
}
