"""Respuestas equivocadas de los ejercicios de análisis de sentimiento."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "que-dice-la-tabla": ([10, 8, 6], ([0.5, 0.6875],)),
    "una-svm-que-atiende": (
        [[[1.0, 0.0]], [1.0, -1.0], 0.5],
        ([[0.4621, 1.3679]],),
    ),
    "aparece-el-patron": (
        [[[1.0], [2.0], [0.0]], [[[1.0], [-1.0]]], [0.5]],
        ([2.5],),
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


def bounds(most, *, tails=2, test=None, turned=False):
    """De menos a más desacuerdos: ninguno en contra del mejor, y `most(peor, mejor, n)`."""

    def deduce(n, hits_a, hits_b):
        worse, better = min(hits_a, hits_b), max(hits_a, hits_b)
        found = []
        for against in (0, most(worse, better, n)):
            disagree = better - worse + 2 * against
            exact = min(1.0, 2 * tail(disagree, against)) * tails / 2
            found.append(test(better - worse, disagree) if test else exact)
        return torch.tensor(found[::-1] if turned else found)

    return deduce


def capped(worse, better, n):
    return min(worse, n - better)


EXTREMES = (
    Wrong("una-cola", "multiplicar por dos", bounds(capped, tails=1)),
    Wrong("sin-tope-de-fallos", "no falla tantos", bounds(lambda worse, better, n: worse)),
    Wrong("sin-tope-de-aciertos", "no tiene tantos", bounds(lambda worse, better, n: n - better)),
    Wrong("al-reves", "cambiados", bounds(capped, turned=True)),
    Wrong("aproximada", "prueba exacta", bounds(capped, test=lambda gap, disagree: math.erfc(
        gap / math.sqrt(2 * max(1, disagree))))),
)  # fmt: skip


def attended(scale, mass, *, plain=False, turned=False):
    def answer(dots, weights, gamma):
        kernel = torch.exp(-gamma * (2 - 2 * dots))
        shares = kernel if plain else F.softmax(scale * gamma * dots, dim=1)
        parts = [shares.mv(weights), mass(kernel, dots, gamma)]
        return torch.stack(parts[::-1] if turned else parts, 1)

    return answer


def added(kernel, dots, gamma):
    return kernel.sum(1)


ATTENDING = (
    Wrong("sin-doble", "sale dos veces", attended(1, added)),
    Wrong("signo", "más cerca", attended(-2, added)),
    Wrong("masa-sin-constante", "al normalizar", attended(2, lambda kernel, dots, gamma: (
        (2 * gamma * dots).exp().sum(1)))),
    Wrong("masa-media", "su media", attended(2, lambda kernel, dots, gamma: kernel.mean(1))),
    Wrong("sin-normalizar", "suman 1", attended(2, added, plain=True)),
    Wrong("columnas", "cambiadas", attended(2, added, turned=True)),
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


def shared(tangent=(-5, -2), integral=(-2.5, 0.5)):
    names = ("tangente_no", "tangente_opinion", "integral_no", "integral_opinion")
    return lambda: dict(zip(names, (*tangent, *integral), strict=True))


SHARE = (
    Wrong("integral-como-tangente", "su media", shared(integral=(-5, -2))),
    Wrong("todo-al-no", "a medias", shared(integral=(-5, 3))),
    Wrong("tangente-a-medias", "solo mira el final", shared(tangent=(-2.5, 0.5))),
    Wrong("signo", "resta", shared(tangent=(5, -2), integral=(2.5, 0.5))),
)


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
    "que-dice-la-tabla": EXTREMES,
    "una-svm-que-atiende": ATTENDING,
    "aparece-el-patron": CONVOLUTION,
    "cuanto-puso-el-no": SHARE,
    "bastan-las-parejas": DIFFERENCES,
}
