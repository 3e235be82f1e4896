"""Ejercicio abierto: suavizar las poses de un vídeo sin mirar al futuro."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _closed_form(frames, confidence, rate):
    """Cada fotograma, como suma de los anteriores con su peso."""
    gains = rate * confidence
    answer = []
    for t in range(len(frames)):
        total, left = torch.zeros_like(frames[0]), torch.ones_like(gains[0])
        for s in range(t, -1, -1):
            gain = torch.ones_like(gains[0]) if s == 0 else gains[s]
            total = total + (left * gain)[:, None] * frames[s]
            left = left * (1 - gain)
        answer.append(total)
    return torch.stack(answer)


def _variant(kind):
    def smooth(frames, confidence, rate):
        order = range(1, len(frames))
        answer = [torch.zeros_like(frames[0]) if kind == "ceros" else frames[0]]
        if kind == "ceros":
            order = range(len(frames))
        if kind == "futuro":
            answer, order = [frames[-1]], range(len(frames) - 2, -1, -1)
        for t in order:
            gain = (rate * confidence[t])[:, None]
            if kind == "sin-confianza":
                gain = torch.full_like(gain, rate)
            if kind == "cambiados":
                gain = 1 - gain
            before = frames[t - 1] if kind == "sin-memoria" else answer[-1]
            answer.append(before + gain * (frames[t] - before))
        if kind == "ceros":
            answer = answer[1:]
        return torch.stack(answer[::-1] if kind == "futuro" else answer)

    return smooth


def _centered(frames, confidence, rate):
    padded = torch.cat([frames[:1], frames, frames[-1:]])
    return (padded[:-2] + padded[1:-1] + padded[2:]) / 3


def _case(n_frames, n_joints, rate, seed):
    def make():
        g = seeded(seed)
        frames = torch.rand(n_frames, n_joints, 2, generator=g).cumsum(0) / 5
        return frames, torch.rand(n_frames, n_joints, generator=g), rate

    return make


SMOOTHING = Exercise(
    Card(
        id="suavizar-video",
        title="Suavizar un vídeo",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="quitar el temblor de una pose en vídeo y medir lo que cuesta en retraso",
        hints=(
            "Cada fotograma necesita el resultado del anterior: un bucle en el tiempo, y ninguno "
            "en las articulaciones.",
            "La confianza mide (K,) y el salto, (K, 2): `confidence[t][:, None]`.",
            "Guarda los resultados en una lista y únelos con torch.stack; lo que se resta es el "
            "último de la lista.",
        ),
    ),
    Task(
        function="smooth",
        cases=(
            Case("seis fotogramas", _case(6, 3, 0.5, 0)),
            Case("doce fotogramas, despacio", _case(12, 2, 0.2, 1)),
            Case("ritmo 1", _case(5, 4, 1.0, 2)),
            Case("un solo fotograma", _case(1, 3, 0.4, 3)),
            example(
                torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]]), torch.ones(2, 1), 1.0, in_words=True
            ),
        ),
        reference=_closed_form,
        mistakes=(
            Mistake(
                "sin-confianza",
                "no has usado la confianza: una articulación tapada tiene que moverse menos",
                (_variant("sin-confianza"),),
            ),
            Mistake(
                "cambiados",
                "has cambiado los pesos de sitio: con confianza total y ritmo 1, vale la medida",
                (_variant("cambiados"),),
            ),
            Mistake(
                "sin-memoria",
                "has mezclado con la medida anterior: se mezcla con el resultado anterior, que "
                "ya está "
                "suavizado",
                (_variant("sin-memoria"),),
            ),
            Mistake(
                "desde-cero",
                "has empezado en cero: el primer fotograma se queda como está",
                (_variant("ceros"),),
            ),
            Mistake(
                "mira-al-futuro",
                "has usado fotogramas que aún no han llegado: en directo no se tienen",
                (_variant("futuro"), _centered),
            ),
        ),
        differentiable=False,
    ),
)
