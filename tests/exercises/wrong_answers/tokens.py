"""Respuestas equivocadas de los ejercicios de tokenización."""

import math

from tests.exercises.wrong_answers import Wrong


def pairs(a_n, n_a, l_a, t_a):
    return lambda: {"a_n": a_n, "n_a": n_a, "l_a": l_a, "t_a": t_a}


PAIRS = (
    Wrong("sin-frecuencias", "una sola vez", pairs(3, 4, 2, 2)),
    Wrong("una-vez-por-palabra", "está dos veces", pairs(8, 10, 9, 6)),
    Wrong("solo-palabras", "palabras distintas", pairs(2, 3, 2, 2)),
    Wrong("letras-sueltas", "letras, no pares", pairs(13, 31, 31, 31)),
    Wrong("valores", "no es el correcto", pairs(11, 13, 9, 7)),
    Wrong("claves", "cópialas", lambda: {"an": 11}),
)


def merge_first(symbols, left, right):
    for i in range(len(symbols) - 1):
        if symbols[i] == left and symbols[i + 1] == right:
            return [*symbols[:i], left + right, *symbols[i + 2 :]]
    return list(symbols)


def merge_stepping_one(symbols, left, right):
    out = []
    for i, symbol in enumerate(symbols):
        following = symbols[i + 1] if i + 1 < len(symbols) else None
        out.append(left + right if (symbol, following) == (left, right) else symbol)
    return out


def merge_losing_the_tail(symbols, left, right):
    out, i = [], 0
    while i < len(symbols) - 1:
        if symbols[i] == left and symbols[i + 1] == right:
            out.append(left + right)
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


def merge_any_order(symbols, left, right):
    out, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and {symbols[i], symbols[i + 1]} == {left, right}:
            out.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


def merge_backwards(symbols, left, right):
    out, i = [], len(symbols) - 1
    while i >= 0:
        if i > 0 and symbols[i - 1] == left and symbols[i] == right:
            out.insert(0, left + right)
            i -= 2
        else:
            out.insert(0, symbols[i])
            i -= 1
    return out


def merge_past_the_end(symbols, left, right):
    out, i = [], 0
    while i < len(symbols):
        if symbols[i] == left and symbols[i + 1] == right:
            out.append(left + right)
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


def right_merge(symbols, left, right):
    out = []
    for symbol in symbols:
        out.append(symbol)
        if out[-2:] == [left, right]:
            out[-2:] = [left + right]
    return out


def merge_in_place(symbols, left, right):
    i = 0
    while i < len(symbols) - 1:
        if symbols[i] == left and symbols[i + 1] == right:
            symbols[i : i + 2] = [left + right]
        i += 1
    return symbols


MERGE = (
    Wrong("solo-la-primera", "se fusionan todas", merge_first),
    Wrong("avanza-uno", "saltarse los dos", merge_stepping_one),
    Wrong("pierde-el-ultimo", "el último símbolo", merge_losing_the_tail),
    Wrong("orden-del-par", "el orden importa", merge_any_order),
    Wrong("desde-la-derecha", "por el final", merge_backwards),
    Wrong("sin-fusionar", "como llegaron", lambda symbols, left, right: symbols[:]),
    Wrong("modifica-entradas", "modifica `symbols`", merge_in_place),
    Wrong("tipo-equivocado", "se esperaba una lista", lambda s, a, b: "".join(s)),
    Wrong(
        "valores",
        "el texto no es el correcto",
        lambda s, a, b: [x.upper() for x in right_merge(s, a, b)],
    ),
)


def cut_longest(word, merges):
    known, out = {a + b for a, b in merges} | set(word), []
    while word:
        size = max(n for n in range(1, len(word) + 1) if word[:n] in known)
        out.append(word[:size])
        word = word[size:]
    return out


def cut_backwards(word, merges):
    symbols = [*word]
    for a, b in reversed(merges):
        symbols = right_merge(symbols, a, b)
    return symbols


def cut_once(word, merges):
    symbols = [*word]
    for a, b in merges:
        merged = right_merge(symbols, a, b)
        if len(merged) < len(symbols):
            return merged
    return symbols


def cut_first_place(word, merges):
    symbols = [*word]
    for a, b in merges:
        symbols = merge_first(symbols, a, b)
    return symbols


APPLY = (
    Wrong("trozo-mas-largo", "eso es WordPiece", cut_longest),
    Wrong("orden-inverso", "de la última a la primera", cut_backwards),
    Wrong("una-sola-fusion", "sigue con las demás", cut_once),
    Wrong("solo-la-primera", "en todos los sitios", cut_first_place),
    Wrong("sin-fusionar", "sin fusionar nada", lambda word, merges: [*word]),
    Wrong("longitud", "se esperaban", lambda word, merges: [word]),
)


def pieces_unmarked(word, vocabulary):
    out = []
    while word:
        sizes_known = [n for n in range(1, len(word) + 1) if word[:n] in vocabulary]
        if not sizes_known:
            return ["<desconocido>"]
        out.append(word[: sizes_known[-1]])
        word = word[sizes_known[-1] :]
    return out


