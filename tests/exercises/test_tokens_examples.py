"""Los ejemplos de los enunciados de tokenización y de embeddings que no son solo tensores."""

import re

import torch

from tests.exercises.test_statements import STATEMENTS, solution


def test_merge():
    merge = solution("fusionar")
    assert merge(["c", "a", "s", "a", "s"], "a", "s") == ["c", "as", "as"]
    assert merge(["a", "a", "a"], "a", "a") == ["aa", "a"]
    assert '`["aa", "a"]`' in STATEMENTS["fusionar"][1]


def test_bpe_cut():
    assert solution("cortar-bpe")("casas", [["a", "s"], ["c", "as"]]) == ["cas", "as"]
    assert '`["cas", "as"]`' in STATEMENTS["cortar-bpe"][1]


def test_longest_pieces():
    longest, vocabulary = solution("trozo-mas-largo"), ["cas", "##a", "##as"]
    assert longest("casas", vocabulary) == ["cas", "##as"]
    assert longest("caso", vocabulary) == ["<desconocido>"]


def test_best_scores():
    best, scores = solution("mejores-cortes"), {"a": -1.0, "s": -1.0, "as": -1.5}
    assert best("as", scores, 2) == best("as", scores, 5) == [-1.5, -2.0]
    assert "`[-1.5, -2.0]`" in STATEMENTS["mejores-cortes"][1]


def test_the_planted_bugs_are_two():
    """El intento del enunciado falla, y por lo que se dice: no salta y pierde el último."""
    planted = re.search("```python\n(.+?)```", STATEMENTS["fusionar"][1], re.DOTALL)[1]
    names = {}
    exec(planted, names)
    assert names["merge"](["c", "o", "s", "a"], "c", "o") == ["co", "o", "s"]


def test_the_planted_bugs_of_the_neighbours():
    """El código del enunciado da la lista buena con una tabla fácil, y otra con su ejemplo."""
    planted = re.search("```python\n(.+?)```", STATEMENTS["fallos-en-las-vecinas"][1], re.DOTALL)[1]
    names = {}
    exec(planted, names)
    table = torch.tensor([[0.0, 0.0], [1.0, 0.0], [9.0, 9.0], [2.0, 1.0], [-1.0, 1.0]])
    assert solution("fallos-en-las-vecinas")(table, 1, 3) == [3, 2, 4]
    assert names["nearest"](table, 1, 3) != [3, 2, 4]
    easy = torch.tensor([[1.0, 0.1], [0.9, 0.2], [0.1, 1.0]])
    assert names["nearest"](easy, 0, 2) == [1, 2]


def test_group_precision():
    neighbours = {"uno": ["dos", "mesa"], "dos": ["uno", "tres"], "mesa": ["silla", "uno"]}
    assert solution("ventana")(neighbours, ["uno", "dos"]) == 0.5


def test_fertility():
    assert solution("fertilidad")(["hola", "sí"], lambda t: t[::2]) == 1.5
