"""Todo ejemplo de un enunciado es un caso de prueba, y el enunciado dice sus números."""

import re

import pytest
import torch

from tests.exercises.test_statements import STATEMENTS
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.engine import EXAMPLE

CODED = [name for name, exercise in EXERCISES.items() if exercise.card.kind != "comprender"]
WITH_EXAMPLE = [name for name in CODED if "Por ejemplo" in STATEMENTS[name][1]]
# El ejemplo se dice con palabras: una función que lee, matrices nulas, fracciones, logaritmos…
IN_WORDS = {
    "capa-multicabeza", "hasta-donde-ve", "tabla-de-costes", "suavizar-video",
    "quitar-repetidas", "escribe-la-si-snr", "perdida-contrastiva", "un-maestro-malo",
    "casillas", "tres-fallos-al-separar", "giou-en-codigo", "destilacion-blanda", "dos-listones",
    "iou-media", "pendientes-de-la-dice",
}  # fmt: skip
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
    return next((c for c in EXERCISES[name].task.cases if c.label == EXAMPLE), None)


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_the_example_is_a_case(name):
    if name == "hasta-donde-ve":  # su ejemplo es un decodificador: lo hacen sus otros casos
        return
    assert example_of(name) is not None


@pytest.mark.parametrize("name", [name for name in WITH_EXAMPLE if name not in IN_WORDS])
def test_the_statement_says_the_numbers_of_its_example(name):
    case, task = example_of(name), EXERCISES[name].task
    said = numbers(STATEMENTS[name][1])
    result = task.reference(*case.make())
    for number in leaves([*case.make(), result]):
        assert any(abs(abs(number) - x) <= PLACES for x in [0.0, 1.0, *said]), (number, said)
