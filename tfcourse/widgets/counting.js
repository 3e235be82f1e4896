// Buscar contando palabras: el índice invertido, BM25 y la fusión por puestos.

const SEARCHED_WORDS = /[\p{L}\p{N}_]+/gu;

/** Las palabras de dos letras o más, en minúscula, con las veces que sale cada una. */
function countWords(text) {
  const counts = new Map();
  for (const word of text.toLowerCase().match(SEARCHED_WORDS) ?? []) {
    if ([...word].length > 1) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** BM25: de cada palabra, en qué documentos sale y cuánto suma en cada uno. */
class WordIndex {
  constructor(texts, k1 = 1.2, b = 0.75) {
    const counts = texts.map(countWords);
    const lengths = counts.map((words) => [...words.values()].reduce((sum, n) => sum + n, 0));
    const mean = lengths.reduce((sum, n) => sum + n, 0) / texts.length;
    this.size = texts.length;
    this.postings = new Map();
    counts.forEach((words, document) => {
      for (const [word, times] of words) {
        if (!this.postings.has(word)) this.postings.set(word, []);
        this.postings.get(word).push([document, times]);
      }
    });
    for (const found of this.postings.values()) {
      const rarity = Math.log(1 + (this.size - found.length + 0.5) / (found.length + 0.5));
      for (const entry of found) {
        const [document, times] = entry;
        const long = k1 * (1 - b + (b * lengths[document]) / mean);
        entry[1] = (rarity * times * (k1 + 1)) / (times + long);
      }
    }
  }

  /** Lo que suma cada documento; cero si no comparte ninguna palabra con la consulta. */
  scores(query) {
    const total = new Array(this.size).fill(0);
    for (const [word, times] of countWords(query)) {
      for (const [document, weight] of this.postings.get(word) ?? []) total[document] += times * weight;
    }
    return total;
  }
}

/** El puesto de cada uno, desde 1; los empatados comparten el último de los suyos. */
function placesOf(scores) {
  return scores.map((score) => scores.length - scores.filter((other) => other < score).length);
}

/** Fusión por puestos recíprocos: la suma de 1 / (k + puesto) en cada buscador. */
function fuseByPlace(several, k = 60) {
  const places = several.map(placesOf);
  return several[0].map((_, i) => places.reduce((sum, own) => sum + 1 / (k + own[i]), 0));
}
