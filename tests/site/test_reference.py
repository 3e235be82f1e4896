"""La referencia construida: páginas que se leen de una vez y en las que está todo, una sola vez."""

from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.site.pages import GENERATED, different_pages, page_paths, parse
from workshop.house.reading import House, read_house
from workshop.reference import plan
from workshop.reference.text import FOLDER

finish = pytest.importorskip("course_site.finish", reason="falta sphinx (extra «libro»)")

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def house() -> House:
    """El paquete, leído del código."""
    return read_house(ROOT / "tfcourse", ROOT / "chapters/mapa.yml")


def reference_pages(site: Path) -> list[Path]:
    """Las páginas de la referencia, también las generadas."""
    return sorted((site / "chapters/referencia").rglob("*.html"))


def test_every_page_is_read_at_once(site):
    counted = {
        page.relative_to(site).as_posix(): len(parse(page).select_one("article").get_text().split())
        for page in reference_pages(site)
    }
    assert len(counted) > 50
    long = {name: words for name, words in counted.items() if words > plan.LONGEST}
    assert not long, long


def test_every_public_module_is_told_once(site, house):
    anchors = Counter(
        element["id"]
        for page in reference_pages(site)
        for element in parse(page).select("[id^='module-tfcourse']")
    )
    public = {f"module-tfcourse.{module.name}" for module in plan.public_modules(house)}
    assert set(anchors) == public
    assert set(anchors.values()) == {1}


def test_the_index_leads_to_everything_public(site, house):
    linked = Counter(
        link["href"].partition("#")[2]
        for page in (site / FOLDER / "donde_esta").glob("*.html")
        for link in parse(page).select("article li a.reference")
    )
    expected = {entry.name for entry in plan.entries(house)}
    assert expected <= set(linked)
    assert {linked[name] for name in expected} == {1}


def test_the_house_is_told_without_arrows_upwards_or_circles(site):
    page = parse(site / "chapters/referencia/casa.html").select_one("article")
    told = " ".join(page.get_text().split())
    assert "0 suben de piso" in told and "hay 0 círculos" in told
    assert [title.get_text()[:6] for title in page.select("h2")][:7] == [
        f"Piso {floor}" for floor in range(7, 0, -1)
    ]
    rooms = page.select("li a[href$='detection.html'], li a[href$='/detr.html']")
    assert len(rooms) >= 2  # el cuarto y su capítulo


def test_the_menu_opens_the_group_that_is_read(site):
    closed = parse(site / "chapters/referencia/index.html").select_one(".bd-links")
    assert not closed.select(".toctree-l3")
    menu = parse(site / FOLDER / "vision/detection.html").select_one(".bd-links")
    assert [item.get_text() for item in menu.select("[aria-current=page]")] == ["vision.detection"]
    shown = {Path(link["href"]).stem for link in menu.select(".toctree-l3 > a") if link["href"]}
    assert {"pose", "segmentation"} <= shown and "bert" not in shown


def test_generated_pages_cannot_be_edited(site):
    """Su archivo no está en el repositorio: no se ofrece proponer un cambio en él."""
    offered = 'a[href*="/edit/"]'
    assert parse(site / "chapters/referencia/casa.html").select(offered)
    assert not parse(site / FOLDER / "vision/detection.html").select(offered)


def test_every_page_but_the_repeated_ones_is_looked_at(site):
    looked = different_pages(site)
    left = set(page_paths(site)) - {*looked, site / "index.html"}
    assert all(GENERATED in path.parts for path in left)
    assert {path.parent for path in left} <= {path.parent for path in looked}


@pytest.mark.parametrize(("said", "meant"), [("class", "clase"), ("property", "propiedad")])
def test_what_each_name_is_is_said_in_spanish(said, meant):
    mark = '<em class="property"><span class="pre">{}</span><span class="w"> </span></em>'
    assert finish.finished(mark.format(said)) == mark.format(meant)
