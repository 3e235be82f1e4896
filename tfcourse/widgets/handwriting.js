// Dibujar una cifra para un ViT: el trazo, los 8 × 8 números que lee y de qué parches sale la respuesta.

const FINE = 32; // el dibujo; cada cuadro de 4 × 4 puntos es un número de los que lee el modelo
const COARSE = 8;
const CENTER = FINE / 2;
const PEN = 3.5;
const INK = [31, 41, 51];
const SEEN = [217, 102, 15];

// Una cifra de muestra por línea; cada trazo, una lista de puntos «x,y».
const SAMPLE_DIGITS = [
  ["16,4 11,6 9,11 9,21 11,26 16,28 21,26 23,21 23,11 21,6 16,4"],
  ["11,9 17,4 17,28"],
  ["9,10 11,6 16,4 21,6 22,11 19,17 9,27 23,27"],
  ["9,6 15,4 21,6 22,10 19,14 14,15.5 20,17 23,21 21,26 15,28 9,26"],
  ["19,28 19,4 8,20 24,20"],
  ["22,4 11,4 10,15 16,13 21,16 22,21 20,26 14,28 9,26"],
  ["20,4 13,10 9,19 10,25 15,28 20,26 22,21 19,17 14,17 10,21"],
  ["8,4 23,4 15,28", "11,16 21,16"],
  ["16,15 11,12 11,7 16,4 21,7 21,12 16,15 10,19 10,25 16,28 22,25 22,19 16,15"],
  ["22,11 18,15 13,15 10,11 12,6 17,4 21,7 22,13 20,21 15,28"],
].map((strokes) => strokes.map((text) => text.split(" ").map((point) => point.split(",").map(Number))));

const PLAIN = { turn: 0, right: 0, down: 0, size: 100, pen: PEN };

/** Los trazos, girados, agrandados y movidos. */
function movedStrokes(strokes, { turn, right, down, size }) {
  const [cos, sin] = [Math.cos((turn * Math.PI) / 180), Math.sin((turn * Math.PI) / 180)];
  return strokes.map((points) =>
    points.map(([x, y]) => {
      const [u, v] = [((x - CENTER) * size) / 100, ((y - CENTER) * size) / 100];
      return [u * cos - v * sin + CENTER + right, u * sin + v * cos + CENTER + down];
    }),
  );
}

/** Qué puntos pisa la pluma: los que están a menos de medio grosor de algún trazo. */
function inkedPoints(strokes, pen) {
  const inked = new Uint8Array(FINE * FINE);
  for (const points of strokes) {
    for (let n = 0; n < points.length; n++) inkSegment(inked, points[Math.max(n - 1, 0)], points[n], pen / 2);
  }
  return inked;
}

function inkSegment(inked, [ax, ay], [bx, by], reach) {
  const [dx, dy] = [bx - ax, by - ay];
  const clamp = (value) => Math.min(Math.max(value, 0), FINE);
  const from = (a, b) => clamp(Math.floor(Math.min(a, b) - reach));
  const to = (a, b) => clamp(Math.ceil(Math.max(a, b) + reach));
  for (let r = from(ay, by); r < to(ay, by); r++) {
    for (let c = from(ax, bx); c < to(ax, bx); c++) {
      const [u, v] = [c + 0.5 - ax, r + 0.5 - ay];
      const done = Math.min(Math.max((u * dx + v * dy) / Math.max(dx * dx + dy * dy, 1e-9), 0), 1);
      if ((u - done * dx) ** 2 + (v - done * dy) ** 2 <= reach * reach) inked[r * FINE + c] = 1;
    }
  }
}

/** Los 64 números de 0 a 1 que lee el modelo: qué parte de cada cuadro tiene tinta. */
function reducedImage(inked) {
  const each = FINE / COARSE;
  const image = new Float32Array(COARSE * COARSE);
  inked.forEach((on, i) => {
    const [r, c] = [Math.floor(i / FINE), i % FINE];
    image[Math.floor(r / each) * COARSE + Math.floor(c / each)] += on / (each * each);
  });
  return image;
}

