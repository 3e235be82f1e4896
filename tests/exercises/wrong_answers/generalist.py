"""Respuestas equivocadas de los ejercicios del agente generalista."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

WINDOW = (
    Wrong("sin-separador", "falta el separador", lambda: (25, 40, 80)),
    Wrong("un-lado", "filas por columnas", lambda: [11, 93, 186]),
    Wrong("una-sola-accion", "dos componentes", lambda: (25, 40, 40)),
    Wrong("se-aprende-todo", "solo las acciones", lambda: (26, 39, 1014)),
    Wrong("paso-a-medias", "no cabe entero", lambda: (26, 40, 80)),
)


def squeezed(x):
    return np.sign(x) * np.log1p(100 * np.abs(x)) / np.log1p(25_600)


def binned(y, n=1024):
    return np.minimum(np.floor((np.clip(y, -1, 1) + 1) * n / 2), n - 1)


def unclosed(y):
    return np.floor((np.clip(y, -1, 1) + 1) * 512)


def tokens(function):
    return lambda values, first: torch.as_tensor(function(values.numpy(), first)).long()


VALUES = (
    Wrong(
        "sin-tocar",
        "siguen los dos fallos",
        tokens(lambda x, first: np.floor((np.clip(np.abs(squeezed(x)), -1, 1) + 1) * 512) + first),
    ),
    Wrong("sin-ley-mu", "falta la ley μ", tokens(lambda x, first: binned(x) + first)),
    Wrong("sin-signo", "el signo", tokens(lambda x, first: binned(np.abs(squeezed(x))) + first)),
    Wrong("sin-desplazar", "sumar `first`", tokens(lambda x, first: binned(squeezed(x)))),
    Wrong("se-sale", "no existe", tokens(lambda x, first: unclosed(squeezed(x)) + first)),
    Wrong(
        "1023-casillas",
        "1024 casillas",
        tokens(lambda x, first: binned(squeezed(x), 1023) + first),
    ),
)


def table(seen, done, separator):
    marks = torch.full((len(seen), 1), separator)
    return marks, torch.cat([seen, marks, done], dim=1)


def learnt(seen, done, columns):
    flags = torch.zeros(len(seen), columns, dtype=torch.bool)
    flags[:, columns - done.shape[1] :] = True
    return flags.flatten()


def without_mark(seen, done, separator):
    row = torch.cat([seen, done], dim=1)
    return row.flatten(), learnt(seen, done, row.shape[1])


def acting_first(seen, done, separator):
    marks, row = table(seen, done, separator)
    flags = torch.zeros_like(row, dtype=torch.bool)
    flags[:, : done.shape[1]] = True
    return torch.cat([done, seen, marks], dim=1).flatten(), flags.flatten()


def seen_then_done(seen, done, separator):
    ids = [*seen.flatten().tolist(), separator, *done.flatten().tolist()]
    flags = [False] * (seen.numel() + 1) + [True] * done.numel()
    return torch.tensor(ids), torch.tensor(flags)


def learning_all(seen, done, separator):
    _, row = table(seen, done, separator)
    return row.flatten(), torch.ones(row.numel(), dtype=torch.bool)


def learning_the_mark(seen, done, separator):
    _, row = table(seen, done, separator)
    flags = torch.ones_like(row, dtype=torch.bool)
    flags[:, : seen.shape[1]] = False
    return row.flatten(), flags.flatten()


def one_before(seen, done, separator):
    _, row = table(seen, done, separator)
    flags = learnt(seen, done, row.shape[1])
    return row.flatten(), torch.cat([flags[1:], flags[:1]])


ROWS = (
    Wrong("sin-separador", "falta el separador", without_mark),
    Wrong("accion-delante", "antes de mirar", acting_first),
    Wrong("todo-lo-visto-delante", "paso a paso", seen_then_done),
    Wrong("se-aprende-todo", "de las observaciones no se aprende", learning_all),
    Wrong("se-aprende-el-separador", "en el mismo sitio", learning_the_mark),
    Wrong("corrida", "la posición de antes", one_before),
)


def value_example():
    return (torch.tensor([0.0, 1.0]), 10), torch.tensor(
        [522, 522 + math.floor(512 * squeezed(1.0))]
    )


def row_example():
    return (
        (torch.tensor([[7, 8]]), torch.tensor([[3]]), 99),
        (torch.tensor([7, 8, 99, 3]), torch.tensor([False, False, False, True])),
    )


def widths(near=1.0, far=1.0, even=0.5, flat=False):
    """Las anchuras, multiplicadas por lo que se diga."""
    slope = 100 / math.log(25_601)
    low, high = near * 2 / 1024 / slope, far * 2 / 1024 * 801 / slope
    return lambda: {"en_cero": low, "lejos": low if flat else high, "iguales": even}


STEEP = (100 / math.log(25_601)) ** 2

WIDTHS = (
    Wrong("pendiente-y-no-anchura", "son estrechas", widths(STEEP, STEEP / 801**2)),
    Wrong("de-cero-a-uno", "mide 2", widths(0.5, 0.5)),
    Wrong("la-misma-en-todas", "después de F", widths(flat=True)),
    Wrong("en-base-diez", "el neperiano", widths(1 / math.log(10), 1 / math.log(10))),
)


def lost(logits, ids, kept, average="mean"):
    return F.cross_entropy(logits[kept], ids[kept], reduction=average)


def mean_of_means(logits, ids, kept):
    rows = [lost(*row) for row in zip(logits, ids, kept, strict=True) if bool(row[2].any())]
    return sum(rows) / len(rows)


LOSSES = (
    Wrong(
        "sin-tocar", "siguen los dos", lambda z, s, m: mean_of_means(z[:, :-1], s[:, 1:], m[:, :-1])
    ),
    Wrong("marca-corrida", "el siguiente", lambda z, s, m: lost(z[:, :-1], s[:, 1:], m[:, :-1])),
    Wrong(
        "media-de-medias", "pesan más", lambda z, s, m: mean_of_means(z[:, :-1], s[:, 1:], m[:, 1:])
    ),
    Wrong(
        "se-predice-a-si-mismo",
        "correr los tokens",
        lambda z, s, m: lost(z[:, :-1], s[:, :-1], m[:, 1:]),
    ),
    Wrong(
        "se-aprende-todo",
        "solo se ve",
        lambda z, s, m: lost(z[:, :-1], s[:, 1:], torch.ones_like(m[:, 1:])),
    ),
    Wrong(
        "suma-y-no-media",
        "se pide la media",
        lambda z, s, m: lost(z[:, :-1], s[:, 1:], m[:, 1:], "sum"),
    ),
)


def spread(x, unbiased=True):
    return x.var(unbiased=unbiased)


def gap(own, other, error):
    return torch.sub(own, other).sum() / own.numel(), error


FRONTS = (
    Wrong(
        "al-reves", "lo suyo menos lo otro", lambda a, b: gap(b, a, (spread(a - b) / len(a)) ** 0.5)
    ),
    Wrong(
        "sin-emparejar",
        "resta primero",
        lambda a, b: gap(a, b, torch.sqrt((spread(a) + spread(b)) / len(a))),
    ),
    Wrong("desviacion", "la raíz de cuántos son", lambda a, b: gap(a, b, (a - b).std())),
    Wrong("entre-n", "es entre su raíz", lambda a, b: gap(a, b, (a - b).std() / len(a))),
    Wrong(
        "sin-corregir",
        "n − 1",
        lambda a, b: gap(a, b, torch.sqrt(spread(a - b, False) / len(a))),
    ),
)

WRONG = {
    "pasos-en-la-ventana": WINDOW,
    "un-numero-un-token": VALUES,
    "un-episodio-en-fila": ROWS,
    "anchura-de-una-casilla": WIDTHS,
    "perdida-de-una-fila": LOSSES,
    "lo-que-va-delante": FRONTS,
}
