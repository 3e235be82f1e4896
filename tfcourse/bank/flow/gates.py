"""Ejercicio de código: una subcapa gobernada por su condición, como en adaLN-Zero."""

import torch

from tfcourse.exercises.data import random_case
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

EPS = 1e-6


def _by_loops(x, condition, weight, bias, matrix):
    """Parche a parche."""
    width, out = x.shape[-1], []
    for patches, about in zip(x, condition, strict=True):
        told = weight @ (about / (1 + (-about).exp())) + bias
        shift, scale, gate = told[:width], told[width : 2 * width], told[2 * width :]
        rows = []
        for patch in patches:
            centred = patch - patch.mean()
            normed = centred / (centred.square().mean() + EPS).sqrt()
            rows.append(patch + gate * (matrix @ (normed + scale * normed + shift)))
        out.append(torch.stack(rows))
    return torch.stack(out)


def _silu(condition):
    return condition * condition.sigmoid()


def _normed(x, dim=-1, correction=0):
    centred = x - x.mean(dim, keepdim=True)
    return centred / (x.var(dim, correction=correction, keepdim=True) + EPS).sqrt()


def _variant(
    activation=_silu, norm=_normed, order=(0, 1, 2), one=1, gated=True, residual=1, first=False
):
    """La subcapa con alguna pieza cambiada."""

    def modulated(x, condition, weight, bias, matrix):
        parts = (activation(condition) @ weight.T + bias)[:, None].chunk(3, dim=-1)
        shift, scale, gate = (parts[place] for place in order)
        y = norm(x)
        y = (one + scale) * (y + shift) if first else (one + scale) * y + shift
        return residual * x + (gate if gated else 1) * (y @ matrix.T)

    return modulated


def _case(n, patches, width, seed, dtype=torch.float64):
    shapes = ((n, patches, width), (n, 3), (3 * width, 3), (3 * width,), (width, width))
    return random_case(*shapes, seed=seed, dtype=dtype)


def _closed():
    """La capa que da los tres vectores, a cero: la subcapa no hace nada."""
    x, condition, weight, bias, matrix = _case(2, 3, 4, 3)()
    return x, condition, torch.zeros_like(weight), torch.zeros_like(bias), matrix


GATES = Exercise(
    Card(
        id="modular-y-abrir",
        title="Modular y abrir",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="escribir una subcapa con su escala, su desplazamiento y su compuerta",
        hints=(
            "De `condition` salen tres vectores por ejemplo, no por parche: dales un eje más para "
            "que valgan en todos los parches.",
            "La normalización es de cada parche, sobre sus componentes, con la varianza que divide "
            "entre D: `torch.nn.functional.layer_norm(x, x.shape[-1:], eps=1e-6)`.",
            "Primero (1 + escala) por lo normalizado, más el desplazamiento; después, la matriz; "
            "después, la compuerta, y al final se suma `x`.",
        ),
    ),
    Task(
        function="modulated",
        cases=(
            Case("2 imágenes de 3 parches", _case(2, 3, 4, 0)),
            Case("una imagen de 5 parches", _case(1, 5, 6, 1)),
            Case("4 imágenes de un parche, de 32 bits", _case(4, 1, 4, 2, dtype=torch.float32)),
            Case("todo a cero: no hace nada", _closed),
            example(
                torch.tensor([[[1.0, -1.0]]]),
                torch.tensor([[0.0]]),
                torch.zeros(6, 1),
                torch.tensor([0.0, 1.0, 1.0, 1.0, 0.5, 2.0]),
                torch.eye(2),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-silu",
                "falta pasar la condición por SiLU antes de la capa",
                (_variant(activation=lambda condition: condition),),
            ),
            Mistake(
                "sin-el-uno",
                "la escala se suma a 1: con todo a cero, lo normalizado tiene que pasar tal cual",
                (_variant(one=0),),
            ),
            Mistake(
                "otro-orden",
                "has cambiado el orden: salen el desplazamiento, la escala y la compuerta",
                (_variant(order=(1, 0, 2)), _variant(order=(1, 2, 0)), _variant(order=(2, 1, 0))),
            ),
            Mistake(
                "sin-compuerta", "falta multiplicar por la compuerta", (_variant(gated=False),)
            ),
            Mistake("sin-residuo", "falta sumar lo que entró", (_variant(residual=0),)),
            Mistake(
                "desplaza-antes",
                "el desplazamiento va después de la escala",
                (_variant(first=True),),
            ),
            Mistake(
                "norma-de-otros-ejes",
                "has normalizado con otros números: la media y la varianza son las de cada parche, "
                "sobre sus componentes",
                (
                    _variant(norm=lambda x: _normed(x, 1)),
                    _variant(norm=lambda x: _normed(x, (1, 2))),
                ),
            ),
            Mistake(
                "entre-menos-uno",
                "esa varianza divide entre D − 1: se pide la que divide entre D",
                (_variant(norm=lambda x: _normed(x, correction=1)),),
            ),
        ),
    ),
)
