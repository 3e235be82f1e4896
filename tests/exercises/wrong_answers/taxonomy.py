"""Respuestas equivocadas de los ejercicios de la taxonomía de la atención."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "ventana-local": ([[[0.0, 0.0, 0.0, 9.0]], [1.0], 1], [[[0.0451, 0.3333, 0.0451, 0.0]]]),
    "dos-niveles": (
        [[[[[1.0], [5.0]], [[3.0], [9.0]]]], [[[True, False], [True, False]]], [0.0], [0.0]],
        [[[2.0]]],
    ),
    "tapar-lo-mirado": (
        [[[0.2, 0.5, 0.1, 0.9]], [[True, True, True, False]], 1],
        [[[True, False, True, False]]],
    ),
}


def counts(everything, local, levels, own):
    names = "global", "local", "jerarquica", "autoatencion"
    return lambda: dict(zip(names, (everything, local, levels, own), strict=True))


COUNTING = (
    Wrong("ventana-sin-centro", "2D + 1", counts(30_000, 1_000, 620, 360_000)),
    Wrong("ventana-de-un-lado", "a cada lado", counts(30_000, 500, 620, 360_000)),
    Wrong("jerarquica-sin-oraciones", "dos niveles", counts(30_000, 1_050, 600, 360_000)),
    Wrong("jerarquica-por-simbolo", "vector fijo", counts(30_000, 1_050, 31_000, 360_000)),
    Wrong("autoatencion-por-oracion", "del documento", counts(30_000, 1_050, 620, 18_000)),
)


def moments(mean, plain, based):
    return lambda: {"media": mean, "sin_base": plain, "con_base": based}


TWO_DRAWS = (
    Wrong("cuadrado-sin-media", "cuadrado de la media", moments(0.375, 0.5625, 0.328)),
    Wrong("sorteos-iguales", "pésalos con α", moments(0.0, 0.5625, 0.25)),
    Wrong("base-sin-pesar", "no salen igual", moments(0.375, 0.4219, 0.0469)),
    Wrong("la-base-mueve-la-media", "no puede cambiar", moments(0, 0.4219, 0.1875)),
    Wrong("signo", "al revés", moments(-0.375, 0.4219, 0.1875)),
)


def local(before=True, sigma=0.5, double=2, exponent=2, close=torch.le, total=False, bell=True):
    def local_weights(scores, centers, half_width):
        places = torch.arange(scores.size(1), dtype=scores.dtype).unsqueeze(0)
        away = torch.abs(places - centers.unsqueeze(1))
        outside = ~close(away, torch.tensor(float(half_width), dtype=scores.dtype))
        if before:
            scores = torch.where(outside, torch.full_like(scores, -math.inf), scores)
        weights = F.softmax(scores, dim=1)
        if before is False:
            weights = torch.where(outside, torch.zeros_like(weights), weights)
        if bell:
            deviation = sigma * half_width
            weights = weights * torch.exp(-torch.pow(away, exponent) / (double * deviation**2))
        return F.normalize(weights, p=1, dim=1) if total else weights

    return local_weights


WINDOW = (
    Wrong("sin-gaussiana", "falta multiplicar por la gaussiana", local(bell=False)),
    Wrong("ventana-tarde", "pon −∞ antes", local(before=False)),
    Wrong("sin-ventana", "falta la ventana", local(before=None)),
    Wrong("sigma-entera", "half_width / 2", local(sigma=1)),
    Wrong("sin-el-dos", "falta el 2", local(double=1)),
    Wrong("sin-cuadrado", "al cuadrado", local(exponent=1)),
    Wrong("renormalizado", "vuelto a normalizar", local(total=True)),
    Wrong("borde-fuera", "las incluye", local(close=torch.lt)),
)


def pooled(x, u, mask=None, inner=torch.tanh):
    scores = torch.einsum("...d,d->...", inner(x), u)
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, -math.inf))
    return torch.einsum("...l,...ld->...d", F.softmax(scores, dim=-1), x)


def document_unmasked(words, mask, u_word, u_sentence):
    return pooled(pooled(words, u_word), u_sentence)


def document_flat(words, mask, u_word, u_sentence):
    batch, _, _, size = words.shape
    return pooled(words.reshape(batch, -1, size), u_word, mask.reshape(batch, -1))


def document_mean(words, mask, u_word, u_sentence):
    return torch.mean(pooled(words, u_word, mask), dim=1)


def document_mean_words(words, mask, u_word, u_sentence):
    sentences = torch.where(mask.unsqueeze(-1), words, torch.zeros_like(words)).sum(2)
    return pooled(sentences / mask.sum(2).unsqueeze(-1), u_sentence)


def document_linear(words, mask, u_word, u_sentence):
    return pooled(pooled(words, u_word, mask, lambda x: x), u_sentence, None, lambda x: x)


def document_swapped(words, mask, u_word, u_sentence):
    return pooled(pooled(words, u_sentence, mask), u_word)


def document_of_scores(words, mask, u_word, u_sentence):
    def squashed(x, u, mask=None):
        scores = torch.tanh(x) @ u
        scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
        return torch.einsum("...l,...ld->...d", F.softmax(scores, -1), torch.tanh(x))

    return squashed(squashed(words, u_word, mask), u_sentence)


TWO_LEVELS = (
    Wrong("sin-mascara", "no has usado la máscara", document_unmasked),
    Wrong("un-solo-nivel", "primero se resume", document_flat),
    Wrong("media-de-oraciones", "`u_sentence`", document_mean),
    Wrong("media-de-palabras", "`u_word`", document_mean_words),
    Wrong("sin-tanh", "tangente hiperbólica", document_linear),
    Wrong("consultas-cambiadas", "intercambiado", document_swapped),
    Wrong("suma-los-puntajes", "solo interviene en el puntaje", document_of_scores),
)


def surrogate(sign=-1, value=torch.log, advantage=torch.sub, pick=None, finish=torch.mean):
    def reinforce_surrogate(weights, positions, reward, baseline):
        rows = zip(weights, positions.tolist(), strict=True)
        chosen = torch.stack([row[place] for row, place in rows])
        if pick == "best":
            chosen = torch.max(weights, dim=1).values
        return finish(sign * advantage(reward, baseline) * value(chosen))

    return reinforce_surrogate


def surrogate_without_baseline(weights, positions, reward, baseline):
    return F.nll_loss(torch.log(weights) * reward[:, None], positions)


REINFORCE = (
    Wrong("signo", "al revés", surrogate(sign=1)),
    Wrong("sin-logaritmo", "falta el logaritmo", surrogate(value=lambda x: x)),
    Wrong("sin-linea-de-base", "falta restar", surrogate_without_baseline),
    Wrong("base-sumada", "se resta", surrogate(advantage=torch.add)),
    Wrong("el-de-mayor-peso", "la sorteada", surrogate(pick="best")),
    Wrong("suma-del-lote", "se pide la media", surrogate(finish=torch.sum)),
    Wrong("un-numero-por-ejemplo", "uno solo", surrogate(finish=lambda x: x)),
)


def without(best=True, care=True, keep=True, swap=False):
    def without_top(weights, mask, n):
        rows = []
        for row, exists in zip(weights, mask, strict=True):
            score = row.clone()
            if care:
                score[~exists] = -math.inf if best else math.inf
            chosen = torch.argsort(score, descending=best)[: int(n)]
            new = exists.clone() if keep else torch.ones_like(exists)
            new[chosen] = False
            rows.append(exists & ~new if swap else new)
        return torch.stack(rows)

    return without_top


DROPPING = (
    Wrong("las-menos-miradas", "las de menor peso", without(best=False)),
    Wrong("relleno-entre-las-mayores", "ponles −∞", without(care=False)),
    Wrong("relleno-destapado", "sigue tapado", without(keep=False)),
    Wrong("al-reves", "lo contrario", without(swap=True)),
)

WRONG = {
    "cuantos-puntajes": COUNTING,
    "dos-sorteos": TWO_DRAWS,
    "ventana-local": WINDOW,
    "dos-niveles": TWO_LEVELS,
    "reinforce": REINFORCE,
    "tapar-lo-mirado": DROPPING,
}