/** Una columna con su nombre debajo y su número encima. */
function columnNode(name, weight, text, role) {
  const bar = element("span", { class: "tfc-column-bar", "aria-hidden": "true" }, element("span", {}));
  bar.firstChild.style.height = `${100 * weight}%`;
  return element(
    "div",
    { class: `tfc-column tfc-role-${role}`, role: "listitem", "aria-label": `${name}: ${text}` },
    element("span", { class: "tfc-column-value" }, text),
    bar,
    element("span", {}, name),
  );
}

class HandwritingFigure extends LiveFigure {
  constructor(model) {
    super(model, "tfc-handwriting", "dibuja una cifra y mira qué lee un ViT");
  }

  build(buffer) {
    this.vit = new ViT(buffer, this.state.config);
    Object.assign(this, { strokes: [], looks: "despliegue", moves: { ...PLAIN } });
    this.paper = this.board("Tu dibujo");
    this.paper.canvas.classList.add("tfc-paper");
    this.listen(this.paper.canvas);
    this.sight = this.board("Lo que lee");
    this.controls = element("div", {});
    this.list = element("div", { class: "tfc-columns", role: "list", "aria-label": "Qué cifra es, según el modelo" });
    const samples = SAMPLE_DIGITS.map((strokes, digit) => {
      const button = commandButton(String(digit), () => this.open(strokes));
      button.setAttribute("aria-label", `Poner un ${digit} de muestra`);
      return button;
    });
    this.body.append(
      buttonRow("Cifras de muestra", ...samples, commandButton("Borrar", () => this.open([]))),
      element("div", { class: "tfc-boards" }, this.paper.node, this.sight.node),
      this.list,
      element("p", { class: "tfc-note" }, "Dibuja con el ratón o con el dedo, o pon una cifra de muestra, y cámbiala con los deslizadores."),
      this.controls,
      radioField(
        "Teñir los parches según",
        [["despliegue", "el despliegue"], ["ultima", "la última capa"], ["nada", "nada"]],
        this.looks,
        (looks) => {
          this.looks = looks;
          this.update();
        },
      ),
    );
    this.open(SAMPLE_DIGITS[3]);
  }

  board(title) {
    const canvas = element("canvas", { class: "tfc-board", role: "img", width: 320, height: 320 });
    const node = element("div", { class: "tfc-board-side" }, element("div", { class: "tfc-heading" }, element("strong", {}, title)), canvas);
    return { canvas, node };
  }

  open(strokes) {
    this.strokes = strokes;
    this.moves = { ...PLAIN };
    this.showControls();
    this.update();
  }

  /** Los mandos: cambian el dibujo entero, lo haya hecho quien lo haya hecho. */
  showControls() {
    const slide = (label, key, min, max, say, step = 1) =>
      rangeField(label, { min, max, step, value: this.moves[key], say }, (value) => {
        this.moves[key] = value;
        this.update();
      });
    const points = (n) => `${formatNumber(n, 0)} ${Math.abs(n) === 1 ? "punto" : "puntos"}`;
    this.controls.replaceChildren(
      element(
        "div",
        { class: "tfc-controls" },
        slide("Giro", "turn", -180, 180, (n) => `${formatNumber(n, 0)} grados`, 5),
        slide("Tamaño", "size", 30, 150, (n) => `${n} %`, 5),
        slide("A la derecha", "right", -12, 12, points),
        slide("Hacia abajo", "down", -12, 12, points),
        slide("Grosor del trazo", "pen", 1.5, 7, (n) => `${formatNumber(n, 1)} puntos`, 0.5),
      ),
    );
  }

