"""La salud del sitio: HTML válido, descripciones, imágenes para compartir, novedades y 404."""

import json
import subprocess
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
import yaml
from PIL import Image

from tests.conftest import ROOT
from tests.site.pages import page_paths, parse, written_pages
from tests.site.server import serve
from tests.site.static_page import overflow

NO_MAP = {"partes": []}
feeds = pytest.importorskip("course_site.feeds", reason="falta sphinx (extra «libro»)")
finish = pytest.importorskip("course_site.finish")
node = pytest.importorskip("course_site.node")
styles = pytest.importorskip("course_site.styles")

pytestmark = pytest.mark.lento
VALIDATOR = ROOT / ".ci/node_modules/html-validate/bin/html-validate.mjs"
RULES = ROOT / ".ci/htmlvalidate.json"


@pytest.fixture(scope="module")
def home() -> str:
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return config["sphinx"]["config"]["html_baseurl"]


def invalid(*patterns) -> list[str]:
    """Lo que html-validate reprocha a unas páginas."""
    command = [node.program("node"), str(VALIDATOR), "-c", str(RULES), "--formatter=json"]
    done = subprocess.run([*command, *map(str, patterns)], capture_output=True, text=True)
    assert done.stdout, done.stderr
    return [
        f"{page['filePath']}:{message['line']}: {message['message']}"
        for page in json.loads(done.stdout)
        for message in page["messages"]
    ]


def test_html_is_valid(site):
    wrong = invalid(site / "**/*.html")
    assert not wrong, f"{len(wrong)}\n" + "\n".join(wrong[:20])


def test_invalid_html_is_noticed(tmp_path):
    page = tmp_path / "p.html"
    page.write_text(
        '<!doctype html><html lang="es"><title>P</title><p><div>dentro</div></p></html>'
    )
    assert invalid(page)


def test_every_page_is_described_and_can_be_shared(site, home):
    told = {}
    for page in written_pages(site):
        soup = parse(page)
        found = {
            m.get("property") or m.get("name"): m["content"] for m in soup.select("meta[content]")
        }
        assert 50 <= len(found["description"]) <= 200, (page, found["description"])
        told.setdefault(found["description"], []).append(page.name)
        assert found["og:url"] == home + page.relative_to(site).as_posix()
        assert soup.select_one("link[rel=canonical]")["href"] == found["og:url"]
        with Image.open(site / found["og:image"].removeprefix(home)) as picture:
            assert picture.size == (1200, 630)
    repeated = [names for names in told.values() if len(names) > 1]
    assert not repeated


def test_sitemap_lists_every_written_page(site, home):
    tree = ElementTree.parse(site / "sitemap.xml")
    listed = {item.text.removeprefix(home) for item in tree.iter() if item.tag.endswith("loc")}
    assert listed == {page.relative_to(site).as_posix() for page in written_pages(site)}
    assert f"{home}sitemap.xml" in (site / "robots.txt").read_text(encoding="utf-8")


def test_news_say_every_change(site):
    items = list(ElementTree.parse(site / "novedades.xml").iter("item"))
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert len(items) == changelog.count("\n- ")
    names = [item.find("guid").text for item in items]
    assert len(names) == len(set(names))
    assert all(item.find("title").text and item.find("description").text for item in items)


def test_changes_know_their_version():
    text = (
        "# Cambios\n\n## [Sin publicar]\n\n### Añadido\n\n- Uno, con `código`\n  y más.\n\n"
        "## [0.1.0] - 2026-01-02\n\n- Dos.\n"
    )
    assert feeds.changes(text) == [
        ("Sin publicar", "Uno, con código y más.", 6, None),
        ("0.1.0 (2026-01-02)", "Dos.", 11, None),
    ]


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("Otra, «[Generar](chapters/6_multimodal/generar.ipynb)».", "6_multimodal/generar"),
        ("«GPT» cuenta sus pasos.", "3_lenguaje/gpt"),
        ("Capítulo «GPT: generación autorregresiva».", "3_lenguaje/gpt"),
    ],
)
def test_news_lead_to_the_page_they_are_about(text, page):
    (change,) = feeds.changes(f"## [Sin publicar]\n\n- {text}\n")
    assert feeds.page_of(change, "h/", "otra", feeds.load_map()) == f"h/chapters/{page}.html"


