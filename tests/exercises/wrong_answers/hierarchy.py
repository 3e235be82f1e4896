"""Respuestas equivocadas de los ejercicios de la jerarquía."""

import torch

from tests.exercises.wrong_answers import Wrong


def windows(casillas, ventanas, globales, locales, al_doblar):
    found = {"casillas": casillas, "ventanas": ventanas, "globales": globales}
    return lambda: found | {"locales": locales, "al_doblar": al_doblar}


WINDOWS = (
    Wrong("pixeles", "has contado píxeles", windows(16384, 256, 268435456, 1048576, 4)),
    Wrong("lado-de-la-ventana", "hay 64 casillas", windows(1024, 16, 1048576, 8192, 4)),
    Wrong("una-ventana", "una sola ventana", windows(1024, 16, 1048576, 4096, 4)),
    Wrong("al-doblar", "cuatro veces más ventanas", windows(1024, 16, 1048576, 65536, 16)),
)


def stages(lado, ancho, ventanas, tokens):
    return lambda: {"lado": lado, "ancho": ancho, "ventanas": ventanas, "tokens": tokens}


STAGES = (
    Wrong("una-fusion-de-mas", "hay tres fusiones", stages(3, 768, 64, 9)),
    Wrong("anchura-por-cuatro", "en el doble", stages(6, 3072, 64, 36)),
    Wrong("anchura-igual", "se dobla en cada", stages(6, 48, 64, 36)),
    Wrong("ventanas-de-la-ultima", "las de la primera", stages(6, 384, 1, 36)),
)


def regions(side, size, shift, *, rows=True, columns=True, cut=None):
    """La máscara por trozos numerados, con las equivocaciones que se pidan."""
    cut = shift if cut is None else cut
    band = [
        (p >= side - size) + (p >= side - cut) if cut else int(p >= side - size)
        for p in range(side)
    ]
    number = torch.tensor(
        [[3 * band[r] * rows + band[c] * columns for c in range(side)] for r in range(side)]
    )
    found = []
    for top in range(0, side, size):
        for left in range(0, side, size):
            cell = number[top : top + size, left : left + size].reshape(-1)
            found.append(cell[:, None] == cell[None])
    return torch.stack(found)


def by_columns(side, size, shift):
    mask, count = regions(side, size, shift), side // size
    order = [row * count + column for column in range(count) for row in range(count)]
    return mask[torch.tensor(order).roll(1)]


MASK = (
    Wrong("todas-se-ven", "extremos opuestos", lambda n, m, s: torch.ones_like(regions(n, m, s))),
    Wrong("al-reves", "True significa", lambda n, m, s: ~regions(n, m, s)),
    Wrong("solo-un-lado", "y también columnas", lambda n, m, s: regions(n, m, s, columns=False)),
    Wrong("otro-desplazamiento", "por el otro lado",
          lambda n, m, s: regions(n, m, s, cut=m - s if s else 0)),
    Wrong("ventanas-desordenadas", "no van por filas", by_columns),
)  # fmt: skip


def corners(x, *order):
    return torch.cat([x[:, row::2, column::2] for row, column in order], 3)


def quarters(x):
    rows = x.chunk(2, dim=1)
    (a, b), (c, d) = (half.chunk(2, dim=2) for half in rows)
    return torch.cat((a, c, b, d), dim=3)


def squeezed(x):
    count, rows, columns, width = x.shape
    return x.reshape(count, rows // 2, columns // 2, 4 * width)


def woven(x):
    parts = [x[:, row::2, column::2] for column in (0, 1) for row in (0, 1)]
    return torch.stack(parts, dim=4).reshape(*parts[0].shape[:3], -1)


MERGE = (
    Wrong("por-filas", "por filas", lambda x: corners(x, (0, 0), (0, 1), (1, 0), (1, 1))),
    Wrong("mitades", "mitades del mapa", quarters),
    Wrong("promediar", "sin perder nada",
          lambda x: corners(x, (0, 0), (1, 0), (0, 1), (1, 1)).unflatten(3, (4, -1)).mean(3)),
    Wrong("solo-reshape", "sin mover los ejes", squeezed),
    Wrong("entrelazados", "entrelazados", woven),
)  # fmt: skip

WRONG = {
    "lo-que-ahorran-las-ventanas": WINDOWS,
    "las-etapas-de-un-swin": STAGES,
    "quien-se-ve-en-la-ventana": MASK,
    "fundir-parches": MERGE,
}
