// Situar las articulaciones de una figura: cámbiale la postura, tápala y mira dónde las pone el modelo.

const FIELD = SCENE;
const CLOSE = 0.1; // a menos de esta parte del tamaño de la figura, una articulación está bien puesta
const SURE = 0.5; // desde esta confianza, el punto se dibuja lleno
const JOINT_NAMES = [
  "cabeza", "hombro izquierdo", "hombro derecho", "codo izquierdo", "codo derecho", "muñeca izquierda",
  "muñeca derecha", "cadera izquierda", "cadera derecha", "rodilla izquierda", "rodilla derecha",
  "tobillo izquierdo", "tobillo derecho",
];
const BONES = [
  [0, 1], [0, 2], [1, 2], [1, 3], [3, 5], [2, 4], [4, 6],
  [1, 7], [2, 8], [7, 8], [7, 9], [9, 11], [8, 10], [10, 12],
];
// Medidas de una persona de pie, en partes de su altura.
const BODY = { torso: 0.3, shoulder: 0.11, hip: 0.07, neck: 0.13, arm: 0.17, forearm: 0.16, thigh: 0.23, shin: 0.23 };
const [HEAD, LIMB, CHEST] = [0.075, 0.035, 0.08];
const [SKIN, SHIRT, TROUSERS] = [[0.95, 0.72, 0.55], [0.35, 0.75, 0.95], [0.95, 0.85, 0.35]];
const BLOCK_COLOR = [0.55, 0.3, 0.5];
// Qué se pinta, en orden: de dónde a dónde, con qué grueso y de qué color; 13 es el cuello y 14, la cadera.
const BODY_PARTS = [
  [7, 9, LIMB, TROUSERS], [8, 10, LIMB, TROUSERS], [9, 11, LIMB, TROUSERS], [10, 12, LIMB, TROUSERS],
  [0, 13, LIMB, SKIN], [13, 14, CHEST, SHIRT], [1, 2, LIMB, SHIRT], [7, 8, LIMB, TROUSERS],
  [1, 3, LIMB, SHIRT], [2, 4, LIMB, SHIRT], [3, 5, LIMB, SKIN], [4, 6, LIMB, SKIN], [0, 0, HEAD, SKIN],
];
// Los ángulos de una postura, en grados, y la articulación que mueve cada uno.
const ANGLES = [
  ["tronco", null], ["cuello", 0], ["hombro izquierdo", 3], ["hombro derecho", 4], ["codo izquierdo", 5],
  ["codo derecho", 6], ["cadera izquierda", 9], ["cadera derecha", 10], ["rodilla izquierda", 11],
  ["rodilla derecha", 12],
];
const STANDING = [0, 0, 20, 20, 10, 10, 8, 8, -5, -5];
const NO_BLOCK = { x: 32, y: 32, side: 0 };

const POSE_PRESETS = {
  "De pie": () => ({ angles: [...STANDING], block: { ...NO_BLOCK } }),
  Saltando: () => ({ angles: [0, 0, 135, 135, 10, 10, 40, 40, -25, -25], block: { ...NO_BLOCK } }),
  "Una mano tapada": () => ({ angles: [0, 0, 60, 25, 40, 10, 12, 12, -10, -5], block: { x: 48, y: 21, side: 14 } }),
  "Piernas tapadas": () => ({ angles: [5, 0, 70, 30, 50, 20, 25, 10, -20, -5], block: { x: 32, y: 50, side: 28 } }),
  "Cabeza abajo": () => ({ angles: [180, 0, 60, 60, 20, 20, 15, 15, -10, -10], block: { ...NO_BLOCK } }),
  Nadie: () => ({ angles: [...STANDING], block: { ...NO_BLOCK }, empty: true }),
};

const radians = (degrees) => (degrees * Math.PI) / 180;
const degreesOf = (angle) => {
  const degrees = (angle * 180) / Math.PI;
  return degrees - 360 * Math.round(degrees / 360);
};
/** Hacia abajo, girado: con el ángulo positivo, hacia la izquierda de la imagen. */
const along = (angle, length) => [-Math.sin(angle) * length, Math.cos(angle) * length];
const joined = ([a, b], [c, d]) => [a + c, b + d];

/** De los ángulos a los sitios de las trece articulaciones, con la cadera en el origen. */
function poseJoints(degrees) {
  const [lean, nod, ...limbs] = degrees.map(radians);
  const across = [Math.cos(lean), Math.sin(lean)];
  const sideways = (sign, length) => [sign * length * across[0], sign * length * across[1]];
  const neck = along(lean, -BODY.torso);
  const joints = [joined(neck, along(lean + nod, -BODY.neck))];
  for (const [side, sign] of [[0, 1], [1, -1]]) {
    const [arm, elbow, leg, knee] = [0, 2, 4, 6].map((n) => limbs[n + side]);
    joints[1 + side] = joined(neck, sideways(sign, BODY.shoulder));
    joints[7 + side] = sideways(sign, BODY.hip);
    joints[3 + side] = joined(joints[1 + side], along(lean - sign * arm, BODY.arm));
    joints[5 + side] = joined(joints[3 + side], along(lean - sign * (arm + elbow), BODY.forearm));
    joints[9 + side] = joined(joints[7 + side], along(lean - sign * leg, BODY.thigh));
    joints[11 + side] = joined(joints[9 + side], along(lean - sign * (leg + knee), BODY.shin));
  }
  return joints;
}

