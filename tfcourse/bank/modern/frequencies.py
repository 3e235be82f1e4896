"""Ejercicio de código: deducir la base que estira la última pareja y no toca la primera."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_ratio(d_head, base, factor):
    """Pareja a pareja: la i se divide entre factor^(i / (n − 1)), que va de 1 al factor."""
    n = d_head // 2
    plain = [base ** (-2 * i / d_head) for i in range(n)]
    return torch.tensor([w / factor ** (i / (n - 1)) for i, w in enumerate(plain)])


def _with_base(change):
    def frequencies(d_head, base, factor):
        return change(d_head, base, factor) ** (-torch.arange(0, d_head, 2) / d_head)

    return frequencies


def _interpolated(d_head, base, factor):
    return base ** (-torch.arange(0, d_head, 2) / d_head) / factor


def _case(seed, d_head):
    def make():
        random = chance(seed)
        return d_head, random.choice((500.0, 10_000.0)), random.choice((2.0, 4.0, 8.0))

    return make


FREQUENCIES = Exercise(
    Card(
        id="la-base-que-estira",
        title="La base que estira",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="deducir cómo se cambia la base para estirar solo las parejas lentas",
        hints=(
            "Llama B a la base nueva. La primera pareja gira B⁰ = 1 radián por posición sea cual "
            "sea B: esa condición se cumple sola.",
            "La última pareja tiene i = d/2 − 1, así que su frecuencia es B^(−(d−2)/d). Iguálala a "
            "base^(−(d−2)/d) / factor y despeja.",
            "B = base · factor^(d/(d−2)). Con ella, las frecuencias son B ** (-arange(0, d, 2) / "
            "d).",
        ),
    ),
    Task(
        function="ntk_frequencies",
        cases=(
            Case("cabezas de 8", _case(0, 8)),
            Case("cabezas de 32", _case(1, 32)),
            Case("cabezas de 4", _case(2, 4)),
            example(4, 100.0, 2.0, in_words=True),
        ),
        reference=_by_ratio,
        mistakes=(
            Mistake(
                "todas-entre-el-factor",
                "has dividido todas las frecuencias: la primera pareja tiene que quedarse como "
                "estaba",
                (_interpolated,),
            ),
            Mistake(
                "base-por-factor",
                "con la base por el factor la última pareja se queda corta: su exponente es "
                "(d − 2)/d, y no 1",
                (_with_base(lambda d, base, factor: base * factor),),
            ),
            Mistake(
                "exponente-al-reves",
                "el exponente va al revés: de factor = x^((d−2)/d) se despeja x = factor^(d/(d−2))",
                (_with_base(lambda d, base, factor: base * factor ** ((d - 2) / d)),),
            ),
            Mistake(
                "sin-estirar",
                "has devuelto las frecuencias de siempre: falta el factor",
                (_with_base(lambda d, base, factor: base),),
            ),
        ),
        tolerance=1e-5,
        differentiable=False,
    ),
)
