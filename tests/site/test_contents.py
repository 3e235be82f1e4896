"""El índice de la derecha señala el apartado que se lee."""

import pytest

pytestmark = pytest.mark.lento
PAGE = "chapters/intro.html"
MARKED = "#pst-page-toc-nav a.active"
SECTIONS = ("el-mapa-del-curso", "tres-rutas-por-semanas", "lo-que-sabras-hacer")
POINTS_AT = f"(name) => document.querySelector('{MARKED}')?.hash === `#${{name}}`"


def test_the_contents_follow_who_reads(site, browser):
    """De arriba abajo y al revés, también a saltos: señala el último título que ha pasado."""
    page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    page.goto((site / PAGE).as_uri())
    for name in SECTIONS:
        page.evaluate("(name) => document.getElementById(name).scrollIntoView()", name)
        page.wait_for_function(POINTS_AT, arg=name)
        marked = page.locator(MARKED)
        assert marked.count() == 1 and marked.get_attribute("aria-current") == "true"
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_function(f"!document.querySelector('{MARKED}')")
    page.close()
