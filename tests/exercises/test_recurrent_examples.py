"""Los ejemplos que dan los enunciados de redes recurrentes son verdad, y están en ellos."""

import re

import pytest
import torch

from tests.exercises.test_statements import STATEMENTS, solution
from tfcourse.exercises.recurrent.understanding import _right

EXAMPLES = {
    "estados": (
        [[[[1.0], [0.0]]], [[0.0]], [[1.0]], [[0.5]], [0.0]],
        [[[[0.7616], [0.3634]]]],
    ),
    "gradiente-en-el-tiempo": (
        [[[0.5]], [[1.0]], [[[0.0], [0.5]]], [[[0.0], [1.0]]]],
        [[[0.375]]],
    ),
    "bits-por-caracter": ([[[[0.0, 0.0], [0.0, 1.0986]]], [[0, 1]]], [0.7075]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_the_statement(name):
    arguments, expected = EXAMPLES[name]
    result = solution(name)(*map(torch.tensor, arguments))
    torch.testing.assert_close(result, torch.tensor(expected[0]), atol=1e-4, rtol=0)
    statement = STATEMENTS[name][1].replace(" ", "")
    for value in (*arguments, *expected):
        assert str(value).replace(" ", "") in statement


def test_the_example_of_both_directions():
    def read(x):
        return x.cumsum(dim=1)

    result = solution("dos-direcciones")(torch.tensor([[[1.0], [2.0], [4.0]]]), read, read)
    assert str(result.tolist()) in STATEMENTS["dos-direcciones"][1]


def test_the_example_of_windows():
    inputs, targets = solution("ventanas")(torch.arange(10), 2, 2)
    for result in (inputs, targets):
        assert f"`{result.tolist()}`" in STATEMENTS["ventanas"][1]


def test_the_example_of_parameters():
    cell, total = 1 * 2 + 2 * 2 + 2, _right(1, 2, 1, 9, 1)
    wanted = f"{total} parámetros: {cell} en la celda y {total - cell} en la salida"
    assert re.search(wanted, STATEMENTS["parametros"][1])