  listen(canvas) {
    const place = (event) => {
      const frame = canvas.getBoundingClientRect();
      return [((event.clientX - frame.x) / frame.width) * FINE, ((event.clientY - frame.y) / frame.height) * FINE];
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.settle();
      this.pen = [place(event)];
      this.strokes = [...this.strokes, this.pen];
      this.update();
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.pen) return;
      const [x, y] = place(event);
      const [lastX, lastY] = this.pen.at(-1);
      if (Math.hypot(x - lastX, y - lastY) < 0.6) return;
      this.pen.push([x, y]);
      this.update();
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (this.pen = null));
  }

  /** Deja el dibujo como se ve, y los mandos en su sitio: se sigue dibujando encima. */
  settle() {
    this.strokes = movedStrokes(this.strokes, this.moves);
    this.moves = { ...PLAIN, pen: this.moves.pen };
    this.showControls();
  }

  update() {
    const inked = inkedPoints(movedStrokes(this.strokes, this.moves), this.moves.pen);
    const image = reducedImage(inked);
    const { logits, maps } = this.vit.read(image);
    const odds = softmaxInPlace(logits.slice());
    const shares = (this.looks === "ultima" ? firstLooks(maps.at(-1)) : attentionRollout(maps)).slice(1);
    this.draw(this.paper.canvas, inked, FINE);
    this.draw(this.sight.canvas, image, COARSE, this.looks === "nada" ? null : shares);
    this.list.replaceChildren(
      ...[...odds].map((share, digit) => columnNode(String(digit), share, formatWeight(share), "value")),
    );
    this.say(odds, shares, inked.some(Boolean));
  }

  say(odds, shares, something) {
    const [first, second] = largest(odds, 2);
    const each = Math.sqrt(shares.length);
    const top = largest(shares, 1)[0];
    const where = `fila ${Math.floor(top / each) + 1} y columna ${(top % each) + 1}`;
    const looks = this.looks === "ultima" ? "En la última capa mira sobre todo al parche de la" : "Según el despliegue, lo que más pesa es el parche de la";
    const answer = `un ${first} (${formatWeight(odds[first])}) y, si no, un ${second} (${formatWeight(odds[second])})`;
    this.told.textContent =
      (something ? `Lee ${answer}. ` : `La hoja está en blanco, y aun así tiene que elegir: ${answer}. `) +
      (this.looks === "nada" ? "" : `${looks} ${where}, con ${formatWeight(shares[top])}.`);
    this.paper.canvas.setAttribute("aria-label", something ? "Tu dibujo, en 32 por 32 puntos" : "Hoja en blanco");
    this.sight.canvas.setAttribute("aria-label", `La imagen de 8 por 8 que lee el modelo, en 16 parches. Lee un ${first}.`);
  }

  /** Un dibujo de `side` × `side` grises; con `shares`, los parches teñidos y su rejilla. */
  draw(canvas, grays, side, shares) {
    const context = canvas.getContext("2d");
    const cell = canvas.width / side;
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    if (shares) this.tint(context, shares, canvas.width / Math.sqrt(shares.length));
    grays.forEach((gray, i) => {
      if (!gray) return;
      context.fillStyle = `rgb(${INK.join(" ")} / ${gray})`;
      const inset = shares ? 0.22 * cell : 0; // con tinte, la tinta deja ver el parche que pisa
      context.fillRect((i % side) * cell + inset, Math.floor(i / side) * cell + inset, cell - 2 * inset, cell - 2 * inset);
    });
    if (side !== COARSE) return;
    context.strokeStyle = "rgb(11 110 153 / 0.6)";
    for (let at = 0; at <= canvas.width; at += 2 * cell) {
      context.strokeRect(at, 0, 0, canvas.height);
      context.strokeRect(0, at, canvas.width, 0);
    }
  }

  /** Cada parche, más naranja cuanto más pesa; el que más, del todo. */
  tint(context, shares, side) {
    const each = Math.sqrt(shares.length);
    const top = Math.max(...shares);
    shares.forEach((share, n) => {
      context.fillStyle = `rgb(${SEEN.join(" ")} / ${share / top})`;
      context.fillRect((n % each) * side, Math.floor(n / each) * side, side, side);
    });
  }
}

function render({ model, el }) {
  el.replaceChildren(new HandwritingFigure(model).node);
}

export default { render };
