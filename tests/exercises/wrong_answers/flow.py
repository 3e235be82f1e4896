"""Respuestas equivocadas de los ejercicios de «Generar imágenes»."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "un-lote-de-viajes": (
        [[[0.0, 2.0]], [[4.0, 0.0]], [0.25], [3], [True], 10],
        [[[1.0, 1.5]], [[4.0, -2.0]], [10]],
    ),
    "modular-y-abrir": (
        [
            [[[1.0, -1.0]]],
            [[0.0]],
            [[0.0]] * 6,
            [0.0, 1.0, 1.0, 1.0, 0.5, 2.0],
            [[1.0, 0.0], [0.0, 1.0]],
        ],
        [[[[2.0, -3.0]]]],
    ),
    "fallos-del-dibujante": ([[[0.0]], [1.1], [0.0], 2.0, 1], [[[2.0]]]),
}


def going(first, second, x=0.2, left=0.4):
    """Lo que sale si las dos campanas tienen esos exponentes."""

    def crossing():
        share = math.exp(second) / (math.exp(first) + math.exp(second))
        end = 3 * share - 2 * (1 - share)
        return {"al_segundo": share, "velocidad": (end - x) / left, "llegada": x + end - x}

    return crossing


def unhurried():
    right = going(-(1.4**2) / 0.32, -(1.6**2) / 0.32)()
    speed = right["llegada"] - 0.2
    return right | {"velocidad": speed, "llegada": 0.2 + 0.4 * speed}


CROSSING = (
    Wrong("sin-el-instante", "t · d", going(-(2.2**2) / 0.32, -(2.8**2) / 0.32)),
    Wrong("sin-el-ancho", "1 − t", going(-(1.4**2) / 2, -(1.6**2) / 2)),
    Wrong("sin-el-medio", "partido por 2", going(-(1.4**2) / 0.16, -(1.6**2) / 0.16)),
    Wrong(
        "solo-el-mas-cercano",
        "cuenta los dos",
        lambda: {"al_segundo": 0.0, "velocidad": -5.5, "llegada": -2.0},
    ),
    Wrong("sin-el-tiempo", "el tiempo que queda", unhurried),
)


def moved(noise, data, times):
    """El punto, por interpolación de PyTorch."""
    return torch.lerp(noise, data, times.reshape(len(times), *[1] * (data.dim() - 1)))


def quiet(classes, silent, no_class):
    return torch.where(silent, no_class, classes)


def lot(place=moved, speed=lambda n, d, t: d - n, said=quiet):
    def journeys(noise, data, times, classes, silent, no_class):
        told = said(classes, silent, no_class)
        return place(noise, data, times), speed(noise, data, times), told

    return journeys


JOURNEYS = (
    Wrong("al-reves", "del dato al ruido", lot(lambda n, d, t: moved(d, n, t))),
    Wrong("velocidad-al-reves", "menos el ruido", lot(speed=lambda n, d, t: n - d)),
    Wrong("lo-que-falta", "para llegar", lot(speed=lambda n, d, t: d - moved(n, d, t))),
    Wrong("el-dato", "has pedido el dato", lot(speed=lambda n, d, t: d)),
    Wrong("calla-al-reves", "sí la dicen", lot(said=lambda c, s, k: torch.where(s, c, k))),
    Wrong("nunca-calla", "falta callar", lot(said=lambda c, s, k: c)),
)


def layer(read=F.silu, norm=None, names="bga", plus=1, after=True, keep=True, early=False):
    """La subcapa, con `einsum`; `names` es el orden: b, desplazamiento; g, escala; a, compuerta."""
    normalise = norm or (lambda x: F.layer_norm(x, (x.shape[-1],), eps=1e-6))

    def modulated(x, condition, weight, bias, matrix):
        told = F.linear(read(condition), weight, bias).unsqueeze(1)
        part = dict(zip(names, told.tensor_split(3, dim=2), strict=True))
        y = normalise(x)
        scaled = plus + part["g"]
        y = scaled * (y + part["b"]) if early else scaled * y + part["b"]
        y = torch.einsum("ed,bld->ble", matrix, y)
        y = part["a"] * y if after else y
        return x + y if keep else y

    return modulated


def over_patches(x):
    return (x - x.mean(1, True)) / (x.var(1, correction=0, keepdim=True) + 1e-6).sqrt()


def sample_norm(x):
    return (x - x.mean(-1, True)) / (x.var(-1, keepdim=True) + 1e-6).sqrt()


GATES = (
    Wrong("sin-silu", "SiLU", layer(lambda c: c)),
    Wrong("sin-el-uno", "se suma a 1", layer(plus=0)),
    Wrong("otro-orden", "el orden", layer(names="gba")),
    Wrong("sin-compuerta", "la compuerta", layer(after=False)),
    Wrong("sin-residuo", "lo que entró", layer(keep=False)),
    Wrong("desplaza-antes", "después de la escala", layer(early=True)),
    Wrong("norma-de-otros-ejes", "de cada parche", layer(norm=over_patches)),
    Wrong("entre-menos-uno", "D − 1", layer(norm=sample_norm)),
)


def counted(euler, heun, sin_exagerar, pasos_de_heun, entrenar):
    return lambda: {
        "euler": euler, "heun": heun, "sin_exagerar": sin_exagerar,
        "pasos_de_heun": pasos_de_heun, "entrenar": entrenar,
    }  # fmt: skip


CALLS = (
    Wrong("sin-la-guia", "dos pasadas", counted(1152, 2256, 1152, 12, 51200)),
    Wrong("heun-como-euler", "dos veces en cada paso", counted(2304, 2304, 1152, 24, 51200)),
    Wrong("el-ultimo-tambien", "una sola vez", counted(2304, 4608, 1152, 12, 51200)),
    Wrong("la-de-uno", "no hay que calcularla", counted(2304, 4512, 2304, 12, 51200)),
    Wrong("entrenar-con-las-dos", "pasa una vez", counted(2304, 4512, 1152, 12, 102400)),
    Wrong("redondeado-hacia-arriba", "no cabe", counted(2304, 4512, 1152, 13, 51200)),
)


def walk(instant, mix, stretch):
    """Dibuja con las piezas que se le den."""

    def drawn(x, told, plain, guidance, n_steps):
        for k in range(n_steps):
            when = instant(k, n_steps)
            speeds = [torch.sub(goal, x).div(1.1 - when) for goal in (told, plain)]
            x = x + stretch(k, n_steps) * mix(*speeds, guidance)
        return x

    return drawn


def early(k, n):
    return k / n


def late(k, n):
    return (k + 1) / n


def even(k, n):
    return 1 / n


def fair(told, plain, w):
    return w * told + (1 - w) * plain


def doubled(told, plain, w):
    return told + w * (told - plain)


FAULTS = (
    Wrong("queda-instantes", "queda uno", walk(late, fair, even)),
    Wrong("queda-guia", "queda uno", walk(early, doubled, even)),
    Wrong("queda-paso", "queda uno", walk(early, fair, early)),
    Wrong("queda-instantes-guia", "quedan dos", walk(late, doubled, even)),
    Wrong("queda-instantes-paso", "quedan dos", walk(late, fair, late)),
    Wrong("queda-guia-paso", "quedan dos", walk(early, doubled, early)),
    Wrong("queda-instantes-guia-paso", "los tres", walk(late, doubled, late)),
)


def gaps(images, others, pick=min):
    """De cada imagen, la distancia a la elegida de las otras."""
    return torch.stack([pick([(image - other).norm() for other in others]) for image in images])


def judged(limit, against=1, near=True, pick=min):
    """`limit` da el umbral; `against`, con qué se comparan los dibujos: 1, las de entrenar."""

    def copy_share(drawn, known, held_out, level):
        sets = (held_out, known)
        own = gaps(drawn, sets[against], pick)
        threshold = limit(gaps(held_out, known, pick), own, level)
        close = own < threshold
        return sum((close if near else ~close).tolist()) / len(drawn)

    return copy_share


def usual_limit(usual, own, level):
    return torch.quantile(usual, level)


def average(distances):
    return torch.stack(distances).mean()


COPIES = (
    Wrong("umbral-de-los-dibujos", "propios dibujos", judged(lambda u, o, p: o.quantile(p))),
    Wrong("cerca-de-las-reservadas", "a las reservadas", judged(usual_limit, against=0)),
    Wrong("la-otra-cola", "por arriba", judged(lambda u, o, p: u.quantile(1 - p))),
    Wrong("la-media", "es la media", judged(lambda u, o, p: u.mean())),
    Wrong("los-que-no", "no son copias", judged(usual_limit, near=False)),
    Wrong("distancia-media", "distancia media", judged(usual_limit, pick=average)),
)

WRONG = {
    "a-donde-va-quien-pasa": CROSSING,
    "un-lote-de-viajes": JOURNEYS,
    "modular-y-abrir": GATES,
    "cuantas-pasadas": CALLS,
    "fallos-del-dibujante": FAULTS,
    "copia-o-dibuja": COPIES,
}
