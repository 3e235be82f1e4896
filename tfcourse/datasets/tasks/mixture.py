"""Mezcla de tareas: cuántos ejemplos de cada una ve un modelo que las aprende todas."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tfcourse.datasets.tasks.article_words import plural_pairs, pronunciation_pairs, word_counts
from tfcourse.datasets.tasks.numbers import number_pairs, year_part_pairs
from tfcourse.datasets.tasks.reading import correction_pairs, description_pairs, topic_pairs
from tfcourse.datasets.text.articles import split_articles

Pair = tuple[str, str]


@dataclass(frozen=True)
class TaskData:
    """Una tarea: sus parejas de entrenamiento y de evaluación, sin prefijo."""

    train: list[Pair]
    test: list[Pair]


def with_prefix(task: str, text: str) -> str:
    """La entrada tal como la lee el modelo: «plural: lápiz»."""
    return f"{task}: {text}"


def all_tasks(
    seed: int = 0, n_numbers: int = 8_000, n_corrections: int = 12_000
) -> dict[str, TaskData]:
    """Las siete tareas, cada una con lo suyo reservado para evaluar.

    De los artículos se reservan artículos enteros; de las palabras, los números y las fechas,
    palabras, números y días que no se ven al entrenar.
    """
    rng = random.Random(seed)
    train, test = split_articles(seed=seed)
    counts = word_counts(train)
    return {
        "describe": TaskData(description_pairs(train), description_pairs(test)),
        "tema": TaskData(topic_pairs(train), topic_pairs(test)),
        "corrige": TaskData(
            correction_pairs(train, n_corrections, rng), correction_pairs(test, 500, rng)
        ),
        "pronuncia": split_pairs(pronunciation_pairs(counts), 500, rng),
        "plural": split_pairs(plural_pairs(train, counts, rng), 200, rng),
        "cifras": split_pairs(number_pairs(n_numbers, rng), 500, rng),
        "fecha": _split_days(year_part_pairs(), 60, rng),
    }


def split_pairs(pairs: Sequence[Pair], n_test: int, rng: random.Random) -> TaskData:
    """Reparte parejas al azar. Errores: `ValueError` si no queda ninguna para entrenar."""
    if not 0 < n_test < len(pairs):
        raise ValueError(
            f"n_test={n_test}: hay {len(pairs)} parejas, y tiene que quedar alguna a cada lado"
        )
    shuffled = rng.sample(list(pairs), len(pairs))
    return TaskData(shuffled[n_test:], shuffled[:n_test])


def mixing_rates(
    sizes: Mapping[str, int], *, limit: int | None = None, temperature: float = 1.0
) -> dict[str, float]:
    """Proporción de cada tarea en la mezcla: min(tamaño, K)^(1/T), normalizada.

    Con T = 1, en proporción a los ejemplos, que no cuentan más allá de K (`limit`); con T grande,
    todas por igual. Fuente: Raffel et al. (2020), § 3.5.2.
    Errores: `ValueError` si no hay tareas o algún número no es positivo.
    """
    if (
        not sizes
        or min(sizes.values()) < 1
        or temperature <= 0
        or (limit is not None and limit < 1)
    ):
        raise ValueError(
            f"tamaños {dict(sizes)}, limit={limit} y temperature={temperature}: todos tienen que "
            "ser positivos, y hace falta alguna tarea"
        )
    weights = {task: min(size, limit or size) ** (1 / temperature) for task, size in sizes.items()}
    total = sum(weights.values())
    return {task: weight / total for task, weight in weights.items()}


def mixed_examples(
    tasks: Mapping[str, Sequence[Pair]], rates: Mapping[str, float], seed: int = 0
) -> Iterator[tuple[str, Pair]]:
    """Ejemplos sin fin: se sortea la tarea según `rates` y sus parejas se recorren barajadas.

    Errores: `ValueError` si las tareas y las proporciones no son las mismas.
    """
    if set(tasks) != set(rates):
        raise ValueError(
            f"hay tareas {sorted(tasks)} y proporciones de {sorted(rates)}: deben ser las mismas"
        )
    rng = random.Random(seed)
    streams = {task: _shuffled_forever(pairs, rng) for task, pairs in tasks.items()}
    names, weights = list(tasks), [rates[task] for task in tasks]
    while True:
        task = rng.choices(names, weights)[0]
        yield task, next(streams[task])


def _shuffled_forever(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    while True:
        yield from rng.sample(list(pairs), len(pairs))


def _split_days(pairs: Sequence[Pair], n_days: int, rng: random.Random) -> TaskData:
    """Reserva días enteros: sus tres maneras de escribirse están al mismo lado."""
    per_day = 3
    days = [pairs[i : i + per_day] for i in range(0, len(pairs), per_day)]
    shuffled = rng.sample(days, len(days))
    flat = [
        [pair for day in part for pair in day] for part in (shuffled[n_days:], shuffled[:n_days])
    ]
    return TaskData(*flat)
