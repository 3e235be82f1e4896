"""Respuestas equivocadas de los ejercicios de separación de voces."""

import itertools

import torch

from tests.exercises.wrong_answers import Wrong


def paths(trozos=61, dentro=24_400, entre=74_420, entera=360_000):
    return lambda: {"trozos": trozos, "dentro": dentro, "entre": entre, "entera": entera}


PATHS = (
    Wrong("sin-solape", "medio trozo después", paths(30, 12_000, 18_000)),
    Wrong("sin-bordes", "los ceros de los bordes", paths(59, 23_600, 69_620)),
    Wrong("un-trozo-de-mas", "un trozo de más", paths(62, 24_800, 76_880)),
    Wrong("un-solo-lugar", "por cada lugar", paths(entre=3_721)),
    Wrong("un-solo-trozo", "todos los trozos", paths(dentro=400)),
    Wrong("mitad", "con todas las claves", paths(entera=180_000)),
)


def who(orden=(1, 2, 0), media=9.0, voraz=7.0, ordenes=6):
    return lambda: {"orden": list(orden), "media": media, "voraz": voraz, "ordenes": ordenes}


WHO = (
    Wrong("al-reves", "a cada persona", who(orden=(2, 0, 1))),
    Wrong("voraz", "la suma es menor", who(orden=(1, 0, 2), media=7.0)),
    Wrong("suma", "la media de las tres", who(media=27.0)),
    Wrong("parejas", "3 · 2 · 1", who(ordenes=9)),
    Wrong("repetida", "es de una sola", who(media=31 / 3)),
)


def without_mean(x):
    return x - x.mean(dim=1, keepdim=True)


def decibels(signal, noise, log=torch.log10, factor=10):
    return factor * log(signal.pow(2).sum(1) / noise.pow(2).sum(1))


def onto(a, b):
    return b * (torch.einsum("nt,nt->n", a, b) / torch.einsum("nt,nt->n", b, b))[:, None]


def scored(e, t, **options):
    e, t = without_mean(e), without_mean(t)
    return decibels(onto(e, t), e - onto(e, t), **options)


SCORE = (
    Wrong("sin-centrar", "restar la media", lambda e, t: decibels(onto(e, t), e - onto(e, t))),
    Wrong(
        "sin-proyectar",
        "cuenta el volumen",
        lambda e, t: decibels(without_mean(t), without_mean(e) - without_mean(t)),
    ),
    Wrong("veinte", "para amplitudes", lambda e, t: scored(e, t, factor=20)),
    Wrong("logaritmo-natural", "log10", lambda e, t: scored(e, t, log=torch.log)),
    Wrong("signo", "más es mejor", lambda e, t: scored(e, t).neg()),
    Wrong("media-del-lote", "por onda", lambda e, t: torch.mean(scored(e, t))),
)


def placed(chunks, step, write=False):
    count, size, width = chunks.shape
    canvas = torch.zeros(step * (count - 1) + size, width, dtype=chunks.dtype)
    for number, piece in enumerate(chunks):
        spot = slice(number * step, number * step + size)
        canvas[spot] = piece if write else canvas[spot] + piece
    return canvas