def test_news_about_no_page_lead_to_the_list_of_changes():
    (change,) = feeds.changes("## [Sin publicar]\n\n- El sitio, en un móvil.\n")
    assert feeds.page_of(change, "h/", "otra", feeds.load_map()) == "otra"


def test_news_are_dated_by_the_line_that_says_them(tmp_path):
    """La fecha es la del guardado en que se escribió la línea; sin historia entera, no hay."""
    path, git = tmp_path / "CHANGELOG.md", ["git", "-C", str(tmp_path)]
    path.write_text("## [Sin publicar]\n\n- Uno.\n", encoding="utf-8")
    assert feeds.line_dates(path) == []
    subprocess.run([*git, "init", "-q"], check=True)
    for day, more in ((1, ""), (2, "- Dos.\n")):
        path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
        subprocess.run([*git, "add", "."], check=True)
        author = ["-c", "user.name=a", "-c", "user.email=a@a.es"]
        date = f"2026-01-0{day}T00:00:00+0000"
        subprocess.run([*git, *author, "commit", "-qm", "x", "--date", date], check=True)
    text = feeds.feed(
        "t", "h", "p", path.read_text(encoding="utf-8"), feeds.line_dates(path), NO_MAP
    )
    dates = [item.find("pubDate").text for item in ElementTree.fromstring(text).iter("item")]
    assert dates == ["Thu, 01 Jan 2026 00:00:00 GMT", "Fri, 02 Jan 2026 00:00:00 GMT"]


def test_missing_page_is_explained_anywhere(site, home, browser):
    """La página 404 no pide nada y sus enlaces valen desde cualquier carpeta."""
    soup = parse(site / "404.html")
    root = urlsplit(home).path
    for link in soup.select("a[href]"):
        inside = link["href"].removeprefix(root)
        assert link["href"].startswith("https://") or (site / (inside or "index.html")).exists()
    assert soup.select_one("form")["action"] == f"{root}search.html"
    with serve(site) as address:
        page = browser.new_page(viewport={"width": 360, "height": 740})
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        answer = page.goto(f"{address}una/carpeta/que/no/esta.html")
        assert answer.status == 404 and len(asked) == 1
        assert page.get_by_role("heading").inner_text() == "Esta página no está"
        assert overflow(page) <= 0
        page.close()


def test_every_page_has_an_icon_and_news(site):
    for page in page_paths(site):
        if page.name in ("404.html", "index.html") and page.parent == site:
            continue
        assert parse(page).select_one("link[rel=icon]"), page
        assert parse(page).select_one('link[type="application/rss+xml"]'), page


def test_unused_rules_are_dropped_and_the_others_stay():
    css = """
    .usada { color: red } .perdida { color: blue } .usada, .perdida > p { margin: 0 }
    a:not(.perdida) { color: green } #ancla:is(.perdida, p) { top: 0 }
    @media print { .perdida { color: red } } @media print { p { color: black } }
    @font-face { font-family: "Font Awesome 6 Free"; src: url(x) }
    """
    kept = styles.purge(css, {"usada", "ancla"})
    assert kept.count(".usada") == 2 and "blue" not in kept
    assert ".perdida >" not in kept and "a:not(.perdida)" in kept and "#ancla" in kept
    assert kept.count("@media") == 1 and "Awesome" not in kept


def test_selectors_with_a_list_are_spread_and_weigh_the_same():
    assert styles.spread(".a :is(h1, h2):hover") == [".a h1:hover", ".a h2:hover"]
    mixed = styles.spread(".a > :is(p, .b)")
    assert mixed == [".a > :where(p):is(p, .b)", ".a > :where(.b):is(p, .b)"]
    for same in ("a:not(:is(b, i))", "a:is(:hover, :focus)", ".a :is(.b .c, p)"):
        assert styles.spread(same) == [same]


def test_marks_without_colour_leave_the_code_as_it_was():
    code = (
        '<div class="highlight"><pre><span></span><span class="n">x</span> '
        '<span class="o">=</span> <span class="mi">1</span> <span class="sa">f</span>'
        '<span class="s2">&quot;</span><span class="si">{</span><span class="n">y</span>'
        '<span class="si">}</span><span class="s2">&quot;</span></pre></div>'
    )
    done = finish.finished(code)
    assert '<pre><span></span>x = <span class="mi">1</span> ' in done
    assert '<span class="s2">f&quot;{</span>y<span class="s2">}&quot;</span></pre>' in done
    assert finish.finished('<p><span class="n">x</span></p>') == '<p><span class="n">x</span></p>'
