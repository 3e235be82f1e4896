// Elegir lo que se escribe: los mayores de una lista y la búsqueda en haz.

/** Logaritmos de las probabilidades. */
function logSoftmax(logits) {
  let top = -Infinity;
  for (const value of logits) top = Math.max(top, value);
  let total = 0;
  for (const value of logits) total += Math.exp(value - top);
  const shift = top + Math.log(total);
  return logits.map((value) => value - shift);
}

/** Los lugares de los `count` mayores, de mayor a menor. */
function largest(values, count) {
  const best = [];
  for (let i = 0; i < values.length; i++) {
    if (best.length === count && values[i] <= values[best[count - 1]]) continue;
    let at = best.length;
    while (at > 0 && values[best[at - 1]] < values[i]) at--;
    best.splice(at, 0, i);
    if (best.length > count) best.pop();
  }
  return best;
}

/**
 * Búsqueda en haz: sigue a la vez las `size` frases empezadas más probables.
 *
 * Devuelve los pasos, cada uno con las frases vivas y las acabadas, y la mejor al final: la de mayor
 * log-probabilidad por token. Con `size` 1 es la decodificación voraz.
 */
function beamSearch(model, { size, start, stop, most }) {
  let alive = [{ tokens: [start], score: 0, state: model.start() }];
  const done = [];
  const steps = [];
  for (let n = 0; n < most && done.length < size && alive.length; n++) {
    const options = [];
    for (const beam of alive) {
      const odds = logSoftmax(model.step(beam.tokens.at(-1), beam.state));
      for (const token of largest(odds, 2 * size)) {
        options.push({ beam, token, score: beam.score + odds[token] });
      }
    }
    options.sort((a, b) => b.score - a.score);
    const kept = [];
    options.slice(0, 2 * size).forEach(({ beam, token, score }, rank) => {
      const tokens = [...beam.tokens, token];
      if (token === stop) {
        if (rank < size) done.push({ tokens: tokens.slice(1, -1), score: score / (tokens.length - 1) });
      } else if (kept.length < size) {
        kept.push({ tokens, score, state: beam.state.copy() });
      }
    });
    alive = kept;
    steps.push({
      alive: alive.map((beam) => ({ tokens: beam.tokens.slice(1), score: beam.score })),
      done: [...done],
    });
  }
  const unfinished = alive.map(({ tokens, score }) => ({
    tokens: tokens.slice(1),
    score: score / tokens.length,
  }));
  const ranked = (done.length ? done : unfinished).sort((a, b) => b.score - a.score);
  return { best: ranked[0].tokens, steps };
}
