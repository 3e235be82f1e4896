"""Lo que queda lejos no se compone al abrir una página, y ocupa más o menos su sitio."""

import pytest

sections = pytest.importorskip("course_site.sections", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento
PAGE = "chapters/1_recurrencia/lstm_gru.html"
HEIGHT = "document.documentElement.scrollHeight"


def test_only_the_sections_of_the_second_level_are_marked():
    text = "<section><h1>A</h1><section><h2>B</h2><section><h3>C</h3></section></section></section>"
    done = sections.sized_sections(text)
    assert done.count("lejos") == 1 and '<section><h1>A</h1><section class="lejos"' in done
    assert sections.sized_sections(done) == done


def test_a_section_is_as_tall_as_what_it_has():
    text = '<p>Hola</p><pre>a\nb\n</pre><math>x</math><img src="a.png" height="300" width="9">'
    assert sections.size(text) == f"--fijo:{sections.FRAME + 2 * sections.LINE + 300};--letras:4"


@pytest.mark.parametrize("width", [390, 1440])
def test_the_page_is_almost_as_tall_before_being_read(site, browser, width):
    page = browser.new_page(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    page.goto((site / PAGE).as_uri())
    page.evaluate("scrollTo(0, 0)")
    guessed = page.evaluate(HEIGHT)
    page.add_style_tag(content=".lejos { content-visibility: visible !important }")
    assert 0.6 < guessed / page.evaluate(HEIGHT) < 1.5
    page.close()


def test_a_link_to_a_far_place_gets_there_and_paper_has_it_all(site, browser):
    page = browser.new_page(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    page.goto((site / PAGE).as_uri() + "#para-seguir-leyendo")
    page.wait_for_function(
        "Math.abs(document.getElementById('para-seguir-leyendo').getBoundingClientRect().top) < 300"
    )
    style = "(box) => getComputedStyle(box).contentVisibility"
    assert page.locator(".lejos").first.evaluate(style) == "auto"
    page.emulate_media(media="print")
    assert page.locator(".lejos").first.evaluate(style) == "visible"
    page.close()
