"""Los turnos: lo repartido va en uno y solo en uno, y las dos maneras de una página, en dos."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from tests.turns import TURNS, leave_out, pages_in_turn, rests, turn_of
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


def test_the_turns_are_everything_and_share_only_what_is_not_divided(monkeypatch):
    turns = [kept(monkeypatch, str(turn))[0] for turn in range(TURNS)]
    assert all(items[0] is ITEMS[0] for items in turns)
    divided = [id(item) for items in turns for item in items[1:]]
    assert sorted(divided) == sorted(map(id, ITEMS[1:]))


def test_without_a_turn_nothing_is_left_out(monkeypatch):
    assert kept(monkeypatch, "todos") == (ITEMS, [])


@pytest.mark.parametrize("turn", range(TURNS))
def test_a_page_is_not_tried_in_its_two_ways_at_once(monkeypatch, turn):
    items, _ = kept(monkeypatch, str(turn))
    tried = [item.callspec.id or item.path.stem.removeprefix("test_") for item in items[1:]]
    assert len(tried) == len({*tried})


def test_the_four_turns_of_a_chapter(monkeypatch):
    """Se compara en dos, corre en el acelerador en otro y en el que queda se prueba qué afirma."""
    names = [path.stem for path in book_notebooks(ROOT)]
    compared = [
        marked("tests/test_chapters.py", name, por="caso", otro=True, al_lado=True)
        for name in names
    ]
    device = [marked("tests/accelerator/t.py", name, por="caso", otro=True) for name in names]
    claims = [marked(f"tests/claims/test_{name}.py", por="archivo") for name in names]
    for some in zip(compared, device, claims, strict=True):
        turns = [[not rests(item, turn) for turn in range(TURNS)] for item in some]
        assert [sum(column) for column in zip(*turns, strict=True)] == [1] * TURNS
        assert [sum(row) for row in turns] == [2, 1, 1]
    monkeypatch.setenv("TFCOURSE_TURNO", "todos")
    leave_out(compared, pytest.fail)
    assert len(compared) == len(names)


def test_every_chapter_of_the_book_carries_its_mark():
    from tests.test_chapters import CASES
    from workshop.notebooks import is_exercises

    assert [case.id for case in CASES] == [path.stem for path in book_notebooks(ROOT)]
    for case, path in zip(CASES, book_notebooks(ROOT), strict=True):
        (mark,) = case.marks
        whole = not is_exercises(path)
        assert mark.kwargs == {"por": "caso", "otro": whole, "al_lado": whole}


def test_a_page_of_the_site_is_looked_at_in_one_turn(monkeypatch):
    pages = [Path(f"chapters/{name}.html") for name in ("bert", "gpt", "t5", "glosario", "intro")]
    seen = []
    for turn in range(TURNS):
        monkeypatch.setenv("TFCOURSE_TURNO", str(turn))
        seen += pages_in_turn(pages)
    assert sorted(seen) == sorted(pages)
    monkeypatch.setenv("TFCOURSE_TURNO", "todos")
    assert pages_in_turn(pages) == pages


def test_the_turns_weigh_the_same():
    pages = [path.stem for path in book_notebooks(ROOT)]
    for some in ([p for p in pages if "_ejercicios" not in p], pages):
        shares = [sum(turn_of(name) == turn for name in some) / len(some) for turn in range(TURNS)]
        assert 0.1 < min(shares) <= max(shares) < 0.4
