"""Respuestas equivocadas de los ejercicios de análisis de sentimiento."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "hasta-donde-niega": (
        [
            [0.0, 0.0, 2.0, 0.0, 3.0],
            [True, False, False, False, False],
            [False, False, False, True, False],
        ],
        ([0.0, 0.0, -1.48, 0.0, 3.0],),
    ),
    "decidir-por-parecido": (
        [[[0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]], [1.0, -1.0], 0.5, 1.0],
        ([1.1321],),
    ),
    "aparece-el-patron": (
        [[[1.0], [2.0], [0.0]], [[[1.0], [-1.0]]], [0.5]],
        ([2.5],),
    ),
    "repartir-por-el-camino": (
        [[[1.0, 2.0]], [[0.0, 1.0]], [[[2.0, 0.0]], [[4.0, 2.0]]]],
        ([4.0],),
    ),
    "bastan-las-parejas": (
        [[True, True, False, True], [True, False, False, False]],
        ([0.5, 0.2887],),
    ),
}


def sizes(lstm, output):
    names = ("tabla", "lstm", "salida", "total")
    return lambda: dict(zip(names, (320_000, lstm, output, 320_000 + lstm + output), strict=True))


SIZES = (
    Wrong("una-direccion", "una sola dirección", sizes(8320, 1651)),
    Wrong("tres-compuertas", "el candidato", sizes(12_480, 1651)),
    Wrong("sin-sesgos", "los sesgos", sizes(16_384, 1625)),
    Wrong("salida-de-una-direccion", "uno detrás de otro", sizes(16_640, 851)),
    Wrong("valores", "no es el correcto", sizes(16_640, 1650)),
)


def verdict(a=0.775, b=0.735, disagree=44, p=0.022628841):
    return lambda: {"acierto_a": a, "acierto_b": b, "discrepan": disagree, "p": p}


def tail(n, upto):
    return sum(math.comb(n, k) for k in range(upto + 1)) / 2**n


TIE = (
    Wrong("una-cola", "multiplicar por dos", verdict(p=0.011314421)),
    Wrong("con-el-mayor", "hasta el menor", verdict(p=min(1, 2 * tail(44, 30)))),
    Wrong("aproximada", "prueba exacta", verdict(p=math.erfc(16 / math.sqrt(88)))),
    Wrong("aciertos-sueltos", "los dos", verdict(a=0.075, b=0.035)),
    Wrong("discrepan-con-fallos", "no cuentan", verdict(disagree=120)),
)


def search(places, *, stop=True, factor=-0.74, once=True):
    """Busca negaciones en `places(i, n)` y aplica el factor."""

    def negate(valences, negators, walls):
        result = []
        for i, value in enumerate(valences.tolist()):
            found = 0
            for j in places(i, len(valences)):
                if stop and walls[j]:
                    break
                found += bool(negators[j])
            result.append(value * factor ** (min(found, 1) if once else found))
        return torch.tensor(result)

    return negate


def back(count):
    return lambda i, n: [j for j in range(i - 1, i - 1 - count, -1) if j >= 0]


SCOPE = (
    Wrong("sin-frontera", "saltado una frontera", search(back(4), stop=False)),
    Wrong("hacia-delante", "anteriores", search(
        lambda i, n: [j for j in range(i + 1, i + 5) if j < n])),
    Wrong("tres-palabras", "se miran cuatro", search(back(3))),
    Wrong("cinco-palabras", "se miran cuatro", search(back(5))),
    Wrong("sin-limite", "por lejos", search(back(999))),
    Wrong("vuelta-entera", "menos que", search(back(4), factor=-1)),
    Wrong("cada-no", "una sola vez", search(back(4), once=False)),
)  # fmt: skip


def squares(x, support):
    return ((x[:, None, :] - support[None, :, :]) ** 2).sum(2)


def share(x, support, weights, bias, gamma):
    return F.softmax(-gamma * squares(x, support), dim=1).mv(weights) + bias


KERNEL = (
    Wrong("sin-cuadrado", "al cuadrado", lambda x, support, weights, bias, gamma: (
        torch.exp(-gamma * squares(x, support).sqrt()).mv(weights) + bias)),
    Wrong("signo", "cuanto más lejos", lambda x, support, weights, bias, gamma: (
        torch.exp(gamma * squares(x, support)).mv(weights) + bias)),
    Wrong("lineal", "núcleo lineal", lambda x, support, weights, bias, gamma: (
        x.mm(support.t()).mv(weights) + bias)),
    Wrong("sin-sesgo", "sumar el sesgo", lambda x, support, weights, bias, gamma: (
        torch.exp(-gamma * squares(x, support)).mv(weights))),
    Wrong("normalizado", "eso es atención", share),
    Wrong("sin-clase", "valor absoluto", lambda x, support, weights, bias, gamma: (
        torch.exp(-gamma * squares(x, support)).mv(weights.abs()) + bias)),
    Wrong("sin-gamma", "falta γ", lambda x, support, weights, bias, gamma: (
        torch.exp(-squares(x, support)).mv(weights) + bias)),
)  # fmt: skip


def scan(x, weight, bias, *, pad=0):
    """Respuestas (detectores, ventanas), con la convolución de la biblioteca."""
    return F.conv1d(x.t()[None], weight.transpose(1, 2), bias, padding=pad)[0]


CONVOLUTION = (
    Wrong("media", "en alguna", lambda x, weight, bias: scan(x, weight, bias).relu().mean(1)),
    Wrong("suma", "por ser largo", lambda x, weight, bias: scan(x, weight, bias).relu().sum(1)),
    Wrong("sin-relu", "falta la ReLU", lambda x, weight, bias: scan(x, weight, bias).max(1)[0]),
    Wrong("al-reves", "del revés", lambda x, weight, bias: scan(
        x, weight.flip(1), bias).relu().max(1)[0]),
    Wrong("sin-sesgo", "sesgo de cada", lambda x, weight, bias: scan(
        x, weight, None).relu().max(1)[0]),
    Wrong("con-relleno", "caben enteras", lambda x, weight, bias: scan(
        x, weight, bias, pad=weight.shape[1] // 2).relu().max(1)[0]),
    Wrong("por-ventana", "entre los detectores", lambda x, weight, bias: scan(
        x, weight, bias).relu().max(0)[0]),
)  # fmt: skip


PATH = (
    Wrong("sin-base", "se separa de la base", lambda x, baseline, gradients: (
        x * gradients.mean(0)).sum(1)),
    Wrong("al-reves", "de la base a x", lambda x, baseline, gradients: (
        (baseline - x) * gradients.mean(0)).sum(1)),
    Wrong("sin-promediar", "promediarlos", lambda x, baseline, gradients: (
        (x - baseline) * gradients.sum(0)).sum(1)),
    Wrong("solo-el-final", "la tangente", lambda x, baseline, gradients: (
        (x - baseline) * gradients[-1]).sum(1)),
    Wrong("sin-signo", "empujar en contra", lambda x, baseline, gradients: (
        (x - baseline) * gradients.mean(0)).abs().sum(1)),
    Wrong("sin-signo", "empujar en contra", lambda x, baseline, gradients: torch.abs(
        ((x - baseline) * gradients.mean(0)).sum(1))),
    Wrong("media-de-componentes", "se suman", lambda x, baseline, gradients: (
        (x - baseline) * gradients.mean(0)).mean(1)),
)  # fmt: skip


def with_error(error, *, turned=False):
    def compare(first, second):
        a, b = (np.asarray(part, dtype=float) for part in (first, second))
        mean = (b - a).mean() if turned else (a - b).mean()
        return torch.tensor([mean, error(a, b)])

    return compare


def binomial(a, b):
    p, q = a.mean(), b.mean()
    return math.sqrt((p * (1 - p) + q * (1 - q)) / len(a))


DIFFERENCES = (
    Wrong("por-separado", "son los mismos", with_error(binomial)),
    Wrong("por-separado", "son los mismos", with_error(
        lambda a, b: math.sqrt((a.var(ddof=1) + b.var(ddof=1)) / len(a)))),
    Wrong("sin-raiz-de-n", "la de su media", with_error(lambda a, b: (a - b).std(ddof=1))),
    Wrong("varianza", "la raíz cuadrada", with_error(lambda a, b: (a - b).var(ddof=1) / len(a))),
    Wrong("entre-n", "n − 1", with_error(lambda a, b: (a - b).std() / math.sqrt(len(a)))),
    Wrong("cambiados", "el signo", with_error(
        lambda a, b: (a - b).std(ddof=1) / math.sqrt(len(a)), turned=True)),
)  # fmt: skip

WRONG = {
    "de-que-esta-hecho": SIZES,
    "empatan-o-no": TIE,
    "hasta-donde-niega": SCOPE,
    "decidir-por-parecido": KERNEL,
    "aparece-el-patron": CONVOLUTION,
    "repartir-por-el-camino": PATH,
    "bastan-las-parejas": DIFFERENCES,
}
