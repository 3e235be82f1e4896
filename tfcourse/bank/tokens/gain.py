"""Ejercicio para comprender: qué gana la verosimilitud con una fusión, con lápiz y papel."""

import math
from dataclasses import dataclass, replace
from random import Random

from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant


def _phi(x):
    return x * math.log(x)


@dataclass(frozen=True)
class _Pair:
    """Las cuentas de un par, de sus dos partes y de todo."""

    total: int = 10_000
    left: int = 400
    right: int = 200
    pair: int = 16

    @property
    def ratio(self) -> float:
        """Cuántas veces más de lo que daría el azar van juntas las dos partes."""
        return self.pair * self.total / (self.left * self.right)

    def gains(self, **changes):
        n, a, b, c = self.total, self.left, self.right, self.pair
        linked = c * math.log(self.ratio)
        parts = _phi(a - c) - _phi(a) + _phi(b - c) - _phi(b)
        right = {
            "asociacion": linked,
            "primer_orden": linked - c,
            "exacta": _phi(c) + parts + _phi(n) - _phi(n - c),
            "minimo": math.floor(math.e * a * b / n) + 1,
        }
        return lambda: right | changes


GAIN_CARD = Card(
    id="ganancia",
    title="¿Sube la verosimilitud?",
    kind="comprender",
    difficulty=3,
    minutes=20,
    points=3,
    objective="deducir qué gana una bolsa de símbolos al fusionar un par, y usarlo",
    hints=(
        "Escribe la log-verosimilitud con φ(x) = x log x: la suma de φ de cada cuenta, menos φ de "
        "su total. ¿Qué cuatro cuentas cambian al fusionar?",
        "φ(x − c) ≈ φ(x) − c (log x + 1). Aplícalo a las dos partes y al total, y cuenta cuántos "
        "«c» sueltos quedan, con su signo.",
        "La ganancia a primer orden es positiva cuando c N / (c_a c_b) pasa de e. Despeja c y "
        "toma el primer entero que cumple.",
    ),
)


def _mistakes(pair: _Pair) -> tuple[Mistake, ...]:
    n, a, b, c = pair.total, pair.left, pair.right, pair.pair
    right = pair.gains()()
    tens = {key: right[key] / math.log(10) for key in ("asociacion", "exacta")}
    parts = _phi(a - c) - _phi(a) + _phi(b - c) - _phi(b)
    return (
        Mistake(
            "sin-el-uno",
            "a primer orden falta restar c: las dos partes pierden c apariciones cada una, y el "
            "total solo devuelve una",
            (pair.gains(primer_orden=right["asociacion"]),),
        ),
        Mistake(
            "dos-veces-c",
            "has restado c dos veces, una por cada parte: el total también cambia, y devuelve una",
            (pair.gains(primer_orden=right["asociacion"] - 2 * c),),
        ),
        Mistake(
            "sin-el-total",
            "en la ganancia exacta falta el total: el texto pasa a tener c símbolos menos",
            (pair.gains(exacta=_phi(c) + parts),),
        ),
        Mistake(
            "mejor-que-el-azar",
            "has pedido que vayan juntas más que por azar; para que la ganancia sea positiva hay "
            "que pasar de e veces lo que da el azar",
            (
                pair.gains(minimo=math.floor(a * b / n) + 1),
                pair.gains(minimo=math.ceil(a * b / n)),
            ),
        ),
        Mistake(
            "logaritmo-decimal",
            "has usado el logaritmo decimal: aquí son naturales, math.log",
            (
                pair.gains(**tens, primer_orden=tens["asociacion"] - c),
                pair.gains(**tens, primer_orden=right["primer_orden"] / math.log(10)),
            ),
        ),
        Mistake(
            "por-aparicion",
            "has dado la ganancia de cada aparición: falta multiplicar por las veces que sale el "
            "par",
            (
                pair.gains(
                    asociacion=right["asociacion"] / c, primer_orden=right["primer_orden"] / c
                ),
            ),
        ),
    )


def _task(pair: _Pair) -> Task:
    return Task(
        function="merge_gain",
        cases=(Case("las cuentas del enunciado", lambda: ()),),
        reference=pair.gains(),
        mistakes=_mistakes(pair),
        tolerance=0.01,
        differentiable=False,
        reveals=False,
    )


def _draw(random: Random) -> Variant:
    """Otras cuentas, con el par más frecuente que por azar pero no e veces más."""
    while True:
        total = random.choice((8_000, 10_000, 12_000, 20_000))
        left, right = (random.randrange(150, 900, 10) for _ in range(2))
        pair = _Pair(total, left, right, random.randint(12, 60))
        if 1.3 < pair.ratio < 2.4 and pair != _Pair() and abs(left - right) > 20:
            break
    first = _Pair()
    changes = tuple(
        (f"${name} = {old}$", f"${name} = {new}$")
        for name, old, new in (
            ("N", first.total, pair.total),
            ("c_a", first.left, pair.left),
            ("c_b", first.right, pair.right),
            ("c", first.pair, pair.pair),
        )
        if old != new
    )
    return Variant(Exercise(replace(GAIN_CARD), _task(pair)), changes)


GAIN = Exercise(GAIN_CARD, _task(_Pair()), _draw)