/** El ángulo que hay que dar a una articulación para que su hueso apunte hacia un sitio, en grados. */
function aimedAngle(degrees, number, [dx, dy]) {
  const [lean, , ...limbs] = degrees.map(radians);
  if (number === 1) return degreesOf(Math.atan2(dx, -dy) - lean);
  const sign = number % 2 ? -1 : 1;
  const bone = number < 4 || (number > 5 && number < 8) ? 0 : limbs[number - 4];
  return degreesOf(sign * (lean - Math.atan2(-dx, dy)) - bone);
}

/** La imagen como la lee el modelo: fondo oscuro, la figura, el rectángulo y ruido. */
function paintPose({ block, empty }, joints, height, noise) {
  const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const places = [...joints, middle(joints[1], joints[2]), middle(joints[7], joints[8])];
  const image = new Float32Array(FIELD * FIELD * 3);
  for (let p = 0; p < FIELD * FIELD; p++) {
    const [x, y] = [(p % FIELD) + 0.5, Math.floor(p / FIELD) + 0.5];
    let color = [0.16, 0.2, 0.24].map((value) => value + (0.08 * y) / FIELD);
    for (const [from, to, radius, own] of empty ? [] : BODY_PARTS) {
      if (toSegment(x, y, places[from], places[to]) <= Math.max(radius * height, 1)) color = own;
    }
    if (Math.max(Math.abs(x - block.x), Math.abs(y - block.y)) <= block.side / 2) color = BLOCK_COLOR;
    for (let i = 0; i < 3; i++) image[3 * p + i] = Math.min(1, Math.max(0, color[i] + noise[3 * p + i]));
  }
  return image;
}

