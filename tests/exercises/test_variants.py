"""Cada variante de un ejercicio de comprender dice en su enunciado todo lo que hace falta."""

import pytest

from tests.exercises.statement_readers import collect
from tests.exercises.test_statements import STATEMENTS
from tests.recipes import N_SEEDS
from tests.sample import sampled
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.compare import same
from tfcourse.exercises.engine import Variant

MANY = 100 if N_SEEDS > 1 else 25  # cada día, unas pocas; por la noche, todas
READERS = collect()
DRAWN = [name for name, exercise in EXERCISES.items() if exercise.draw]


def test_every_drawn_exercise_has_a_reader():
    assert READERS.keys() == set(DRAWN)


@pytest.mark.parametrize("name", sampled(DRAWN))
def test_the_statement_alone_gives_the_answer(name):
    """La publicada y otras variantes: quien lee el enunciado y hace la cuenta acierta."""
    variants = [Variant(EXERCISES[name], ()), *map(EXERCISES[name].variant, range(MANY))]
    for number, variant in enumerate(variants):
        statement = variant.rewrite(STATEMENTS[name][1])
        task = variant.exercise.task
        answer = READERS[name](statement)
        assert same(task.reference(), answer, task.tolerance), (number, answer, statement)
        assert variant.exercise.check(_giving(answer, task)) is None, number


def _giving(answer, task):
    def function():
        return answer

    function.__name__ = task.function
    return function
