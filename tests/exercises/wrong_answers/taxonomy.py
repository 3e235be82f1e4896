"""Respuestas equivocadas de los ejercicios de la taxonomía de la atención."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "fallos-en-la-ventana": (
        [[[0.0, 0.0, 0.0, 9.0]], [1.0], 1],
        [[[0.0451, 0.3333, 0.0451, 0.0]]],
    ),
    "dos-niveles-en-uno": (
        [[[[0.0, 0.0], [1.0986, 0.0]]], [[0.0, 0.0]], [[[True, True], [True, True]]]],
        [[[[-1.3863, -1.3863], [-0.9808, -2.0794]]]],
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


def local(middle=lambda c: c, before=True, sigma=0.5, total=False, bell=True):
    def local_weights(scores, centers, half_width):
        places = torch.arange(scores.size(1), dtype=scores.dtype).unsqueeze(0)
        away = torch.abs(places - middle(centers).unsqueeze(1))
        outside = torch.gt(away, half_width)
        if before:
            scores = torch.where(outside, torch.full_like(scores, -math.inf), scores)
        weights = F.softmax(scores, dim=1)
        if before is False:
            weights = torch.where(outside, torch.zeros_like(weights), weights)
        if bell:
            weights = weights * torch.exp(-torch.pow(away / (sigma * half_width), 2) / 2)
        return weights / torch.sum(weights, 1, keepdim=True) if total else weights

    return local_weights


WINDOW = (
    Wrong("queda-redondeo", "queda uno", local(torch.round)),
    Wrong("queda-tarde", "pon −∞ antes", local(before=False)),
    Wrong("queda-ancha", "half_width / 2", local(sigma=1)),
    Wrong("queda-redondeo-tarde", "quedan dos", local(torch.round, before=False)),
    Wrong("queda-redondeo-ancha", "quedan dos", local(torch.round, sigma=1)),
    Wrong("queda-tarde-ancha", "quedan dos", local(before=False, sigma=1)),
    Wrong("queda-redondeo-tarde-ancha", "los tres", local(torch.round, before=False, sigma=1)),
    Wrong("sin-gaussiana", "has quitado la gaussiana", local(bell=False)),
    Wrong("sin-ventana", "has quitado la ventana", local(before=None)),
    Wrong("renormalizado", "vuelto a normalizar", local(total=True)),
)


def row_by_row(weigh):
    """Los puntajes de cada palabra, oración a oración, en un documento cada vez."""

    def one_level(word_scores, sentence_scores, mask):
        documents = [
            weigh(e, f, exists)
            for e, f, exists in zip(word_scores, sentence_scores, mask, strict=True)
        ]
        return torch.stack(documents)

    return one_level


def hide(scores, exists):
    return torch.where(exists, scores, torch.full_like(scores, -math.inf))


def right_level(e, f, exists):
    """Sumas de exponenciales estables, solo con lo que existe."""
    found = torch.full_like(e, -math.inf)
    real = [s for s in range(len(f)) if exists[s].any()]
    for s in real:
        inside = torch.logsumexp(e[s][exists[s]], 0)
        found[s][exists[s]] = e[s][exists[s]] - inside + f[s] - torch.logsumexp(f[real], 0)
    return found


def added_scores(e, f, exists):
    scores = hide(e + f[:, None], exists)
    return scores - torch.logsumexp(scores.flatten(), 0)


def unnormalised(e, f, exists):
    inside = torch.nan_to_num(F.log_softmax(hide(e, exists), -1), nan=-math.inf, neginf=-math.inf)
    return hide(inside + f[:, None], exists)


def every_sentence_counts(e, f, exists):
    inside = torch.nan_to_num(F.log_softmax(hide(e, exists), -1), nan=-math.inf, neginf=-math.inf)
    return inside + F.log_softmax(f, 0)[:, None]


def infinity_minus_infinity(e, f, exists):
    inside = hide(e, exists) - torch.logsumexp(hide(e, exists), -1, keepdim=True)
    return inside + F.log_softmax(hide(f, exists.any(1)), 0)[:, None]


def padding_counts(e, f, exists):
    return F.log_softmax(e, -1) + F.log_softmax(f, 0)[:, None]


def product_of_weights(e, f, exists):
    alpha = torch.nan_to_num(F.softmax(hide(e, exists), -1))
    beta = F.softmax(hide(f, exists.any(1)), 0)
    return torch.log(beta[:, None] * alpha)


ONE_LEVEL = (
    Wrong("suma-los-puntajes", "restar el logsumexp", row_by_row(added_scores)),
    Wrong("sin-normalizar-oraciones", "el softmax de las oraciones", row_by_row(unnormalised)),
    Wrong("oraciones-vacias", "no existen", row_by_row(every_sentence_counts)),
    Wrong("nan", "menos −∞", row_by_row(infinity_minus_infinity)),
    Wrong("relleno", "pon −∞", row_by_row(padding_counts)),
    Wrong("desborda", "se quedan en cero", row_by_row(product_of_weights)),
)


def estimates(alpha, rewards, base):
    """Las estimaciones, una fila por sorteo: `(L, L)`."""
    slopes = torch.diag(torch.ones_like(alpha)) - alpha
    return (rewards - base)[:, None] * slopes


def minimised(base_of, spread=None):
    def spread_of(alpha, found):
        mean = alpha @ found
        return alpha @ (found - mean).pow(2).sum(1)

    def best_baseline(scores, rewards):
        bases, left = [], []
        for alpha, gains in zip(F.softmax(scores, 1), rewards, strict=True):
            base = base_of(alpha, gains)
            bases.append(base)
            left.append((spread or spread_of)(alpha, estimates(alpha, gains, base)))
        return torch.stack(bases), torch.stack(left)

    return best_baseline


def averaged(weight):
    def base_of(alpha, gains):
        size = torch.stack([(torch.eye(len(alpha), dtype=alpha.dtype)[i] - alpha).norm()
                            for i in range(len(alpha))])  # fmt: skip
        w = weight(alpha, size)
        return torch.dot(w, gains) / w.sum()

    return base_of


def only_the_first(scores, rewards):
    bases, left = [], []
    for alpha, gains in zip(F.softmax(scores, 1), rewards, strict=True):
        slope = torch.cat([1 - alpha[:1], -alpha[:1].repeat(len(alpha) - 1)])
        base = (alpha * slope.pow(2) * gains).sum() / (alpha * slope.pow(2)).sum()
        found = (gains - base) * slope
        bases.append(base)
        left.append((alpha * (found - (alpha * found).sum()).pow(2)).sum())
    return torch.stack(bases), torch.stack(left)


RIGHT_BASE = averaged(lambda a, n: a * n * n)

BASELINE = (
    Wrong("recompensa-media", "la de costumbre", minimised(torch.dot)),
    Wrong("sin-alfa", "falta α", minimised(averaged(lambda a, n: n**2))),
    Wrong("sin-el-cuadrado", "su cuadrado", minimised(averaged(lambda a, n: a * n))),
    Wrong("solo-la-sorteada", "todos los puntajes", minimised(averaged(
        lambda a, n: a * (1 - a) ** 2))),
    Wrong("un-solo-puntaje", "las de todos", only_the_first),
    Wrong("respecto-a-los-pesos", "por el softmax", minimised(averaged(lambda a, n: 1 / a))),
    Wrong("sin-restar-la-media", "el cuadrado del", minimised(
        RIGHT_BASE, lambda alpha, found: alpha @ found.pow(2).sum(1))),
)  # fmt: skip


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
    "fallos-en-la-ventana": WINDOW,
    "dos-niveles-en-uno": ONE_LEVEL,
    "la-mejor-linea-de-base": BASELINE,
    "tapar-lo-mirado": DROPPING,
}
