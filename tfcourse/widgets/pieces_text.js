// Trozos, lo que se calcula: los mismos cortes que los tokenizadores del paquete. Nada de página.

const WORDS = / ?\p{L}+| ?\p{Nd}+| ?[^\s\p{L}\p{Nd}]+|\s+(?!\S)|\s+/gu;
const WORDS_AND_SIGNS = /[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu;

/** Un carácter visible para cada byte, como en GPT-2. */
const BYTE_CHARACTERS = (() => {
  const table = [];
  let extra = 256;
  for (let byte = 0; byte < 256; byte++) {
    const visible = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    table.push(String.fromCodePoint(visible ? byte : extra++));
  }
  return table;
})();

function byteText(word) {
  return [...new TextEncoder().encode(word)].map((byte) => BYTE_CHARACTERS[byte]);
}

/** Texto que hay detrás de unos bytes; los que no forman un carácter se escriben «\xc3». */
function readBytes(token) {
  const bytes = [...token].map((character) => BYTE_CHARACTERS.indexOf(character));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(bytes),
    );
  } catch {
    return bytes
      .map((byte) => (byte < 128 ? String.fromCodePoint(byte) : `\\x${byte.toString(16)}`))
      .join("");
  }
}

function known(vocabulary, token) {
  return vocabulary.has(token) ? { text: token } : { text: token, unknown: true };
}

/** BPE: se aplica siempre la fusión que antes se aprendió. */
function bpePieces(word, ranks) {
  let symbols = byteText(word);
  for (;;) {
    let best = Infinity;
    for (let i = 0; i + 1 < symbols.length; i++) {
      best = Math.min(best, ranks.get(`${symbols[i]} ${symbols[i + 1]}`) ?? Infinity);
    }
    if (best === Infinity) return symbols.map((symbol) => ({ text: readBytes(symbol) }));
    const next = [];
    for (let i = 0; i < symbols.length; i++) {
      if (ranks.get(`${symbols[i]} ${symbols[i + 1]}`) === best) next.push(symbols[i] + symbols[++i]);
      else next.push(symbols[i]);
    }
    symbols = next;
  }
}

/** WordPiece: de izquierda a derecha, el trozo más largo. */
function wordPieces(word, vocabulary) {
  const letters = [...word];
  const pieces = [];
  let start = 0;
  while (start < letters.length) {
    let stop = letters.length;
    const mark = start ? "##" : "";
    while (stop > start && !vocabulary.has(mark + letters.slice(start, stop).join(""))) stop--;
    if (stop === start) return [{ text: word, unknown: true }];
    pieces.push({ text: mark + letters.slice(start, stop).join("") });
    start = stop;
  }
  return pieces;
}

/** Unigram: el corte de mayor probabilidad (Viterbi). */
function unigramPieces(word, scores, unknownScore) {
  const letters = [...word];
  const best = [{ score: 0, from: 0 }];
  for (let stop = 1; stop <= letters.length; stop++) {
    best.push({ score: -Infinity, from: 0 });
    for (let start = 0; start < stop; start++) {
      const piece = letters.slice(start, stop).join("");
      const score = scores.get(piece) ?? (stop - start === 1 ? unknownScore : -Infinity);
      if (best[start].score + score > best[stop].score) {
        best[stop] = { score: best[start].score + score, from: start };
      }
    }
  }
  const pieces = [];
  for (let stop = letters.length; stop; stop = best[stop].from) {
    pieces.unshift(known(scores, letters.slice(best[stop].from, stop).join("")));
  }
  return pieces;
}

/** Prepara un tokenizador: una función de texto a trozos. */
function cutter({ kind, tokens, merges, scores }) {
  const vocabulary = new Set(tokens);
  if (kind === "CharacterTokenizer") return (text) => [...text].map((c) => known(vocabulary, c));
  if (kind === "WordTokenizer") {
    return (text) => (text.match(WORDS_AND_SIGNS) ?? []).map((word) => known(vocabulary, word));
  }
  if (kind === "WordPieceTokenizer") {
    return (text) => (text.match(WORDS_AND_SIGNS) ?? []).flatMap((w) => wordPieces(w, vocabulary));
  }
  if (kind === "BPETokenizer") {
    const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
    return (text) => (text.match(WORDS) ?? []).flatMap((word) => bpePieces(word, ranks));
  }
  const table = new Map(tokens.map((token, i) => [token, scores[i]]));
  const unknownScore = Math.min(...scores) - 10;
  return (text) =>
    (text.match(WORDS) ?? []).flatMap((word) => unigramPieces(word, table, unknownScore));
}