CHUNKS = (
    Wrong("sin-solape", "empieza medio trozo", lambda c, n: placed(c, c.shape[1])[:n]),
    Wrong(
        "sin-dividir",
        "dividir entre dos",
        lambda c, n: placed(c, c.shape[1] // 2).narrow(0, c.shape[1] // 2, n),
    ),
    Wrong("con-el-borde", "del principio", lambda c, n: placed(c, c.shape[1] // 2)[:n] / 2),
    Wrong(
        "el-ultimo-gana",
        "hay que sumar las dos",
        lambda c, n: placed(c, c.shape[1] // 2, write=True).narrow(0, c.shape[1] // 2, n),
    ),
    Wrong("sin-recortar", "te sobran", lambda c, n: placed(c, c.shape[1] // 2) / 2),
)


def every(scores):
    """La media de cada orden, con los órdenes en la primera dimensión."""
    size = scores.shape[-1]
    return torch.stack([
        sum(scores[:, row, column] for column, row in enumerate(order)) / size
        for order in itertools.permutations(range(size))
    ])  # fmt: skip


THREE = (
    Wrong("orden-fijo", "su mismo número", lambda s: -torch.einsum("bii->bi", s).mean()),
    Wrong("salida-repetida", "quedarse con la misma", lambda s: -s.max(dim=1).values.mean()),
    Wrong(
        "solo-dos-ordenes",
        "hay seis",
        lambda s: (
            -torch.stack([torch.einsum("bii->b", s), torch.einsum("bii->b", s.flip(1))])
            .max(dim=0)
            .values.mean()
            / s.shape[1]
        ),
    ),
    Wrong("el-peor", "el peor", lambda s: -every(s).min(dim=0).values.mean()),
    Wrong("media-de-ordenes", "se toma el mejor", lambda s: -every(s).mean()),
    Wrong("signo", "el signo menos", lambda s: every(s).max(dim=0).values.mean()),
    Wrong("un-orden-para-todas", "un solo orden", lambda s: -every(s).mean(dim=1).max()),
    Wrong("suma", "la media", lambda s: -every(s).max(dim=0).values.mean() * s.shape[1]),
)


def size(a, b):
    return (a**2 + b**2) ** 0.5


def shared(a, b, power=1, axis=0):
    """La parte de cada una, con el silencio a partes iguales."""
    top = size(a, b) ** power
    bottom = top.sum(dim=axis, keepdim=True).expand_as(top)
    return (top / bottom).masked_fill(bottom == 0, 1 / len(a))


def over_the_mixture(a, b):
    bottom = size(a.sum(0), b.sum(0)).expand_as(a)
    return (size(a, b) / bottom).masked_fill(bottom == 0, 1 / len(a))


IDEAL = (
    Wrong("sin-silencio", "NaN", lambda a, b: size(a, b) / size(a, b).sum(dim=0, keepdim=True)),
    Wrong(
        "cero-en-silencio",
        "siguen sumando 1",
        lambda a, b: size(a, b) / size(a, b).sum(dim=0, keepdim=True).clamp(min=1e-12),
    ),
    Wrong("potencias", "de Wiener", lambda a, b: shared(a, b, power=2)),
    Wrong("modulo-de-la-suma", "pasaría de 1", over_the_mixture),
    Wrong(
        "todo-o-nada",
        "la máscara binaria",
        lambda a, b: torch.eq(size(a, b), size(a, b).max(dim=0, keepdim=True).values) * 1.0,
    ),
    Wrong("otro-eje", "que es el primero", lambda a, b: shared(a, b, axis=1)),
    Wrong("softmax", "sin exponenciales", lambda a, b: torch.softmax(size(a, b), dim=0)),
)


def groups(apart, gains, edges, inside, pick):
    limits = itertools.pairwise(edges)
    return torch.tensor([float(pick(gains[inside(apart, a, b)])) for a, b in limits])


def plain(x, low, high):
    return x.ge(low) & x.lt(high)


HARD_PAIRS = (
    Wrong(
        "borde-derecho",
        "el borde derecho",
        lambda a, g, e: groups(a, g, e, lambda x, p, q: x.gt(p) & x.le(q), torch.mean),
    ),
    Wrong("suma", "has sumado", lambda a, g, e: groups(a, g, e, plain, torch.sum)),
    Wrong("cuentas", "has contado", lambda a, g, e: groups(a, g, e, plain, len)),
    Wrong(
        "acumulado",
        "tiene un principio",
        lambda a, g, e: groups(a, g, e, lambda x, p, q: x.lt(q), torch.mean),
    ),
    Wrong("mediana", "la mediana", lambda a, g, e: groups(a, g, e, plain, torch.median)),
)

WRONG = {
    "trozos-y-parejas": PATHS,
    "quien-es-quien": WHO,
    "escribe-la-si-snr": SCORE,
    "junta-los-trozos": CHUNKS,
    "tres-hablantes": THREE,
    "mascara-ideal": IDEAL,
    "que-voces-cuestan": HARD_PAIRS,
}