/** De un punto al segmento más cercano. */
function toSegment(x, y, [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const done = ((x - ax) * dx + (y - ay) * dy) / Math.max(dx * dx + dy * dy, 1e-6);
  const part = Math.min(Math.max(done, 0), 1);
  return Math.hypot(x - ax - part * dx, y - ay - part * dy);
}

class PosingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-posing", "un modelo que sitúa las articulaciones de la figura que mueves");
  }

  build(buffer) {
    this.finder = new PoseFinder(buffer, this.state.config);
    this.noise = sceneNoise();
    Object.assign(this, { moved: 2, size: 48 });
    this.canvas = element("canvas", { class: "tfc-stage", role: "img", width: 6 * FIELD, height: 6 * FIELD });
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) this.canvas.addEventListener(name, () => (this.held = null));
    this.controls = element("div", {});
    this.list = element("div", { role: "list", "aria-label": "Las que menos claras tiene" });
    const presets = Object.entries(POSE_PRESETS).map(([name, make]) => commandButton(name, () => this.open(make())));
    this.body.append(
      buttonRow("Posturas", ...presets),
      this.canvas,
      element("p", { class: "tfc-note" }, "Arrastra la cabeza, los codos, las muñecas, las rodillas, los tobillos o el rectángulo; o usa los mandos. Punto lleno: se fía; punto hueco: no tanto."),
      this.list,
      this.controls,
    );
    this.open(POSE_PRESETS["De pie"]());
  }

  open(pose) {
    this.pose = pose;
    this.showControls();
    this.update();
  }

  showControls() {
    const { angles, block } = this.pose;
    const slide = (label, [min, max], value, say, set) =>
      rangeField(label, { min, max, value: Math.round(value), say }, (n) => {
        set(n);
        this.update();
      });
    const points = (n) => counted(n, "punto");
    const degrees = (n) => `${formatNumber(n, 0)} grados`;
    const chosen = selectField("Ángulo que cambias", ANGLES.map(([name]) => name), (i) => {
      this.moved = i;
      this.showControls();
      this.controls.querySelector("select").focus({ preventScroll: true });
    });
    chosen.querySelector("select").value = String(this.moved);
    this.controls.replaceChildren(
      element(
        "div",
        { class: "tfc-controls" },
        chosen,
        slide("Ese ángulo", [-180, 180], angles[this.moved], degrees, (n) => (angles[this.moved] = n)),
        slide("Tamaño de la figura", [15, 62], this.size, points, (n) => (this.size = n)),
        slide("Lado del rectángulo", [0, 40], block.side, (n) => (n ? points(n) : "no hay"), (n) => (block.side = n)),
        slide("Rectángulo: horizontal", [0, FIELD], block.x, points, (n) => (block.x = n)),
        slide("Rectángulo: vertical", [0, FIELD], block.y, points, (n) => (block.y = n)),
      ),
    );
  }

  /** Las articulaciones, en puntos de la imagen: la figura, de pie, queda centrada. */
  joints() {
    const middle = [FIELD / 2, FIELD / 2 + 0.01 * this.size];
    return poseJoints(this.pose.angles).map(([x, y]) => joined(middle, [x * this.size, y * this.size]));
  }

  place(event) {
    const frame = this.canvas.getBoundingClientRect();
    return [((event.clientX - frame.x) / frame.width) * FIELD, ((event.clientY - frame.y) / frame.height) * FIELD];
  }

  grab(event) {
    const [x, y] = this.place(event);
    const { block } = this.pose;
    const joints = this.joints();
    const away = ANGLES.map(([, joint]) => (joint === null ? Infinity : Math.hypot(joints[joint][0] - x, joints[joint][1] - y)));
    const near = away.indexOf(Math.min(...away));
    const onBlock = Math.max(Math.abs(block.x - x), Math.abs(block.y - y)) <= block.side / 2;
    this.held = onBlock ? "block" : away[near] < 5 ? near : null;
    if (this.held === null) return;
    this.canvas.setPointerCapture(event.pointerId);
    if (this.held !== "block") this.moved = this.held;
    this.drag(event);
  }

  drag(event) {
    if (this.held == null) return;
    const [x, y] = this.place(event).map((value) => Math.min(Math.max(value, 0), FIELD));
    if (this.held === "block") Object.assign(this.pose.block, { x, y });
    else {
      const joints = this.joints();
      const joint = ANGLES[this.held][1];
      // Cada hueso empieza en la articulación anterior; el cuello, entre los hombros.
      const from = joint ? joints[joint - 2] : [(joints[1][0] + joints[2][0]) / 2, (joints[1][1] + joints[2][1]) / 2];
      this.pose.angles[this.held] = aimedAngle(this.pose.angles, this.held, [x - from[0], y - from[1]]);
    }
    this.showControls();
    this.update();
  }

  update() {
    const joints = this.joints();
    const image = paintPose(this.pose, joints, this.size, this.noise);
    const found = this.finder.locate(this.finder.read(image));
    this.draw(image, found);
    const doubts = [...found.keys()].sort((a, b) => found[a].confidence - found[b].confidence).slice(0, 3);
    this.list.replaceChildren(
      ...doubts.map((n) => barNode(JOINT_NAMES[n], found[n].confidence, formatWeight(found[n].confidence), "value")),
    );
    this.say(joints, found, doubts[0]);
  }

  say(joints, found, doubt) {
    const [xs, ys] = [0, 1].map((axis) => joints.map((joint) => joint[axis]));
    const extent = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)) + 2 * HEAD * this.size;
    const wrong = joints
      .map(([x, y], n) => ({ n, away: Math.hypot(found[n].x * FIELD - x, found[n].y * FIELD - y) }))
      .filter(({ away }) => away > CLOSE * extent);
    const least = `De la que menos se fía: ${JOINT_NAMES[doubt]} (${formatWeight(found[doubt].confidence)}).`;
    const right = `Pone en su sitio ${joints.length - wrong.length} de ${joints.length} articulaciones`;
    const names = wrong.map(({ n }) => JOINT_NAMES[n]).join(", ");
    this.told.textContent = this.pose.empty
      ? `No hay nadie, y aun así pone las ${joints.length}. ${least}`
      : `${right}, a menos de un décimo del tamaño de la figura${names ? `; fuera: ${names}` : ""}. ${least}`;
    this.canvas.setAttribute("aria-label", this.pose.empty ? "Imagen sin nadie" : `Figura con sus articulaciones. ${right}.`);
  }

  draw(image, found) {
    const context = drawPixels(this.canvas, image, FIELD);
    const at = ({ x, y }) => [x * this.canvas.width, y * this.canvas.height];
    for (const [color, width] of [["#000", 5], ["#fff", 2]]) {
      Object.assign(context, { strokeStyle: color, lineWidth: width });
      context.beginPath();
      for (const [a, b] of BONES) {
        context.moveTo(...at(found[a]));
        context.lineTo(...at(found[b]));
      }
      context.stroke();
    }
    for (const joint of found) {
      context.beginPath();
      context.arc(...at(joint), 6, 0, 2 * Math.PI);
      Object.assign(context, { strokeStyle: "#000", lineWidth: 3, fillStyle: joint.confidence >= SURE ? "#fff" : "#000" });
      context.fill();
      context.stroke();
      Object.assign(context, { strokeStyle: "#fff", lineWidth: 2 });
      context.stroke();
    }
  }
}

function render({ model, el }) {
  el.replaceChildren(new PosingFigure(model).node);
}

export default { render };
