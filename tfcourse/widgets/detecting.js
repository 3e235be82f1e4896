// Detectar figuras con un DETR: muévelas, cámbialas de tamaño, ponlas donde nunca las ha visto.

const SCENE = 64;
const ZOOM = 6;
const SEEN_FROM = 0.5; // desde qué probabilidad se dibuja una caja
// Qué puntos son de cada forma, vistos desde ella: −1 y 1 son sus bordes.
const SHAPE_RULES = {
  círculo: (u, v) => u * u + v * v <= 1,
  cuadrado: (u, v) => Math.max(Math.abs(u), Math.abs(v)) <= 1,
  triángulo: (u, v) => v <= 1 && Math.abs(u) <= (v + 1) / 2,
  cruz: (u, v) =>
    Math.min(Math.abs(u), Math.abs(v)) <= 0.34 && Math.max(Math.abs(u), Math.abs(v)) <= 1,
};
const SHAPE_NAMES = Object.keys(SHAPE_RULES);
const SHAPE_COLORS = [[0.95, 0.5, 0.2], [0.3, 0.85, 0.95], [0.95, 0.9, 0.35], [0.9, 0.45, 0.85]];
const GREY = [0.2, 0.2, 0.2];
const WHITE = [1, 1, 1];

/** Una figura: clase, centro, lado y color. */
function sceneObject(kind, x, y, side, color = SHAPE_COLORS[kind]) {
  return { kind, x, y, side, color };
}

const SCENE_PRESETS = {
  "Como al entrenar": () => ({
    ground: GREY,
    objects: [sceneObject(0, 16, 18, 20), sceneObject(1, 46, 16, 18), sceneObject(2, 18, 46, 22), sceneObject(3, 46, 46, 20)],
  }),
  Encimadas: () => ({
    ground: GREY,
    objects: [sceneObject(0, 26, 28, 26), sceneObject(1, 36, 36, 24), sceneObject(2, 30, 42, 24), sceneObject(3, 42, 28, 24)],
  }),
  Diminutas: () => ({
    ground: GREY,
    objects: [sceneObject(0, 12, 14, 8), sceneObject(1, 50, 12, 8), sceneObject(2, 14, 50, 8), sceneObject(3, 48, 48, 8)],
  }),
  "Una enorme": () => ({ ground: GREY, objects: [sceneObject(0, 32, 32, 56)] }),
  "Fondo blanco": () => ({ ground: WHITE, objects: [sceneObject(0, 16, 18, 20), sceneObject(1, 46, 16, 18), sceneObject(3, 32, 46, 20)] }),
  "Cinco iguales": () => ({
    ground: GREY,
    objects: [[12, 12], [50, 12], [32, 32], [12, 50], [50, 50]].map(([x, y]) => sceneObject(0, x, y, 16)),
  }),
  Vacía: () => ({ ground: GREY, objects: [] }),
};

/** La escena como la lee el modelo: por filas, con los tres colores seguidos y un poco de ruido. */
function paintScene({ ground, objects }, noise) {
  const image = new Float32Array(SCENE * SCENE * 3);
  for (let y = 0; y < SCENE; y++) {
    for (let x = 0; x < SCENE; x++) {
      const own = objects.find(({ kind, x: cx, y: cy, side }) =>
        SHAPE_RULES[SHAPE_NAMES[kind]]((x + 0.5 - cx) / (side / 2), (y + 0.5 - cy) / (side / 2)),
      );
      for (let i = 0; i < 3; i++) {
        const at = (y * SCENE + x) * 3 + i;
        image[at] = Math.min(1, Math.max(0, (own ? own.color : ground)[i] + noise[at]));
      }
    }
  }
  return image;
}

/** Ruido normal de desviación 0,03, como al entrenar: siempre el mismo, para que nada parpadee. */
function sceneNoise() {
  let seed = 7;
  const draw = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  return Float32Array.from(
    { length: SCENE * SCENE * 3 },
    () => 0.03 * Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw()),
  );
}

/** Cuánto se solapan dos cajas (centro y tamaño): su IoU. */
function boxOverlap([ax, ay, aw, ah], [bx, by, bw, bh]) {
  const shared = (a, aSize, b, bSize) =>
    Math.max(0, Math.min(a + aSize / 2, b + bSize / 2) - Math.max(a - aSize / 2, b - bSize / 2));
  const both = shared(ax, aw, bx, bw) * shared(ay, ah, by, bh);
  return both / (aw * ah + bw * bh - both);
}

class DetectingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-detecting", "un DETR que busca las figuras que mueves");
  }

  build(buffer) {
    this.detector = new Detector(buffer, this.state.config);
    this.noise = sceneNoise();
    this.chosen = 0;
    this.canvas = element("canvas", { class: "tfc-stage", role: "img", width: SCENE * ZOOM, height: SCENE * ZOOM });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", () => (this.held = null));
    this.picker = element("div", {});
    this.list = element("div", { role: "list", "aria-label": "Lo que encuentra" });
    const presets = Object.entries(SCENE_PRESETS);
    this.body.append(
      buttonRow("Escenas", ...presets.map(([name, make]) => commandButton(name, () => this.open(make())))),
      this.canvas,
      element("p", { class: "tfc-note" }, "Arrastra las figuras, o elige una y muévela con los deslizadores."),
      this.picker,
      this.list,
    );
    this.open(presets[0][1]());
  }

  open(scene) {
    this.scene = scene;
    this.chosen = 0;
    this.showPicker();
    this.update();
  }

  /** Los mandos de la figura elegida: todo lo que hace el ratón, sin él. */
  showPicker() {
    const { objects } = this.scene;
    if (!objects.length) return this.picker.replaceChildren();
    const one = objects[this.chosen];
    const slide = (label, key, min, max) =>
      rangeField(label, { min, max, value: Math.round(one[key]), say: (v) => `${v} puntos` }, (value) => {
        one[key] = value;
        this.update();
      });
    const options = objects.map(({ kind }, i) => [String(i), `${i + 1}: ${SHAPE_NAMES[kind]}`]);
    this.picker.replaceChildren(
      element(
        "div",
        { class: "tfc-controls" },
        this.shapeField(options),
        slide("Horizontal", "x", 0, SCENE),
        slide("Vertical", "y", 0, SCENE),
        slide("Tamaño", "side", 6, 60),
      ),
    );
  }

  shapeField(options) {
    const field = selectField("Figura", options.map(([, text]) => text), (i) => {
      this.chosen = i;
      this.showPicker();
      this.picker.querySelector("select").focus({ preventScroll: true });
    });
    field.querySelector("select").value = String(this.chosen);
    return field;
  }

  place(event) {
    const frame = this.canvas.getBoundingClientRect();
    return [((event.clientX - frame.x) / frame.width) * SCENE, ((event.clientY - frame.y) / frame.height) * SCENE];
  }

  grab(event) {
    const [x, y] = this.place(event);
    const near = (o) => Math.max(Math.abs(o.x - x), Math.abs(o.y - y)) <= Math.max(o.side / 2, 4);
    this.held = this.scene.objects.find(near) ?? null;
    if (!this.held) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.chosen = this.scene.objects.indexOf(this.held);
    this.showPicker();
  }

  drag(event) {
    if (!this.held) return;
    const [x, y] = this.place(event).map((value) => Math.min(Math.max(value, 0), SCENE));
    Object.assign(this.held, { x, y });
    this.showPicker();
    this.update();
  }

  /** Lo que el modelo dice de cada consulta, si pasa del umbral: clase, probabilidad y caja. */
  detections(image) {
    const { logits, boxes } = this.detector.detect(image);
    const { n_queries: queries, n_classes: classes } = this.state.config;
    return Array.from({ length: queries }, (_, n) => {
      const odds = softmaxInPlace(logits.slice(n * (classes + 1), (n + 1) * (classes + 1)));
      const kind = largest(odds.subarray(0, classes), 1)[0];
      return { kind, score: odds[kind], box: [...boxes.subarray(4 * n, 4 * n + 4)] };
    })
      .filter(({ score }) => score >= SEEN_FROM)
      .sort((a, b) => b.score - a.score);
  }

  /** Qué figuras están encontradas: misma clase y más de la mitad de solape, una a una. */
  matches(found) {
    const free = new Set(this.scene.objects);
    return found.filter(({ kind, box }) => {
      for (const one of free) {
        const own = [one.x, one.y, one.side, one.side].map((value) => value / SCENE);
        if (one.kind === kind && boxOverlap(box, own) > 0.5) return free.delete(one);
      }
      return false;
    }).length;
  }

  update() {
    const image = paintScene(this.scene, this.noise);
    const found = this.detections(image);
    this.draw(image, found);
    this.list.replaceChildren(
      ...found.map(({ kind, score }) => barNode(SHAPE_NAMES[kind], score, formatWeight(score), "value")),
    );
    const right = this.matches(found);
    const total = this.scene.objects.length;
    const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
    this.told.textContent =
      `Hay ${count(total, "figura")} y dibuja ${count(found.length, "caja")}: ` +
      `${right} con su clase y en su sitio; ${found.length - right}, no.`;
    const names = found.map(({ kind }) => SHAPE_NAMES[kind]).join(", ") || "nada";
    this.canvas.setAttribute("aria-label", `Escena con ${count(total, "figura")}. El modelo ve: ${names}.`);
  }

  draw(image, found) {
    const pixels = new ImageData(SCENE, SCENE);
    for (let p = 0; p < SCENE * SCENE; p++) {
      for (let i = 0; i < 3; i++) pixels.data[4 * p + i] = 255 * image[3 * p + i];
      pixels.data[4 * p + 3] = 255;
    }
    const small = element("canvas", { width: SCENE, height: SCENE });
    small.getContext("2d").putImageData(pixels, 0, 0);
    const context = this.canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, SCENE * ZOOM, SCENE * ZOOM);
    context.font = "bold 15px sans-serif";
    for (const { kind, score, box } of found) {
      const [x, y, w, h] = box.map((value) => value * SCENE * ZOOM);
      const text = `${SHAPE_NAMES[kind]} ${formatWeight(score)}`;
      // Blanco sobre negro: se ve igual en una escena oscura que en una blanca.
      for (const [color, width] of [["#000", 5], ["#fff", 2]]) {
        Object.assign(context, { strokeStyle: color, lineWidth: width });
        context.strokeRect(x - w / 2, y - h / 2, w, h);
      }
      const at = [Math.max(4, x - w / 2), Math.max(16, y - h / 2 - 6)];
      Object.assign(context, { strokeStyle: "#000", lineWidth: 4, fillStyle: "#fff" });
      context.strokeText(text, ...at);
      context.fillText(text, ...at);
    }
  }
}

function render({ model, el }) {
  el.replaceChildren(new DetectingFigure(model).node);
}

export default { render };
