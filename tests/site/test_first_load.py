"""Lo que se hace al abrir una página: una sola pasada de estilo y con las letras ya pedidas.

La rapidez misma depende de la máquina y se mide en `make lighthouse`; aquí se mira lo que la
estropeó, que no depende de la carga.
"""

import pytest

from tests.site.pages import page_paths, parse

pytestmark = [pytest.mark.lento, pytest.mark.sitio]
PAGES = ("chapters/intro.html", "chapters/3_lenguaje/bert.html", "search.html")
# Lo que cambia en <html> desde que hay cuerpo: cada cambio repite el estilo de toda la página, salvo
# el que dice que se está abriendo, que solo miran los bloques que esperan.
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
