// Segmentar una escena con un Mask2Former: de quién es cada punto, y cuándo dos figuras pasan por una.

// Un color por clase, los del capítulo: círculo, cuadrado, triángulo y cruz.
const KIND_COLORS = [[0.9, 0.62, 0], [0.34, 0.71, 0.91], [0, 0.62, 0.45], [0.94, 0.89, 0.26]];
const REST = [0.16, 0.17, 0.2];
const EDGE = [1, 1, 1];
const CHOICES = {
  naranja: [0.95, 0.5, 0.2],
  azul: [0.3, 0.85, 0.95],
  amarillo: [0.95, 0.9, 0.35],
  rosa: [0.9, 0.45, 0.85],
  verde: [0.45, 0.9, 0.5],
  blanco: [1, 1, 1],
};
const { naranja: ORANGE, azul: BLUE, rosa: PINK, verde: GREEN, amarillo: YELLOW } = CHOICES;

const SEGMENT_PRESETS = {
  Apretadas: () => ({
    ground: GREY,
    objects: [sceneObject(0, 24, 22, 24, ORANGE), sceneObject(2, 38, 30, 24, BLUE), sceneObject(1, 20, 42, 22, PINK), sceneObject(3, 44, 48, 24, GREEN)],
  }),
  "Dos gemelas": () => ({
    ground: GREY,
    objects: [sceneObject(0, 25, 32, 24, ORANGE), sceneObject(0, 41, 32, 24, ORANGE)],
  }),
  "Gemelas de dos colores": () => ({
    ground: GREY,
    objects: [sceneObject(0, 25, 32, 24, ORANGE), sceneObject(0, 41, 32, 24, BLUE)],
  }),
  "Una partida en cuatro": () => ({
    ground: GREY,
    objects: [sceneObject(0, 32, 32, 17, YELLOW), sceneObject(3, 32, 32, 38, PINK)],
  }),
  Diminutas: () => ({
    ground: GREY,
    objects: [sceneObject(0, 14, 16, 7, ORANGE), sceneObject(1, 48, 14, 7, BLUE), sceneObject(2, 16, 48, 7, PINK), sceneObject(3, 46, 46, 7, GREEN)],
  }),
  "Fondo blanco": () => ({
    ground: WHITE,
    objects: [sceneObject(0, 20, 22, 24, ORANGE), sceneObject(1, 44, 24, 22, BLUE), sceneObject(3, 32, 48, 24, PINK)],
  }),
};

/** Los puntos que tienen al lado o debajo otro segmento: ahí acaba uno y empieza otro. */
function segmentEdges(owners) {
  const edges = new Uint8Array(owners.length);
  owners.forEach((own, p) => {
    const right = p % SCENE < SCENE - 1 ? owners[p + 1] : own;
    const below = owners[p + SCENE] ?? own;
    edges[p] = own >= 0 && ((right >= 0 && right !== own) || (below >= 0 && below !== own));
  });
  return edges;
}

class SegmentingFigure extends SceneFigure {
  constructor(model) {
    super(model, "tfc-segmenting", "un segmentador que recorta las figuras que mueves");
  }

  build(buffer) {
    this.segmenter = new Segmenter(buffer, this.state.config);
    this.threshold = 0.3;
    this.prepare();
    this.canvas.className = "tfc-board tfc-movable";
    this.answer = element("canvas", { class: "tfc-board", role: "img", width: SCENE, height: SCENE });
    this.list = element("div", { role: "list", "aria-label": "Los segmentos que dice" });
    const side = (title, canvas) =>
      element("div", { class: "tfc-board-side" }, element("div", { class: "tfc-heading" }, element("strong", {}, title)), canvas);
    this.body.append(
      this.presetButtons(SEGMENT_PRESETS),
      element("div", { class: "tfc-boards" }, side("La escena", this.canvas), side("Lo que contesta", this.answer)),
      element("p", { class: "tfc-note" }, "Arrastra las figuras, o elige una y cámbiala con los mandos. El color de la respuesta es el de la clase; una línea blanca separa dos figuras."),
      this.list,
      this.picker,
      rangeField(
        "Se escucha a una consulta desde la confianza",
        { min: 5, max: 95, step: 5, value: 30, say: (n) => formatWeight(n / 100) },
        (n) => {
          this.threshold = n / 100;
          this.answerAgain();
        },
      ),
    );
    this.open(SEGMENT_PRESETS.Apretadas());
  }

