"""Ejercicio de código: deducir lo que la normalización devuelve hacia atrás."""

import torch

from tfcourse.exercises.data import random_case, random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_autograd(x, g, epsilon):
    """La marcha atrás de PyTorch por la fórmula, en 64 bits."""
    with torch.enable_grad():
        z = x.detach().double().requires_grad_()
        y = torch.nn.functional.layer_norm(z, z.shape[-1:], eps=epsilon)
        return torch.autograd.grad(y, z, g.double())[0].to(x.dtype)


def _back(centre=True, project=True, divide=True, correction=0, where="inside", length=False):
    """El gradiente con alguna pieza cambiada: así se fabrican los errores típicos."""

    def gradient(x, g, epsilon):
        centred = x - x.mean(-1, keepdim=True)
        variance = x.var(-1, correction=correction, keepdim=True)
        size = (variance + epsilon).sqrt() if where == "inside" else variance.sqrt()
        if where == "outside":
            size = size + epsilon
        y = centred / size
        along = (g * y).sum(-1, keepdim=True) if length else (g * y).mean(-1, keepdim=True)
        found = g - (g.mean(-1, keepdim=True) if centre else 0)
        found = found - (y * along if project else 0)
        return found / size if divide else found

    return gradient


def _case(batch, d, seed, epsilon=1e-5, dtype=torch.float32):
    make = random_case((batch, d), (batch, d), seed=seed, dtype=dtype)
    return lambda: (*make(), epsilon)


def _same():
    """Filas de números iguales, o casi: manda ε."""
    (g,) = random_tensors((3, 4), seed=7, dtype=torch.float64)
    x = torch.ones(3, 4, dtype=torch.float64) * torch.tensor([[0.0], [2.0], [-5.0]])
    x[2, 0] += 0.01
    return x, g, 1e-3


def _long():
    """Vectores largos y desplazados: solo cuenta su forma."""
    x, g = random_tensors((3, 6), (3, 6), seed=8, dtype=torch.float64)
    return 100 * x + 50, g, 1e-5


NORM_GRADIENT = Exercise(
    Card(
        id="hacia-atras-por-la-norma",
        title="Lo que la normalización no deja pasar",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=4,
        objective="deducir el gradiente de la normalización de capa y qué parte de él se pierde",
        hints=(
            "y_i = (x_i − m) / s, y tanto m como s dependen de todas las x. Escribe ∂m/∂x_j y "
            "∂s/∂x_j; la segunda vale y_j / D.",
            "∂y_i/∂x_j = (1[i = j] − 1/D − y_i y_j / D) / s. Multiplica por g_i y suma en i: salen "
            "g_j, la media de g y la media de g · y.",
            "El resultado es (g − media(g) − y · media(g · y)) / s. Se pierde lo que va a lo largo "
            "de (1, …, 1) y de y: desplazar o alargar x no cambia la salida.",
        ),
    ),
    Task(
        function="norm_gradient",
        cases=(
            Case("tres vectores de cinco", _case(3, 5, 0)),
            Case("todos los ejes iguales", _case(4, 4, 1)),
            Case("un solo vector", _case(1, 8, 2)),
            Case("dos componentes", _case(3, 2, 3, epsilon=0.1)),
            Case("ε grande", _case(2, 6, 4, epsilon=1.0)),
            Case("componentes iguales, o casi", _same),
            Case("vectores largos y desplazados", _long),
            Case("64 bits", _case(2, 7, 5, dtype=torch.float64)),
            Case("sin autograd", _case(3, 4, 6), Rules(banned=("autograd",))),
            example(torch.tensor([[1.0, -1.0, 0.0]]), torch.tensor([[1.0, 0.0, 0.0]]), 0.0),
        ),
        reference=_by_autograd,
        mistakes=(
            Mistake(
                "constantes",
                "has tratado m y s como constantes: las dos cambian con cada componente",
                (_back(centre=False, project=False),),
            ),
            Mistake(
                "s-constante",
                "has tratado s como una constante: al alargar x también crece, y falta restar lo "
                "que va en la dirección de y",
                (_back(project=False),),
            ),
            Mistake(
                "m-constante",
                "has tratado m como una constante: falta restar la media de g",
                (_back(centre=False),),
            ),
            Mistake(
                "sin-dividir",
                "falta dividir entre s: cuanto más largo es x, menos gradiente pasa",
                (_back(divide=False),),
            ),
            Mistake(
                "varianza-de-muestra",
                "la varianza de la normalización divide entre D, y no entre D − 1",
                (_back(correction=1),),
            ),
            Mistake(
                "epsilon-fuera",
                "ε va dentro de la raíz, con la varianza",
                (_back(where="outside"), _back(where="none")),
            ),
            Mistake(
                "suma-en-vez-de-media",
                "has sumado g · y: se toma su media, porque ∂s/∂x_j vale y_j / D",
                (_back(length=True),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
