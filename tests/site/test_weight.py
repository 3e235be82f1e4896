"""Lo que pesa cada página en la red y lo que carga: nada que no use."""

import re

import pytest

from tests.site.pages import different_pages, page_paths, parse, written_pages
from tests.site.server import serve
from tests.turns import pages_in_turn

pytestmark = pytest.mark.lento
# Bytes comprimidos al abrir la página, sin nada guardado de otra.
LIMIT = 300_000
# El buscador se abre a menudo y con prisa: del índice, solo los títulos.
LIMITS = {"search.html": 120_000}


@pytest.fixture(scope="module")
def address(site):
    with serve(site) as url:
        yield url


def transferred(browser, url: str) -> dict[str, int]:
    """Bytes que llegan por cada archivo al abrir una página en un móvil."""
    context = browser.new_context(viewport={"width": 412, "height": 823})
    page = context.new_page()
    session = context.new_cdp_session(page)
    names, sizes = {}, {}
    session.on("Network.requestWillBeSent", lambda e: names.update({e["requestId"]: e["request"]}))
    session.on(
        "Network.loadingFinished",
        lambda e: sizes.update({names[e["requestId"]]["url"]: int(e["encodedDataLength"])}),
    )
    session.send("Network.enable")
    page.goto(url, wait_until="networkidle")
    context.close()
    return sizes


def test_pages_are_light(site, browser, address):
    heavy, pages = [], different_pages(site)
    always = [path for path in pages if path.name in LIMITS]
    for path in {*pages_in_turn(pages), *always}:
        name = path.relative_to(site).as_posix()
        sizes = transferred(browser, address + name)
        total, limit = sum(sizes.values()), LIMITS.get(name, LIMIT)
        assert sizes, name
        if total > limit:
            worst = sorted(sizes.items(), key=lambda item: -item[1])[:4]
            heavy.append(f"{name}: {total} bytes; lo que más, {worst}")
    assert not heavy, "\n".join(heavy)


def test_the_home_is_light_with_every_sample(site, browser, address):
    """En una red lenta, el navegador pide también las que están lejos."""
    sizes = transferred(browser, address + "chapters/intro.html")
    asked = {url.split("/")[-1] for url in sizes}
    samples = list((site / "_images").glob("muestra-*.webp"))
    waiting = sum(path.stat().st_size for path in samples if path.name not in asked)
    assert len(samples) > 3 and sum(sizes.values()) + waiting < LIMIT


def test_scripts_are_loaded_only_where_used(site):
    for page in page_paths(site):
        soup = parse(page)
        asked = soup.find_all("script", src=True)  # `select` no mira dentro de una plantilla
        scripts = {re.sub(r"\?.*", "", script["src"]).split("/")[-1] for script in asked}
        assert ("widgets.js" in scripts) == bool(soup.select('script[type*="widget-view"]')), page
        assert ("copybutton.js" in scripts) == bool(soup.select(".highlight")), page
        assert ("buscar.js" in scripts) == (page == site / "search.html"), page
        assert not scripts & {"require.min.js", "thebe.js", "bootstrap.js", "fontawesome.js"}, page
        assert all(script.get("defer") is not None for script in asked), page


def test_figures_wait_until_they_are_near_and_keep_their_place(site):
    for page in written_pages(site):
        for picture in parse(page).select("article img[src*=_images]"):
            assert picture.get("loading") == "lazy", (page, picture)
            assert int(picture["width"]) and int(picture["height"]), (page, picture)


@pytest.mark.parametrize(
    "name",
    [
        "1_recurrencia/secuencia_a_secuencia.html",
        "3_lenguaje/bert_ejercicios.html",
        "glosario.html",
        "intro.html",
    ],
)
def test_nothing_jumps_while_loading(browser, address, name):
    """El desplazamiento acumulado de lo que ya se leía es casi nulo."""
    page = browser.new_page(viewport={"width": 412, "height": 823})
    page.add_init_script(
        "window.shift = 0; const add = (list) => list.getEntries().forEach((entry) => {"
        " window.shift += entry.value; }); new PerformanceObserver(add)"
        ".observe({ type: 'layout-shift', buffered: true });"
    )
    page.goto(f"{address}chapters/{name}")
    page.wait_for_timeout(500)
    assert page.evaluate("window.shift") < 0.1
    page.close()


def test_reduced_motion_is_honoured(browser, address):
    page = browser.new_page(reduced_motion="reduce")
    page.goto(address + "chapters/1_recurrencia/secuencia_a_secuencia.html")
    moving = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return [transitionDuration, animationDuration].some((t) => parseFloat(t) > 0.001);
        }).length"""
    )
    assert moving == 0
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    page.close()
