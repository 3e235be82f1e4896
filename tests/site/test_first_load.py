"""Lo que se hace al abrir una página: lo justo para verla, y lo demás, después y por partes.

La rapidez misma depende de la máquina y se mide en `make lighthouse`; aquí se mira lo que la
estropeó, que no depende de la carga.
"""

import gzip
import re

import pytest

from tests.conftest import ROOT
from tests.site.pages import page_paths, parse
from tests.site.server import serve

pytestmark = [pytest.mark.lento, pytest.mark.sitio]
OPENING = ROOT / "chapters/_sitio/plantillas/al_abrir.js"
PHONE = {"viewport": {"width": 390, "height": 844}}
LONG = "chapters/1_recurrencia/lstm_gru.html"
# Las largas de cada clase: un capítulo, el índice de nombres y lo que trae un módulo.
KINDS = (LONG, "genindex.html", "chapters/referencia/paquete/piso_2/layers-attention.html")
PLACE = "#la-lstm-una-memoria-que-se-suma"
# Lo único que se espera antes de dibujar, y lo que puede pesar comprimido.
STYLES = {"curso.css", "katex.css", "mapa.css"}
BLOCKING = 40_000
# Lo que hace que el navegador coloque la página antes de tiempo, si se le pregunta.
MEASURES = """
window.asked = [];
const ask = (kind, name) => {
  const { get, value } = Object.getOwnPropertyDescriptor(kind.prototype, name);
  const told = (real) => function (...args) {
    if ("cargando" in document.documentElement.dataset) {
      window.asked.push(`${name}: ${new Error().stack.match(/[\\w-]+\\.js/)?.[0]}`);
    }
    return real.apply(this, args);
  };
  Object.defineProperty(kind.prototype, name, get ? { get: told(get) } : { value: told(value) });
};
ask(Element, "getBoundingClientRect");
for (const side of ["Width", "Height"]) {
  for (const of of ["scroll", "client"]) ask(Element, of + side);
  ask(HTMLElement, "offset" + side);
}
ask(HTMLElement, "innerText");
"""
# El menú se desliza hasta el capítulo que se lee: es del tema, y se le deja.
MAY_MEASURE = "pydata-sphinx-theme.js"
# Cada vez que se descubren bloques: los elementos de cada uno.
STEPS = """
window.steps = [];
new MutationObserver((list) => {
  const waited = ({ target, oldValue }) => oldValue?.includes("tras") && !target.matches(".tras");
  const shown = list.filter(waited);
  const sizes = shown.map(({ target }) => 1 + target.getElementsByTagName("*").length);
  if (sizes.length) window.steps.push(sizes);
}).observe(document, { attributeFilter: ["class"], attributeOldValue: true, subtree: true });
"""
WAITING = "document.getElementsByClassName('tras').length"
HIDDEN = "[...document.querySelectorAll('.tras')].filter((one) => !one.checkVisibility()).length"
PAGES = ("chapters/intro.html", "chapters/3_lenguaje/bert.html", "search.html")
# Lo que cambia en <html> desde que hay cuerpo: cada cambio repite el estilo de la página. El que
# dice que se está abriendo, no: solo lo miran los bloques que esperan.
WATCH = """
localStorage.mode ??= MODE;
window.changes = [];
new MutationObserver((list) => {
  for (const { target, attributeName: name, oldValue } of list) {
    const now = target.getAttribute(name);
    const watched = target === document.documentElement && name !== "data-cargando";
    if (watched && document.body && now !== oldValue) {
      window.changes.push(`${name}: de ${oldValue} a ${now}`);
    }
  }
}).observe(document, { attributes: true, attributeOldValue: true, subtree: true });
"""
THEMES = [
    ("", "light", "light"),
    ("", "dark", "dark"),
    ("auto", "dark", "dark"),
    ("dark", "light", "dark"),
    ("light", "dark", "light"),
    ("de otro sitio", "dark", "dark"),
]


@pytest.mark.parametrize(("saved", "system", "shown"), THEMES)
def test_theme_is_settled_before_drawing(site, browser, saved, system, shown):
    context = browser.new_context(color_scheme=system)
    context.add_init_script(WATCH.replace("MODE", repr(saved)))
    page = context.new_page()
    for name in PAGES:
        page.goto((site / name).as_uri(), wait_until="load")
        assert page.evaluate("window.changes") == [], name
        assert page.evaluate("document.documentElement.dataset.theme") == shown, name
    context.close()


def test_a_change_while_loading_is_noticed(browser, tmp_path):
    page = browser.new_page()
    page.add_init_script(WATCH.replace("MODE", "''"))
    (tmp_path / "p.html").write_text(
        "<!doctype html><html data-theme=auto><body><p>Hola</p>"
        "<script>document.documentElement.dataset.theme = 'light'</script></body></html>"
    )
    page.goto((tmp_path / "p.html").as_uri(), wait_until="load")
    assert page.evaluate("window.changes") == ["data-theme: de auto a light"]
    page.close()


def test_theme_button_still_goes_round_the_three(site, browser):
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto((site / PAGES[1]).as_uri(), wait_until="load")
    seen = []
    for _ in range(3):
        page.locator(".theme-switch-button:visible").first.click()
        seen.append(
            page.evaluate(
                "(({mode, theme}) => [mode, theme])({...document.documentElement.dataset})"
            )
        )
    assert seen == [["dark", "dark"], ["light", "light"], ["auto", "light"]]
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    context.close()


