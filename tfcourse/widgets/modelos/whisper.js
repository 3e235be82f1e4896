// Whisper: lee un espectrograma log-mel y escribe palabras, mirando en cada una a un trozo del sonido.

const FLOOR_POWER = 1e-10;
const HEARD_RANGE = 5; // en log₁₀ de potencia: lo que se conserva por debajo del máximo

/** El log-mel que lee el modelo: instantes seguidos, con media 0 y desviación 1 en cada clip. */
function speechMel(wave, { corners, n_fft: size, hop, rate }) {
  const bank = melBank(corners, size / 2 + 1, rate / 2);
  const columns = spectrogram(wave, size, hop).slice(0, -1);
  const bands = bank.length;
  const mels = new Float32Array(columns.length * bands);
  columns.forEach((power, n) => {
    bank.forEach((weights, m) => {
      const total = weights.reduce((sum, weight, k) => sum + weight * power[k], 0);
      mels[n * bands + m] = Math.log10(Math.max(total, FLOOR_POWER));
    });
  });
  const top = mels.reduce((a, b) => Math.max(a, b), -Infinity);
  const kept = mels.map((v) => (Math.max(v, top - HEARD_RANGE) + 4) / 4);
  const mean = kept.reduce((a, b) => a + b, 0) / kept.length;
  const spread = Math.sqrt(kept.reduce((sum, v) => sum + (v - mean) ** 2, 0) / kept.length);
  return kept.map((v) => (v - mean) / (spread + 1e-5));
}

class Whisper extends Seq2Seq {
  around = (x, name) => this.norm(x, `${name}.norm`);
  decoderBlock = (n) => `decoder.blocks.${n}`;
  innerWidth = () => this.config.d_model;
  scaled = () => true;
  writtenBias = () => undefined;

  constructor(buffer, config) {
    super(buffer, { ...config, n_layers: config.n_decoder });
  }

  /** Como Whisper activa siempre con GELU, la activación que se pida no cuenta. */
  feedForward(x, rows, name) {
    return super.feedForward(x, rows, name, gelu);
  }

  /** Convolución en el tiempo, de anchura 3: cada ventana es una fila, y se activa con GELU. */
  convolve(x, rows, name, stride) {
    const weight = this.weight(`encoder.stem.${name}.weight`);
    const channels = weight.shape[1];
    const out = Math.ceil(rows / stride);
    const windows = new Float32Array(out * channels * 3);
    for (let r = 0; r < out; r++) {
      for (let k = 0; k < channels; k++) {
        for (let i = 0; i < 3; i++) {
          const from = r * stride + i - 1;
          if (from >= 0 && from < rows) windows[(r * channels + k) * 3 + i] = x[from * channels + k];
        }
      }
    }
    return linear(windows, out, weight, this.weight(`encoder.stem.${name}.bias`)).map(gelu);
  }

  /** Primero todos los senos y después todos los cosenos. */
  addPlaces(x, rows) {
    const width = this.config.d_model;
    const half = width / 2;
    return x.map((value, n) => {
      const [row, i] = [Math.floor(n / width), n % width];
      const angle = row * Math.exp((-Math.log(10000) * (i % half)) / (half - 1));
      return value + (i < half ? Math.sin(angle) : Math.cos(angle));
    });
  }

  /** Un vector cada dos columnas del espectrograma, que ya ha mirado a todos. */
  encode({ mels }) {
    const columns = mels.length / this.config.n_mels;
    const first = this.convolve(mels, columns, "first", 1);
    let x = this.convolve(first, columns, "second", 2);
    const rows = Math.ceil(columns / 2);
    x = this.addPlaces(x, rows);
    for (let n = 0; n < this.config.n_encoder; n++) x = this.encoderBlock(x, rows, `encoder.blocks.${n}`);
    return this.norm(x, "encoder.norm");
  }

  /** Lee un sonido y apunta los símbolos con los que empieza a escribir, menos el último. */
  hear(mels, prompt) {
    this.given = prompt.slice(0, -1);
    const rows = Math.ceil(mels.length / this.config.n_mels / 2);
    // `readSource` solo mira cuántas posiciones hay: una por vector del codificador.
    this.readSource({ length: rows, mels });
  }

  start() {
    const written = super.start();
    for (const token of this.given) this.step(token, written);
    return written;
  }

  embedWritten(token, place) {
    return plus(this.lookUp([token], "decoder.table.weight"), this.lookUp([place], "decoder.places.weight"));
  }

  logits(x) {
    return linear(this.norm(x, "decoder.norm"), 1, this.weight("decoder.table.weight"));
  }
}
