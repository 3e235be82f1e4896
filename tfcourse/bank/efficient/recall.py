"""Ejercicio de código: deducir cuánto se equivoca al leer una memoria que solo suma."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(decay, d):
    """Los pesos, escritura a escritura; el error de cada clave, pareja a pareja."""
    weights: list[float] = []
    for gate in decay.tolist():
        weights = [gate * weight for weight in weights] + [1.0]
    found = []
    for place, own in enumerate(weights):
        squares = [(1 - own) ** 2]
        squares += [other**2 / d for j, other in enumerate(weights) if j != place]
        found.append(math.sqrt(math.fsum(squares)))
    return torch.tensor(found, dtype=decay.dtype)


def _after(decay):
    """Lo que multiplica a cada pareja hasta el final: las compuertas de después."""
    return torch.cat([decay[1:], decay.new_ones(1)]).flip(0).cumprod(0).flip(0)


def _variant(
    *,
    kept=_after,
    lost=lambda kept: (1 - kept).square(),
    leaked=lambda others, kept: others @ kept.square(),
    share=lambda d: d,
    own=False,
    root=torch.sqrt,
):
    """El error con alguna pieza cambiada: así se fabrican los errores típicos."""

    def recall_errors(decay, d):
        weights = kept(decay)
        others = torch.ones(len(decay), len(decay), dtype=decay.dtype)
        if not own:
            others.fill_diagonal_(0)
        return root(lost(weights) + leaked(others, weights) / share(d))

    return recall_errors


def _quotient(decay):
    """El producto entero, entre el que había al escribir: con una compuerta a cero, 0/0."""
    total = decay.cumprod(0)
    return total[-1] / total


def _case(n, d, seed, *, low=0.4, closed=None, dtype=torch.float64):
    def make():
        decay = low + (1 - low) * torch.rand(n, generator=seeded(seed), dtype=dtype)
        if closed is not None:
            decay[closed] = 0
        return decay, d

    return make


RECALL = Exercise(
    Card(
        id="lo-que-se-lee-de-una-memoria",
        title="Lo que se lee de una memoria llena",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=3,
        objective="deducir cuánto se pierde y cuánto se cuela en una memoria que suma y olvida",
        hints=(
            "Al final, la pareja j está multiplicada por las compuertas de las que se escribieron "
            "después: w = a(j+1) · … · a(n). La última, por 1. Lo que se lee con la clave i es "
            "Σ w(j) (k(j) · k(i)) v(j).",
            "Separa la pareja i, que se lee encogida, de las demás, que se cuelan. Los valores "
            "son independientes y de media cero: los productos cruzados se anulan y quedan los "
            "cuadrados.",
            "El error al cuadrado es (1 − w(i))² + Σ w(j)²/d, con j ≠ i. Los pesos salen de un "
            "`cumprod` del revés: `flip(0).cumprod(0).flip(0)`, con las compuertas corridas un "
            "lugar.",
        ),
    ),
    Task(
        function="recall_errors",
        cases=(
            Case("siete parejas", _case(7, 6, 0)),
            Case("sin compuerta", _case(5, 4, 1, low=1.0)),
            Case("una sola pareja", _case(1, 3, 2)),
            Case("dos parejas en una dimensión", _case(2, 1, 3)),
            Case("una compuerta que lo borra todo", _case(6, 4, 4, closed=3)),
            Case("la primera compuerta, cerrada", _case(4, 8, 5, closed=0)),
            Case("compuertas casi cerradas", _case(8, 5, 6, low=0.0)),
            Case("32 bits", _case(6, 16, 7, low=0.8, dtype=torch.float32)),
            Case("sesenta parejas, sin bucles", _case(60, 8, 8, low=0.9), Rules(operations=40)),
            example(torch.tensor([0.3, 0.5, 1.0]), 4),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "con-su-propia-compuerta",
                "la compuerta de una posición se aplica antes de escribir en ella: no toca lo que "
                "ella escribe",
                (_variant(kept=lambda decay: decay.flip(0).cumprod(0).flip(0)),),
            ),
            Mistake(
                "del-comienzo",
                "has multiplicado las compuertas de antes: a una pareja la encogen las de después",
                (
                    _variant(kept=lambda decay: decay.cumprod(0)),
                    _variant(kept=lambda decay: decay.cumprod(0) / decay[0]),
                ),
            ),
            Mistake(
                "sin-compuerta",
                "así sería si nada se borrara: falta la compuerta",
                (_variant(kept=torch.ones_like),),
            ),
            Mistake(
                "se-cuela-entera",
                "de las demás solo se cuela la parte que apunta hacia la clave que se pregunta: en "
                "d dimensiones, de media, 1/d de su cuadrado",
                (_variant(share=lambda d: 1),),
            ),
            Mistake(
                "raiz-de-la-dimension",
                "el cuadrado del producto de dos claves al azar es 1/d de media, y no 1/√d",
                (_variant(share=lambda d: d**0.5),),
            ),
            Mistake(
                "pesos-sin-cuadrado",
                "se suman cuadrados: el peso de cada pareja que se cuela también va al cuadrado",
                (_variant(leaked=lambda others, kept: others @ kept),),
            ),
            Mistake(
                "cuadrado-de-la-suma",
                "los valores son independientes: se suman los cuadrados, y no se eleva la suma",
                (_variant(leaked=lambda others, kept: (others @ kept).square()),),
            ),
            Mistake(
                "sin-lo-perdido",
                "falta lo que la pareja ha perdido: se lee su valor encogido",
                (_variant(lost=torch.zeros_like),),
            ),
            Mistake(
                "ella-tambien",
                "entre las que se cuelan has contado la propia pareja",
                (_variant(own=True),),
            ),
            Mistake(
                "sin-raiz",
                "ese es el error al cuadrado: falta la raíz",
                (_variant(root=lambda squares: squares),),
            ),
            Mistake(
                "cociente",
                "una compuerta a cero da 0/0: multiplica las de después, sin dividir",
                (_variant(kept=_quotient),),
            ),
        ),
        differentiable=False,
    ),
)
