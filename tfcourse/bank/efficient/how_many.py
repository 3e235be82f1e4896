"""Ejercicio de código: deducir cuántas direcciones al azar hacen falta."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_integrating(q, k, error):
    """La varianza relativa de una sola dirección, integrando en la única variable que cuenta."""
    found = []
    for one, other in zip(q.double(), k.double(), strict=True):
        size = float((one + other).norm())
        t = torch.arange(-14.0, 14.0 + 2 * size, 0.01, dtype=torch.float64)
        density = torch.exp(-t.square() / 2) / math.sqrt(2 * math.pi)
        off = torch.expm1(size * t - size**2 / 2)  # el valor entre su media, menos 1
        found.append(float((density * off.square()).sum()) * 0.01 / error**2)
    return torch.tensor(found).to(q.dtype)


def _needed(exponent=None, power=2, less=True, times=None, precise=True):
    """Las direcciones con alguna pieza cambiada: así se fabrican los errores típicos."""

    def directions_needed(q, k, error):
        size = (q + k).square().sum(-1)
        size = exponent(q, k) if exponent else size
        spread = torch.expm1(size) if precise and less else size.exp() - (1 if less else 0)
        return spread * (times(q, k) if times else 1) / error**power

    return directions_needed


def _dot(q, k):
    return (q * k).sum(-1)


def _case(n, d, error, seed, scale=0.7, dtype=torch.float32):
    def make():
        generator = seeded(seed)
        q, k = scale * torch.randn(2, n, d, generator=generator, dtype=dtype) / d**0.5
        return q, k, error

    return make


def _almost_opposed(seed):
    """Claves casi contrarias a su consulta: la suma mide una milésima."""

    def make():
        generator = seeded(seed)
        q, away = torch.randn(2, 3, 4, generator=generator)
        away = away / away.norm(dim=-1, keepdim=True)
        q = (64 * q).round() / 64  # exactos: al sumar no se pierde nada
        return q, -q + 2**-10 * (away * 64).round() / 64, 0.001

    return make


def _alike(seed):
    """Consultas iguales que su clave, y largas."""

    def make():
        q = torch.randn(3, 5, generator=seeded(seed), dtype=torch.float64)
        q = 1.5 * q / q.norm(dim=-1, keepdim=True)
        return q, q.clone(), 0.1

    return make


HOW_MANY = Exercise(
    Card(
        id="cuantas-direcciones",
        title="Cuántas direcciones hacen falta",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=3,
        objective="deducir la varianza de los rasgos positivos y a qué parejas estima peor",
        hints=(
            "Con una dirección, la estimación es Z = exp(ω · (q + k) − (‖q‖² + ‖k‖²)/2). Para "
            "E[Z] y E[Z²] basta una cuenta: E[exp(ω · a)] = exp(‖a‖²/2).",
            "E[Z] = exp(q · k), y E[Z²] sale con a = 2(q + k). Divide: E[Z²] / E[Z]² = "
            "exp(‖q + k‖²).",
            "La varianza relativa de una es exp(‖q + k‖²) − 1, y la de la media de m, m veces "
            "menor. Iguálala al cuadrado del error. `torch.expm1` no pierde cifras cerca de cero.",
        ),
    ),
    Task(
        function="directions_needed",
        cases=(
            Case("seis parejas", _case(6, 8, 0.1, 0)),
            Case("puntajes pequeños", _case(4, 4, 0.2, 1, scale=0.2)),
            Case("puntajes grandes", _case(4, 6, 0.5, 2, scale=2.0, dtype=torch.float64)),
            Case("casi contrarias", _almost_opposed(3)),
            Case("iguales", _alike(4)),
            Case("una sola pareja", _case(1, 3, 1.0, 5)),
            example(
                torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]),
                torch.tensor([[0.0, 0.0], [-1.0, 0.0], [0.5, 0.5]]),
                0.5,
            ),
        ),
        reference=_by_integrating,
        mistakes=(
            Mistake(
                "sin-restar-la-media",
                "has usado la media de los cuadrados: a la varianza se le resta el cuadrado de la "
                "media, que aquí es 1",
                (_needed(less=False),),
            ),
            Mistake(
                "por-el-producto",
                "la varianza no depende solo de q · k: cuenta la longitud de la suma",
                (
                    _needed(exponent=_dot),
                    _needed(exponent=lambda q, k: 2 * _dot(q, k)),
                ),
            ),
            Mistake(
                "la-diferencia",
                "has usado la longitud de q − k, que es la de los senos y cosenos: en los rasgos "
                "positivos es la de la suma",
                (_needed(exponent=lambda q, k: (q - k).square().sum(-1)),),
            ),
            Mistake(
                "sin-el-producto-cruzado",
                "has sumado los cuadrados de las longitudes: el de la suma lleva además 2 q · k",
                (_needed(exponent=lambda q, k: q.square().sum(-1) + k.square().sum(-1)),),
            ),
            Mistake(
                "a-medias",
                "sobra una mitad: al elevar Z al cuadrado, el exponente se dobla y su media crece "
                "con el cuadrado de ese doble",
                (_needed(exponent=lambda q, k: (q + k).square().sum(-1) / 2),),
            ),
            Mistake(
                "absoluta",
                "esa es la varianza sin más: el error que se pide es relativo a e^{q · k}",
                (_needed(times=lambda q, k: (2 * _dot(q, k)).exp()),),
            ),
            Mistake(
                "sin-el-cuadrado-del-error",
                "el error es una desviación: la varianza es su cuadrado",
                (_needed(power=1),),
            ),
            Mistake(
                "pierde-cifras",
                "cerca de cero, e^x − 1 pierde casi todas las cifras: usa `torch.expm1`",
                (_needed(precise=False),),
            ),
        ),
        tolerance=1e-5,
        differentiable=False,
    ),
)
