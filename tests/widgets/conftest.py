"""Figuras vivas en Chromium: qué piden al abrirlas y qué les reprocha axe."""

import re

import pytest

from tests.conftest import ROOT
from tests.site.server import serve
from tests.site.static_page import overflow, widget_state, write_page
from tfcourse.weights.packing import packed_weights

AXE = ROOT / ".ci/node_modules/axe-core/axe.min.js"
LOAD = re.compile(r"Cargar el modelo \(\d+ kB\)")


@pytest.fixture
def show(browser, tmp_path):
    """Abre una figura servida como en el sitio; al acabar, sin errores, y una sola petición."""
    opened = []

    def show_widget(widget, *, width=1200, load=True, theme="light"):
        models = {"m": widget_state(widget)}
        path = write_page(tmp_path, models=models, views=models)
        text = path.read_text(encoding="utf-8")
        text = text.replace('data-theme="light"', f'data-theme="{theme}" data-content_root="./"')
        path.write_text(text, encoding="utf-8")
        folder = tmp_path / "_static/pesos"
        folder.mkdir(parents=True)
        file = widget.state["file"]
        (folder / file).write_bytes(packed_weights(widget.state["weights"]))
        server = serve(tmp_path)
        address = server.__enter__()
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.set_default_timeout(20_000)
        page.problems, page.asked = [], []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(f"{address}pagina.html")
        button = page.get_by_role("button", name=LOAD)
        button.wait_for()
        assert not [url for url in page.asked if "pesos" in url]
        opened.append((page, server, address, file))
        if load:
            button.click()
            button.wait_for(state="detached")
        return page

    yield show_widget
    for page, server, address, file in opened:
        assert page.problems == [] and overflow(page) <= 0
        weights = [url for url in page.asked if "pesos" in url]
        assert weights in ([], [f"{address}_static/pesos/{file}"])
        assert all(url.startswith((address, "blob:", "file:")) for url in page.asked)
        page.close()
        server.__exit__(None, None, None)


def reproaches(page) -> list[str]:
    """Lo que axe encuentra mal en la figura de una página; sin axe, la prueba se omite."""
    if not AXE.exists():
        pytest.skip("falta axe: «make libro» lo instala")
    page.add_script_tag(path=AXE)
    return page.evaluate(
        "async () => (await axe.run('.tfc', { resultTypes: ['violations'] })).violations"
        ".flatMap(v => v.nodes.map(n => `${v.id}: ${n.target.join(' ')}`))"
    )
