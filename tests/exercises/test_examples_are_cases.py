"""Todo ejemplo de un enunciado es un caso de prueba, y el enunciado dice sus números."""

import re

import pytest
import torch

from tests.exercises.test_statements import STATEMENTS
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.task import EXAMPLE, IN_WORDS

CODED = [name for name, exercise in EXERCISES.items() if exercise.card.kind != "comprender"]
WITH_EXAMPLE = [name for name in CODED if "Por ejemplo" in STATEMENTS[name][1]]
PLACES = 5e-4


def numbers(text):
    """Los números de un enunciado, sin signo: en el código, con punto; en la prosa, con coma."""
    text = text.replace("{,}", ".")
    return [float(found.replace(",", ".")) for found in re.findall(r"\d+(?:[.,]\d+)?", text)]


def leaves(value):
    if isinstance(value, torch.Tensor):
        yield from (float(x) for x in value.flatten())
    elif isinstance(value, dict):
        yield from leaves([*value.items()])
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, int | float):
        yield float(value)


def example_of(name):
    cases = EXERCISES[name].task.cases
    return next((case for case in cases if case.label in (EXAMPLE, IN_WORDS)), None)


def in_numbers(name):
    """Los demás se dicen con fracciones, con logaritmos o con palabras."""
    case = example_of(name)
    return case is not None and case.label == EXAMPLE


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_the_example_is_a_case(name):
    if name == "hasta-donde-ve":  # su ejemplo es un decodificador: lo hacen sus otros casos
        return
    assert example_of(name) is not None


def test_almost_all_say_their_numbers():
    assert sum(map(in_numbers, WITH_EXAMPLE)) > 0.85 * len(WITH_EXAMPLE)


@pytest.mark.parametrize("name", [name for name in WITH_EXAMPLE if in_numbers(name)])
def test_the_statement_says_the_numbers_of_its_example(name):
    case, task = example_of(name), EXERCISES[name].task
    said = numbers(STATEMENTS[name][1])
    result = task.reference(*case.make())
    for number in leaves([*case.make(), result]):
        assert any(abs(abs(number) - x) <= PLACES for x in [0.0, 1.0, *said]), (number, said)
