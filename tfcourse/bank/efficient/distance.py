"""Ejercicio abierto: ¿cuánto le falta a cada núcleo?"""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(right, distances, edges):
    means = []
    for low, high in zip(edges, edges[1:], strict=False):
        chosen = [
            float(r)
            for r, d in zip(right.flatten().tolist(), distances.flatten().tolist(), strict=True)
            if low < d <= high
        ]
        means.append(sum(chosen) / len(chosen) if chosen else 0.0)
    return torch.tensor(means)


def _variant(inside, share=True):
    def measure(right, distances, edges):
        values = []
        for low, high in zip(edges, edges[1:], strict=False):
            chosen = inside(distances, low, high)
            hits = (right & chosen).sum().float()
            values.append(hits / (chosen.sum().clamp(min=1) if share else 1.0))
        return torch.stack(values)

    return measure


def _between(distances, low, high):
    return (distances > low) & (distances <= high)


def _over_everything(right, distances, edges):
    return _variant(_between, share=False)(right, distances, edges) / right.numel()


def _case(shape, edges, seed):
    def make():
        generator = seeded(seed)
        distances = torch.randint(1, 65, shape, generator=generator)
        right = torch.rand(shape, generator=generator) < 0.6
        return right, distances, edges

    return make


BY_DISTANCE = Exercise(
    Card(
        id="alcance-medido",
        title="¿A qué distancia deja de ver?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir el alcance de un modelo y diseñar una comparación justa",
        hints=(
            "Para cada par de bordes seguidos, una máscara booleana con las preguntas de ese "
            "tramo; "
            "el acierto es la media de `right` dentro de ella.",
            "right[mask].float().mean() da NaN si no hay ninguna pregunta en el tramo: en ese "
            "caso, "
            "0.",
            "Para el experimento: elige un solo núcleo y un solo mando (pasos, ancho de la "
            "ventana, "
            "rondas, rasgos…), fija lo demás y repite con varias semillas.",
        ),
    ),
    Task(
        function="accuracy_by_distance",
        cases=(
            Case("40 ejemplos de 8 preguntas", _case((40, 8), [0, 8, 16, 32, 64], 0)),
            Case("un solo tramo", _case((10, 4), [0, 64], 1)),
            Case("un tramo sin preguntas", _case((6, 3), [0, 64, 128], 2)),
            Case("bordes que caen en una distancia", _case((30, 8), [0, 1, 2, 3, 4], 3)),
            example(torch.tensor([[True, False, True]]), torch.tensor([[1, 4, 9]]), [0, 4, 16]),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "borde-equivocado",
                "has puesto cada borde en el tramo que no es: una distancia igual al borde de "
                "arriba entra, y una igual al de abajo, no",
                (_variant(lambda d, low, high: (d >= low) & (d < high)),),
            ),
            Mistake(
                "los-dos-bordes",
                "has metido los dos bordes en cada tramo: las distancias que caen en un borde se "
                "cuentan dos veces",
                (_variant(lambda d, low, high: (d >= low) & (d <= high)),),
            ),
            Mistake(
                "acumulado",
                "cada tramo tuyo empieza desde cero: se pide el acierto *dentro* de cada tramo",
                (_variant(lambda d, low, high: d <= high),),
            ),
            Mistake(
                "sobre-el-total",
                "has dividido entre todas las preguntas: cada tramo se divide entre las suyas",
                (_over_everything,),
            ),
            Mistake(
                "cuentas",
                "has devuelto cuántas se aciertan: se pide qué parte de las del tramo",
                (_variant(_between, share=False),),
            ),
        ),
        differentiable=False,
    ),
)
