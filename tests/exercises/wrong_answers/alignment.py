"""Respuestas equivocadas de los ejercicios de alineamiento y clases de atención."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "luong": ([[[1.0]], [[[0.0], [1.0]]], [[1.0986]], [[1.0, 0.0]]], [[[0.6351]], [[0.25, 0.75]]]),
    "coseno": ([[[3.0, 4.0]], [[[4.0, 3.0], [0.0, 10.0]]], 2.0], [[[1.92, 1.6]]]),
    "ventana-local": ([[[0.0, 0.0, 0.0, 9.0]], [1.0], 1], [[[0.0451, 0.3333, 0.0451, 0.0]]]),
    "dos-niveles": (
        [[[[[1.0], [5.0]], [[3.0], [9.0]]]], [[[True, False], [True, False]]], [0.0], [0.0]],
        [[[2.0]]],
    ),
    "duodecima": ([[[[0.0, 0.0]]], [[[3.0, 4.0], [0.0, 1.0]]], 1.0], [[[[-12.5, -0.5]]]]),
}


def table(*values):
    names = [f"{kind}_{key}" for key in "AB" for kind in ("producto", "escalado", "coseno")]
    return lambda: dict(zip(names, values, strict=True))


SCORES = (
    Wrong("dividido-entre-d", "se divide entre su raíz", table(24, 12, 0.96, 40, 20, 0.8)),
    Wrong("sin-escalar", "falta dividir entre √2", table(24, 24, 0.96, 40, 40, 0.8)),
    Wrong("coseno-sin-raiz", "lleva raíz", table(24, 16.971, 0.038, 40, 28.284, 0.016)),
    Wrong("coseno-media-norma", "van las dos", table(24, 16.97, 4.8, 40, 28.28, 8)),
    Wrong("coseno-media-norma", "van las dos", table(24, 16.97, 4.8, 40, 28.28, 4)),
    Wrong("longitud-sumando", "sus cuadrados", table(24, 16.97, 0.49, 40, 28.28, 0.571)),
    Wrong("valores", "no es el correcto", table(25, 16.97, 0.96, 40, 28.28, 0.8)),
    Wrong("claves", "cópialas", lambda: {"A": 24}),
)

SIMPLEX = (
    Wrong("softmax", "no usa exponenciales", lambda: ([0.457, 0.307, 0.152, 0.084], 0.5)),
    Wrong("soporte-entero", "solo cuentan", lambda: ([1.05, 0.65, 0, 0], 0.15)),
    Wrong("soporte-entero", "ya no entra", lambda: ([0.833, 0.433, 0, 0], 0.367)),
    Wrong("sin-recortar", "parte positiva", lambda: ([0.7, 0.3, -0.4, -1.0], 0.5)),
    Wrong("sin-menos-uno", "falta el −1", lambda: ([0.2, 0, 0, 0], 1.0)),
    Wrong("sin-dividir", "que son dos", lambda: ([0.7, 0.3, 0, 0], 1.0)),
    Wrong("recortado-y-dividido", "más cercano", lambda: ([0.571, 0.381, 0.048, 0], 0.0)),
    Wrong("numero-de-salidas", "p, tau", lambda: [0.7, 0.3, 0.0, 0.0]),
)


def cosine_unnormalised(q, k, beta):
    return beta * torch.einsum("bd,bld->bl", q, k)


def cosine_only_keys(q, k, beta):
    return beta * torch.einsum("bd,bld->bl", q, F.normalize(k, dim=-1))


def cosine_library(q, k, beta):
    return F.cosine_similarity(q.unsqueeze(1), k, dim=-1)


def cosine_divided(q, k, beta):
    return F.cosine_similarity(q.unsqueeze(1), k, dim=-1) / beta


def cosine_squared(q, k, beta):
    product = torch.einsum("bd,bld->bl", q, k)
    return beta * product / (q * q).sum(1)[:, None] / (k * k).sum(2)


def cosine_by_positions(q, k, beta):
    return beta * torch.einsum("bd,bld->bl", F.normalize(q, dim=1), F.normalize(k, dim=1))


def cosine_weights(q, k, beta):
    return F.softmax(beta * F.cosine_similarity(q.unsqueeze(1), k, dim=-1), dim=1)


COSINE = (
    Wrong("sin-normalizar", "entre su longitud", cosine_unnormalised),
    Wrong("solo-una-longitud", "uno de los dos", cosine_only_keys),
    Wrong("sin-beta", "falta multiplicar por `beta`", cosine_library),
    Wrong("dividido-entre-beta", "se multiplica", cosine_divided),
    Wrong("longitud-al-cuadrado", "es su raíz", cosine_squared),
    Wrong("norma-de-las-posiciones", "`dim=-1`", cosine_by_positions),
    Wrong("softmax-aplicado", "antes del softmax", cosine_weights),
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


def distance(power=2, sign=-1, divide=lambda s: 2 * s * s, mean=False, end=lambda x: x):
    def distance_scores(q, k, sigma):
        far = torch.cdist(q, k, compute_mode="donot_use_mm_for_euclid_dist") ** power
        if mean:
            far = far / q.size(-1)
        return end(sign * far / divide(sigma))

    return distance_scores


DISTANCE = (
    Wrong("signo", "lejanas", distance(sign=1)),
    Wrong("sin-cuadrado", "su cuadrado", distance(power=1)),
    Wrong("sigma-sin-cuadrado", "σ va al cuadrado", distance(divide=lambda s: 2 * s)),
    Wrong("sin-el-dos", "falta el 2", distance(divide=lambda s: s * s)),
    Wrong("sin-sigma", "la anchura no interviene", distance(divide=lambda s: 2)),
    Wrong("media-de-cuadrados", "se suman", distance(mean=True)),
    Wrong("exponencial-aplicada", "el exponente", distance(end=torch.exp)),
)

WRONG = {
    "tres-puntajes": SCORES,
    "sparsemax-a-mano": SIMPLEX,
    "coseno": COSINE,
    "ventana-local": WINDOW,
    "dos-niveles": TWO_LEVELS,
    "reinforce": REINFORCE,
    "duodecima": DISTANCE,
}
