"""Respuestas equivocadas de los ejercicios de BERT."""

import torch

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "fallos-al-tapar": (
        [[[0, 9, 8, 7]], [[0.1, 0.1, 0.1, 0.9]], [[0.5, 0.5, 0.85, 0.5]], [[20, 21, 22, 23]]],
        ([[0, 3, 22, 7]], [[False, True, True, False]]),
    ),
    "gradiente-de-los-huecos": (
        [[[[0.0, 0.0], [5.0, -5.0]]], [[1, 0]], [[True, False]]],
        ([[[0.5, -0.5], [0.0, 0.0]]],),
    ),
    "de-la-mascara-al-orden": (
        [[[True, True, False], [False, True, False], [True, True, True]]],
        ([1, 0, 2],),
    ),
    "cuanto-tapar": (
        [[[5, 6, 7, 5]], [[5, 9, 7, 5]], [[True, True, True, False]], [5]],
        ([1.0, 0.5],),
    ),
}


def fates(masked, random, same, loss):
    names = ("mascara", "azar", "iguales", "en_la_perdida")
    return lambda: dict(zip(names, (masked, random, same, loss), strict=True))


COUNTS = (
    Wrong("con-especiales", "especiales", fates(768, 96, 96, 960)),
    Wrong("porcentajes-de-todos", "del 15 %", fates(4800, 600, 600, 900)),
    Wrong("perdida-solo-en-mascaras", "también se pregunta", fates(720, 90, 90, 720)),
    Wrong("perdida-en-todos", "solo se pregunta", fates(720, 90, 90, 6000)),
    Wrong("iguales-todos", "nadie eligió", fates(720, 90, 5190, 900)),
    Wrong("valores", "no es el correcto", fates(720, 90, 91, 900)),
)


def sizes(table, factored, blocks, shared):
    names = ("tabla_bert", "tabla_albert", "bloques_bert", "bloques_albert")
    return lambda: dict(zip(names, (table, factored, blocks, shared), strict=True))


BERT_TABLE, ALBERT_TABLE, BLOCK = 30_720_000, 3_971_072, 12_582_912

WEIGHTS = (
    Wrong("sin-ensanchar", "de E a H", sizes(BERT_TABLE, 3_840_000, 24 * BLOCK, BLOCK)),
    Wrong("solo-ensanchar", "la propia tabla", sizes(BERT_TABLE, 131_072, 24 * BLOCK, BLOCK)),
    Wrong(
        "capas-sin-compartir",
        "se guarda una vez",
        sizes(BERT_TABLE, ALBERT_TABLE, 24 * BLOCK, 24 * BLOCK),
    ),
    Wrong("sin-atencion", "cuatro matrices", sizes(BERT_TABLE, ALBERT_TABLE, 24 * 2**23, 2**23)),
    Wrong(
        "sin-salida",
        "la de salida",
        sizes(BERT_TABLE, ALBERT_TABLE, 24 * 11 * 2**20, 11 * 2**20),
    ),
    Wrong("sin-red", "red por posición", sizes(BERT_TABLE, ALBERT_TABLE, 24 * 2**22, 2**22)),
)


def unmended(chosen, replaced, asked):
    """El código del enunciado con sus tres condiciones, arregladas o no."""

    def corrupt(tokens, draw, fate, some):
        hit = chosen(tokens, draw)
        read = tokens.clone()
        read[hit & (fate < 0.8)] = 3
        swap = hit & replaced(fate)
        read[swap] = some[swap]
        return read, asked(hit, read, tokens)

    return corrupt


GOOD = (
    lambda tokens, draw: draw.lt(0.15) & tokens.gt(3),
    lambda fate: fate.ge(0.8) & fate.lt(0.9),
    lambda hit, read, tokens: hit,
)
BAD = (
    lambda tokens, draw: draw.lt(0.15),
    lambda fate: fate.lt(0.9),
    lambda hit, read, tokens: read.ne(tokens),
)


def left(*bad):
    return unmended(*(BAD[i] if i in bad else GOOD[i] for i in range(3)))


MASKING_FAULTS = (
    Wrong("queda-especiales", "queda uno", left(0)),
    Wrong("queda-pisados", "ni un [MASK]", left(1)),
    Wrong("queda-sin-preguntar", "no se pregunta", left(2)),
    Wrong("queda-especiales-pisados", "quedan dos", left(0, 1)),
    Wrong("queda-especiales-sin-preguntar", "quedan dos", left(0, 2)),
    Wrong("queda-pisados-sin-preguntar", "quedan dos", left(1, 2)),
    Wrong("queda-especiales-pisados-sin-preguntar", "los tres siguen ahí", left(0, 1, 2)),
)


def gap_gradient(asked, divide, *, said=True, right=True, sign=1.0):
    def gradient(logits, tokens, chosen):
        p = logits.exp() / logits.exp().sum(-1, keepdim=True) if said else 0 * logits
        if right:
            p = p.scatter_add(-1, tokens[..., None], -torch.ones_like(logits[..., :1]))
        p = torch.where(asked(chosen)[..., None], p, 0.0)
        return sign * p / divide(chosen)

    return gradient


def picked(chosen):
    return chosen


def how_many(chosen):
    return chosen.sum()


def every(chosen):
    return torch.ones_like(chosen)


