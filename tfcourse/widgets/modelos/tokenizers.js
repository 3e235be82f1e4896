// De texto a números y vuelta: los tokenizadores del curso. Solo usan; aprendieron en Python.

const SPECIALS = ["<relleno>", "<inicio>", "<fin>", "<desconocido>"];
const UNKNOWN = 3;
// Los espacios de Python: los de JavaScript no son los mismos.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
// Letras (con los números que no son cifras), cifras, signos y espacios, en ese orden.
const WORDS = new RegExp(
  ` ?[\\p{L}\\p{Nl}\\p{No}]+| ?\\p{Nd}+| ?[^\\p{L}\\p{N}${SPACE}]+` +
    `|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`,
  "gu",
);
const WORDS_AND_SIGNS = new RegExp(`[\\p{L}\\p{N}_]+|[^\\p{L}\\p{N}_${SPACE}]`, "gu");

class Tokens {
  constructor(tokens, extra = []) {
    this.tokens = [...SPECIALS, ...extra, ...tokens];
    this.specials = SPECIALS.length + extra.length;
    this.ids = new Map(this.tokens.map((token, number) => [token, number]));
  }

  /** Palabras con el espacio que las precede; unidas, devuelven el texto. */
  split(text) {
    return text.match(WORDS) ?? [];
  }

  encode(text) {
    return this.split(text).flatMap((word) => this.encodeWord(word));
  }

  /** Un token tal como se le enseña a una persona. */
  readable(number) {
    return this.tokens[number];
  }

  decode(numbers) {
    return this.join(
      numbers.filter((n) => n === UNKNOWN || n >= this.specials).map((n) => (n === UNKNOWN ? "\ufffd" : this.tokens[n])),
    );
  }

  join(tokens) {
    return tokens.join("");
  }
}

/** BPE: aplica a cada palabra las fusiones, en el orden en que se aprendieron. */
class BPE extends Tokens {
  constructor({ tokens, merges, special_tokens: extra }) {
    super(tokens, extra);
    this.ranks = new Map();
    merges.forEach(([left, right], rank) => {
      const pair = `${this.ids.get(left)},${this.ids.get(right)}`;
      this.ranks.set(pair, [rank, this.ids.get(left + right)]);
    });
  }

  symbols(word) {
    return [...word];
  }

  encodeWord(word) {
    let parts = this.symbols(word).map((symbol) => this.ids.get(symbol) ?? UNKNOWN);
    for (;;) {
      let [best, chosen] = [Infinity, ""];
      for (let i = 0; i + 1 < parts.length; i++) {
        const pair = `${parts[i]},${parts[i + 1]}`;
        const rank = this.ranks.get(pair)?.[0] ?? Infinity;
        if (rank < best) [best, chosen] = [rank, pair];
      }
      if (best === Infinity) return parts;
      const merged = [];
      for (let i = 0; i < parts.length; i++) {
        if (i + 1 < parts.length && `${parts[i]},${parts[i + 1]}` === chosen) {
          merged.push(this.ranks.get(chosen)[1]);
          i++;
        } else {
          merged.push(parts[i]);
        }
      }
      parts = merged;
    }
  }
}

/** Un carácter visible para cada uno de los 256 octetos, como en GPT-2. */
function byteCharacters() {
  const shown = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
  let extra = 0;
  return Array.from({ length: 256 }, (_, b) =>
    String.fromCodePoint(shown(b) ? b : 256 + extra++),
  );
}

/** BPE sobre octetos: nada le es desconocido. */
class ByteBPE extends BPE {
  constructor(state) {
    const alphabet = byteCharacters();
    const merges = state.merges.split("\n").map((line) => line.split(" "));
    const tokens = new Set([...[...alphabet].sort(), ...merges.map((pair) => pair.join(""))]);
    super({ ...state, tokens: [...tokens], merges });
    this.alphabet = alphabet;
    this.bytes = new Map(alphabet.map((character, byte) => [character, byte]));
  }

  symbols(word) {
    return [...new TextEncoder().encode(word)].map((byte) => this.alphabet[byte]);
  }

  readable(number) {
    return number < this.specials ? this.tokens[number] : this.join([this.tokens[number]]);
  }

  join(tokens) {
    const bytes = [...tokens.join("")].flatMap((character) =>
      this.bytes.has(character) ? [this.bytes.get(character)] : [...new TextEncoder().encode(character)],
    );
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
}

/** WordPiece: cada palabra se corta, de izquierda a derecha, por el trozo más largo. */
class WordPiece extends Tokens {
  constructor({ tokens, special_tokens: extra }) {
    super(tokens.split(" "), extra);
  }

  split(text) {
    return text.match(WORDS_AND_SIGNS) ?? [];
  }

  encodeWord(word) {
    const letters = [...word];
    const numbers = [];
    if (letters.length > 100) return [UNKNOWN];
    for (let start = 0; start < letters.length; ) {
      let stop = letters.length;
      const piece = () => (start ? "##" : "") + letters.slice(start, stop).join("");
      while (stop > start && !this.ids.has(piece())) stop--;
      if (stop === start) return [UNKNOWN];
      numbers.push(this.ids.get(piece()));
      start = stop;
    }
    return numbers;
  }

  join(tokens) {
    return tokens.join(" ").replaceAll(" ##", "");
  }
}

/** Unigram: de todos los cortes de una palabra, el más probable (Viterbi). */
class Unigram extends Tokens {
  constructor({ tokens, scores, special_tokens: extra }) {
    super(tokens, extra);
    this.scores = new Map(tokens.map((token, i) => [token, scores[i]]));
    this.longest = Math.max(...tokens.map((token) => [...token].length));
    this.worst = Math.min(...scores) - 10; // lo desconocido puntúa peor que el peor trozo
  }

  encodeWord(word) {
    const letters = [...word];
    const best = [[0, 0]];
    for (let stop = 1; stop <= letters.length; stop++) {
      let found = [-Infinity, 0];
      for (let start = Math.max(0, stop - this.longest); start < stop; start++) {
        const piece = letters.slice(start, stop).join("");
        const score = this.scores.get(piece) ?? (stop - start === 1 ? this.worst : -Infinity);
        if (best[start][0] + score > found[0]) found = [best[start][0] + score, start];
      }
      best.push(found);
    }
    const cuts = [];
    for (let stop = letters.length; stop > 0; stop = best[stop][1]) {
      cuts.unshift(this.ids.get(letters.slice(best[stop][1], stop).join("")) ?? UNKNOWN);
    }
    return cuts;
  }
}
