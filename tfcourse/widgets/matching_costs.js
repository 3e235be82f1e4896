// Coste de dar una predicción a un objeto, y las parejas de menor coste total.

/** Esquinas de una caja dada por su centro y su tamaño. */
function boxCorners([cx, cy, w, h]) {
  return [cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2];
}

/** IoU generalizada de dos cajas. */
function boxGiou(first, second) {
  const [a, b] = [boxCorners(first), boxCorners(second)];
  const side = (low, high) => Math.max(0, high - low);
  const common =
    side(Math.max(a[0], b[0]), Math.min(a[2], b[2])) * side(Math.max(a[1], b[1]), Math.min(a[3], b[3]));
  const union = first[2] * first[3] + second[2] * second[3] - common;
  const hull =
    (Math.max(a[2], b[2]) - Math.min(a[0], b[0])) * (Math.max(a[3], b[3]) - Math.min(a[1], b[1]));
  return common / Math.max(union, 1e-9) - (hull - union) / Math.max(hull, 1e-9);
}

/** Coste de cada objeto (fila) con cada predicción (columna). */
function matchingTable(things, predictions, probabilities, [classes, l1, giou]) {
  return things.map((thing, t) =>
    predictions.map((guess, q) => {
      const distance = thing.box.reduce((sum, x, i) => sum + Math.abs(x - guess.box[i]), 0);
      return -classes * probabilities[q][t] + l1 * distance - giou * boxGiou(guess.box, thing.box);
    }),
  );
}

/** Las columnas, una por fila, de menor suma: prueba todas, que aquí son pocas. */
function bestColumns(table, row = 0, used = new Set()) {
  if (row === table.length) return { total: 0, columns: [] };
  let best = { total: Infinity, columns: [] };
  table[row].forEach((cost, column) => {
    if (used.has(column)) return;
    const rest = bestColumns(table, row + 1, new Set([...used, column]));
    if (cost + rest.total < best.total - 1e-12) {
      best = { total: cost + rest.total, columns: [column, ...rest.columns] };
    }
  });
  return best;
}

/** Lo que saldría si cada fila, por orden, tomara la columna libre más barata. */
function greedyColumns(table) {
  const columns = [];
  let total = 0;
  for (const row of table) {
    const free = row.map((cost, i) => (columns.includes(i) ? Infinity : cost));
    const chosen = free.indexOf(Math.min(...free));
    columns.push(chosen);
    total += row[chosen];
  }
  return { total, columns };
}