GAP_GRADIENT = (
    Wrong("en-todas", "en ellas es cero", gap_gradient(every, how_many)),
    Wrong("en-todas", "en ellas es cero", gap_gradient(every, torch.numel)),
    Wrong("entre-todas", "sobre las elegidas", gap_gradient(picked, torch.numel)),
    Wrong("suma", "falta dividir", gap_gradient(picked, lambda chosen: 1)),
    Wrong("media-de-medias", "lote entero", gap_gradient(
        picked, lambda chosen: len(chosen) * chosen.sum(1)[:, None, None])),
    Wrong("signo", "al revés", gap_gradient(picked, how_many, sign=-1.0)),
    Wrong("sin-el-acierto", "restar uno", gap_gradient(picked, how_many, right=False)),
    Wrong("solo-el-acierto", "los demás tokens", gap_gradient(picked, how_many, said=False)),
    Wrong("las-no-elegidas", "no se eligieron", gap_gradient(torch.logical_not, how_many)),
)  # fmt: skip


def pieces(first, second, segments):
    return lambda a, b: (first(a) + second(b), segments(len(a), len(b)))


PAIRS = (
    Wrong("sin-cls", "al principio", pieces(
        lambda a: a + [2], lambda b: b + [2], lambda n, m: [0] * (n + 1) + [1] * (m + 1))),
    Wrong("sin-ultimo-sep", "cierra la segunda", pieces(
        lambda a: [1] + a + [2], lambda b: b, lambda n, m: [0] * (n + 2) + [1] * m)),
    Wrong("sin-sep-en-medio", "separa", pieces(
        lambda a: [1] + a, lambda b: b + [2], lambda n, m: [0] * (n + 1) + [1] * (m + 1))),
    Wrong("sep-del-segundo", "segmento 0", pieces(
        lambda a: [1] + a + [2], lambda b: b + [2], lambda n, m: [0] * (n + 1) + [1] * (m + 2))),
    Wrong("segmentos-desde-uno", "contar en 1", pieces(
        lambda a: [1] + a + [2], lambda b: b + [2], lambda n, m: [1] * (n + 2) + [2] * (m + 1))),
    Wrong("un-solo-segmento", "dónde empieza", pieces(
        lambda a: [1] + a + [2], lambda b: b + [2], lambda n, m: [0] * (n + m + 3))),
    Wrong("dos-cls", "sobra un [CLS]", pieces(
        lambda a: [1] + a + [2], lambda b: [1] + b + [2],
        lambda n, m: [0] * (n + 2) + [1] * (m + 2))),
)  # fmt: skip


def turned_pair(first, second):
    return [1] + second + [2] + first + [2], [0] * (len(second) + 2) + [1] * (len(first) + 1)


PAIRS += (Wrong("cambiadas", "delante de la primera", turned_pair),)


def turns(count):
    """`count(fila, i, columna)` de cada posición."""

    def answer(mask):
        return torch.tensor(
            [count(mask[i].tolist(), i, mask[:, i].tolist()) for i in range(len(mask))]
        )

    return answer


def positions(mask):
    seen = [sum(row) - row[i] for i, row in enumerate(mask.tolist())]
    return torch.tensor([seen.index(turn) for turn in range(len(seen))])


TURNS = (
    Wrong("con-ella-misma", "la diagonal", turns(lambda row, i, column: sum(row))),
    Wrong("siempre-menos-uno", "restado uno", turns(lambda row, i, column: sum(row) - 1)),
    Wrong("por-columnas", "quién la mira", turns(
        lambda row, i, column: sum(column) - column[i])),
    Wrong("lista-de-posiciones", "el turno de cada posición", positions),
    Wrong("desde-uno", "desde 0", turns(lambda row, i, column: 1 + sum(row) - row[i])),
)  # fmt: skip


def grouped(divide, asked=None, by=None, order=(True, False)):
    def measure(guesses, tokens, chosen, frequent):
        where = chosen if asked is None else asked(chosen)
        label = tokens if by is None else guesses
        kind = (label[..., None] == frequent).any(-1)
        out = []
        for value in order:
            group = where & kind.eq(value)
            hits = float(guesses.eq(tokens)[group].sum())
            out.append(hits / max(1, divide(group, where)))
        return torch.tensor(out)

    return measure


RATE = (
    Wrong("en-todas", "viendo la respuesta", grouped(
        lambda g, w: int(g.sum()), asked=torch.ones_like)),
    Wrong("por-lo-que-se-dijo", "lo que había", grouped(lambda g, w: int(g.sum()), by="guesses")),
    Wrong("sobre-el-total", "todos los huecos", grouped(lambda g, w: int(w.sum()))),
    Wrong("cuentas", "cuántos se aciertan", grouped(lambda g, w: 1)),
    Wrong("cambiados", "al revés", grouped(lambda g, w: int(g.sum()), order=(False, True))),
)  # fmt: skip

WRONG = {
    "que-le-pasa-a-cada-token": COUNTS,
    "cuanto-ahorra-albert": WEIGHTS,
    "fallos-al-tapar": MASKING_FAULTS,
    "gradiente-de-los-huecos": GAP_GRADIENT,
    "dos-oraciones-en-una": PAIRS,
    "de-la-mascara-al-orden": TURNS,
    "cuanto-tapar": RATE,
}