def test_letters_of_formulas_are_asked_for_with_the_page(site):
    with_formulas = 0
    for path in page_paths(site):
        soup = parse(path)
        asked = {link["href"].split("/")[-1] for link in soup.select("link[rel=preload]")}
        formulas = soup.select_one(".katex-html")
        italic = soup.select_one(".mathnormal")
        with_formulas += bool(formulas)
        assert ("KaTeX_Main-Regular.woff2" in asked) == bool(formulas), path
        assert ("KaTeX_Math-Italic.woff2" in asked) == bool(italic), path
        for link in soup.select("link[rel=preload]"):
            assert (path.parent / link["href"]).exists(), (path, link)
    assert with_formulas > 50


def test_only_the_styles_are_waited_for_before_drawing(site):
    for path in page_paths(site):
        soup = parse(path)
        sheets = [path.parent / link["href"] for link in soup.select("link[rel=stylesheet]")]
        assert {sheet.name for sheet in sheets} <= STYLES, path
        assert sum(len(gzip.compress(sheet.read_bytes(), 6)) for sheet in sheets) < BLOCKING, path
        early = [script["src"] for script in soup.select("script[src]")]  # sin los de la plantilla
        assert not early or path == site / "search.html", (path, early)


@pytest.fixture
def held(site, browser):
    """Una página larga, en un móvil, a la que aún no le han llegado los estilos."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.held, page.asked_for = [], []
    page.on("request", lambda request: page.asked_for.append(request.url))
    page.route("**/curso.css", lambda route: page.held.append(route))
    with serve(site) as address:
        # Abrirla como las demás esperaría a que acabara.
        page.evaluate("(url) => { location.href = url }", f"{address}{LONG}")
        page.wait_for_url(f"**/{LONG}", wait_until="commit")
        page.wait_for_function(f"{WAITING} > 50", polling=50)
        yield page
        context.close()


def test_scripts_are_asked_for_once_the_page_is_seen(held):
    assert not [url for url in held.asked_for if ".js" in url]
    assert held.evaluate("document.documentElement.dataset.cargando") == "partes"
    held.held[0].continue_()
    held.wait_for_function("!('cargando' in document.documentElement.dataset)")
    assert sum(".js" in url for url in held.asked_for) > 5


def test_who_touches_something_gets_the_rest_at_once(held):
    held.keyboard.press("Shift")
    assert held.evaluate("document.documentElement.dataset.cargando") == "todo"
    held.held[0].continue_()
    held.wait_for_function("!('cargando' in document.documentElement.dataset)")
    assert held.evaluate(HIDDEN) == 0


@pytest.mark.parametrize("name", KINDS)
def test_the_rest_is_uncovered_by_parts(site, browser, name):
    each = int(re.search(r"EACH = (\d+)", OPENING.read_text(encoding="utf-8"))[1])
    context = browser.new_context(**PHONE)
    context.add_init_script(STEPS)
    page = context.new_page()
    page.goto((site / name).as_uri())
    steps = page.evaluate("window.steps")
    assert page.evaluate(WAITING) == 0 and len(steps) > 10
    assert all(sum(sizes[:-1]) < each for sizes in steps)
    context.close()


@pytest.mark.parametrize(("place", "way"), [("", "partes"), (PLACE, "todo")])
def test_who_goes_to_a_place_does_not_wait(site, browser, place, way):
    context = browser.new_context(**PHONE)
    context.add_init_script(
        "document.addEventListener('DOMContentLoaded', () => {"
        " window.way = document.documentElement.dataset.cargando; });"
    )
    page = context.new_page()
    page.goto((site / LONG).as_uri() + place)
    assert page.evaluate("window.way") == way and page.evaluate(HIDDEN) == 0
    context.close()


@pytest.mark.parametrize(("width", "hidden"), [(390, 1), (1440, 0)])
def test_a_wide_screen_hides_nothing(site, browser, width, hidden):
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto((site / LONG).as_uri())
    page.evaluate("document.querySelector('article p').classList.add('tras')")
    page.evaluate("document.documentElement.dataset.cargando = 'partes'")
    assert page.evaluate(HIDDEN) == hidden
    page.emulate_media(media="print")
    assert page.evaluate(HIDDEN) == 0
    page.close()


@pytest.mark.parametrize("name", KINDS)
def test_everything_is_there_without_scripts(site, browser, name):
    context = browser.new_context(java_script_enabled=False, **PHONE)
    page = context.new_page()
    page.goto((site / name).as_uri())
    assert page.evaluate(WAITING) > 50 and page.evaluate(HIDDEN) == 0
    context.close()


@pytest.mark.parametrize("name", [LONG, *PAGES])
def test_no_script_measures_the_page_while_it_opens(site, browser, name):
    context = browser.new_context(**PHONE)
    context.add_init_script(MEASURES)
    page = context.new_page()
    page.goto((site / name).as_uri())
    asked = page.evaluate("window.asked")
    assert [one for one in asked if MAY_MEASURE not in one] == []
    context.close()
