"""Página estática de prueba: lo que el sitio escribe para una figura o un cuestionario."""

import json
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.systems import require_system

ROOT = Path(__file__).parents[2]
HOST_SCRIPT = ROOT / "chapters/_sitio/static/widgets.js"
_MIME = "application/vnd.jupyter.widget-"
_ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def open_browser():
    """Chromium sin ventana."""
    path = require_system("chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="falta playwright")
    with playwright.sync_playwright() as driver, _pages_that_settle(playwright.Page):
        browser = driver.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def _pages_that_settle(kind):
    """Abrir una página del sitio es también esperar a sus guiones y a lo que se coloca por partes.

    El navegador la da por cargada antes, como le ocurre a quien la lee.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("goto", "reload"):
            patch.setattr(kind, name, _settled(getattr(kind, name)))
        yield


def _settled(visit):
    def visited(page, *args, **options):
        answer = visit(page, *args, **options)
        if page.evaluate("'cargando' in document.documentElement.dataset"):
            page.wait_for_function("!('cargando' in document.documentElement.dataset)")
        return answer

    return visited


def widget_state(widget) -> dict:
    """Estado de una figura tal como queda guardado en el cuaderno."""
    state = widget.get_state()
    return {
        "model_name": state["_model_name"],
        "model_module": state["_model_module"],
        "model_module_version": state["_model_module_version"],
        "state": state,
    }


def write_page(folder: Path, *, models: dict | None = None, views=(), body: str = "") -> Path:
    """Escribe una página con los mismos guiones JSON que escribe myst-nb y la devuelve."""
    state = {"version_major": 2, "version_minor": 0, "state": models or {}}
    scripts = "".join(
        f'<div class="output">{_json_script("view", {"model_id": name, "version_major": 2})}</div>'
        for name in views
    )
    page = folder / "pagina.html"
    shutil.copy(HOST_SCRIPT, folder / "widgets.js")
    page.write_text(
        '<!doctype html><html lang="es" data-theme="light"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Prueba</title>{_json_script('state', state)}"
        '<script defer src="widgets.js"></script></head>'
        f"<body><main><h1>Prueba</h1>{scripts}{body}</main></body></html>",
        encoding="utf-8",
    )
    return page


def _json_script(kind: str, value: dict) -> str:
    content = json.dumps(value).replace("</", "<\\/")
    return f'<script type="{_MIME}{kind}+json">{content}</script>'


def open_page(browser, path: Path, *, width: int = 1200, **context):
    """Abre una página y apunta en `page.problems` sus errores y lo que pide a la red."""
    page = browser.new_page(viewport={"width": width, "height": 800}, **context)
    page.set_default_timeout(5000)
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on(
        "request",
        lambda request: (
            request.url.startswith(("file:", "blob:", "data:")) or page.problems.append(request.url)
        ),
    )
    page.goto(path.as_uri())
    return page


def overflow(page) -> int:
    """Píxeles que la página se sale por la derecha."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


@contextmanager
def widget_page(browser, folder: Path, widget, *, width: int):
    """Una figura que cuenta lo que pasa, en su página; al salir, sin errores, red ni desborde."""
    models = {"m": widget_state(widget)}
    page = open_page(browser, write_page(folder, models=models, views=models), width=width)
    page.wait_for_selector("[role=status]")
    yield page
    assert page.problems == [] and overflow(page) <= 0
    page.close()


def told(page) -> str:
    """Lo que la figura le cuenta a quien no la ve."""
    return page.get_by_role("status").inner_text()
