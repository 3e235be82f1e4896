"""Ejercicio de código: encontrar los tres fallos de una SI-SNR."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _by_loops(estimate, target):
    """Onda a onda, con la proyección escrita con números."""
    found = []
    for guess, truth in zip(estimate.double(), target.double(), strict=True):
        guess, truth = guess - guess.mean(), truth - truth.mean()
        signal = float(guess @ truth) / float(truth @ truth) * truth
        noise = guess - signal
        found.append(10 * torch.log10((signal @ signal) / (noise @ noise)))
    return torch.stack(found).to(estimate.dtype)


def _score(mean=False, whole=False, factor=False, *, centred=True, onto=False, scale=True):
    """La nota con alguna pieza cambiada; las tres primeras son los fallos del enunciado."""

    def voice_score(estimate, target):
        if centred:
            dims = (0, 1) if mean else -1
            estimate = estimate - estimate.mean(dim=dims, keepdim=True)
            target = target - target.mean(dim=dims, keepdim=True)
        base = estimate if onto else target
        share = (estimate * target).sum(-1, keepdim=True) / base.square().sum(-1, keepdim=True)
        signal = share * target if scale else target
        noise = estimate - signal
        top = estimate if whole else signal
        ratio = top.square().sum(-1) / noise.square().sum(-1)
        return (20 if factor else 10) * ratio.log10()

    return voice_score


FAULTS = {
    "lote": "se resta la media de todo el lote, y cada onda tiene la suya",
    "entera": "arriba va la potencia de lo recuperado entero, con su ruido: va la de su parte "
    "buena, la proyección",
    "veinte": "20 log10 es para amplitudes, y eso es un cociente de potencias: son 10",
}


def _case(batch, length, seed, noise=0.5, offset=0.0, dtype=torch.float32):
    """Voces con su media y su volumen, y lo recuperado, con otros y algo de ruido."""

    def make():
        shapes = (batch, length), (batch, length), (batch, 1), (batch, 1)
        target, other, level, lift = random_tensors(*shapes, seed=seed, dtype=dtype)
        estimate = level.exp() * target + noise * other + offset * lift
        return estimate, target + offset * lift.flip(0)

    return make


SCORE = Exercise(
    Card(
        id="fallos-en-la-si-snr",
        title="Una nota que no baja de cero",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="encontrar, por sus síntomas, los fallos de la medida con la que se entrena",
        hints=(
            "Haz las tres pruebas con ondas de las que sepas la nota: dos ondas solas y en un lote "
            "con otra que tenga media; ruido puro como respuesta; y la voz más un ruido "
            "perpendicular diez veces más flojo, que vale 20.",
            "Lo recuperado es su parte buena, la proyección sobre la voz, más lo que sobra, y son "
            "perpendiculares. ¿Cuál de las dos va arriba? ¿Qué sale si va la suma?",
            "Las medias, con `dim=-1, keepdim=True`. Arriba, la potencia de `share * target`. Y "
            "10 log10 de un cociente de potencias.",
        ),
    ),
    Task(
        function="voice_score",
        cases=(
            Case("tres ondas", _case(3, 40, 0)),
            Case("con medias distintas", _case(4, 30, 1, offset=3.0)),
            Case("casi todo es ruido", _case(2, 64, 2, noise=30.0)),
            Case("una sola onda", _case(1, 50, 3, noise=0.1)),
            Case("64 bits", _case(2, 25, 4, offset=1.0, dtype=torch.float64)),
            example(torch.tensor([[2.2, -1.8, 1.8, -2.2]]), torch.tensor([[1.0, -1.0, 1.0, -1.0]])),
        ),
        reference=_by_loops,
        mistakes=(
            *combined(FAULTS, _score),
            Mistake(
                "sin-centrar",
                "al arreglar la media la has quitado: cada onda se centra antes de comparar",
                (_score(centred=False),),
            ),
            Mistake(
                "sin-proyectar",
                "has restado la voz tal cual: así cuenta el volumen, y la SI-SNR no lo mira",
                (_score(scale=False),),
            ),
            Mistake(
                "proyecta-al-reves",
                "has dividido entre la potencia de lo recuperado: se proyecta sobre la voz, y se "
                "divide entre la suya",
                (_score(onto=True),),
            ),
            Mistake(
                "signo",
                "el signo está al revés: más es mejor",
                (lambda estimate, target: -_score()(estimate, target),),
            ),
            Mistake(
                "media-del-lote",
                "has promediado el lote: se pide un número por onda",
                (lambda estimate, target: _score()(estimate, target).mean(),),
            ),
        ),
        tolerance=1e-3,
    ),
)
