"""Accesibilidad de cada página del sitio, con axe, en el tema claro y en el oscuro."""

import pytest

from tests.conftest import ROOT
from tests.site.pages import different_pages, page_paths, parse
from tests.turns import pages_in_turn

pytestmark = pytest.mark.lento

AXE = ROOT / ".ci/node_modules/axe-core/axe.min.js"
# En el tema oscuro cambian los colores y nada más: lo demás ya se ha mirado en el claro.
RULES = {"light": {}, "dark": {"runOnly": {"type": "rule", "values": ["color-contrast"]}}}
OPEN = "for (const box of document.querySelectorAll('article details')) box.open = true"
# De arriba abajo, de dos en dos pantallas: lo que se desliza se mide, y las figuras se dibujan, al
# estar a una pantalla de ellas, por arriba o por abajo (`NEARBY`).
NEARBY = 'rootMargin: "100% 0px"'
READ = """async () => {
  // Un navegador sin ventana a veces deja de pintar: entonces se sigue sin esperar al dibujo.
  const frame = () => new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
  for (let y = 0; y < document.documentElement.scrollHeight; y += 2 * innerHeight) {
    scrollTo(0, y);
    await frame();
    await frame();
  }
  scrollTo(0, 0);
}"""
RUN = """async (options) => {
  const late = new Promise((_, fail) => setTimeout(() => fail(Error("axe no termina")), 120000));
  const found = axe.run(document, { resultTypes: ["violations"], ...options });
  const { violations } = await Promise.race([found, late]);
  return violations.flatMap((violation) => violation.nodes.map(
    (node) => `${violation.id}: ${node.target.join(" ")} · ${node.failureSummary ?? ""}`));
}"""


PRESENTED = "chapters/1_recurrencia/redes_recurrentes.html"


def violations(browser, address: str, theme: str) -> list[str]:
    """Lo que axe reprocha a una página."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.add_init_script(f"localStorage.mode = localStorage.theme = '{theme}'")
    page.emulate_media(reduced_motion="reduce")
    page.goto(address, wait_until="load")
    page.evaluate(OPEN)
    if theme == "light":
        page.evaluate(READ)
    page.add_script_tag(path=AXE)
    found = page.evaluate(RUN, RULES[theme])
    page.close()
    return found


@pytest.mark.parametrize("theme", RULES)
def test_no_violation_in_any_page(site, browser, theme):
    problems = []
    for path in pages_in_turn(different_pages(site)):
        found = violations(browser, path.as_uri(), theme)
        problems += [f"{path.relative_to(site)}: {violation}" for violation in found]
    assert not problems, f"{len(problems)}\n" + "\n".join(problems[:30])


def test_a_table_says_what_its_rows_and_columns_are(site):
    """Con la esquina vacía, de lo que es cada fila; y ninguna columna se queda sin nombre."""
    by_rows = 0
    pages = [path for path in page_paths(site) if "<thead" in path.read_text(encoding="utf-8")]
    for path in pages:
        for table in parse(path).select("table.table"):
            corner, *others = table.select("thead tr:last-child > *") or [None]
            assert all(cell.get_text(strip=True) for cell in others), (path, str(table)[:300])
            if corner is not None and corner.name == "td":
                heads = [row.find(True) for row in table.select("tbody tr")]
                assert all(cell.name == "th" and cell["scope"] == "row" for cell in heads), path
                by_rows += 1
    assert by_rows > 15


@pytest.mark.parametrize("script", ["sitio.js", "widgets.js"])
def test_nothing_is_left_between_two_stops(script):
    text = (ROOT / "chapters/_sitio/static" / script).read_text(encoding="utf-8")
    assert text.count("rootMargin") == text.count(NEARBY) == 1


@pytest.mark.parametrize("theme", RULES)
def test_a_violation_is_noticed(browser, tmp_path, theme):
    (tmp_path / "p.html").write_text(
        '<!doctype html><html lang="es"><title>Página</title>'
        '<main><h1>Gris</h1><p style="color:#bbb;background:#fff">No se lee</p></main>'
    )
    found = violations(browser, (tmp_path / "p.html").as_uri(), theme)
    assert len(found) == 1 and "color-contrast" in found[0]


@pytest.mark.parametrize("theme", RULES)
@pytest.mark.parametrize("slide", [1, 2, 12])
def test_no_violation_while_presenting(site, browser, slide, theme):
    assert violations(browser, f"{(site / PRESENTED).as_uri()}#diapositiva-{slide}", theme) == []
