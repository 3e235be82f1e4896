"""Respuestas equivocadas de los ejercicios de imágenes como secuencias de parches."""

import torch
from torch.nn.functional import interpolate

from tests.exercises.wrong_answers import Wrong


def sizes(parches, numeros, tokens, posiciones, matriz):
    found = {"parches": parches, "numeros": numeros, "tokens": tokens}
    return lambda: found | {"posiciones": posiciones, "matriz": matriz}


SIZES = (
    Wrong("sin-canales", "los canales", sizes(120, 64, 121, 7744, 4096)),
    Wrong("sin-clase", "el token de clase", sizes(120, 192, 120, 7680, 12288)),
    Wrong("lado-por-lado", "divide cada lado", sizes(144, 192, 145, 9280, 12288)),
    Wrong("una-matriz-por-parche", "la misma para todos", sizes(120, 192, 121, 7744, 1474560)),
    Wrong("pixeles", "píxeles en lugar", sizes(7680, 192, 7681, 491584, 12288)),
)


def growth(tokens, parejas, bloques):
    return lambda: {"tokens": tokens, "parejas": parejas, "bloques": bloques}


COST = (
    Wrong("solo-un-lado", "también las columnas", growth(3.0, 9.0, 1.0)),
    Wrong("parejas-lineales", "el cuadrado", growth(9.0, 9.0, 1.0)),
    Wrong("mas-parametros", "los mismos parámetros", growth(9.0, 81.0, 9.0)),
    Wrong("doblar", "se triplica", growth(4.0, 16.0, 1.0)),
)


def windows(images, size, *, columns_first=False, turn=False, last=False, channels=None, step=None):
    """Parches por bucles, con las equivocaciones que se pidan."""
    step = step or size
    tops = range(0, images.shape[2] - size + 1, step)
    lefts = range(0, images.shape[3] - size + 1, step)
    places = (
        [(t, x) for x in lefts for t in tops] if columns_first
        else [(t, x) for t in tops for x in lefts]
    )  # fmt: skip
    found = []
    for top, left in places:
        cell = images[:, :channels, top : top + size, left : left + size]
        if turn:
            cell = cell.transpose(2, 3)
        if last:
            cell = cell.permute(0, 2, 3, 1)
        found.append(cell.flatten(1))
    return torch.stack(found, dim=1)


def no_permute(images, size):
    count, channels, height, width = images.shape
    return images.reshape(count, (height // size) * (width // size), channels * size * size)


PATCHES = (
    Wrong("solo-reshape", "hace falta permute", no_permute),
    Wrong("por-columnas", "va por filas", lambda i, s: windows(i, s, columns_first=True)),
    Wrong("girados", "está traspuesto", lambda i, s: windows(i, s, turn=True)),
    Wrong("canal-al-final", "va el primero", lambda i, s: windows(i, s, last=True)),
    Wrong("ejes-cambiados", "te falta trasponer", lambda i, s: windows(i, s).mT),
    Wrong("un-canal", "el primer canal", lambda i, s: windows(i, s, channels=1)),
    Wrong("se-pisan", "la zancada", lambda i, s: windows(i, s, step=1)),
)


def stretch(rows, grid, new_grid, mode="bilinear", **options):
    image = rows.t().contiguous().view(rows.shape[1], *grid)[None]
    if mode == "bilinear":
        options.setdefault("align_corners", True)
    return interpolate(image, size=new_grid, mode=mode, **options)[0].flatten(1).t()


def with_class(table, moved):
    return torch.cat((table[0:1], moved), dim=0)


def class_stretched(table, grid, new_grid):
    return with_class(table, stretch(table[:-1], grid, new_grid))


def mixed_components(table, grid, new_grid):
    image = table[1:].reshape(1, table.shape[1], *grid)
    moved = interpolate(image, size=new_grid, mode="bilinear", align_corners=True)
    return with_class(table, moved[0].flatten(1).t())


RESIZED = (
    Wrong("clase-interpolada", "también el token de clase", class_stretched),
    Wrong("clase-perdida", "has perdido", lambda t, g, n: stretch(t[1:], g, n)),
    Wrong(
        "filas-por-columnas",
        "por las columnas",
        lambda t, g, n: with_class(t, stretch(t[1:], (g[1], g[0]), n)),
    ),
    Wrong("sin-trasponer", "sin trasponer", mixed_components),
    Wrong(
        "esquinas",
        "align_corners=True",
        lambda t, g, n: with_class(t, stretch(t[1:], g, n, align_corners=False)),
    ),
    Wrong(
        "al-mas-cercano",
        "posición más cercana",
        lambda t, g, n: with_class(t, stretch(t[1:], g, n, mode="nearest")),
    ),
)


def product(maps, prepare, left=True):
    total = None
    for heads in maps:
        layer = prepare(heads)
        before = torch.eye(len(layer)) if total is None else total
        total = layer.matmul(before) if left else before.matmul(layer)
    return total


def half(mixed):
    return (torch.eye(len(mixed)) + mixed) / 2


ROLLOUT = (
    Wrong("sin-residual", "camino residual", lambda m: product(m, lambda h: h.mean(0))),
    Wrong("orden-al-reves", "a la izquierda", lambda m: product(m, lambda h: half(h.mean(0)), 0)),
    Wrong("solo-la-ultima", "la última capa", lambda m: half(m[-1].mean(0))),
    Wrong("cabezas-sumadas", "es su media", lambda m: product(m, lambda h: half(h.sum(0)))),
    Wrong("una-cabeza", "se promedian todas", lambda m: product(m, lambda h: half(h[0]))),
    Wrong("sin-mitades", "mitad y mitad", lambda m: product(m, lambda h: 2 * half(h.mean(0)))),
    Wrong(
        "media-de-capas",
        "se multiplican",
        lambda m: torch.stack([half(h.mean(0)) for h in m]).mean(0),
    ),
)


def blank(patches, scores, k, fill=0.0, invert=False):
    result = patches.clone()
    for row in range(len(patches)):
        chosen = scores[row].argsort(descending=True)[:k].tolist()
        for place in range(patches.shape[1]):
            if (place in chosen) != invert:
                result[row, place] = fill
    return result


ERASE = (
    Wrong("los-menos-senalados", "mayor puntuación", lambda p, r, k: blank(p, -r, k)),
    Wrong(
        "los-mismos-en-todas",
        "cada una tiene los suyos",
        lambda p, r, k: blank(p, r.mean(0).repeat(len(p), 1), k),
    ),
    Wrong("borra-los-demas", "había que dejar", lambda p, r, k: blank(p, r, k, invert=True)),
    Wrong("uno-de-mas", "de más", lambda p, r, k: blank(p, r, k + 1)),
    Wrong("sin-borrar", "tal como llegaron", lambda p, r, k: p * 1.0),
    Wrong("tinta-entera", "has puesto unos", lambda p, r, k: blank(p, r, k, fill=1.0)),
)

WRONG = {
    "que-lee-un-vit": SIZES,
    "agrandar-la-imagen": COST,
    "cortar-en-parches": PATCHES,
    "posiciones-a-otro-tamano": RESIZED,
    "despliegue-de-la-atencion": ROLLOUT,
    "borrar-para-explicar": ERASE,
}
