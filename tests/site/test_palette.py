"""La paleta de la guía de estilo: sale de la hoja, y su contraste es el de WCAG."""

import pytest

from tests.site.pages import parse

palette = pytest.importorskip("course_site.palette", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento


def test_contrast_is_that_of_the_guidelines():
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert palette.contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=1e-3)
    assert palette.contrast("#ffffff", "#ffffff") == 1.0


@pytest.mark.parametrize("theme", palette.THEMES)
def test_every_color_of_a_word_can_be_read(theme):
    colors = palette.palette()[theme]
    assert set(palette.USES) <= set(colors)
    assert min(palette.contrast(colors[name], colors["paper"]) for name in palette.USES) >= 4.5


def test_the_guide_shows_every_color(site):
    rows = parse(site / "chapters/referencia/estilo.html").select("tbody th code")
    assert [row.text for row in rows[: len(palette.USES)]] == list(palette.USES)
