"""Ejercicio de código: la SI-SNR."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(estimate, target):
    """Onda a onda, con las sumas de Python."""
    found = []
    for guess, voice in zip(estimate.tolist(), target.tolist(), strict=True):
        middle_guess, middle_voice = sum(guess) / len(guess), sum(voice) / len(voice)
        guess = [x - middle_guess for x in guess]
        voice = [x - middle_voice for x in voice]
        dot = sum(x * y for x, y in zip(guess, voice, strict=True))
        share = dot / sum(x * x for x in voice)
        signal = sum((share * x) ** 2 for x in voice)
        noise = sum((x - share * y) ** 2 for x, y in zip(guess, voice, strict=True))
        found.append(10 * math.log10(signal / noise))
    return torch.tensor(found)


def _variant(center=True, project=True, factor=10.0, natural=False, turn=False):
    def score(estimate, target):
        if center:
            estimate = estimate - estimate.mean(-1, keepdim=True)
            target = target - target.mean(-1, keepdim=True)
        signal = target
        if project:
            share = (estimate * target).sum(-1, keepdim=True) / (target**2).sum(-1, keepdim=True)
            signal = share * target
        ratio = (signal**2).sum(-1) / ((estimate - signal) ** 2).sum(-1)
        value = factor * (ratio.log() if natural else ratio.log10())
        return -value if turn else value

    return score


def _mean(estimate, target):
    return _variant()(estimate, target).mean()


def _case(count, length, noise, scale=1.0, offset=0.0, seed=0):
    def make():
        generator = seeded(seed)
        target, rest = torch.randn((2, count, length), generator=generator)
        return scale * (target + noise * rest) + offset, target + 0.3

    return make


SCORE = Exercise(
    Card(
        id="escribe-la-si-snr",
        title="Escribe la SI-SNR",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="medir una voz recuperada sin que cuenten el volumen ni la media",
        hints=(
            "Resta su media a las dos ondas, con mean(dim=-1, keepdim=True).",
            "La proyección es ⟨ŝ, s⟩ / ‖s‖² por s: las sumas van en el último eje.",
            "Ruido es lo que queda al restar la proyección, no la voz; después, 10 · log10.",
        ),
    ),
    Task(
        function="voice_score",
        cases=(
            Case("una voz limpia", _case(1, 40, 0.1)),
            Case("varias", _case(3, 50, 0.5, seed=1)),
            Case("más bajita", _case(2, 60, 0.3, scale=0.2, seed=2)),
            Case("desplazada", _case(2, 60, 0.3, offset=0.7, seed=3)),
            Case("casi todo ruido", _case(2, 80, 4.0, seed=4)),
            example(
                torch.tensor([[2.0, 0.0, 0.0, -2.0]]),
                torch.tensor([[1.0, -1.0, 1.0, -1.0]]),
                in_words=True,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-centrar",
                "te falta restar la media de las dos ondas: un desplazamiento no se oye",
                (_variant(center=False),),
            ),
            Mistake(
                "sin-proyectar",
                "has restado la voz tal cual: así cuenta el volumen; hay que restar la proyección",
                (_variant(project=False), _variant(project=False, center=False)),
            ),
            Mistake(
                "veinte",
                "has multiplicado por 20: eso es para amplitudes, y aquí ya están al cuadrado",
                (_variant(factor=20.0),),
            ),
            Mistake(
                "logaritmo-natural",
                "has usado el logaritmo natural: los decibelios van con log10",
                (_variant(natural=True),),
            ),
            Mistake(
                "signo",
                "te ha salido con el signo cambiado: aquí más es mejor; la pérdida es la que lleva "
                "el menos",
                (_variant(turn=True),),
            ),
            Mistake(
                "media-del-lote",
                "has dado la media: se pide un número por onda",
                (_mean,),
            ),
        ),
        tolerance=1e-3,
    ),
)
