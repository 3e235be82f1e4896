"""Respuestas equivocadas de los ejercicios de BERT."""

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "tapar-como-bert": (
        [[[0, 9, 8, 7]], [[0.1, 0.1, 0.1, 0.9]], [[0.5, 0.5, 0.85, 0.5]], [[20, 21, 22, 23]]],
        ([[0, 3, 22, 7]], [[False, True, True, False]]),
    ),
    "perdida-en-los-huecos": (
        [[[[0.0, 0.0], [5.0, -5.0]]], [[1, 0]], [[True, False]]],
        (0.6931,),
    ),
    "mascara-de-un-orden": (
        [[1, 0, 2]],
        ([[False, True, False], [False, False, False], [True, True, False]],),
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


def corrupted(*, choose=None, masked=None, random=None, asked=None):
    def corrupt(tokens, draw, fate, some):
        read, chosen = tokens.clone(), draw.lt(0.15) & tokens.ge(4)
        if choose is not None:
            chosen = choose(tokens, draw)
        put_mask = fate.lt(0.8) if masked is None else masked(draw, fate)
        put_some = fate.ge(0.8) & fate.lt(0.9) if random is None else random(draw, fate)
        read[chosen & put_mask] = 3
        read[chosen & put_some] = some[chosen & put_some]
        return read, chosen if asked is None else asked(read, tokens)

    return corrupt


def everywhere(tokens, draw, fate, some):
    read = tokens.clone()
    read[fate < 0.8] = 3
    swap = (fate >= 0.8) & (fate < 0.9)
    read[swap] = some[swap]
    return read, (draw < 0.15) & (tokens > 3)


MASKING = (
    Wrong("tapa-especiales", "menores que 4", corrupted(choose=lambda tokens, draw: draw < 0.15)),
    Wrong(
        "siempre-mascara",
        "solo va en el 80 %",
        corrupted(masked=lambda draw, fate: fate >= 0, random=lambda draw, fate: fate < 0),
    ),
    Wrong("sin-azar", "al azar", corrupted(random=lambda draw, fate: fate < 0)),
    Wrong("sin-iguales", "se queda como estaba", corrupted(random=lambda draw, fate: fate >= 0.8)),
    Wrong(
        "siempre-mascara",
        "`draw`",
        corrupted(masked=lambda draw, fate: draw < 0.8, random=lambda draw, fate: draw > 1),
    ),
    Wrong("cambia-los-no-elegidos", "no estaban elegidos", everywhere),
    Wrong(
        "solo-los-cambiados",
        "también hay que adivinarlos",
        corrupted(asked=lambda read, tokens: read.ne(tokens)),
    ),
)


def flat_costs(logits, tokens):
    costs = F.cross_entropy(logits.flatten(0, 1), tokens.flatten(), reduction="none")
    return costs.view_as(tokens)


def mean_of_means(logits, tokens, chosen):
    costs = torch.where(chosen, flat_costs(logits, tokens), 0.0)
    return torch.mean(costs.sum(1) / chosen.sum(1).clamp(min=1))


def over_positions(logits, tokens, chosen):
    log_p = F.log_softmax(logits, dim=1)
    return F.nll_loss(log_p[chosen], tokens[chosen])


MASKED_LOSS = (
    Wrong("en-todas", "solo se pregunta", lambda logits, tokens, chosen: flat_costs(
        logits, tokens).mean()),
    Wrong("entre-todas", "entre todas", lambda logits, tokens, chosen: flat_costs(
        logits, tokens)[chosen].sum() / tokens.numel()),
    Wrong("suma", "has sumado", lambda logits, tokens, chosen: F.cross_entropy(
        logits[chosen], tokens[chosen], reduction="sum")),
    Wrong("media-de-medias", "un solo hueco", mean_of_means),
    Wrong("las-no-elegidas", "al revés", lambda logits, tokens, chosen: F.cross_entropy(
        logits[~chosen], tokens[~chosen])),
    Wrong("sin-softmax", "no el logit", lambda logits, tokens, chosen: F.nll_loss(
        logits[chosen], tokens[chosen])),
    Wrong("dos-softmax", "dos veces", lambda logits, tokens, chosen: F.cross_entropy(
        logits[chosen].softmax(1), tokens[chosen])),
    Wrong("otro-eje", "el último eje", over_positions),
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


def grid(rule):
    def mask(order):
        n = len(order)
        return torch.tensor([[bool(rule(order, i, j)) for j in range(n)] for i in range(n)])

    return mask


def read_list(order):
    """Toma `order` como la lista de posiciones que se van leyendo."""
    mask = torch.zeros(len(order), len(order), dtype=torch.bool)
    for place, position in enumerate(order.tolist()):
        mask[position, order[:place]] = True
    return mask


ORDER_MASK = (
    Wrong("se-ve-a-si-misma", "adivinaría", grid(lambda o, i, j: o[j] <= o[i])),
    Wrong("traspuesta", "quien mira", grid(lambda o, i, j: o[i] < o[j])),
    Wrong("causal", "de siempre", grid(lambda o, i, j: j < i)),
    Wrong("lista-de-posiciones", "turno de cada posición", read_list),
    Wrong("al-reves", "no puede mirar", grid(lambda o, i, j: not o[j] < o[i])),
    Wrong("todos-menos-ella", "menos a sí misma", grid(lambda o, i, j: i != j)),
)


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
    "tapar-como-bert": MASKING,
    "perdida-en-los-huecos": MASKED_LOSS,
    "dos-oraciones-en-una": PAIRS,
    "mascara-de-un-orden": ORDER_MASK,
    "cuanto-tapar": RATE,
}
