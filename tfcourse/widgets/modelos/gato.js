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
