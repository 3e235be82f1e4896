// Pix2Seq: lee una imagen y escribe sus cajas, palabra a palabra: y₁, x₁, y₂, x₂ y la clase.

const WORDS_PER_OBJECT = 5;

class BoxWriter extends Seq2Seq {
  around = (x, name) => this.norm(x, `${name}.norm`);
  decoderBlock = (n) => `decoder.${n}`;
  innerWidth = () => this.config.d_model;
  scaled = () => true;
  writtenBias = () => undefined;

  constructor(buffer, config) {
    super(buffer, { ...config, n_layers: config.n_decoder });
    this.eyes = new ImageModel(buffer, config);
    this.stages = this.eyes.foldedStages("encoder.backbone", 5, 3);
    this.stop = config.n_bins + config.n_classes + 2; // detrás van el ruido y el inicio
  }

  /** Lee una imagen y deja todo listo para escribir. */
  see(image) {
    const side = Math.sqrt(image.length / 3) / 8;
    this.readSource({ length: side * side, image });
  }

  /** Un vector por casilla, con su sitio sumado en ondas finas: al escribir hay que saber dónde está. */
  encode({ image }) {
    const width = this.config.d_model;
    const [x, side] = this.eyes.convolveAll(image, Math.sqrt(image.length / 3), this.stages);
    const { memory } = this.eyes.encodeCells(x, side, "encoder");
    const centers = Array.from({ length: 2 * side * side }, (_, i) =>
      (8 * ((i % 2 ? Math.floor((i >> 1) / side) : (i >> 1) % side) + 0.5)) / side,
    );
    return plus(memory, coordinateWaves(centers, width / 2, 16).map((v) => v / 2));
  }

  embedWritten(token, place) {
    return plus(this.lookUp([token], "words.weight"), this.lookUp([place], "places.weight"));
  }

  logits(x) {
    return this.project(this.norm(x, "norm"), 1, "head");
  }

  /**
   * Escribe hasta `most` objetos: de cada uno, sus palabras, la confianza en su clase y a qué mira.
   *
   * Acaba cuando el fin es más probable que seguir. `ending` es esa probabilidad, la última vez.
   */
  writeObjects(most) {
    const { n_bins: bins, n_classes: classes, n_decoder: layers } = this.config;
    const state = this.start();
    const objects = [];
    let [token, maps, ending] = [this.stop - 1, null, 0];
    const next = () => {
      maps = Array.from({ length: layers }, () => []);
      return this.step(token, state, (layer, head, weights) => (maps[layer][head] = weights.slice()));
    };
    while (objects.length < most) {
      const one = { words: [], maps: [], score: 0 };
      for (let place = 0; place < WORDS_PER_OBJECT; place++) {
        const logits = next();
        if (place === 0) {
          const odds = softmaxInPlace(Float32Array.from([...logits.subarray(0, bins), logits[this.stop]]));
          ending = odds[bins];
          if (ending > 0.5) return { objects, ending, maps };
        }
        const last = place === WORDS_PER_OBJECT - 1;
        if (last) one.score = softmaxInPlace(logits.slice(bins, bins + classes + 1));
        const from = last ? bins : 0;
        const choices = last ? logits.subarray(bins, bins + classes) : logits.subarray(0, bins);
        token = from + largest(choices, 1)[0];
        if (last) one.score = one.score[token - bins];
        one.words.push(token);
        one.maps.push(maps);
      }
      objects.push(one);
    }
    return { objects, ending, maps: null };
  }
}
