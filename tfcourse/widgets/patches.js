// Parches: se elige un parche de la imagen (o el token de clase) y se ve a cuáles mira, en una
// capa y una cabeza, en su media, o en el despliegue de todas las capas.

class PatchesView {
  constructor(examples) {
    this.examples = examples;
    this.chosen = { example: 0, reading: 0, layer: 0, head: 0 };
    this.token = 0;
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.answer = element("p", { class: "tfc-note" });
    this.asking = element("div", { class: "tfc-patch-side" });
    this.looked = element("div", { class: "tfc-patch-side" });
    this.node = figureNode(
      "tfc-patches",
      "una imagen en parches, y a cuáles mira el modelo",
      this.controls(),
      element("div", { class: "tfc-patch-pair" }, this.asking, this.looked),
      this.told,
      this.answer,
    );
    this.showExample();
  }

  reading() {
    return this.examples[this.chosen.example].readings[this.chosen.reading];
  }

  controls() {
    const numbered = (name, count) => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);
    const first = this.examples[0].readings;
    const choose = (name, redraw) => (value) => {
      this.chosen[name] = Number(value);
      redraw();
    };
    const reset = () => this.showExample();
    const sizes = first.map(({ size }, i) => [String(i), `${size} × ${size} píxeles`]);
    const layers = numbered("capa", first[0].maps.length);
    const heads = numbered("cabeza", first[0].maps[0].length);
    const update = () => this.update();
    this.headField = selectField("Cabeza", [...heads, "media de todas"], choose("head", update));
    return element(
      "div",
      { class: "tfc-controls" },
      selectField("Imagen", this.examples.map(({ title }) => title), choose("example", reset)),
      radioField("Parches", sizes, "0", choose("reading", reset)),
      selectField("Capa", [...layers, "despliegue de todas"], choose("layer", update)),
      this.headField,
    );
  }

  /** Los pesos, en milésimas, con los que mira cada token: una fila por token. */
  weights() {
    const { maps, rollout } = this.reading();
    const heads = maps[this.chosen.layer];
    if (!heads) return rollout;
    return heads[this.chosen.head] ?? averageMaps(heads);
  }

  showExample() {
    const { prefix, rows, columns } = this.reading();
    this.token = Math.min(this.token, prefix + rows * columns - 1);
    this.drawOptions();
    this.update();
  }

  drawOptions() {
    const reading = this.reading();
    const { prefix, rows, columns } = reading;
    const total = prefix + rows * columns;
    this.options = Array.from({ length: total }, (_, index) => {
      const option = element("div", {
        class: index < prefix ? "tfc-class-token" : "tfc-patch",
        role: "option",
        "aria-label": patchName(reading, index),
      });
      if (index < prefix) option.append("token de clase");
      option.addEventListener("click", () => this.select(index, true));
      option.addEventListener("mouseenter", () => this.select(index, false));
      return option;
    });
    const grid = element("div", { class: "tfc-patch-grid" }, ...this.options.slice(prefix));
    grid.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${columns}, 1fr)`;
    const picture = element("div", { class: "tfc-picture" }, this.picture(), grid);
    const list = element(
      "div",
      { role: "listbox", "aria-label": "Quién mira" },
      picture,
      ...this.options.slice(0, prefix),
    );
    list.addEventListener("keydown", (event) => {
      const next = tokenAfterKey(event.key, this.token, reading);
      if (next === null) return;
      event.preventDefault();
      this.select(next, true);
    });
    this.asking.replaceChildren(element("div", { class: "tfc-patch-title tfc-role-query" }, "Quién mira: elige"), list);
  }

  /** La imagen, píxel a píxel: tinta oscura sobre papel claro, también con el tema oscuro. */
  picture() {
    const { pixels } = this.examples[this.chosen.example];
    const drawing = shape("svg", {
      class: "tfc-pixels",
      viewBox: `0 0 ${pixels[0].length} ${pixels.length}`,
      "aria-hidden": "true",
    });
    pixels.forEach((row, y) =>
      row.forEach((ink, x) => {
        if (ink) drawing.append(shape("rect", { x, y, width: 1.02, height: 1.02, "fill-opacity": ink / 100 }));
      }),
    );
    return drawing;
  }

  select(index, focus) {
    this.token = index;
    if (focus) this.options[index].focus();
    this.update();
    if (focus) this.options[index].focus();
  }

  update() {
    const reading = this.reading();
    this.headField.querySelector("select").disabled = !reading.maps[this.chosen.layer];
    this.options.forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === this.token));
      option.setAttribute("tabindex", index === this.token ? "0" : "-1");
    });
    const row = this.weights()[this.token];
    this.drawLooked(reading, row);
    this.told.textContent = tellPatches(reading, this.token, row);
    this.answer.textContent = `Con estos parches, el modelo contesta: ${reading.answer}.`;
  }

  drawLooked(reading, row) {
    const { prefix, columns, size } = reading;
    const drawing = this.picture();
    const most = Math.max(...row, 1);
    row.slice(prefix).forEach((weight, index) => {
      const place = { x: (index % columns) * size, y: Math.floor(index / columns) * size };
      const sides = { width: size, height: size };
      drawing.append(shape("rect", { ...place, ...sides, class: "tfc-seen", "fill-opacity": (0.85 * weight) / most }));
      if (index === this.token - prefix)
        drawing.append(shape("rect", { ...place, ...sides, class: "tfc-asker" }));
    });
    const share = prefix ? barNode("a la clase", row[0] / 1000, formatWeight(row[0] / 1000), "key") : "";
    const title = element("div", { class: "tfc-patch-title tfc-role-key" }, "A qué mira: más naranja, más peso");
    const list = element("div", { role: "list", "aria-label": "Peso que va al token de clase" }, share);
    this.looked.replaceChildren(title, element("div", { class: "tfc-picture" }, drawing), prefix ? list : "");
  }
}

function averageMaps(heads) {
  return heads[0].map((row, i) =>
    row.map((_, j) => heads.reduce((sum, head) => sum + head[i][j], 0) / heads.length),
  );
}

/** «el token de clase» o «el parche de la fila 2, columna 3». */
function patchName({ prefix, columns }, index) {
  if (index < prefix) return "el token de clase";
  const place = index - prefix;
  return `el parche de la fila ${Math.floor(place / columns) + 1}, columna ${(place % columns) + 1}`;
}

/** Token al que lleva una tecla: las flechas se mueven por la rejilla; la clase queda debajo. */
function tokenAfterKey(key, token, { prefix, rows, columns }) {
  const last = prefix + rows * columns - 1;
  if (token < prefix) {
    if (key === "ArrowUp") return last - columns + 1;
    return key === "Home" ? prefix : key === "End" ? last : null;
  }
  const [row, column] = [Math.floor((token - prefix) / columns), (token - prefix) % columns];
  if (key === "ArrowRight") return column < columns - 1 ? token + 1 : token;
  if (key === "ArrowLeft") return column ? token - 1 : token;
  if (key === "ArrowUp") return row ? token - columns : token;
  if (key === "ArrowDown") return row < rows - 1 ? token + columns : prefix ? 0 : token;
  return key === "Home" ? prefix : key === "End" ? last : null;
}

function tellPatches(reading, token, row) {
  const order = row.map((_, i) => i).sort((a, b) => row[b] - row[a]);
  const say = (i) => {
    const who = i === token ? "a sí mismo" : `a ${patchName(reading, i)}`.replace("a el ", "al ");
    return `${who}, ${formatWeight(row[i] / 1000)}`;
  };
  const name = patchName(reading, token);
  const [first, ...others] = order.slice(0, 3).filter((i) => row[i] > 0).map(say);
  const rest = others.length ? `; después, ${others.join("; ")}` : "";
  return `${name[0].toUpperCase()}${name.slice(1)} mira sobre todo ${first}${rest}.`;
}

function render({ model, el }) {
  el.replaceChildren(new PatchesView(model.get("state")).node);
}

export default { render };
