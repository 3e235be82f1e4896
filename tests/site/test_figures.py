"""Las figuras interactivas del sitio: sus datos llegan cuando uno se acerca a ellas."""

import json
import shutil

import pytest

from tests.site.static_page import HOST_SCRIPT

figures = pytest.importorskip("course_site.figures", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento
PAGE = "chapters/6_multimodal/imagen_y_texto.html"
VIEW = 'script[type*="widget-view"]'


@pytest.fixture
def page(site, browser):
    """Un capítulo abierto como archivo, que apunta los datos de figuras que ha pedido."""
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    opened.asked, opened.problems = [], []
    opened.on("request", lambda r: f"{figures.FOLDER}/" in r.url and opened.asked.append(r.url))
    opened.on("pageerror", lambda error: opened.problems.append(str(error)))
    opened.goto((site / PAGE).as_uri(), wait_until="load")
    yield opened
    assert opened.problems == []
    opened.close()


def drawn(page) -> int:
    """Cuántas figuras se han dibujado."""
    return page.locator(f"{VIEW} + div > *").count()


def test_data_come_when_the_figure_is_near(page):
    page.wait_for_timeout(300)
    assert page.asked == [] and drawn(page) == 0
    page.locator(VIEW).evaluate("script => script.nextElementSibling.scrollIntoView()")
    page.locator(f"{VIEW} + div > *").first.wait_for()
    assert len(page.asked) == 1 and drawn(page) == 1


def test_who_prints_gets_every_figure(page):
    page.evaluate("window.tfcourseShowFigures()")
    assert drawn(page) == page.locator(VIEW).count() > 0


def test_state_of_a_page_becomes_a_file_with_the_name_of_its_content(tmp_path):
    state = {"version_major": 2, "state": {"a": {"state": {"_esm": "</p>"}}}}
    page = tmp_path / "chapters/una.html"
    text = f'<p>A</p><script type="{figures.TYPE}">{json.dumps(state)}</script>'
    done = figures.as_files(tmp_path, page, text)
    assert done == figures.as_files(tmp_path, page, text)
    (saved,) = (tmp_path / figures.FOLDER).iterdir()
    assert 'data-figuras="a"' in done
    assert f'data-archivo="../{figures.FOLDER}/{saved.name}"></script>' in done
    assert json.dumps(state["state"]["a"]) in saved.read_text(encoding="utf-8")


def test_each_figure_asks_only_for_its_own_file(tmp_path, browser):
    """En una página con varios estados, el de una figura lejana no se pide hasta llegar a ella."""
    module = "export default { render({ el }) { el.textContent = 'hola'; } };"
    states = [{"state": {name: {"state": {"_esm": module, "n": name}}}} for name in ("a", "b")]
    saved = "".join(f'<script type="{figures.TYPE}">{json.dumps(s)}</script>' for s in states)
    kind = figures.TYPE.replace("state", "view")
    near, far = (f'<script type="{kind}">{{"model_id": "{name}"}}</script>' for name in ("a", "b"))
    page = tmp_path / "una.html"
    body = f'<body>{near}<p style="height: 9000px"></p>{far}<script src="widgets.js"></script>'
    page.write_text(figures.as_files(tmp_path, page, f"{saved}{body}"), encoding="utf-8")
    shutil.copy(HOST_SCRIPT, tmp_path / "widgets.js")
    assert len(list((tmp_path / figures.FOLDER).iterdir())) == 2
    opened, asked = browser.new_page(), []
    opened.on("request", lambda r: f"{figures.FOLDER}/" in r.url and asked.append(r.url))
    opened.goto(page.as_uri())
    opened.get_by_text("hola").first.wait_for()
    assert len(asked) == 1
    opened.evaluate("window.scrollTo(0, 9000)")
    opened.get_by_text("hola").nth(1).wait_for()
    assert len(asked) == len(set(asked)) == 2
    opened.close()
