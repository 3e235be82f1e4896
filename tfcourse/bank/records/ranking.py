"""Ejercicio de código: el área bajo la curva ROC, contada por parejas."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(scores, labels):
    won, pairs = 0.0, 0
    for case in scores[labels == 1].tolist():
        for other in scores[labels == 0].tolist():
            won += 1.0 if case > other else 0.5 if case == other else 0.0
            pairs += 1
    return torch.tensor(won / pairs)


def _ties(value):
    def area(scores, labels):
        gaps = scores[labels == 1][:, None] - scores[labels == 0][None]
        return ((gaps > 0).float() + value * (gaps == 0)).mean()

    return area


def _accuracy(scores, labels):
    return ((scores > 0.5) == (labels == 1)).float().mean()


def _accuracy_of_logits(scores, labels):
    return ((scores > 0) == (labels == 1)).float().mean()


def _all_pairs(scores, labels):
    gaps = scores[:, None] - scores[None]
    right = (gaps > 0) & (labels[:, None] > labels[None])
    return right.float().mean()


def _mean_gap(scores, labels):
    return scores[labels == 1].mean() - scores[labels == 0].mean()


def _case(n, seed, rounded=False):
    def make():
        generator = seeded(seed)
        labels = (torch.rand(n, generator=generator) < 0.4).long()
        labels[:2] = torch.tensor([0, 1])
        scores = torch.rand(n, generator=generator) + 0.2 * labels
        return (scores * 4).round() / 4 if rounded else scores, labels

    return make


RANKING = Exercise(
    Card(
        id="area-por-parejas",
        title="El área, por parejas",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="medir si un modelo ordena bien el riesgo, sin elegir un umbral",
        hints=(
            "Separa las puntuaciones de los casos y las de los demás.",
            "Compara todos los casos con todos los demás: casos[:, None] frente a otros[None].",
            "Una pareja ganada cuenta 1, un empate cuenta ½; después, la media.",
        ),
    ),
    Task(
        function="area",
        cases=(
            Case(
                "cuatro pacientes",
                lambda: (torch.tensor([0.9, 0.4, 0.6, 0.4]), torch.tensor([1, 1, 0, 0])),
            ),
            Case("veinte", _case(20, 1)),
            Case("con empates", _case(40, 2, rounded=True)),
            Case("casos raros", lambda: (torch.arange(12) / 12, (torch.arange(12) == 7).long())),
            example(torch.tensor([0.9, 0.4, 0.6, 0.4]), torch.tensor([1, 1, 0, 0])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "empates-perdidos",
                "los empates cuentan la mitad, y los has dado por perdidos",
                (_ties(0.0),),
            ),
            Mistake(
                "empates-ganados",
                "los empates cuentan la mitad, y los has dado por ganados",
                (_ties(1.0),),
            ),
            Mistake(
                "al-reves",
                "la has calculado al revés: gana la pareja en que el caso puntúa más",
                (lambda s, y: 1 - _by_loops(s, y),),
            ),
            Mistake(
                "acierto",
                "eso es el acierto con un umbral: el área no elige ninguno",
                (_accuracy, _accuracy_of_logits),
            ),
            Mistake(
                "todas-las-parejas",
                "has dividido entre todas las parejas: solo cuentan las de un caso y un no caso",
                (_all_pairs,),
            ),
            Mistake(
                "diferencia-de-medias",
                "has restado las medias: importa quién va delante, no cuánto",
                (_mean_gap,),
            ),
        ),
        differentiable=False,
    ),
)
