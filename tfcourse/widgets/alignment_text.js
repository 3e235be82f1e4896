// Alineamiento, lo que se dice: pesos, orden y la frase que los resume. Nada de página.

const MIN_WEIGHT = 0.005; // por debajo, el peso se escribiría 0,00

const SIDES = {
  target: { row: "Salida", one: "salida", role: "query" },
  source: { row: "Entrada", one: "entrada", role: "key" },
};

/** Nombre de una fila: el del ejemplo, si lo trae. */
function rowName(example, side) {
  return example.names?.[side] ?? SIDES[side].row;
}

/** La misma fila, dentro de una frase: «la salida». */
function sideName(example, side) {
  return example.names ? rowName(example, side).toLowerCase() : `la ${SIDES[side].one}`;
}

/** Pesos que unen el símbolo elegido con cada símbolo de la otra fila. */
function weightsFrom(example, side, index) {
  return side === "target" ? example.weights[index] : example.weights.map((row) => row[index]);
}

/** Posiciones de mayor a menor peso. */
function ranking(weights) {
  return weights.map((_, index) => index).sort((a, b) => weights[b] - weights[a]);
}

function otherSide(side) {
  return side === "target" ? "source" : "target";
}

function place(example, side, index) {
  const one = example.names ? "símbolo" : SIDES[side].one;
  return `${namedToken(example[side][index])} (${one} ${index + 1} de ${example[side].length})`;
}

/** La frase que resume a quién mira, o quién mira, el símbolo elegido. */
function describe(example, side, index) {
  const other = otherSide(side);
  const weights = weightsFrom(example, side, index);
  const [first, ...rest] = ranking(weights);
  const chosen = place(example, side, index);
  if (weights[first] < MIN_WEIGHT) {
    return side === "target"
      ? `${chosen} no mira a ninguna entrada.`
      : `A ${chosen} no la mira ninguna salida.`;
  }
  const main = `${place(example, other, first)}: ${formatWeight(weights[first])}.`;
  const next = rest
    .slice(0, 2)
    .filter((i) => weights[i] >= MIN_WEIGHT)
    .map((i) => `${namedToken(example[other][i])}, ${formatWeight(weights[i])}`);
  const tail = next.length ? ` Después, ${next.join("; ")}.` : "";
  return side === "target"
    ? `${chosen} mira sobre todo a ${main}${tail}`
    : `A ${chosen} la mira sobre todo ${main}${tail}`;
}

/** Posiciones en las que la salida no coincide con la respuesta correcta. */
function mistakes(example) {
  const { target, reference } = example;
  if (!reference) return [];
  const length = Math.max(target.length, reference.length);
  return [...Array(length).keys()].filter((i) => target[i] !== reference[i]);
}

/** Los símbolos seguidos, con espacio entre ellos si son palabras. */
function joined(tokens) {
  return tokens.join(tokens.some((token) => token.length > 1) ? " " : "");
}
