// Lo común a las figuras que ejecutan un modelo: pedir los pesos al pulsar, y tiras de tokens.

const KEEPS_PRIVATE = "Modelo listo. Las cuentas se hacen aquí: nada de lo que haces sale de tu equipo.";

/** Error que se cuenta a quien abre la página desde el disco. */
class FromDisk extends Error {}

/** Los pesos: los da la página, si la sirve alguien; si no, el Python del cuaderno. */
async function fetchWeights(model, file) {
  const root = document.documentElement.dataset.content_root;
  if (root === undefined) return askPython(model);
  const address = new URL(`${root}_static/pesos/${file}`, document.baseURI);
  if (address.protocol === "file:") throw new FromDisk(file);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`el servidor contesta ${response.status}`);
  return response.arrayBuffer();
}

/** Pide los pesos al cuaderno en marcha, y espera a que lleguen. */
function askPython(model) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      reject(new Error("el cuaderno no contesta: ejecuta esta celda y vuelve a pulsar"));
    }, 15000);
    const receive = (content, buffers) => {
      if (content?.kind !== "pesos") return;
      clearTimeout(late);
      model.off("msg:custom", receive);
      const { buffer, byteOffset, byteLength } = buffers[0];
      resolve(buffer.slice(byteOffset, byteOffset + byteLength));
    };
    model.on("msg:custom", receive);
    model.send({ kind: "pesos" });
  });
}

function commandButton(text, onClick) {
  const button = element("button", { type: "button", class: "tfc-button" }, text);
  button.addEventListener("click", onClick);
  return button;
}

/** Botones que hacen algo, en una fila con nombre. */
function buttonRow(label, ...buttons) {
  return element("div", { class: "tfc-examples", role: "group", "aria-label": label }, ...buttons);
}

/** Una barra cuyo nombre se puede pulsar. */
function pickBar(name, spoken, weight, role, onPick) {
  const row = barNode("", weight, formatWeight(weight), role);
  const pick = element("button", { type: "button", class: "tfc-pick", "aria-label": spoken }, name);
  pick.addEventListener("click", onPick);
  row.firstChild.replaceChildren(pick);
  return row;
}

/** Un espacio o un salto de línea, con un signo que se ve. */
function shownPiece(piece) {
  return visibleToken(piece).replaceAll("\n", "⏎");
}

/** Figura que espera a tener los pesos para montarse: las que heredan dicen cómo, en `build`. */
class LiveFigure {
  constructor(model, name, label) {
    this.model = model;
    this.state = model.get("state");
    this.told = element("p", { class: "tfc-told", role: "status" });
    this.body = element("div", { hidden: true });
    const kilobytes = Math.ceil(this.state.bytes / 1000);
    this.button = commandButton(`Cargar el modelo (${kilobytes} kB)`, () => this.load());
    this.panel = element("div", { class: "tfc-load" }, this.button);
    this.told.textContent = "Hasta que pulses, la página no pide el modelo.";
    this.node = figureNode(name, label, this.panel, this.body, this.told);
  }

  async load() {
    this.button.disabled = true;
    this.told.textContent = "Cargando el modelo…";
    try {
      this.use(await fetchWeights(this.model, this.state.file));
    } catch (error) {
      this.button.disabled = false;
      if (error instanceof FromDisk) this.askForFile(error.message);
      else this.told.textContent = `No se ha podido cargar el modelo: ${error.message}.`;
    }
  }

  /** Desde el disco, el navegador no deja pedir archivos, pero quien lee puede dárselo. */
  askForFile(file) {
    const input = element("input", { type: "file", accept: ".safetensors" });
    input.addEventListener("change", async () => this.use(await input.files[0].arrayBuffer()));
    const label = `Elige «${file}», de la carpeta _static/pesos`;
    this.panel.replaceChildren(
      element("label", { class: "tfc-field" }, element("span", {}, label), input),
    );
    this.told.textContent =
      "Esta página está abierta desde el disco, y así el navegador no la deja pedir el modelo. " +
      "Dale tú el archivo o abre el sitio con un servidor, como hace «make ver».";
  }

