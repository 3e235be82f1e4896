"""Respuestas equivocadas de los ejercicios de fusión."""

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

COUNTING = (
    Wrong("un-solo-lado", "en filas y en columnas", lambda: (192, 128, 100, 432)),
    Wrong("fotograma-a-fotograma", "un tubo abarca dos", lambda: (24, 256, 100, 392)),
    Wrong("una-por-columna", "junta cada dos", lambda: [24, 128, 200, 364]),
    Wrong("sin-el-texto", "los tokens del texto", lambda: (24, 128, 100, 252)),
)

PAIRS = (
    Wrong("un-solo-sentido", "del otro sentido", lambda: (100, 52, 24, 25)),
    Wrong("propia-por-otra", "son cuadrados", lambda: (100, 48, 52, 25)),
    Wrong("suma-pegada", "una de cinco tokens", lambda: (100, 52, 48, 100)),
    Wrong("tokens-y-no-pares", "alguien que contesta", lambda: [10, 10, 10, 5]),
)


def same(modalities):
    codes = F.one_hot(modalities).float()
    return (codes @ codes.T) > 0.5


def allowed(modalities, look):
    table = same(modalities)
    if look == "todas":
        return table | table.logical_not()
    return table if look == "propia" else table.logical_not()


def upside_down(modalities, look):
    return allowed(modalities, look).logical_not()


def names_swapped(modalities, look):
    return allowed(modalities, {"todas": "todas", "propia": "otra", "otra": "propia"}[look])


def sees_itself(modalities, look):
    table = allowed(modalities, look).clone()
    table.fill_diagonal_(True)
    return table


def blocks(modalities, look):
    counts = torch.bincount(modalities)
    return allowed(torch.repeat_interleave(torch.arange(len(counts)), counts), look)


def all_but_own(modalities, look):
    return allowed(modalities, look if look == "propia" else "otra")


def from_the_statement(modalities, look):
    second = torch.arange(len(modalities)).ge(int(modalities.eq(0).sum())).long()
    table = allowed(second, look).clone()
    return table.fill_diagonal_(True)


LOOKING = (
    Wrong("sin-tocar", "siguen los dos fallos", from_the_statement),
    Wrong("al-reves", "puede mirar", upside_down),
    Wrong("propia-por-otra", "la misma modalidad", names_swapped),
    Wrong("a-si-mismo", "se mira a sí mismo", sees_itself),
    Wrong("seguidas", "intercaladas", blocks),
    Wrong("todas-sin-la-propia", "nadie se queda fuera", all_but_own),
)


def cut(video, frames, side):
    x = video.unfold(1, frames, frames).unfold(2, side, side).unfold(3, side, side)
    return x  # C instantes filas columnas t h w


def channel_last(video, frames, side):
    return cut(video, frames, side).permute(1, 2, 3, 4, 5, 6, 0).flatten(3).flatten(0, 2)


def time_last(video, frames, side):
    return cut(video, frames, side).permute(2, 3, 1, 0, 4, 5, 6).flatten(3).flatten(0, 2)


def columns_first(video, frames, side):
    return cut(video, frames, side).permute(1, 3, 2, 0, 4, 5, 6).flatten(3).flatten(0, 2)


def one_frame_each(video, frames, side):
    return cut(video, 1, side).permute(1, 2, 3, 0, 4, 5, 6).flatten(3).flatten(0, 2)


def rows_and_frames_first(video, frames, side):
    return cut(video, frames, side).permute(2, 1, 3, 4, 0, 5, 6).flatten(3).flatten(0, 2)


TUBES = (
    Wrong("sin-tocar", "siguen los dos fallos", rows_and_frames_first),
    Wrong(
        "reshape-a-secas",
        "sin mover los ejes",
        lambda v, t, p: v.contiguous().view(-1, v.shape[0] * t * p * p),
    ),
    Wrong("canal-al-final", "va delante", channel_last),
    Wrong("instante-el-ultimo", "antes que por instantes", time_last),
    Wrong("por-columnas", "van por filas", columns_first),
    Wrong("fotograma-a-fotograma", "un tubo abarca", one_frame_each),
)


def arrives(draws, first, second):
    return torch.stack([draws >= first, (draws < first) | (draws >= second)], dim=1)


DROPPING = (
    Wrong(
        "sin-tocar",
        "siguen los dos fallos",
        lambda u, p: torch.stack([~(u < p), ~((u >= p / 2) & (u <= p))], 1),
    ),
    Wrong("lo-que-falta", "lo que llega", lambda u, p: ~arrives(u, p / 2, p)),
    Wrong("las-dos-a-la-vez", "las dos a la vez", lambda u, p: (u >= p)[:, None].repeat(1, 2)),
    Wrong("demasiadas", "reparte p entre las dos", lambda u, p: arrives(u, p, 2 * p)),
    Wrong("cambiadas", "la primera es la imagen", lambda u, p: arrives(u, p / 2, p)[:, [1, 0]]),
    Wrong("solo-la-imagen", "también le toca", lambda u, p: torch.stack([u >= p, u > -1], 1)),
)


def product(first, second):
    return (first.log() + second.log()).exp()


def without_prior(first, second, prior):
    return F.normalize(product(first, second), p=1, dim=1)


def with_prior(first, second, prior):
    return F.normalize(product(first, second) * prior, p=1, dim=1)


def average(first, second, prior):
    return torch.stack([first, second]).mean(dim=0)


def by_columns(first, second, prior):
    return F.normalize(product(first, second) / prior, p=1, dim=0)


def surest(first, second, prior):
    rows = [p if p.max() >= q.max() else q for p, q in zip(first, second, strict=True)]
    return torch.stack(rows)


ANSWERS = (
    Wrong("media", "eso es la media", average),
    Wrong("sin-dividir", "contada dos veces", without_prior),
    Wrong("multiplica-la-frecuencia", "has multiplicado", with_prior),
    Wrong("sin-normalizar", "tiene que sumar 1", lambda p, q, c: product(p, q) / c),
    Wrong("por-columnas", "cada columna", by_columns),
    Wrong("el-mas-seguro", "el más seguro", surest),
)

WRONG = {
    "contar-los-tokens": COUNTING,
    "pares-que-se-miran": PAIRS,
    "mascara-de-modalidades": LOOKING,
    "cortar-en-tubos": TUBES,
    "quitar-modalidades": DROPPING,
    "juntar-respuestas": ANSWERS,
}

EXAMPLES = {}
