"""Lo que comparten los sorteos de este tema: cajas que se cruzan y constantes que no confunden."""

from dataclasses import replace
from random import Random

from tfcourse.exercises.engine import Card, Exercise, Task

MARGIN = 5  # cuánto más separadas que la tolerancia van las respuestas: se escriben redondeadas


def crossing_boxes(random: Random, top: int) -> tuple[list[int], list[int]]:
    """Dos cajas de esquinas enteras, de 0 a `top`, que se cruzan sin que una contenga a la otra."""
    axes = []
    for _ in range(2):
        start, middle, stop, end = sorted(random.sample(range(top + 1), 4))
        axes.append(random.sample([(start, stop), (middle, end)], 2))
    first, second = (list(zip(*sides, strict=True)) for sides in zip(*axes, strict=True))
    return [*first[0], *first[1]], [*second[0], *second[1]]


def tells_apart(card: Card, task: Task, published: Task) -> bool:
    """Si cada error da lo que solo él explica y la respuesta publicada no vale, ni de lejos."""
    exercise = Exercise(card, replace(task, tolerance=MARGIN * task.tolerance))
    diagnosed = (
        (mistake.key, exercise.check(variant))
        for mistake in task.mistakes
        for variant in mistake.variants
    )
    return exercise.check(published.reference) is not None and all(
        found is not None and found.key == key for key, found in diagnosed
    )
