"""Mirar en un navegador las páginas que escriben las órdenes del docente."""

from collections.abc import Iterable
from pathlib import Path

from tests.site.test_accessibility import AXE, RUN


def assert_readable(browser, paths: Iterable[Path]) -> None:
    """Sin faltas de accesibilidad y sin desplazarse a los lados, en el móvil y a oscuras."""
    paths = list(paths)
    for width, scheme in ((360, "light"), (1280, "dark")):
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        for path in paths:
            page.goto(path.as_uri())
            page.evaluate("document.querySelectorAll('details').forEach((d) => d.open = true)")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, (path, wide)
            page.evaluate(AXE.read_text(encoding="utf-8"))  # la página no admite guiones
            assert page.evaluate(RUN, {}) == [], path
        page.close()
