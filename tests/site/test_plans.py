"""Los planes: cada uno en una tabla, con una fila por semana que lleva a su detalle."""

import pytest
from docutils import nodes

from tests.conftest import ROOT

plans = pytest.importorskip("course_site.plans", reason="falta sphinx (extra «libro»)")
chapters = pytest.importorskip("course_site.chapters")


@pytest.fixture(scope="module")
def directive():
    """La directiva, sin un sitio alrededor: los capítulos van sin enlace."""
    from tfcourse.teaching.plans import read_chapters

    made = object.__new__(plans.PlansDirective)
    made.known, made.pages = chapters.all_chapters(chapters.load_map()), {}
    made.read = read_chapters(ROOT)
    return made


@pytest.mark.parametrize("path", chapters.load_map()["rutas"], ids=lambda path: path["nombre"])
def test_a_plan_is_a_table_with_a_row_per_week(directive, path):
    table = directive.summary(path["nombre"], path["semanas"])
    head, *rows = table.findall(nodes.row)
    assert head.astext().split("\n\n") == list(plans.HEADINGS)
    assert len(rows) == len(path["semanas"])
    for number, (row, names) in enumerate(zip(rows, path["semanas"], strict=True), start=1):
        link = next(iter(row.findall(nodes.reference)))
        assert (link.astext(), link["refid"]) == (
            str(number),
            plans.week_id(path["nombre"], number),
        )
        told = row.children[1].astext()
        assert all(directive.known[name]["titulo"] in told for name in names)


def test_a_week_says_its_minutes_and_points(directive):
    *_, in_class, handed = directive.week_cells("Una", 1, ["gpt"])
    cards = directive.read["gpt"].to_hand_in + directive.read["gpt"].project
    assert in_class[0] == f"{sum(c.minutes for c in directive.read['gpt'].in_class)} min"
    points = sum(card.points + card.manual_points for card in cards)
    assert handed[0] == f"{sum(card.minutes for card in cards)} min, {points} puntos"