  use(buffer) {
    try {
      this.build(buffer);
    } catch (error) {
      this.told.textContent = `El archivo no es el de este modelo: ${error.message}.`;
      return;
    }
    this.panel.remove();
    this.body.hidden = false;
    this.body.before(element("p", { class: "tfc-note" }, KEEPS_PRIVATE));
    this.body.querySelector("textarea, input, select, button")?.focus({ preventScroll: true });
  }
}

/** Una tira de tokens: se elige uno, con el ratón, el dedo o las flechas, y se sombrean los demás. */
class TokenStrip {
  constructor(label, role, onChoose) {
    this.onChoose = onChoose;
    this.chosen = -1;
    this.row = element("div", { class: "tfc-row", role: onChoose ? "listbox" : "list", "aria-label": label });
    const kind = `tfc-role-${role}${onChoose ? " tfc-active" : ""}`;
    this.node = element(
      "div",
      { class: `tfc-strip ${kind}` },
      element("div", { class: "tfc-heading" }, element("strong", {}, label)),
      this.row,
    );
    this.row.addEventListener("keydown", (event) => this.move(event));
  }

  /** Enseña otros tokens y deja elegido uno, si se dice cuál. */
  show(names, chosen = -1) {
    const kept = this.row.contains(document.activeElement);
    this.chosen = chosen;
    this.row.replaceChildren(...names.map((name, i) => this.tokenNode(name, i)));
    this.row.tabIndex = -1;
    this.mark(kept);
  }

  tokenNode(name, i) {
    const node = element(
      "span",
      { class: "tfc-token", role: this.onChoose ? "option" : "listitem" },
      element("span", { class: "tfc-glyph" }, shownPiece(name)),
      element("span", { class: "tfc-weight" }),
    );
    if (this.onChoose) node.addEventListener("click", () => this.choose(i));
    return node;
  }

  mark(focus) {
    if (!this.onChoose) return;
    [...this.row.children].forEach((node, i) => {
      node.setAttribute("aria-selected", String(i === this.chosen));
      node.tabIndex = i === Math.max(this.chosen, 0) ? 0 : -1;
    });
    if (focus) this.row.children[Math.max(this.chosen, 0)]?.focus({ preventScroll: true });
  }

  choose(i) {
    this.chosen = i;
    this.mark(true);
    this.onChoose(i);
  }

  move(event) {
    if (!this.onChoose) return;
    const from = [...this.row.children].indexOf(document.activeElement);
    const enter = event.key === "Enter" || event.key === " ";
    const to = enter ? from : indexAfterKey(event.key, from, this.row.children.length);
    if (to === null || from < 0) return;
    event.preventDefault();
    this.choose(to);
  }

  /** Sombrea cada token según su peso; sin pesos, ninguno. */
  shade(weights) {
    [...this.row.children].forEach((node, i) => {
      const weight = weights?.[i] ?? 0;
      node.style.setProperty("--w", weight);
      node.lastChild.textContent = weights && i < weights.length ? formatWeight(weight) : "";
    });
  }
}

/** Los dos pesos mayores, dichos con palabras. */
function strongest(weights, names) {
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, 2);
  return order
    .filter((i) => weights[i] >= 0.005)
    .map((i) => `«${shownPiece(names[i])}» (${formatWeight(weights[i])})`)
    .join(" y a ");
}

/** La media de los mapas de varias cabezas, o el de una. */
function headMap(maps, head) {
  const kept = head < 0 ? maps : [maps[head]];
  return Array.from(kept[0], (_, j) => kept.reduce((sum, map) => sum + map[j], 0) / kept.length);
}

/** Capa y cabeza: dos listas; la primera cabeza es la media de todas. */
function headFields(layers, heads, onChange) {
  const names = (word, count) => Array.from({ length: count }, (_, i) => `${word} ${i + 1}`);
  return [
    selectField("Capa", names("Capa", layers), (i) => onChange({ layer: i })),
    selectField("Cabeza", ["Media de todas", ...names("Cabeza", heads)], (i) =>
      onChange({ head: i - 1 }),
    ),
  ];
}
