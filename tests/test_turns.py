"""Los turnos: lo repartido va en uno y solo en uno, y cada página se prueba en los dos."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from tests.turns import leave_out, turn_of
from workshop.notebooks import book_notebooks


def marked(path: str, case: str = "", **kwargs):
    """Una prueba de mentira con la marca, o sin ella."""
    return SimpleNamespace(
        path=Path(path),
        callspec=SimpleNamespace(id=case),
        get_closest_marker=lambda name: SimpleNamespace(kwargs=kwargs) if kwargs else None,
    )


ITEMS = [
    marked("tests/test_otra.py"),
    *(marked(f"tests/claims/test_{name}.py", por="archivo") for name in ("bert", "gpt", "t5")),
    *(marked("tests/a.py", name, por="caso", otro=True) for name in ("bert", "gpt", "t5")),
]


def kept(monkeypatch, turn: str) -> tuple[list, list]:
    monkeypatch.setenv("TFCOURSE_TURNO", turn)
    items, resting = [*ITEMS], []
    leave_out(items, resting.extend)
    return items, resting


def test_two_turns_are_everything_and_share_only_what_is_not_divided(monkeypatch):
    first, second = kept(monkeypatch, "0"), kept(monkeypatch, "1")
    assert [item for item in first[0] if item in second[0]] == ITEMS[:1]
    assert {*map(id, first[1])} == {id(item) for item in second[0][1:]}
    assert {*map(id, second[1])} == {id(item) for item in first[0][1:]}


def test_without_a_turn_nothing_is_left_out(monkeypatch):
    assert kept(monkeypatch, "todos") == (ITEMS, [])


@pytest.mark.parametrize("turn", ["0", "1"])
def test_a_page_is_always_tried_in_one_of_the_two_ways(monkeypatch, turn):
    items, _ = kept(monkeypatch, turn)
    tried = [item.callspec.id or item.path.stem.removeprefix("test_") for item in items[1:]]
    assert sorted(tried) == ["bert", "gpt", "t5"]


def test_the_turns_weigh_the_same():
    pages = [path.stem for path in book_notebooks(ROOT)]
    for some in ([p for p in pages if "_ejercicios" not in p], pages):
        assert 0.3 < sum(map(turn_of, some)) / len(some) < 0.7