  moreFields(one) {
    const choose = (label, names, chosen, onChange) => {
      const field = selectField(label, names, (i) => {
        onChange(i);
        this.update();
      });
      field.querySelector("select").value = String(chosen);
      return field;
    };
    const colors = Object.values(CHOICES);
    return [
      choose("Forma", SHAPE_NAMES, one.kind, (i) => {
        one.kind = i;
        this.picker.querySelector("select").options[this.chosen].textContent = `${this.chosen + 1}: ${SHAPE_NAMES[i]}`;
      }),
      choose("Color", Object.keys(CHOICES), colors.indexOf(one.color), (i) => (one.color = colors[i])),
    ];
  }

  look(image) {
    drawPixels(this.canvas, image, SCENE);
    this.found = this.segmenter.segment(image);
    this.answerAgain();
  }

  /** Reparte los puntos con lo último que ha dicho el modelo. */
  answerAgain() {
    const { n_queries: rows, n_classes: classes } = this.state.config;
    const options = { rows, classes, size: SCENE, threshold: this.threshold };
    const segments = panopticAnswer(this.found, options).sort((a, b) => b.score - a.score);
    this.draw(segments);
    this.list.replaceChildren(
      ...segments.map(({ kind, score }) => barNode(SHAPE_NAMES[kind - 1], score, formatWeight(score), "value")),
    );
    this.say(segments);
  }

  draw(segments) {
    const owners = new Int8Array(SCENE * SCENE).fill(-1);
    segments.forEach(({ points }, n) => points.forEach((mine, p) => mine && (owners[p] = n)));
    const edges = segmentEdges(owners);
    const painted = new Float32Array(3 * owners.length);
    owners.forEach((own, p) => {
      const color = edges[p] ? EDGE : own < 0 ? REST : KIND_COLORS[segments[own].kind - 1];
      painted.set(color, 3 * p);
    });
    drawPixels(this.answer, painted, SCENE);
  }

  /** Cuánto se parece cada figura al segmento de su clase que más se le parece. */
  likeness(segments) {
    return this.scene.objects.map(({ kind }, i) => {
      const own = segments.filter((segment) => segment.kind === kind + 1);
      const ious = own.map(({ points }) => {
        let [both, either] = [0, 0];
        points.forEach((mine, p) => {
          const real = this.owners[p] === i;
          both += Number(mine && real);
          either += Number(mine || real);
        });
        return either ? both / either : 0;
      });
      return Math.max(0, ...ious);
    });
  }

  say(segments) {
    const ious = this.likeness(segments).filter((iou) => iou > 0.5);
    const mean = ious.reduce((sum, iou) => sum + iou, 0) / ious.length;
    const total = this.scene.objects.length;
    const alike = ious.length ? `; IoU media, ${formatWeight(mean)}` : "";
    this.told.textContent =
      `Hay ${counted(total, "figura")} y dice ${counted(segments.length, "segmento")}. ` +
      `Con su clase y una IoU de más de 0,5: ${ious.length} de ${total}${alike}.`;
    const names = segments.map(({ kind }) => SHAPE_NAMES[kind - 1]).join(", ") || "nada";
    this.canvas.setAttribute("aria-label", `Escena con ${counted(total, "figura")}`);
    this.answer.setAttribute("aria-label", `Respuesta del modelo: ${names}`);
  }
}

function render({ model, el }) {
  el.replaceChildren(new SegmentingFigure(model).node);
}

export default { render };
