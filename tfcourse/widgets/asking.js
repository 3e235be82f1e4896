// Preguntar por una escena a un modelo que lee imágenes: tú pones las figuras y la pregunta.

const LONGEST_ANSWER = 6;

// Escenas con su pregunta: como las de aprender, y como ninguna de las que vio.
const ASKING_PRESETS = {
  "Como al aprender": () => [sceneOf("cruz roja", "círculo verde", "triángulo amarillo", "cuadrado azul"), { kind: WHERE, shape: "triángulo", paint: "amarillo" }],
  "Una cruz azul": () => [sceneOf("cruz azul", null, null, "cuadrado rojo"), { kind: COLOUR, shape: "cruz" }],
  "Un círculo amarillo": () => [sceneOf(null, "cuadrado verde", "círculo amarillo", null), { kind: WHAT, spot: SPOTS[2] }],
  "Una trampa": () => [sceneOf("círculo rojo", "triángulo verde", null, "cruz verde"), { kind: WHETHER, shape: "cruz", paint: "rojo" }],
  "La que no está": () => [sceneOf("cuadrado rojo", null, "triángulo azul", null), { kind: WHERE, shape: "cruz", paint: "verde" }],
  Vacía: () => [sceneOf(null, null, null, null), { kind: HOW_MANY }],
};

class AskingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-asking", "pon figuras en una escena y pregunta por ellas a un modelo que lee imágenes");
  }

  build(buffer) {
    this.reader = new SeeingGPT(buffer, this.state.config);
    this.ids = new Map(this.state.words.map((word, id) => [word, id]));
    Object.assign(this, { noise: quarterNoise(), lit: "nada", spot: 0, brush: { shape: "cruz", paint: "rojo" } });
    this.prepare();
    const layers = Array.from({ length: this.state.config.language.n_layers }, (_, n) => [String(n), `capa ${n + 1}`]);
    const lights = radioField("Iluminar a donde mira «?»", [["nada", "nada"], ...layers], this.lit, (lit) => {
      this.lit = lit;
      this.show();
    });
    this.body.append(
      this.presetButtons(),
      element("div", { class: "tfc-talk" }, this.canvas, element("div", {}, this.asked, this.list, this.told, lights, this.looks)),
      this.asker,
      element("p", { class: "tfc-note" }, "Pulsa un cuarto vacío para poner una figura y arrástralas de un cuarto a otro, o usa los mandos."),
      this.picker,
    );
    this.open(...Object.values(ASKING_PRESETS)[0]());
  }

  /** El lienzo y los huecos donde van los mandos y la respuesta. */
  prepare() {
    const size = FIELD * 12;
    this.canvas = element("canvas", { class: "tfc-stage", role: "img", width: size, height: size });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) this.canvas.addEventListener(name, () => (this.held = null));
    [this.picker, this.asker] = [element("div", {}), element("div", {})];
    this.asked = element("p", { class: "tfc-asked" });
    this.list = element("div", { role: "list", "aria-label": "Primera palabra de la respuesta" });
    this.looks = element("p", { class: "tfc-note" });
  }

  presetButtons() {
    const buttons = Object.entries(ASKING_PRESETS).map(([name, make]) => commandButton(name, () => this.open(...make())));
    const another = commandButton("Otra al azar", () => this.open(drawnScene(Math.random), this.question));
    return buttonRow("Escenas", ...buttons, another);
  }

  open(scene, question) {
    this.scene = scene;
    this.question = { spot: SPOTS[0], shape: SHAPE_NAMES[0], paint: PAINT_NAMES[0], ...question };
    this.spot = Math.max(0, scene.things.findIndex(Boolean));
    this.showPicker();
    this.showAsker();
    this.update();
  }

  /** Una lista con lo que hay elegido en ella. */
  choice(label, options, chosen, onChange) {
    const field = selectField(label, options, (i) => onChange(options[i]));
    field.querySelector("select").value = String(options.indexOf(chosen));
    return field;
  }

  /** Los mandos del cuarto elegido: todo lo que hace el ratón, sin él. */
  showPicker() {
    const one = this.scene.things[this.spot];
    const fields = [
      this.choice("Cuarto que cambias", SPOTS, SPOTS[this.spot], (spot) => {
        this.spot = SPOTS.indexOf(spot);
        this.showPicker();
        this.picker.querySelector("select").focus({ preventScroll: true });
      }),
      this.choice("Figura", ["nada", ...SHAPE_NAMES], one?.shape ?? "nada", (shape) => this.place(shape)),
    ];
    const [paint, ...sliders] = one ? this.thingFields(one) : [];
    this.picker.replaceChildren(
      element("div", { class: "tfc-controls" }, ...fields, ...(one ? [paint] : [])),
      element("div", { class: "tfc-controls" }, ...sliders),
    );
  }

  thingFields(one) {
    const points = (n) => `${formatNumber(n, 0)} ${Math.abs(n) === 1 ? "punto" : "puntos"}`;
    const slide = (label, key, min, max) =>
      rangeField(label, { min, max, value: Math.round(one[key]), say: points }, (value) => {
        one[key] = value;
        this.update();
      });
    return [
      this.choice("Color", PAINT_NAMES, one.paint, (paint) => {
        this.brush.paint = one.paint = paint;
        this.update();
      }),
      slide("A la derecha", "right", -FROM_MIDDLE, FROM_MIDDLE),
      slide("Hacia abajo", "down", -FROM_MIDDLE, FROM_MIDDLE),
      slide("Tamaño", "side", 5, 15),
    ];
  }

  /** Pone otra figura en el cuarto elegido, o la quita. */
  place(shape) {
    const { things } = this.scene;
    if (shape === "nada") things[this.spot] = null;
    else if (things[this.spot]) this.brush.shape = things[this.spot].shape = shape;
    else {
      this.brush.shape = shape;
      things[this.spot] = thingAt(this.spot, shape, this.brush.paint);
    }
    this.showPicker();
    this.picker.querySelectorAll("select")[1].focus({ preventScroll: true });
    this.update();
  }

  /** La pregunta: su clase y las palabras que esa clase deja elegir. */
  showAsker(focus) {
    const change = (key) => (value) => {
      this.question[key] = value;
      if (key === "kind") this.showAsker(true);
      this.answer();
    };
    this.asker.replaceChildren(
      element(
        "div",
        { class: "tfc-controls" },
        this.choice("Pregunta", Object.keys(QUESTIONS), this.question.kind, change("kind")),
        ...QUESTIONS[this.question.kind].parts.map((part) => this.choice(...CHOICES[part], this.question[part], change(part))),
      ),
    );
    if (focus) this.asker.querySelector("select").focus({ preventScroll: true });
  }

  /** El sitio de la escena en el que se pulsa, y el cuarto en el que cae. */
  pointed(event) {
    const frame = this.canvas.getBoundingClientRect();
    const inside = (value, size) => Math.min(Math.max((value / size) * FIELD, 0), FIELD - 1e-3);
    const [x, y] = [inside(event.clientX - frame.x, frame.width), inside(event.clientY - frame.y, frame.height)];
    return { x, y, spot: 2 * Math.floor(y / (FIELD / 2)) + Math.floor(x / (FIELD / 2)) };
  }

  grab(event) {
    const { x, y, spot } = this.pointed(event);
    this.canvas.setPointerCapture(event.pointerId);
    this.spot = spot;
    this.scene.things[spot] ??= thingAt(spot, this.brush.shape, this.brush.paint);
    this.held = this.scene.things[spot];
    const [cx, cy] = thingCenter(this.held);
    this.grip = [x - cx, y - cy];
    this.showPicker();
    this.update();
  }

  /** Lleva la figura a donde va el puntero; si ese cuarto tiene otra, se cambian el sitio. */
  drag(event) {
    if (!this.held) return;
    const { x, y, spot } = this.pointed(event);
    const { things } = this.scene;
    if (spot !== this.spot) {
      [things[spot], things[this.spot]] = [this.held, things[spot]];
      if (things[this.spot]) things[this.spot].spot = this.spot;
      this.spot = this.held.spot = spot;
    }
    const near = (value) => Math.min(Math.max(value, -FROM_MIDDLE), FROM_MIDDLE);
    const [cx, cy] = thingCenter({ spot, right: 0, down: 0 });
    Object.assign(this.held, { right: near(x - this.grip[0] - cx), down: near(y - this.grip[1] - cy) });
    this.showPicker();
    this.update();
  }

  /** La escena ha cambiado: se lee otra vez, y se pregunta. */
  update() {
    this.image = paintQuarters(this.scene, this.noise);
    this.reader.see(this.image);
    this.answer();
  }

  answer() {
    const tokens = questionWords(this.question).map((word) => this.ids.get(word));
    this.reply = this.reader.ask(tokens, LONGEST_ANSWER);
    this.said = this.reply.tokens.map((id) => this.state.words[id]).join(" ");
    const { odds } = this.reply;
    const order = [...odds.keys()].sort((a, b) => odds[b] - odds[a]);
    this.list.replaceChildren(
      ...order.slice(0, 4).map((id) => barNode(this.state.words[id], odds[id], formatWeight(odds[id]), "value")),
    );
    this.asked.textContent = questionText(this.question);
    this.say();
    this.show();
  }

  say() {
    const { answer, problem } = trueAnswer(this.scene.things, this.question);
    const sure = formatWeight(Math.max(...this.reply.odds));
    const judged = problem ? `Pero ${problem}.` : this.said === answer ? "Acierta." : `Falla: la respuesta es «${answer}».`;
    this.told.textContent = `Contesta «${this.said}», con probabilidad ${sure}. ${judged}${this.remarks()}`;
  }

  /** Lo que conviene saber de la escena o de la pregunta. */
  remarks() {
    const { shape, paint, kind } = this.question;
    const all = this.scene.things.filter(Boolean);
    const named = QUESTIONS[kind].parts.includes("paint");
    const apart = all.some((one) => one.shape === shape) && all.some((one) => one.paint === paint);
    const unseen = new Set([...all, ...(named ? [this.question] : [])].map(pairName).filter((name) => NEVER_SEEN.includes(name)));
    let said = "";
    if (named && apart && !all.some((one) => one.shape === shape && one.paint === paint)) {
      said += ` Está la figura y está el color, pero no juntos.`;
    }
    for (const name of unseen) said += ` Al aprender no vio ${feminine(name.split(" ")[0]) ? "ninguna" : "ningún"} ${name}.`;
    return all.length ? said : `${said} Al aprender no vio ninguna escena vacía.`;
  }

  /** La escena y, si se pide, a qué mira la última palabra de la pregunta en una capa. */
  show() {
    const context = drawPixels(this.canvas, this.image, FIELD);
    const names = this.scene.things.map((one, spot) => one && `${pairName(one)} ${SPOTS[spot]}`).filter(Boolean);
    this.canvas.setAttribute("aria-label", `Escena de 32 por 32 puntos: ${names.join("; ") || "vacía"}.`);
    this.looks.textContent = "";
    if (this.lit === "nada") return;
    const weights = this.reply.looks[Number(this.lit)];
    const each = Math.sqrt(weights.length);
    const cell = this.canvas.width / each;
    const best = weights.indexOf(Math.max(...weights));
    weights.forEach((weight, n) => {
      context.fillStyle = `rgb(0 0 0 / ${0.75 * (1 - weight / weights[best])})`; // se oscurece lo que no mira
      context.fillRect((n % each) * cell, Math.floor(n / each) * cell, cell, cell);
    });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    this.looks.textContent =
      `En la capa ${Number(this.lit) + 1}, «?» da ${formatWeight(total)} de su atención a la imagen; lo que más, ${formatWeight(weights[best])}, ` +
      `a la casilla de la fila ${Math.floor(best / each) + 1} y columna ${(best % each) + 1} de ${each} × ${each}. El resto va a las palabras.`;
  }
}

function render({ model, el }) {
  el.replaceChildren(new AskingFigure(model).node);
}

export default { render };
