"""Ritmos de aprendizaje: cuánto vale el paso en cada momento del entrenamiento.

Cada función devuelve otra, `factor(step)`, que cuenta los pasos desde 0 y da el número por el que
`fit` multiplica el ritmo del optimizador. En las fórmulas de los artículos, t = step + 1. Las que
siguen a un presupuesto cuentan en sus unidades, que pueden ser segundos.
"""

import math
from collections.abc import Callable

from tfcourse.training.budget import Budget, Steps, total

Schedule = Callable[[float], float]


def constant(step: float) -> float:
    """El ritmo del optimizador, siempre igual."""
    return 1.0


def one_cycle(steps: int, warmup: float = 0.15) -> Schedule:
    """Ritmo de un ciclo: sube en línea recta y baja como un coseno hasta casi cero.

    Fuente: Smith y Topin (2019).
    """
    peak = max(1, round(steps * warmup))

    def factor(step: float) -> float:
        if step < peak:
            return (step + 1) / peak
        return 0.5 * (1 + math.cos(math.pi * (step - peak) / max(1, steps - peak)))

    return factor


def warmup_cosine(budget: Budget, warmup: float = 0.05, floor: float = 0.1) -> Schedule:
    """Calentamiento en línea recta y bajada en coseno hasta `floor`, según lo que se lleve gastado.

    Cada receta completa su bajada, dé los pasos que dé en su tiempo.
    """

    def factor(spent: float) -> float:
        done = spent / total(budget)
        if done < warmup:
            return max(done / warmup, 0.01)
        fallen = (done - warmup) / (1 - warmup)
        return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(1.0, fallen)))

    return factor


def cycle(budget: Budget, warmup: float = 0.15) -> Schedule:
    """Un ciclo que dura lo que el presupuesto: sube durante la parte `warmup` y baja hasta cero."""
    if isinstance(budget, Steps):
        return one_cycle(budget.number, warmup)
    return warmup_cosine(budget, warmup, floor=0.0)


def noam(d_model: int, warmup: int) -> Schedule:
    """Ritmo de Noam: sube en línea recta `warmup` pasos y baja como la inversa de la raíz.

    Da el ritmo entero, d^(−½) · min(t^(−½), t · warmup^(−3/2)): el optimizador se crea con lr=1.
    Fuente: Vaswani et al. (2017), ec. 3. Errores: `ValueError` si alguno no es positivo.
    """
    _check_positive(d_model=d_model, warmup=warmup)

    def factor(step: int) -> float:
        t = step + 1
        return d_model**-0.5 * min(t**-0.5, t * warmup**-1.5)

    return factor


def linear_warmup(period: float) -> Schedule:
    """Calentamiento lineal: min(1, t/τ), con τ = `period`.

    Errores: `ValueError` si el periodo no es positivo.
    """
    _check_positive(period=period)
    return lambda step: min(1.0, (step + 1) / period)


def exponential_warmup(period: float) -> Schedule:
    """Calentamiento exponencial: 1 − exp(−t/τ), con τ = `period`.

    Fuente: Ma y Yarats (2021). Errores: `ValueError` si el periodo no es positivo.
    """
    _check_positive(period=period)
    return lambda step: -math.expm1(-(step + 1) / period)


def untuned_warmup(beta2: float, shape: str = "exponencial") -> Schedule:
    """Calentamiento sin ajustar: el periodo sale de la β₂ de Adam y no hay nada que elegir.

    Exponencial con τ = 1/(1 − β₂), o lineal con τ = 2/(1 − β₂).
    Fuente: Ma y Yarats (2021). Errores: `ValueError` si β₂ no está entre 0 y 1, o la forma no es
    «exponencial» ni «lineal».
    """
    if not 0 <= beta2 < 1:
        raise ValueError(f"beta2={beta2}: tiene que estar entre 0 y 1, sin llegar a 1")
    if shape == "exponencial":
        return exponential_warmup(1 / (1 - beta2))
    if shape == "lineal":
        return linear_warmup(2 / (1 - beta2))
    raise ValueError(f"shape={shape!r}: usa «exponencial» o «lineal»")


def slanted_triangular(steps: int, cut_fraction: float = 0.1, ratio: float = 32.0) -> Schedule:
    """Triángulo inclinado: sube deprisa hasta 1 y baja despacio hasta 1/`ratio`.

    Fuente: Howard y Ruder (2018), ec. 3. Errores: `ValueError` si no hay pasos para subir y
    bajar, o si `ratio` es menor que 1.
    """
    cut = math.floor(steps * cut_fraction)
    if not 0 < cut < steps or ratio < 1:
        raise ValueError(
            f"steps={steps}, cut_fraction={cut_fraction} y ratio={ratio}: hacen falta pasos para "
            "subir y para bajar, y un ratio de 1 o más, p. ej. steps=100 con los demás por omisión"
        )

    def factor(step: int) -> float:
        risen = step / cut if step < cut else 1 - (step - cut) / (steps - cut)
        return (1 + max(0.0, risen) * (ratio - 1)) / ratio

    return factor


def linear_decay(steps: int) -> Schedule:
    """Bajada en línea recta, de 1 en el primer paso a 0 en el que seguiría al último."""
    _check_positive(steps=steps)
    return lambda step: max(0.0, 1 - step / steps)


def product(*schedules: Schedule) -> Schedule:
    """Varios ritmos a la vez: el producto de sus factores."""
    return lambda step: math.prod(schedule(step) for schedule in schedules)


def _check_positive(**values: float) -> None:
    for name, value in values.items():
        if value <= 0:
            raise ValueError(f"{name}={value}: tiene que ser un número positivo")
