"""Respuestas equivocadas de los ejercicios de tokenización y embeddings."""

import math

import torch
import torch.nn.functional as F

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


def sizes(parameters, one_hot, embedding, rows):
    return lambda: {
        "parametros": parameters,
        "numeros_one_hot": one_hot,
        "numeros_embedding": embedding,
        "filas_con_gradiente": rows,
    }


TABLE = (
    Wrong("gradiente-repetido", "la misma fila", sizes(512_000, 48_000, 384, 6)),
    Wrong("gradiente-en-toda-la-tabla", "derivada es cero", sizes(512_000, 48_000, 384, 8_000)),
    Wrong("tabla-de-la-frase", "por token del vocabulario", sizes(384, 48_000, 384, 3)),
    Wrong("un-solo-vector", "la frase tiene seis", sizes(512_000, 8_000, 64, 3)),
    Wrong("intercambiados", "intercambiado", sizes(512_000, 384, 48_000, 3)),
    Wrong("valores", "no es el correcto", sizes(512_000, 48_000, 384, 2)),
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


def viterbi(combine, start=0.0, worst=-math.inf):
    def best_score(word, scores):
        best = [start] + [worst] * len(word)
        for j in range(1, len(word) + 1):
            reached = [best[i] + scores[word[i:j]] for i in range(j) if word[i:j] in scores]
            best[j] = combine(reached)
        return best[-1]

    return best_score


def log_sum(values):
    return math.log(sum(math.exp(value) for value in values))


def first_piece(pick):
    def best_score(word, scores):
        total = 0.0
        while word:
            known = [n for n in range(1, len(word) + 1) if word[:n] in scores]
            size = pick(known, word, scores)
            total += scores[word[:size]]
            word = word[size:]
        return total

    return best_score


def most_likely(known, word, scores):
    return max(known, key=lambda n: scores[word[:n]])


BEST = (
    Wrong("voraz", "como WordPiece", first_piece(lambda known, word, scores: known[-1])),
    Wrong("mejor-trozo-primero", "el total del corte", first_piece(most_likely)),
    Wrong("suma-de-cortes", "la del mejor", viterbi(log_sum)),
    Wrong("probabilidad", "su logaritmo", lambda w, s: math.exp(viterbi(max)(w, s))),
    Wrong("peor-corte", "se busca el mayor", viterbi(min)),
    Wrong("solo-letras", "trozos largos", lambda word, s: sum(map(s.__getitem__, word))),
    Wrong("valores", "no es el correcto", viterbi(max, start=1.0)),
)


def dots(centre, negatives):
    return torch.einsum("bd,bkd->bk", centre, negatives)


def loss(negative, end=lambda x: x.mean()):
    def sgns_loss(centre, context, negatives):
        first = torch.log(torch.sigmoid(torch.einsum("bd,bd->b", centre, context)))
        return end(-(first + negative(dots(centre, negatives))))

    return sgns_loss


def loss_of_probabilities(centre, context, negatives):
    first = torch.sigmoid((centre * context).sum(1))
    return -(first + torch.sigmoid(-dots(centre, negatives)).sum(1)).mean()


LOSS = (
    Wrong("signo-de-las-negativas", "signo menos", loss(lambda x: F.logsigmoid(x).sum(1))),
    Wrong(
        "uno-menos-el-logaritmo",
        "log(1 − σ(x))",
        loss(lambda x: (1 - torch.log(torch.sigmoid(x))).sum(1)),
    ),
    Wrong("media-de-las-negativas", "se suman", loss(lambda x: F.logsigmoid(-x).mean(1))),
    Wrong("suma-del-lote", "se pide la media", loss(lambda x: F.logsigmoid(-x).sum(1), torch.sum)),
    Wrong("sin-media", "por par", loss(lambda x: F.logsigmoid(-x).sum(1), lambda x: x)),
    Wrong("sin-logaritmo", "falta el logaritmo", loss_of_probabilities),
    Wrong(
        "signo-cambiado",
        "menos el logaritmo",
        loss(lambda x: F.logsigmoid(-x).sum(1), lambda x: -x.mean()),
    ),
    Wrong("sin-negativas", "faltan las negativas", loss(lambda x: 0.0)),
    Wrong(
        "sin-gradiente",
        "ninguna entrada",
        loss(lambda x: F.logsigmoid(-x).sum(1), lambda x: x.mean().detach()),
    ),
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
    "tabla": TABLE,
    "fusionar": MERGE,
    "cortar-bpe": APPLY,
    "trozo-mas-largo": LONGEST,
    "mejor-corte": BEST,
    "muestras-negativas": LOSS,
    "fertilidad": FERTILITY,
}

# La pérdida de un par de vectores nulos con una negativa: dos veces log 2.
EXAMPLES = {
    "muestras-negativas": ([[[0.0, 0.0]], [[1.0, 2.0]], [[[3.0, 4.0]]]], [1.3863]),
}
