"""Respuestas equivocadas de los ejercicios de alineamiento y de reparto."""

import math

import torch
import torch.nn.functional as F

from tests.exercises.wrong_answers import Wrong

EXAMPLES = {
    "luong": ([[[1.0]], [[[0.0], [1.0]]], [[1.0986]], [[1.0, 0.0]]], [[[0.6351]], [[0.25, 0.75]]]),
    "coseno": ([[[3.0, 4.0]], [[[4.0, 3.0], [0.0, 10.0]]], 2.0], [[[1.92, 1.6]]]),
    "sin-verse": (
        [[[0.0], [1.0], [3.0]], [10.0, 20.0, 40.0], 1.0],
        [[20.3597, 15.4728, 19.2414]],
    ),
    "deriva-el-reparto": ([[[0.0, 0.0]], [[1.0, 3.0]]], [[[-0.25, 0.25]]]),
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
    Wrong("soporte-de-tres", "ya no entra", lambda: ([0.833, 0.433, 0, 0], 0.367)),
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


def six(linear, relu, output):
    return lambda: {"lineal": linear, "relu": relu, "salida": output}


SIXTH = (
    Wrong("uniforme-sin-tercio", "a²/3", six(2, 1, 0.5)),
    Wrong("uniforme-de-cero-a-uno", "a²/12", six(0.1667, 0.08333, 0.0002894)),
    Wrong("sin-relu", "en la mitad", six(0.6667, 0.6667, 0.07407)),
    Wrong("relu-de-mas", "no hay ninguna", six(0.6667, 0.3333, 0.009259)),
    Wrong("relu-un-cuarto", "entre 2", six(0.6667, 0.16667, 0.0046296)),
    Wrong("valores", "no es el correcto", six(0.5, 0.3333, 0.018519)),
)

SUPPORTS = (
    Wrong("al-reves", "menos posiciones", lambda: {"entre_4": 1, "tal_cual": 2, "por_4": 3}),
    Wrong("la-escala-no-importa", "sí", lambda: {"entre_4": 2, "tal_cual": 2, "por_4": 2}),
    Wrong("ninguna-es-cero", "nunca da ceros", lambda: {"entre_4": 4, "tal_cual": 4, "por_4": 4}),
    Wrong(
        "distancia-al-primero",
        "ya han entrado",
        lambda: {"entre_4": 4, "tal_cual": 2, "por_4": 1},
    ),
    Wrong("claves", "cópialas", lambda: {"z": 2}),
)

JACOBIAN = (
    Wrong("softmax", "jacobiano del softmax", lambda: [1.05, -0.27, -0.78, 0.0]),
    Wrong("media-de-todas", "la del soporte", lambda: [1.5, -1.5, -4.5, 0]),
    Wrong("media-de-todas", "la del soporte", lambda: [1.5, -1.5, -4.5, 4.5]),
    Wrong("fuera-tambien", "fuera del soporte", lambda: [3, 0, -3, 6]),
    Wrong("sin-restar", "se resta la media", lambda: [4, 1, -2, 0]),
)


def alone(where="before", square=True, sigma=lambda w: 2 * w * w, sign=-1.0):
    def leave_one_out(x, v, width):
        away = torch.cdist(x, x, compute_mode="donot_use_mm_for_euclid_dist")
        scores = sign * (away * away if square else away) / sigma(width)
        n = x.size(0)
        if where == "before":
            scores = scores + torch.diag(torch.full((n,), -math.inf, dtype=x.dtype))
        weights = F.softmax(scores, dim=1)
        if where == "after":
            weights = weights - torch.diag(torch.diagonal(weights))
        return torch.mv(weights, v)

    return leave_one_out


LEAVE_ONE_OUT = (
    Wrong("se-ve-a-si-mismo", "tapa la diagonal", alone(where="never")),
    Wrong("tapado-tarde", "pon −∞ antes", alone(where="after")),
    Wrong("sin-cuadrado", "su cuadrado", alone(square=False)),
    Wrong("anchura", "2σ²", alone(sigma=lambda w: 2 * w)),
    Wrong("anchura", "2σ²", alone(sigma=lambda w: w * w)),
    Wrong("signo", "falta el signo", alone(sign=1.0)),
)


def shares(slope="whole", mean="weighted", total=True):
    def share_gradient(z, g):
        s = 1 / (1 + torch.exp(-z))
        t = torch.sum(s, dim=1, keepdim=True)
        p = s / t
        d = {"whole": torch.exp(-z) * s * s, "s": s, "one": torch.ones_like(s)}[slope]
        averages = {
            "weighted": torch.einsum("bl,bl->b", p, g)[:, None],
            "plain": torch.mean(g, dim=1, keepdim=True),
            "none": torch.zeros_like(t),
        }
        return d * (g - averages[mean]) / (t if total else torch.ones_like(t))

    return share_gradient


def softmax_share(z, g):
    p = torch.exp(z) / torch.exp(z).sum(1, keepdim=True)
    return torch.einsum("bij,bj->bi", torch.diag_embed(p) - p[:, :, None] * p[:, None], g)


SIGMOID_SHARES = (
    Wrong("softmax", "gradiente del softmax", softmax_share),
    Wrong("sin-competencia", "también cambia la suma", shares(mean="none")),
    Wrong("sin-la-suma", "falta dividir", shares(total=False)),
    Wrong("pendiente", "s (1 − s)", shares(slope="s")),
    Wrong("pendiente", "s (1 − s)", shares(slope="one")),
    Wrong("media-sin-pesos", "con los pesos p", shares(mean="plain")),
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
    "un-sexto": SIXTH,
    "sparsemax-a-mano": SIMPLEX,
    "soporte-segun-la-escala": SUPPORTS,
    "jacobiano-a-mano": JACOBIAN,
    "coseno": COSINE,
    "sin-verse": LEAVE_ONE_OUT,
    "deriva-el-reparto": SIGMOID_SHARES,
    "duodecima": DISTANCE,
}
