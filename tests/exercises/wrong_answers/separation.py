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


def decibels(signal, noise, log=torch.log10, factor=10):
    return factor * log(signal.pow(2).sum(1) / noise.pow(2).sum(1))


def onto(a, b):
    return b * (torch.einsum("nt,nt->n", a, b) / torch.einsum("nt,nt->n", b, b))[:, None]


def own_mean(x):
    return x - torch.mean(x, 1)[:, None]


def batch_mean(x):
    return x - torch.mean(x)


def scored(centre=own_mean, above=lambda e, s: s, signal=onto, **options):
    def voice_score(estimate, target):
        e, t = centre(estimate), centre(target)
        s = signal(e, t)
        return decibels(above(e, s), e - s, **options)

    return voice_score


def everything(e, s):
    return e


SCORE = (
    Wrong("queda-lote", "queda uno", scored(batch_mean)),
    Wrong("queda-entera", "con su ruido", scored(above=everything)),
    Wrong("queda-veinte", "para amplitudes", scored(factor=20)),
    Wrong("queda-lote-entera", "quedan dos", scored(batch_mean, everything)),
    Wrong("queda-lote-veinte", "quedan dos", scored(batch_mean, factor=20)),
    Wrong("queda-entera-veinte", "quedan dos", scored(above=everything, factor=20)),
    Wrong("queda-lote-entera-veinte", "los tres siguen", scored(batch_mean, everything, factor=20)),
    Wrong("sin-centrar", "la has quitado", scored(lambda x: x)),
    Wrong("sin-proyectar", "cuenta el volumen", scored(signal=lambda e, t: t)),
    Wrong("proyecta-al-reves", "sobre la voz", scored(
        signal=lambda e, t: t * ((e * t).sum(1) / (e * e).sum(1)).unsqueeze(1))),
    Wrong("signo", "más es mejor", scored(factor=-10)),
    Wrong("media-del-lote", "un número por onda", lambda e, t: scored()(e, t).mean()),
)  # fmt: skip


def places(chunks, hop, length):
    """De cada lugar, qué vectores caen en él: (trozo, posición dentro del trozo)."""
    size = chunks.shape[1]
    return [
        [(n, t - n * hop) for n in range(len(chunks)) if 0 <= t - n * hop < size]
        for t in range(length)
    ]


def joined(answer, hop_of=lambda hop, size: hop):
    """`answer(w, y)` junta los vectores `y` que caen en un lugar, con sus ventanas `w`."""

    def join_chunks(chunks, window, hop, length):
        rows = []
        for found in places(chunks, hop_of(hop, chunks.shape[1]), length):
            if not found:
                rows.append(chunks[0, 0] * 0)
                continue
            y = torch.stack([chunks[n, i] for n, i in found])
            w = torch.stack([window[i] for _, i in found])[:, None]
            rows.append(answer(w, y))
        return torch.stack(rows)

    return join_chunks


def where_heard(w, value):
    return value if bool((w > 0).any()) else torch.zeros_like(value)


def right_join(w, y):
    return where_heard(w, (w * y).sum(0) / (w**2).sum(0))


LEAST_SQUARES = (
    Wrong("media", "como si no llevaran ventana", joined(lambda w, y: y.mean(0))),
    Wrong("entre-la-suma", "no es el mínimo", joined(
        lambda w, y: where_heard(w, y.sum(0) / w.sum(0)))),
    Wrong("dos-ventanas-entre-una", "la suma de los cuadrados", joined(
        lambda w, y: where_heard(w, (w * y).sum(0) / w.sum(0)))),
    Wrong("sin-dividir", "falta dividir", joined(lambda w, y: (w * y).sum(0))),
    Wrong("cada-uno-por-su-lado", "el mismo voto", joined(
        lambda w, y: where_heard(w, (y[w[:, 0] > 0] / w[w > 0][:, None]).mean(0)))),
    Wrong("con-un-epsilon", "un número pequeño", joined(
        lambda w, y: (w * y).sum(0) / ((w**2).sum(0) + 1e-8))),
    Wrong("medio-trozo", "se avanza `hop`", joined(right_join, lambda hop, size: size // 2)),
    Wrong("medio-trozo", "se avanza `hop`", joined(right_join, lambda hop, size: size)),
)  # fmt: skip


def zero_over_zero(chunks, window, hop, length):
    """Con una convolución traspuesta, que suma lo que se solapa."""

    def added(y, w):
        width = y.shape[-1]
        kernel = torch.diag(w)[:, None]
        found = torch.nn.functional.conv_transpose1d(y.permute(2, 1, 0), kernel, stride=hop)
        room = torch.zeros(width, max(length, found.shape[-1]), dtype=y.dtype)
        room[:, : found.shape[-1]] += found[:, 0]
        return room[:, :length].T

    return added(chunks, window) / added(torch.ones_like(chunks), window**2)


LEAST_SQUARES += (Wrong("cero-entre-cero", "se pone un cero", zero_over_zero),)


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


def reached(mask, power=1.0):
    """Lo que queda con una máscara, en coordenadas: la mezcla está en el eje horizontal."""

    def left_over(voice, mixture, angle):
        x, y = voice * torch.cos(angle), voice * torch.sin(angle)
        return (torch.hypot(x - mask(x, mixture, voice) * mixture, y) ** 2) ** power

    return left_over


def projected(x, mixture):
    return torch.where(mixture > 0, x / torch.where(mixture > 0, mixture, 1.0), 0.0)


def best(x, mixture, voice):
    return projected(x, mixture).clamp(0, 1)


def without_one(x, mixture, voice):
    return projected(x, mixture).relu()


def without_zero(x, mixture, voice):
    return -torch.relu(1 - projected(x, mixture)) + 1


def of_moduli(x, mixture, voice):
    return projected(voice, mixture).clamp(max=1)


LEFT_OVER = (
    Wrong("sin-recortar", "cae fuera del segmento", lambda s, x, a: (s * a.sin()).square() + 0 * x),
    Wrong("sin-el-uno", "no pasa de 1", reached(without_one)),
    Wrong("sin-el-cero", "no baja de 0", reached(without_zero)),
    Wrong("sin-la-fase", "no puede girar", lambda s, x, a: torch.relu(s - x) ** 2 + 0 * a),
    Wrong("mascara-de-modulos", "más pequeña", reached(of_moduli)),
    Wrong("distancia", "su cuadrado", reached(best, power=0.5)),
    Wrong("seno-por-coseno", "el seno por el coseno", lambda s, x, a: (s * a.cos()) ** 2 + 0 * x),
    Wrong("seno-por-coseno", "el seno por el coseno", lambda s, x, a: reached(best)(
        s, x, torch.pi / 2 - a)),
    Wrong("nan", "0 entre 0", reached(lambda x, total, s: (x / total).clamp(0, 1))),
)  # fmt: skip


def in_three_stretches(voice, mixture, angle):
    """El ángulo, a tramos: callar, proyectar o dejarla entera."""
    along = voice * angle.cos()
    inside = voice.square() * angle.sin().square()
    whole = voice.square() + mixture.square() - 2 * along * mixture
    left = torch.where(along > mixture, whole, inside)
    return torch.where(along < 0, voice.square() + 0 * mixture, left)


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
    "fallos-en-la-si-snr": SCORE,
    "trozos-que-no-encajan": LEAST_SQUARES,
    "tres-hablantes": THREE,
    "lo-que-deja-la-mascara": LEFT_OVER,
    "que-voces-cuestan": HARD_PAIRS,
}
