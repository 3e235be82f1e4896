// Escenas de cuatro cuartos, como las de aprender a conversar: cómo se pintan, y qué se puede preguntar de ellas.

const FIELD = 32; // puntos de lado; cada cuarto, la mitad
const SPOTS = ["arriba a la izquierda", "arriba a la derecha", "abajo a la izquierda", "abajo a la derecha"];
const PAINTS = { rojo: [0.95, 0.15, 0.15], verde: [0.15, 0.85, 0.25], azul: [0.25, 0.4, 1], amarillo: [0.95, 0.9, 0.15] };
const PAINT_NAMES = Object.keys(PAINTS);
const NEVER_SEEN = ["cruz azul", "círculo amarillo"]; // parejas que no se pintaron ni se nombraron al aprender
const COUNT_WORDS = ["una", "dos", "tres", "cuatro"];
const FROM_MIDDLE = 2; // lo que una figura se aparta, como mucho, del centro de su cuarto
const PLAIN_SIDE = 11;
const DARK = [0.2, 0.2, 0.24];

const feminine = (shape) => shape === "cruz";
const article = (shape) => (feminine(shape) ? "la" : "el");
const agreed = (shape, paint) => (feminine(shape) ? paint.replace(/o$/, "a") : paint);
const pairName = ({ shape, paint }) => `${shape} ${agreed(shape, paint)}`;

// Las cinco clases de pregunta: cómo se ofrecen, qué hay que elegir y con qué palabras se hacen.
const QUESTIONS = {
  "¿Qué hay…?": { parts: ["spot"], words: ({ spot }) => ["qué", "hay", spot] },
  "¿De qué color es…?": { parts: ["shape"], words: ({ shape }) => ["de", "qué", "color", "es", article(shape), shape] },
  "¿Cuántas figuras hay?": { parts: [], words: () => ["cuántas", "figuras", "hay"] },
  "¿Dónde está…?": {
    parts: ["shape", "paint"],
    words: ({ shape, paint }) => ["dónde", "está", article(shape), shape, agreed(shape, paint)],
  },
  "¿Hay…?": {
    parts: ["shape", "paint"],
    words: ({ shape, paint }) => ["hay", feminine(shape) ? "una" : "un", shape, agreed(shape, paint)],
  },
};
const [WHAT, COLOUR, HOW_MANY, WHERE, WHETHER] = Object.keys(QUESTIONS);
const CHOICES = {
  spot: ["Sitio por el que preguntas", SPOTS],
  shape: ["Figura por la que preguntas", SHAPE_NAMES],
  paint: ["Su color", PAINT_NAMES],
};

/** Las palabras de una pregunta, una por token. */
const questionWords = (asked) => ["¿", ...QUESTIONS[asked.kind].words(asked), "?"];

/** La pregunta, como la escribe una persona. */
function questionText(asked) {
  const text = QUESTIONS[asked.kind].words(asked).join(" ");
  return `¿${text[0].toUpperCase()}${text.slice(1)}?`;
}

/** Qué responde quien ve las figuras; si la pregunta no tiene una sola respuesta, por qué. */
function trueAnswer(things, asked) {
  const all = things.filter(Boolean);
  const only = (found, name, say) => {
    if (found.length === 1) return { answer: say(found[0]) };
    const [many, none] = feminine(asked.shape) ? ["más de una", "ninguna"] : ["más de un", "ningún"];
    return { problem: `${found.length ? `hay ${many}` : `no hay ${none}`} ${name}` };
  };
  const same = (one) => one.shape === asked.shape && one.paint === asked.paint;
  if (asked.kind === WHAT) return { answer: things[SPOTS.indexOf(asked.spot)]?.shape ?? "nada" };
  if (asked.kind === COLOUR) return only(all.filter(({ shape }) => shape === asked.shape), asked.shape, ({ paint }) => paint);
  if (asked.kind === WHERE) return only(all.filter(same), pairName(asked), (one) => SPOTS[things.indexOf(one)]);
  if (asked.kind === WHETHER) return { answer: all.some(same) ? "sí" : "no" };
  return all.length ? { answer: COUNT_WORDS[all.length - 1] } : { problem: "no hay ninguna figura" };
}

/** Una figura en un cuarto, apartada de su centro lo que se diga. */
function thingAt(spot, shape, paint, { right = 0, down = 0, side = PLAIN_SIDE } = {}) {
  return { spot, shape, paint, right, down, side };
}

/** Una escena de muestra: de cada cuarto, «cruz roja», o nada. */
function sceneOf(...names) {
  const paintOf = (shape, said) => PAINT_NAMES.find((paint) => agreed(shape, paint) === said);
  const things = names.map((name, spot) => {
    const [shape, said] = name?.split(" ") ?? [];
    return shape ? thingAt(spot, shape, paintOf(shape, said)) : null;
  });
  return { ground: DARK, things };
}

/** Una escena sorteada como las de aprender: fondo, cuántas, dónde, cuáles y de qué tamaño. */
function drawnScene(draw) {
  const pick = (list) => list[Math.floor(draw() * list.length)];
  const around = (reach) => reach * (2 * draw() - 1);
  const spots = [0, 1, 2, 3].map((spot) => [draw(), spot]).sort((a, b) => a[0] - b[0]);
  const things = [null, null, null, null];
  for (const [, spot] of spots.slice(0, 1 + Math.floor(4 * draw()))) {
    const moved = { right: around(FROM_MIDDLE), down: around(FROM_MIDDLE), side: PLAIN_SIDE + around(2) };
    do things[spot] = thingAt(spot, pick(SHAPE_NAMES), pick(PAINT_NAMES), moved);
    while (NEVER_SEEN.includes(pairName(things[spot])));
  }
  return { ground: DARK.map(() => 0.05 + 0.35 * draw()), things };
}

/** El centro de una figura, en puntos. */
function thingCenter({ spot, right, down }) {
  return [((spot % 2) + 0.5) * (FIELD / 2) + right, (Math.floor(spot / 2) + 0.5) * (FIELD / 2) + down];
}

/** La escena como la lee el modelo: por filas, con los tres colores seguidos y un poco de ruido. */
function paintQuarters({ ground, things }, noise) {
  const image = new Float32Array(FIELD * FIELD * 3);
  const drawn = things.filter(Boolean).map((one) => [one, ...thingCenter(one)]);
  for (let p = 0; p < FIELD * FIELD; p++) {
    const [x, y] = [(p % FIELD) + 0.5, Math.floor(p / FIELD) + 0.5];
    const own = drawn.findLast(([{ shape, side }, cx, cy]) => SHAPE_RULES[shape]((x - cx) / (side / 2), (y - cy) / (side / 2)));
    const color = own ? PAINTS[own[0].paint] : ground;
    for (let i = 0; i < 3; i++) image[3 * p + i] = Math.min(1, Math.max(0, color[i] + noise[3 * p + i]));
  }
  return image;
}

/** Ruido de desviación 0,04, como al aprender, y siempre el mismo. */
const quarterNoise = () => sceneNoise().subarray(0, FIELD * FIELD * 3).map((value) => (value * 0.04) / 0.03);
