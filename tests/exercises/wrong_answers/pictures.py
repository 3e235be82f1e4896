"""Respuestas equivocadas de los ejercicios de imagen y texto."""

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

PAIRS = (
    Wrong("solo-las-parejas", "cada imagen con cada texto", lambda: (64, 63, 4.159, 0.04)),
    Wrong("el-suyo-tambien", "de la propia imagen", lambda: (4096, 64, 4.159, 0.04)),
    Wrong("dos-perdidas", "es su media", lambda: (4096, 63, 8.318, 0.04)),
    Wrong("en-bits", "el neperiano", lambda: [4096, 63, 6, 0.04]),
    Wrong("solo-el-primero", "hay diez sitios", lambda: (4096, 63, 4.1589, 1 / 250)),
)


def joined(pieces, positions, kinds, segments):
    """Pega los trozos y suma a cada fila la posición y el segmento que se le digan."""
    x = torch.vstack(pieces)
    if positions is not None:
        x = x + positions
    return x if segments is None else x + segments[kinds]


def parts(cls, image, sep, words):
    first = torch.vstack([cls, image, sep])
    kinds = torch.tensor([0] * len(first) + [1] * len(words))
    return first, kinds


def counts_on(cls, image, sep, words, positions, segments):
    first, kinds = parts(cls, image, sep, words)
    return joined([first, words], positions[: len(kinds)], kinds, segments)


def again(first, words, positions):
    return torch.vstack([positions[: len(first)], positions[: len(words)]])


def upside_down(cls, image, sep, words, positions, segments):
    first, kinds = parts(cls, image, sep, words)
    return joined([first, words], again(first, words, positions), 1 - kinds, segments)


def no_segments(cls, image, sep, words, positions, segments):
    first, kinds = parts(cls, image, sep, words)
    return joined([first, words], again(first, words, positions), kinds, None)


def no_positions(cls, image, sep, words, positions, segments):
    first, kinds = parts(cls, image, sep, words)
    return joined([first, words], None, kinds, segments)


def no_separator(cls, image, sep, words, positions, segments):
    first = torch.vstack([cls, image])
    kinds = torch.tensor([0] * len(first) + [1] * len(words))
    return joined([first, words], again(first, words, positions), kinds, segments)


def text_first(cls, image, sep, words, positions, segments):
    pieces = [cls[None], words, sep[None], image]
    kinds = torch.tensor([0] + [1] * len(words) + [0] * (1 + len(image)))
    return joined(pieces, positions[: len(kinds)], kinds, segments)


ENTERING = (
    Wrong("posiciones-seguidas", "vuelve a empezar", counts_on),
    Wrong("segmentos-cambiados", "el 0 es el de la imagen", upside_down),
    Wrong("sin-segmentos", "falta sumar el segmento", no_segments),
    Wrong("sin-posiciones", "falta sumar las posiciones", no_positions),
    Wrong("sin-separador", "falta el [SEP]", no_separator),
    Wrong("el-texto-delante", "van al final", text_first),
)


def table(images, texts, scale, dim=1):
    return F.normalize(images, dim=dim) @ F.normalize(texts, dim=dim).T * scale


def both(logits, mean=True):
    y = torch.arange(len(logits))
    total = F.cross_entropy(logits, y) + F.cross_entropy(logits.T, y)
    return total / 2 if mean else total


def one_way(logits):
    return F.cross_entropy(logits, torch.arange(len(logits)))


PAIRING = (
    Wrong("sin-tocar", "siguen los dos fallos", lambda a, b, t: both(table(a, b, t, 0))),
    Wrong("sin-normalizar", "no miden 1", lambda a, b, t: both(a @ b.T / t)),
    Wrong("sin-normalizar", "no miden 1", lambda a, b, t: both(F.normalize(a) @ b.T / t)),
    Wrong("normalizado-por-columnas", "`dim=1`", lambda a, b, t: both(table(a, b, 1 / t, 0))),
    Wrong("multiplica-la-temperatura", "se divide", lambda a, b, t: both(table(a, b, t))),
    Wrong("sin-temperatura", "falta la temperatura", lambda a, b, t: both(table(a, b, 1))),
    Wrong("solo-por-filas", "falta elegir la imagen", lambda a, b, t: one_way(table(a, b, 1 / t))),
    Wrong(
        "solo-por-columnas",
        "falta elegir el texto",
        lambda a, b, t: one_way(table(a, b, 1 / t).T),
    ),
    Wrong("suma-y-no-media", "se pide su media", lambda a, b, t: both(table(a, b, 1 / t), False)),
)


def squares(sign=1, share=None, rows=False, answer=1.0):
    def gradient(z):
        said = F.softmax(z, dim=-1) if rows else 1 / (1 + torch.exp(-z))
        said = said - torch.diag(torch.full((len(z),), answer, dtype=z.dtype))
        return sign * said / (len(z) if share is None else share(z))

    return gradient


SQUARES = (
    Wrong("signo", "está al revés", squares(sign=-1)),
    Wrong("entre-las-casillas", "entre las N parejas", squares(share=torch.numel)),
    Wrong("sin-dividir", "falta dividir", squares(share=lambda z: 1)),
    Wrong("por-filas", "va por su cuenta", squares(rows=True)),
    Wrong("todas-que-no", "la diagonal como que no", squares(answer=0.0)),
)
BIAS = (
    Wrong("solo-las-parejas", "también suman", lambda: (0.69, 5.01, 1.5625)),
    Wrong("media-de-las-casillas", "entre las N parejas", lambda: (0.69, 0.08, 1.56)),
    Wrong("sin-promediar", "el lote entero", lambda: (2839.13, 347.51, 1.56)),
    Wrong("sesgo-al-reves", "el signo del sesgo", lambda: [44.36, 315.43, 1.56]),
    Wrong("parte-de-uno", "por cada cien", lambda: (44.36, 5.43, 0.0156)),
)


def right(*guesses, groups):
    return [g.eq(groups) for g in guesses]


def both_right(before, after, groups):
    return tuple(int(x.sum()) for x in right(after, before, groups=groups))


def turned(before, after, groups):
    old, new = right(before, after, groups=groups)
    return int((old > new).sum()), int((new > old).sum())


def moved(before, after, groups):
    hits = right(after, groups=groups)[0][before != after]
    return int(hits.sum()), int((~hits).sum())


def balance(before, after, groups):
    new, old = both_right(before, after, groups)
    return (new - old, 0) if new > old else (0, old - new)


WORDING = (
    Wrong("al-reves", "primero los que se ganan", turned),
    Wrong("aciertos", "los aciertos de cada frase", both_right),
    Wrong("todos-los-que-cambian", "ya lo estaba", moved),
    Wrong("el-neto", "se cuentan aparte", balance),
    Wrong("en-partes", "no qué parte", lambda b, a, g: tuple(x / len(g) for x in turned(a, b, g))),
)

WRONG = {
    "parejas-de-un-lote": PAIRS,
    "una-imagen-como-frase": ENTERING,
    "perdida-de-parejas": PAIRING,
    "sesgo-de-partida": BIAS,
    "gradiente-de-las-casillas": SQUARES,
    "como-se-le-pregunta": WORDING,
}

EXAMPLES = {
    "perdida-de-parejas": (([[2.0, 0.0], [0.0, 5.0]], [[1.0, 0.0], [0.0, 1.0]], 0.5), (0.1269,)),
}
