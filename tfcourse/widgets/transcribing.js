// Dictar cifras a un Whisper: la onda, lo que lee de ella, lo que escribe y a qué instante mira en cada palabra.

const MOST_WORDS = 8;
const EDGE_SECONDS = 0.05;
const RECORDED_SECONDS = 4;
const CALM = 40; // desde esta relación señal-ruido, en decibelios, no se pone ruido
const PEAK = 0.5;
const PICTURE = { width: 640, wave: 60, mels: 150, looks: 60 };
const PHRASES = [[3, 5, 1], [6, 6, 7, 0], [2, 2, 2, 2, 2]];

/** La onda, `speed` veces más deprisa: más corta y más aguda. */
function faster(wave, speed) {
  const length = Math.max(2, Math.round(wave.length / speed));
  return Float32Array.from({ length }, (_, n) => {
    const at = Math.max(((n + 0.5) * wave.length) / length - 0.5, 0);
    const low = Math.min(Math.floor(at), wave.length - 1);
    const high = Math.min(low + 1, wave.length - 1);
    return wave[low] + (at - low) * (wave[high] - wave[low]);
  });
}

/** Palabras seguidas, con un silencio entre cada dos y en los bordes. */
function joinedWords(clips, pause, rate) {
  const silence = (seconds) => new Float32Array(Math.round(seconds * rate));
  const pieces = clips.flatMap((clip, n) => [n ? silence(pause) : silence(EDGE_SECONDS), clip]);
  const all = [...pieces, silence(EDGE_SECONDS)];
  const wave = new Float32Array(all.reduce((total, piece) => total + piece.length, 0));
  let from = 0;
  for (const piece of all) {
    wave.set(piece, from);
    from += piece.length;
  }
  return wave;
}

/** Suma a una onda ruido normal, siempre el mismo, con esa relación señal-ruido en decibelios. */
function withNoise(wave, decibels) {
  if (decibels >= CALM) return wave;
  let seed = 7;
  const draw = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const power = wave.reduce((sum, v) => sum + v * v, 0) / wave.length;
  const size = Math.sqrt(power / 10 ** (decibels / 10));
  return wave.map((v) => v + size * Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw()));
}

/** Cuántas palabras hay que cambiar, quitar o poner para ir de una lista a otra. */
function wordErrors(written, wanted) {
  let row = Array.from({ length: wanted.length + 1 }, (_, j) => j);
  written.forEach((word, i) => {
    const next = [i + 1];
    wanted.forEach((other, j) => next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + Number(word !== other))));
    row = next;
  });
  return row.at(-1);
}

/** Una grabación cualquiera, como las de entrenar: un canal, a `rate` muestras por segundo y con su pico. */
async function preparedRecording(blob, rate) {
  const buffer = await new AudioContext().decodeAudioData(await blob.arrayBuffer());
  const offline = new OfflineAudioContext(1, Math.ceil(buffer.duration * rate), rate);
  const source = new AudioBufferSourceNode(offline, { buffer });
  source.connect(offline.destination);
  source.start();
  const wave = (await offline.startRendering()).getChannelData(0);
  const peak = wave.reduce((top, v) => Math.max(top, Math.abs(v)), 1e-3);
  return wave.map((v) => (v * PEAK) / peak);
}

class TranscribingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-transcribing", "dicta cifras a un Whisper y mira qué escribe");
  }

  build(buffer) {
    const { config, mel } = this.state;
    this.whisper = new Whisper(buffer, config);
    this.voices = this.state.voices.map(({ clips }) => clips.map((text) => decoded(text)));
    Object.assign(this, { voice: 0, labels: [...PHRASES[0]], speed: 1, pause: 0.12, noise: CALM, task: "transcribir" });
    Object.assign(this, { recorded: null, layer: config.n_decoder - 1, head: -1, rate: mel.rate });
    this.picture = element("canvas", {
      class: "tfc-heard", role: "img", width: PICTURE.width, height: PICTURE.wave + PICTURE.mels + PICTURE.looks,
    });
    this.strip = new TokenStrip("Lo que escribe: elige una palabra", "query", () => this.showLooks());
    this.looks = element("p", { class: "tfc-note" });
    this.body.append(
      this.wordButtons(),
      buttonRow(
        "Sonido",
        commandButton("Oír", () => this.listen()),
        commandButton("Quitar la última", () => this.dictate(this.labels.slice(0, -1))),
        ...PHRASES.map((labels) => commandButton(`«${this.said(labels).join(" ")}»`, () => this.dictate([...labels]))),
        this.recordButton(),
      ),
      this.picture,
      element("div", { class: "tfc-ends" }, element("span", {}, "0 s"), (this.ending = element("span"))),
      this.strip.node,
      this.looks,
      element("div", { class: "tfc-controls" }, ...this.fields()),
      element("p", { class: "tfc-note" }, "Al micrófono, no esperes lo mismo: este modelo solo ha oído diez cifras, dichas por voces sintéticas, y una voz de persona queda fuera de su mundo. Lo normal es que escriba cifras que no has dicho. La grabación se queda en tu equipo."),
    );
    this.update();
  }

  said(labels) {
    return labels.map((label) => this.state.words[this.task ?? "transcribir"][label]);
  }

  wordButtons() {
    const buttons = this.state.words.transcribir.map((word, label) =>
      commandButton(word, () => this.dictate([...(this.recorded ? [] : this.labels), label].slice(-MOST_WORDS))),
    );
    return buttonRow("Añadir una cifra", ...buttons);
  }

  fields() {
    const slide = (label, name, range, say, scale) =>
      rangeField(label, { ...range, value: Math.round(this[name] / scale), say: (n) => say(n * scale) }, (n) => {
        this[name] = n * scale;
        this.update();
      });
    const maps = headFields(this.state.config.n_decoder, this.state.config.n_heads, (choice) => {
      Object.assign(this, choice);
      this.showLooks();
    });
    maps[0].querySelector("select").value = String(this.layer);
    return [
      selectField("Voz", this.state.voices.map(({ title }) => title), (i) => {
        this.voice = i;
        this.update();
      }),
      slide("Velocidad", "speed", { min: 5, max: 20 }, (v) => `por ${formatNumber(v, 1)}`, 0.1),
      slide("Pausa entre palabras", "pause", { min: 0, max: 30 }, (v) => `${formatNumber(v, 2)} s`, 0.02),
      slide("Señal frente a ruido", "noise", { min: -5, max: CALM }, (v) => (v >= CALM ? "sin ruido" : `${formatNumber(v, 0)} dB`), 1),
      radioField("Tarea", [["transcribir", "transcribir"], ["traducir", "traducir al inglés"]], this.task, (task) => {
        this.task = task;
        this.update();
      }),
      ...maps,
    ];
  }

  dictate(labels) {
    this.recorded = null;
    this.labels = labels;
    this.update();
  }

  recordButton() {
    this.recorder = commandButton(`Grabar ${RECORDED_SECONDS} s`, () => this.record());
    return this.recorder;
  }

  async record() {
    if (!navigator.mediaDevices?.getUserMedia) {
      this.told.textContent = "Este navegador, o esta página, no deja usar el micrófono.";
      return;
    }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      this.recorder.disabled = true;
      this.told.textContent = `Grabando ${RECORDED_SECONDS} segundos: di unas cifras en español, separadas.`;
      const blob = await this.recording(stream);
      this.recorded = await preparedRecording(blob, this.rate);
      this.update();
    } catch (error) {
      this.told.textContent = `No se ha podido grabar: ${error.message}`;
    }
    this.recorder.disabled = false;
  }

  recording(stream) {
    return new Promise((resolve) => {
      const parts = [];
      const machine = new MediaRecorder(stream);
      machine.addEventListener("dataavailable", ({ data }) => parts.push(data));
      machine.addEventListener("stop", () => {
        stream.getTracks().forEach((track) => track.stop());
        resolve(new Blob(parts));
      });
      machine.start();
      setTimeout(() => machine.stop(), 1000 * RECORDED_SECONDS);
    });
  }

  wave() {
    if (this.recorded) return withNoise(this.recorded, this.noise);
    const clips = this.labels.map((label) => faster(this.voices[this.voice][label], this.speed));
    return withNoise(joinedWords(clips, this.pause, this.rate), this.noise);
  }

  update() {
    if (!this.recorded && !this.labels.length) {
      this.told.textContent = "Añade alguna cifra.";
      return;
    }
    const { mel, prompts, config, stop } = this.state;
    this.sound = this.wave().slice(0, (config.max_frames - 1) * mel.hop);
    this.mels = speechMel(this.sound, mel);
    const prompt = prompts[this.task];
    this.whisper.hear(this.mels, prompt);
    const most = config.max_length - prompt.length;
    const { best } = beamSearch(this.whisper, { size: 1, start: prompt.at(-1), stop, most });
    this.written = best;
    this.maps = this.attentionMaps([prompt.at(-1), ...best].slice(0, most));
    const names = [...best, stop].slice(0, this.maps.length).map((token) => (token === stop ? "fin" : this.state.tokens[token]));
    this.strip.show(names, 0);
    this.showLooks();
    this.ending.textContent = `${formatNumber(this.sound.length / this.rate, 2)} s`;
    this.say();
  }

  /** A qué mira al escribir cada palabra: se vuelve a escribir la frase, apuntándolo. */
  attentionMaps(tokens) {
    const state = this.whisper.start();
    return tokens.map((token) => {
      const maps = Array.from({ length: this.state.config.n_decoder }, () => []);
      this.whisper.step(token, state, (layer, head, weights) => (maps[layer][head] = weights.slice()));
      return maps;
    });
  }

  say() {
    const written = this.written.map((token) => this.state.tokens[token]);
    const text = `Escribe: «${written.join(" ")}».`;
    if (this.recorded) {
      this.told.textContent = `${text} Con tu voz no hay con qué comparar: compáralo tú.`;
      return;
    }
    const wanted = this.said(this.labels);
    const errors = wordErrors(written, wanted);
    this.told.textContent = `${text} Se esperaba: «${wanted.join(" ")}». Errores: ${errors}.`;
  }

  showLooks() {
    const place = this.strip.chosen;
    const weights = headMap(this.maps[place][this.layer], this.head);
    const instant = (n) => ((2 * n + 0.5) * this.state.mel.hop) / this.rate;
    const best = weights.indexOf(Math.max(...weights));
    const name = this.strip.row.children[place].firstChild.textContent;
    this.looks.textContent = `Al escribir «${name}» mira sobre todo hacia los ${formatNumber(instant(best))} s (${formatWeight(weights[best])}).`;
    this.draw(weights);
    this.picture.setAttribute(
      "aria-label",
      `Arriba, la onda; en medio, su espectrograma mel; debajo, a qué instantes mira al escribir «${name}»: sobre todo, a los ${formatNumber(instant(best))} segundos`,
    );
  }

  draw(weights) {
    const { width, wave, mels, looks } = PICTURE;
    const context = this.picture.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, this.picture.height);
    this.drawWave(context, width, wave);
    this.drawMels(context, width, wave, mels);
    context.fillStyle = "#0b6e99";
    const top = Math.max(...weights);
    const each = width / weights.length;
    weights.forEach((weight, n) => {
      const tall = (looks - 6) * (weight / top);
      context.fillRect(n * each, wave + mels + looks - tall, Math.max(each - 1, 1), tall);
    });
  }

  drawWave(context, width, tall) {
    context.fillStyle = "#52606d";
    const each = this.sound.length / width;
    for (let x = 0; x < width; x++) {
      const part = this.sound.subarray(Math.floor(x * each), Math.max(Math.floor((x + 1) * each), Math.floor(x * each) + 1));
      const size = Math.min(part.reduce((top, v) => Math.max(top, Math.abs(v)), 0), 1) * (tall - 4);
      context.fillRect(x, (tall - size) / 2, 1, Math.max(size, 1));
    }
  }

  drawMels(context, width, from, tall) {
    const bands = this.state.config.n_mels;
    const columns = this.mels.length / bands;
    const [low, high] = this.mels.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
    for (let n = 0; n < columns; n++) {
      for (let m = 0; m < bands; m++) {
        context.fillStyle = `rgb(${shade((this.mels[n * bands + m] - low) / (high - low)).join(" ")})`;
        const y = from + tall - ((m + 1) * tall) / bands;
        context.fillRect((n * width) / columns, y, width / columns + 0.6, tall / bands + 0.6);
      }
    }
  }

  listen() {
    this.player?.pause();
    this.player = playWave(this.sound, this.rate, () => {
      this.told.textContent = "Este navegador no ha podido reproducir el sonido.";
    });
  }
}

function render({ model, el }) {
  el.replaceChildren(new TranscribingFigure(model).node);
}

export default { render };
