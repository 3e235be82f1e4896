"""Ejercicio de código: deducir qué deja sin quitar la mejor máscara."""

import cmath
import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_parabola(voice, mixture, angle):
    """Casilla a casilla: la parábola que pasa por tres máscaras, y su mínimo entre 0 y 1."""
    found = []
    given = zip(*(x.flatten().tolist() for x in (voice, mixture, angle)), strict=True)
    for size, total, turn in given:
        voice_point = cmath.rect(size, turn)

        def error(mask, s=voice_point, x=total):
            return abs(s - mask * x) ** 2

        below, middle, above = error(-1), error(0), error(1)
        bend = above + below - 2 * middle
        lowest = (below - above) / (2 * bend) if bend > 0 else 0.0
        found.append(min(middle, above, error(min(1.0, max(0.0, lowest)))))
    return torch.tensor(found, dtype=voice.dtype).view(voice.shape)


def _left(low=0.0, high=1.0, power=2, nan=False):
    """Lo que queda, con la máscara acotada a ese intervalo; así se fabrican los errores."""

    def left_over(voice, mixture, angle):
        along = voice * angle.cos()
        mask = along / (mixture if nan else mixture.clamp_min(1e-30))
        mask = mask.clamp(low, high)
        left = (along - mask * mixture) ** 2 + (voice * angle.sin()) ** 2
        return left ** (power / 2)

    return left_over


def _moduli(voice, mixture, angle):
    """Con la máscara que iguala los módulos, y el error de verdad."""
    mask = (voice / mixture.clamp_min(1e-30)).clamp(0, 1)
    return (voice * angle.cos() - mask * mixture) ** 2 + (voice * angle.sin()) ** 2


def _case(shape, seed, turn=math.pi, louder=1.0, dtype=torch.float32, silent=False):
    def make():
        generator = seeded(seed)
        sizes = 0.1 + 3 * torch.rand(2, *shape, generator=generator, dtype=dtype)
        angle = turn * (2 * torch.rand(shape, generator=generator, dtype=dtype) - 1)
        voice, mixture = louder * sizes[0], sizes[1]
        if silent:
            mixture[0] = 0
            voice[:, 0] = 0
        return voice, mixture, angle

    return make


LEFT_OVER = Exercise(
    Card(
        id="lo-que-deja-la-mascara",
        title="Lo que deja la mejor máscara",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="deducir el error de la mejor máscara según el ángulo entre la voz y la mezcla",
        hints=(
            "Dibuja la mezcla sobre el eje horizontal: la máscara solo elige un punto del segmento "
            "que va del origen a X. ¿Cuál es el más cercano a la punta de S?",
            "Sin límites, la distancia es la perpendicular: |S| sen θ. Pero la proyección, "
            "|S| cos θ, puede caer antes del origen o después de X: entonces el punto más cercano "
            "es un extremo del segmento.",
            "El cuadrado de la distancia es (|S| cos θ − p)² + |S|² sen² θ, con p la proyección "
            "recortada a [0, |X|]. Así no hace falta dividir: donde |X| = 0, p es 0 y queda |S|².",
        ),
    ),
    Task(
        function="left_over",
        cases=(
            Case("ángulos cualesquiera", _case((3, 5), 0)),
            Case("casi en fase", _case((4, 4), 1, turn=0.5)),
            Case("la voz, más fuerte que la mezcla", _case((3, 4), 2, turn=0.8, louder=4.0)),
            Case("una mezcla que se anula, y una voz que calla", _case((3, 3), 3, silent=True)),
            Case("un solo punto", _case((1, 1), 4)),
            Case("64 bits", _case((2, 6), 5, dtype=torch.float64)),
            example(
                torch.tensor([[2.0, 2.0, 2.0]]),
                torch.tensor([[4.0, 4.0, 1.0]]),
                torch.tensor([[0.5236, 3.1416, 0.0]]),
            ),
        ),
        reference=_by_parabola,
        mistakes=(
            Mistake(
                "sin-recortar",
                "|S|² sen² θ es lo que queda si la máscara puede valer cualquier número: entre 0 "
                "y 1, a veces la proyección cae fuera del segmento",
                (
                    _left(low=-math.inf, high=math.inf),
                    lambda voice, mixture, angle: (voice * angle.sin()) ** 2 + 0 * mixture,
                ),
            ),
            Mistake(
                "sin-el-uno",
                "la máscara no pasa de 1: si la voz suena más que la mezcla, no se la puede subir",
                (_left(high=math.inf),),
            ),
            Mistake(
                "sin-el-cero",
                "la máscara no baja de 0: si la voz va en contra de la mezcla, lo mejor es callar",
                (_left(low=-math.inf),),
            ),
            Mistake(
                "sin-la-fase",
                "has comparado los módulos como si la voz y la mezcla tuvieran la misma fase: la "
                "máscara no puede girar",
                (lambda voice, mixture, angle: (voice - mixture).clamp_min(0) ** 2 + 0 * angle,),
            ),
            Mistake(
                "mascara-de-modulos",
                "has usado la máscara que iguala los módulos: con otra más pequeña se está más "
                "cerca",
                (_moduli,),
            ),
            Mistake(
                "distancia",
                "has dado la distancia: se pide su cuadrado, que es una energía",
                (_left(power=1),),
            ),
            Mistake(
                "seno-por-coseno",
                "has cambiado el seno por el coseno: en fase, la máscara puede dejarlo todo bien",
                (
                    lambda voice, mixture, angle: (voice * angle.cos()) ** 2 + 0 * mixture,
                    lambda voice, mixture, angle: _left()(voice, mixture, math.pi / 2 - angle),
                ),
            ),
            Mistake(
                "nan",
                "donde no suenan ni la voz ni la mezcla divides 0 entre 0 y sale NaN: ahí no queda "
                "nada",
                (_left(nan=True),),
            ),
        ),
        tolerance=1e-4,
    ),
)
