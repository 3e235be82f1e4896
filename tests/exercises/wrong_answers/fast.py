"""Respuestas equivocadas de los ejercicios de atención rápida y caché."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "ventana-causal": (
        [[[[0.0], [0.0], [0.0]]], [[[1.0], [1.0], [1.0]]], [[[2.0], [4.0], [8.0]]], 1],
        [[[[2.0], [3.0], [6.0]]]],
    ),
    "unir-estados": (
        [[0.0], [2.0], [[2.0]], [0.0], [2.0], [[6.0]]],
        [[[2.0]]],
    ),
    "falta-reescalar": (
        [[[0.0]], [[1.0], [1.0]], [[2.0], [4.0]], 1],
        [[[3.0]]],
    ),
    "cache-a-medida": ([1000, 2, 10, 1, 20], [30]),
}


def kept(mha, gqa, mqa, mla, layers=32, number=2):
    values = {"mha": mha, "gqa": gqa, "mqa": mqa, "mla": mla}
    return lambda: {name: number * layers * numbers for name, numbers in values.items()}


CACHE = (
    Wrong("solo-claves", "los valores", kept(4096, 1024, 128, 576)),
    Wrong("en-numeros", "2 bytes", kept(8192, 2048, 256, 576, number=1)),
    Wrong("una-capa", "una sola capa", kept(8192, 2048, 256, 576, layers=1)),
    Wrong("cabezas-por-grupo", "los juegos", kept(8192, 1024, 256, 576)),
    Wrong("latente-repetido", "una vez por capa", kept(8192, 2048, 256, 1152)),
    Wrong("latente-repetido", "una vez por capa", kept(8192, 2048, 256, 32 * 576)),
    Wrong("sin-la-rotatoria", "rotatoria", kept(8192, 2048, 256, 512)),
)


def tiles(causal, masked, scores, whole=1024):
    values = {"completa": whole, "causal": causal, "con_mascara": masked, "puntajes": scores}
    return lambda: values


TILES = (
    Wrong("sin-diagonal", "de la diagonal", tiles(496, 32, 496 * 128**2)),
    Wrong("la-mitad-justa", "la mitad justa", tiles(512, 32, 512 * 128**2)),
    Wrong("mascara-en-todas", "algo de futuro", tiles(528, 528, 528 * 128**2)),
    Wrong("parejas-visibles", "las parejas", tiles(528, 32, 4096 * 4097 // 2)),
    Wrong("posiciones", "en vez de teselas", tiles(528, 32, 528 * 128**2, whole=4096**2)),
)


def column(x):
    return x.unsqueeze(1)


def plain_sum(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    return (mixed_1 + mixed_2) / column(total_1 + total_2)


def overflowing(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    e1, e2 = torch.exp(top_1), torch.exp(top_2)
    return (column(e1) * mixed_1 + column(e2) * mixed_2) / column(e1 * total_1 + e2 * total_2)


def only_mixed(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    top = torch.stack([top_1, top_2]).amax(0)
    mixed = column(torch.exp(top_1 - top)) * mixed_1 + column(torch.exp(top_2 - top)) * mixed_2
    return mixed / column(total_1 + total_2)


def only_totals(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    top = torch.stack([top_1, top_2]).amax(0)
    total = torch.exp(top_1 - top) * total_1 + torch.exp(top_2 - top) * total_2
    return (mixed_1 + mixed_2) / column(total)


def averaged(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    return 0.5 * mixed_1 / column(total_1) + 0.5 * mixed_2 / column(total_2)


def upside_down(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    top = torch.stack([top_1, top_2]).amax(0)
    e1, e2 = torch.exp(top - top_1), torch.exp(top - top_2)
    return (column(e1) * mixed_1 + column(e2) * mixed_2) / column(e1 * total_1 + e2 * total_2)


def undivided(top_1, total_1, mixed_1, top_2, total_2, mixed_2):
    top = torch.stack([top_1, top_2]).amax(0)
    return column(torch.exp(top_1 - top)) * mixed_1 + column(torch.exp(top_2 - top)) * mixed_2


STATES = (
    Wrong("al-reves", "va al revés", upside_down),
    Wrong("sin-dividir", "falta dividir", undivided),
    Wrong("sin-reescalar", "tal cual", plain_sum),
    Wrong("desborda", "se sale de rango", overflowing),
    Wrong("suma-sin-reescalar", "no las sumas", only_mixed),
    Wrong("mezcla-sin-reescalar", "no las mezclas", only_totals),
    Wrong("media", "la media", averaged),
)


def streaming(q, k, v, block, fix_mixed=False, fix_total=True):
    """La función del enunciado, con el fallo que se quiera."""
    top, total, mixed = torch.full((len(q),), -math.inf), 0.0, 0.0
    for start in range(0, len(k), block):
        part = slice(start, start + block)
        scores = torch.einsum("id,jd->ij", q, k[part]) / math.sqrt(q.size(1))
        new_top = torch.maximum(top, scores.max(dim=1).values)
        shrink, weights = torch.exp(top - new_top), torch.exp(scores - new_top.unsqueeze(1))
        total = total * (shrink if fix_total else 1.0) + weights.sum(dim=1)
        mixed = mixed * (shrink.unsqueeze(1) if fix_mixed else 1.0) + weights @ v[part]
        top = new_top
    return mixed / total.unsqueeze(1)


def last_block(q, k, v, block):
    start = (len(k) - 1) // block * block
    return F.scaled_dot_product_attention(q[None], k[None, start:], v[None, start:])[0]


RESCALING = (
    Wrong("la-mezcla-no", "el fallo sigue", streaming),
    Wrong(
        "la-suma-no",
        "no la suma",
        lambda q, k, v, block: streaming(q, k, v, block, fix_mixed=True, fix_total=False),
    ),
    Wrong(
        "ninguna",
        "no reescalas nada",
        lambda q, k, v, block: streaming(q, k, v, block, fix_total=False),
    ),
    Wrong("solo-el-ultimo", "el último trozo", last_block),
    Wrong("sin-escalar", "la raíz", lambda q, k, v, block: (q @ k.T).softmax(1) @ v),
)


def banded(keep, scaled=True):
    def attend(q, k, v, window):
        length = q.size(1)
        i, j = torch.meshgrid(torch.arange(length), torch.arange(length), indexing="ij")
        scores = torch.einsum("bid,bjd->bij", q, k)
        if scaled:
            scores = scores / math.sqrt(q.size(2))
        scores = torch.where(keep(i, j, window), scores, torch.tensor(-math.inf))
        return torch.einsum("bij,bjd->bid", F.softmax(scores, dim=2), v)

    return attend


def padded_keys_count(q, k, v, window):
    keys = F.pad(k, (0, 0, window, 0)).unfold(1, window + 1, 1)
    values = F.pad(v, (0, 0, window, 0)).unfold(1, window + 1, 1)
    scores = torch.einsum("bld,bldw->blw", q, keys) / math.sqrt(q.size(2))
    return torch.einsum("blw,bldw->bld", F.softmax(scores, dim=2), values)


WINDOW = (
    Wrong("una-menos", "falta una", banded(lambda i, j, w: (j <= i) & (j > i - w))),
    Wrong("una-de-mas", "sobra una", banded(lambda i, j, w: (j <= i) & (j >= i - w - 1))),
    Wrong("dos-lados", "hacia delante", banded(lambda i, j, w: (j - i).abs() <= w)),
    Wrong("mira-al-futuro", "al revés", banded(lambda i, j, w: (j >= i) & (j <= i + w))),
    Wrong("sin-ventana", "causal entera", banded(lambda i, j, w: j <= i)),
    Wrong("ceros-como-claves", "los ceros", padded_keys_count),
    Wrong(
        "sin-escalar",
        "falta dividir",
        banded(lambda i, j, w: (j <= i) & (j >= i - w), scaled=False),
    ),
)


def by_hand(free=False, number=2, every=False):
    def fits(memory, n_layers, per_layer, n_windowed, window):
        byte = number * per_layer
        if every:
            return int(memory / (byte * n_layers))
        rest = memory if free else memory - byte * n_windowed * window
        return math.floor(rest / (byte * (n_layers - n_windowed)))

    return fits


FITS = (
    Wrong("sin-ventanas", "todas las capas", by_hand(every=True)),
    Wrong("ventanas-gratis", "cuando están llenas", by_hand(free=True)),
    Wrong("ventana-siempre-llena", "no se llega a llenar", by_hand()),
)

WRONG = {
    "cache-en-bytes": CACHE,
    "teselas-que-se-calculan": TILES,
    "unir-estados": STATES,
    "falta-reescalar": RESCALING,
    "ventana-causal": WINDOW,
    "cache-a-medida": FITS,
}