def pieces(pick, fail, skip=0):
    def longest_pieces(word, vocabulary):
        out, mark = [], ""
        while word:
            known = [n for n in range(1, len(word) + 1) if mark + word[:n] in vocabulary]
            if not known:
                return fail(out)
            out.append(mark + word[: pick(known)])
            word, mark = word[pick(known) + skip :], "##"
        return out

    return longest_pieces


LONGEST = (
    Wrong("sin-marca", "sin la marca", pieces_unmarked),
    Wrong("trozo-mas-corto", "más corto", pieces(min, lambda out: ["<desconocido>"])),
    Wrong("desconocido-parcial", "toda la palabra", pieces(max, lambda o: [*o, "<desconocido>"])),
    Wrong("salta-una-letra", "te saltas una letra", pieces(max, lambda out: ["<desconocido>"], 1)),
    Wrong("valores", "el texto no es el correcto", pieces(max, lambda out: out)),
)


def gains(linked, first_order, exact, least):
    return lambda: {
        "asociacion": linked,
        "primer_orden": first_order,
        "exacta": exact,
        "minimo": least,
    }


def bag(*counts):
    return sum(n * math.log(n / sum(counts)) for n in counts)


LINKED = 16 * math.log(2)
EXACT = bag(16, 384, 184, 9_400) - bag(400, 200, 9_400)
NO_TOTAL = EXACT - 10_000 * math.log(10_000) + 9_984 * math.log(9_984)
GAIN = (
    Wrong("sin-el-uno", "falta restar c", gains(LINKED, LINKED, EXACT, 22)),
    Wrong("dos-veces-c", "devuelve una", gains(LINKED, LINKED - 32, EXACT, 22)),
    Wrong("sin-el-total", "c símbolos menos", gains(LINKED, LINKED - 16, NO_TOTAL, 22)),
    Wrong("mejor-que-el-azar", "de e veces", gains(LINKED, LINKED - 16, EXACT, 9)),
    Wrong("mejor-que-el-azar", "de e veces", gains(LINKED, LINKED - 16, EXACT, 8)),
    Wrong(
        "logaritmo-decimal",
        "son naturales",
        gains(LINKED / math.log(10), LINKED / math.log(10) - 16, EXACT / math.log(10), 22),
    ),
    Wrong("por-aparicion", "multiplicar", gains(math.log(2), math.log(2) - 1, EXACT, 22)),
    Wrong("valores", "no es el correcto", gains(LINKED, LINKED - 16, EXACT, 21)),
)


def every_cut(word):
    if not word:
        return [[]]
    return [[word[:n], *rest] for n in range(1, len(word) + 1) for rest in every_cut(word[n:])]


def all_scores(word, scores):
    cuts = (cut for cut in every_cut(word) if all(piece in scores for piece in cut))
    return sorted((sum(map(scores.get, cut)) for cut in cuts), reverse=True)


def one_per_gap(word, scores, n):
    best = {0: 0.0}
    for j in range(1, len(word) + 1):
        reached = [best[i] + scores[word[i:j]] for i in range(j) if word[i:j] in scores]
        best[j] = max(reached)
    return sorted(reached)[::-1][:n]


def longest_first(word, scores, n):
    total = 0.0
    while word:
        size = max(k for k in range(1, len(word) + 1) if word[:k] in scores)
        total += scores[word[:size]]
        word = word[size:]
    return [total]


def no_ties(word, scores, n):
    return list(dict.fromkeys(all_scores(word, scores)))[:n]


BEST = (
    Wrong("uno-por-hueco", "segundo mejor principio", one_per_gap),
    Wrong("solo-el-mejor", "los n mejores", lambda w, s, n: all_scores(w, s)[:1]),
    Wrong("al-reves", "primero el mayor", lambda w, s, n: all_scores(w, s)[:n][::-1]),
    Wrong("los-peores", "menor puntaje", lambda w, s, n: all_scores(w, s)[::-1][:n]),
    Wrong("sin-empates", "valer lo mismo", no_ties),
    Wrong(
        "probabilidad",
        "sus logaritmos",
        lambda w, s, n: [math.exp(x) for x in all_scores(w, s)[:n]],
    ),
    Wrong("voraz", "como WordPiece", longest_first),
)


def mean_of_texts(texts, encode):
    return sum(len(encode(t)) / len(t.split()) for t in texts) / len(texts)


FERTILITY = (
    Wrong("media-de-cocientes", "Divide los totales", mean_of_texts),
    Wrong(
        "al-reves",
        "al revés",
        lambda texts, encode: len(" ".join(texts).split()) / sum(len(encode(t)) for t in texts),
    ),
    Wrong(
        "por-caracter",
        "entre los caracteres",
        lambda texts, encode: sum(len(encode(t)) for t in texts) / len("".join(texts)),
    ),
    Wrong(
        "palabras-distintas",
        "cada aparición",
        lambda texts, encode: (
            sum(len(encode(t)) for t in texts) / len(set(" ".join(texts).split()))
        ),
    ),
    Wrong(
        "por-texto",
        "número de textos",
        lambda texts, encode: sum(len(encode(t)) for t in texts) / len(texts),
    ),
)

WRONG = {
    "pares-bpe": PAIRS,
    "fusionar": MERGE,
    "cortar-bpe": APPLY,
    "trozo-mas-largo": LONGEST,
    "ganancia": GAIN,
    "mejores-cortes": BEST,
    "fertilidad": FERTILITY,
}
