// La escena que se mueve: formas de color que se arrastran, o que se cambian con los mandos.

const SHAPE_COLORS = [[0.95, 0.5, 0.2], [0.3, 0.85, 0.95], [0.95, 0.9, 0.35], [0.9, 0.45, 0.85]];
const GREY = [0.2, 0.2, 0.2];
const WHITE = [1, 1, 1];

/** Una figura: clase, centro, lado y color. */
function sceneObject(kind, x, y, side, color = SHAPE_COLORS[kind]) {
  return { kind, x, y, side, color };
}

/** De qué figura es cada punto: la primera que lo cubre, o −1 si es fondo. */
function sceneOwners({ objects }) {
  const owners = new Int8Array(SCENE * SCENE);
  for (let p = 0; p < owners.length; p++) {
    const [x, y] = [p % SCENE, Math.floor(p / SCENE)];
    owners[p] = objects.findIndex(({ kind, x: cx, y: cy, side }) =>
      SHAPE_RULES[SHAPE_NAMES[kind]]((x + 0.5 - cx) / (side / 2), (y + 0.5 - cy) / (side / 2)),
    );
  }
  return owners;
}

/** La escena como la lee el modelo: por filas, con los tres colores seguidos y un poco de ruido. */
function paintScene({ ground, objects }, noise, owners) {
  return noise.map((value, at) => {
    const color = objects[owners[Math.floor(at / 3)]]?.color ?? ground;
    return Math.min(1, Math.max(0, color[at % 3] + value));
  });
}

/** Figura con una escena que se mueve; las que heredan dicen qué hace el modelo con ella, en `look`. */
class SceneFigure extends LiveFigure {
  /** El lienzo y los mandos: los pone quien hereda donde quiera. */
  prepare() {
    this.noise = sceneNoise();
    this.canvas = element("canvas", { class: "tfc-stage", role: "img", width: SCENE * ZOOM, height: SCENE * ZOOM });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", () => (this.held = null));
    this.picker = element("div", {});
  }

  /** Los botones de unas escenas de muestra. */
  presetButtons(presets) {
    const buttons = Object.entries(presets).map(([name, make]) => commandButton(name, () => this.open(make())));
    return buttonRow("Escenas", ...buttons);
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
        ...this.moreFields(one),
        slide("Horizontal", "x", 0, SCENE),
        slide("Vertical", "y", 0, SCENE),
        slide("Tamaño", "side", 6, 60),
      ),
    );
  }

  /** Otros mandos de una figura, si los hay. */
  moreFields() {
    return [];
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

  update() {
    this.owners = sceneOwners(this.scene);
    this.look(paintScene(this.scene, this.noise, this.owners));
  }
}
