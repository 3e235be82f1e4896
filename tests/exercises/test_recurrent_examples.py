"""Los ejemplos que dan los enunciados de redes recurrentes son verdad, y están en ellos."""

import re

import torch

from tests.exercises.test_statements import STATEMENTS, solution
from tfcourse.bank.recurrent.understanding import _right


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
