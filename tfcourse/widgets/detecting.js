// Detectar figuras con un DETR, sin anclas o con ellas: muévelas, cámbialas de tamaño, ponlas donde nunca las ha visto.

const SEEN_FROM = 0.5; // desde qué probabilidad se dibuja una caja

/** Cuánto se solapan dos cajas (centro y tamaño): su IoU. */
function boxOverlap([ax, ay, aw, ah], [bx, by, bw, bh]) {
  const shared = (a, aSize, b, bSize) =>
    Math.max(0, Math.min(a + aSize / 2, b + bSize / 2) - Math.max(a - aSize / 2, b - bSize / 2));
  const both = shared(ax, aw, bx, bw) * shared(ay, ah, by, bh);
  return both / (aw * ah + bw * bh - both);
}

class DetectingFigure extends SceneFigure {
  constructor(model) {
    super(model, "tfc-detecting", "un detector que busca las figuras que mueves");
  }

  build(buffer) {
    const { config, anchored } = this.state;
    this.detector = anchored ? new AnchoredDetector(buffer, config) : new Detector(buffer, config);
    this.prepare();
    this.list = element("div", { role: "list", "aria-label": "Lo que encuentra" });
    this.body.append(
      this.presetButtons(SCENE_PRESETS),
      this.canvas,
      element("p", { class: "tfc-note" }, "Arrastra las figuras, o elige una y muévela con los deslizadores."),
      this.picker,
      this.list,
    );
    this.open(SCENE_PRESETS["Como al entrenar"]());
  }

  /** Lo que el modelo dice de cada consulta, si pasa del umbral: clase, probabilidad y caja. */
  detections(image) {
    const { logits, boxes } = this.detector.detect(image);
    const { n_queries: queries, n_classes: classes } = this.state.config;
    const each = logits.length / queries;
    return Array.from({ length: queries }, (_, n) => {
      const odds = this.detector.odds(logits.subarray(n * each, (n + 1) * each));
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

  look(image) {
    const found = this.detections(image);
    this.draw(image, found);
    this.list.replaceChildren(
      ...found.map(({ kind, score }) => barNode(SHAPE_NAMES[kind], score, formatWeight(score), "value")),
    );
    const right = this.matches(found);
    const total = this.scene.objects.length;
    this.told.textContent =
      `Hay ${counted(total, "figura")} y dibuja ${counted(found.length, "caja")}: ` +
      `${right} con su clase y en su sitio; ${found.length - right}, no.`;
    const names = found.map(({ kind }) => SHAPE_NAMES[kind]).join(", ") || "nada";
    this.canvas.setAttribute("aria-label", `Escena con ${counted(total, "figura")}. El modelo ve: ${names}.`);
  }

  draw(image, found) {
    const context = drawPixels(this.canvas, image, SCENE);
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
