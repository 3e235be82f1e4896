"""La respuesta correcta no se adivina por su sitio."""

from collections import Counter

import nbformat
import pytest

from tests.conftest import ROOT
from workshop.notebooks import book_notebooks
from workshop.slides.reading import asked


@pytest.fixture(scope="module")
def right_places() -> dict[str, list[int]]:
    """Por capítulo, el sitio de la correcta en cada pregunta de tres opciones."""
    places = {}
    for path in book_notebooks(ROOT):
        cells = nbformat.read(path, as_version=4).cells
        questions = [q for cell in cells if cell.cell_type == "code" for q in asked(cell.source)]
        three = [q for q in questions if len(q.answers) == 3]
        if three:
            places[path.stem] = [[a.right for a in q.answers].index(True) for q in three]
    return places


@pytest.mark.parametrize("place", range(3))
def test_no_place_is_the_good_one(place, right_places):
    counts = Counter(p for chapter in right_places.values() for p in chapter)
    assert 0.25 < counts[place] / counts.total() < 0.42


def test_no_chapter_repeats_always_the_same(right_places):
    assert [name for name, found in right_places.items() if len(set(found)) == 1] == []
