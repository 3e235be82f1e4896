"""El sitio construido: enlaces, nombres, figuras, mapa, y cada página en un móvil."""

import importlib
import re
from collections import Counter
from functools import cache
from urllib.parse import unquote, urldefrag

import nbformat
import pytest
import yaml

from tests.conftest import ROOT
from tests.site.pages import different_pages, page_paths, parse, written_pages
from tests.site.static_page import overflow
from tests.turns import pages_in_turn
from workshop.notebooks import book_chapters

pytestmark = pytest.mark.lento
CHAPTER = re.compile(r"chapters/\d_\w+/(?!proyecto_)(\w+)")
NUMBERS = {chapter.slug: chapter.number for chapter in book_chapters(ROOT)}


def mapped() -> list[dict]:
    """Lo que dice `mapa.yml` de cada capítulo, por su orden."""
    data = yaml.safe_load((ROOT / "chapters/mapa.yml").read_text(encoding="utf-8"))
    return [chapter for part in data["partes"] for chapter in part["capitulos"]]


def listed_files() -> list[str]:
    """Páginas que nombra _toc.yml, en orden y sin extensión."""
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    return re.findall(r"(?:file|root): (\S+)", toc)


def test_every_listed_page_is_built(site):
    for name in listed_files():
        assert (site / f"{name}.html").exists(), name


@cache
def anchors(page) -> set[str]:
    """Los sitios de una página a los que se puede enlazar."""
    named = parse(page).select("[id], [name]")
    return {element[key] for element in named for key in ("id", "name") if element.has_attr(key)}


def test_internal_links_lead_somewhere(site):
    broken = []
    for page in set(page_paths(site)) - {site / "404.html"}:  # la mira test_site_health
        soup = parse(page)
        scripts = soup.find_all("script", src=True)  # `select` no mira dentro de una plantilla
        for link in [*soup.select("a[href], img[src], link[href]"), *scripts]:
            target = link.get("href") or link.get("src")
            address, anchor = urldefrag(target)
            if re.match(r"[a-z]+:|//", target) or (not address and not anchor):
                continue
            path = (page.parent / unquote(address.split("?")[0])).resolve() if address else page
            if path.is_dir():
                path = path / "index.html"
            found = path.exists()
            if found and anchor and path.suffix == ".html":
                found = unquote(anchor) in anchors(path)
            if not found:
                broken.append(f"{page.relative_to(site)} → {target}")
    assert not broken, "\n".join(broken[:20])


def test_every_page_has_language_title_and_one_heading(site):
    for page in page_paths(site):
        soup = parse(page)
        assert soup.html["lang"] == "es", page
        assert soup.title.get_text(strip=True), page
    for page in written_pages(site):
        assert len(parse(page).select("article h1")) == 1, page


def test_identifiers_are_not_repeated(site):
    for page in written_pages(site):
        names = [element["id"] for element in parse(page).find_all(id=True)]
        assert len(names) == len(set(names)), (page, {n for n in names if names.count(n) > 1})


def test_figures_say_what_they_show(site):
    for page in written_pages(site):
        pictures = parse(page).select("article img:not(.pieza)")
        texts = [picture.get("alt", "") for picture in pictures]
        for picture, text in zip(pictures, texts, strict=True):
            badge = picture["src"].startswith("http")
            assert badge or len(text) >= 40, (page.name, picture["src"], text)
            assert not re.search(r"\.(png|svg|jpg)\b", text), (page.name, text)
        assert len(texts) == len(set(texts)), (page.name, texts)


def test_map_shows_every_chapter_and_links_the_published_ones(site):
    chapters = mapped()
    assert [chapter["slug"] for chapter in chapters] == list(NUMBERS)
    text = parse(site / "chapters/intro.html").select_one("nav.mapa")
    for chapter in chapters:
        assert chapter["titulo"] in text.get_text(), chapter["titulo"]
        assert chapter["pregunta"] in text.get_text(), chapter["pregunta"]
        own = NUMBERS[chapter["slug"]]
        card = text.select_one(f"#capitulo-{chapter['slug'].replace('_', '-')}")
        assert card.select_one(".mapa-numero").get_text() == str(own)
        assert all(NUMBERS[other] < own for other in chapter["requiere"])
    published = {name for name in listed_files() if CHAPTER.match(name)}
    linked = {f"chapters/{a['href']}"[:-5] for a in text.select("li a[href$='.html']")}
    assert linked == published


def test_drawing_of_the_map_has_every_chapter_and_its_dependencies(site):
    chapters = mapped()
    drawing = parse(site / "chapters/intro.html").select_one("svg.mapa-dibujo")
    assert len(drawing.select("rect")) == len(chapters)
    assert len(drawing.select("path")) == sum(len(chapter["requiere"]) for chapter in chapters)
    names = [element["aria-label"] for element in drawing.select("a, g[role=img]")]
    for chapter, name in zip(chapters, names, strict=True):
        assert name.startswith(f"{NUMBERS[chapter['slug']]}. {chapter['titulo']}")
        needed = re.findall(r"\d+", name.partition("Se apoya en ")[2])
        assert needed == [str(NUMBERS[other]) for other in chapter["requiere"]]
    ready = {n for n in listed_files() if CHAPTER.match(n) and not n.endswith("_ejercicios")}
    assert {f"chapters/{a['href']}"[:-5] for a in drawing.select("a")} == ready
    assert len(drawing.select("g[role=img]")) == len(chapters) - len(ready)


def test_readme_says_which_chapters_are_ready():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in listed_files():
        if CHAPTER.match(name) and not name.endswith("_ejercicios"):
            assert f"({name}.ipynb)" in readme, f"README.md no enlaza {name}.ipynb"


def test_code_names_of_the_glossary_can_be_imported():
    text = (ROOT / "chapters/glosario.md").read_text(encoding="utf-8")
    names = sorted(set(re.findall(r"\{py\}`([\w.]+)`", text)))
    assert len(names) > 50
    missing = [name for name in names if not can_be_imported(name)]
    assert not missing


def can_be_imported(name: str) -> bool:
    """Si un nombre con puntos es un módulo o algo que un módulo tiene."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[cut:]:
            if not hasattr(found, attribute):
                return False
            found = getattr(found, attribute)
        return True
    return False


def test_names_that_do_not_exist_are_noticed():
    assert can_be_imported("torch.nn.functional.softmax")
    assert not can_be_imported("torch.nn.functional.softmaxx")
    assert not can_be_imported("no_existe.nada")


def test_bibliography_can_be_followed():
    text = (ROOT / "chapters/referencias.bib").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=@)", text)[1:]
    assert len(entries) >= 20
    for entry in entries:
        assert re.search(r"\b(doi|eprint|url) = \{[^}]+\}", entry), entry
        assert re.search(r"\byear = \{\d{4}\}", entry), entry
    titles = [
        re.sub(r"\W", "", re.search(r"\btitle = (.+)", entry)[1]).lower() for entry in entries
    ]
    assert len(titles) == len(set(titles)), "un artículo está dos veces"


def test_pages_fit_a_phone_without_errors_or_network(site, browser):
    """A 360 píxeles, sin barra horizontal, sin errores en la consola y sin pedir nada fuera."""
    page = browser.new_page(viewport={"width": 360, "height": 740})
    problems = []
    page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
    page.on("request", lambda request: note_if_foreign(request, page, problems))
    # De las que se parecen, que escribe el programa, la cuarta parte.
    for path in sorted({*different_pages(site), *pages_in_turn(page_paths(site))}):
        if path == site / "index.html":  # la entrada salta a la portada
            continue
        page.goto(path.as_uri(), wait_until="load")
        if overflow(page) > 0:
            problems.append(f"{path.relative_to(site)}: se sale {overflow(page)} píxeles")
    page.close()
    assert not problems, "\n".join(problems[:20])


def note_if_foreign(request, page, problems):
    """Apunta una petición que sale del sitio."""
    if not request.url.startswith(("file:", "data:", "blob:")):
        problems.append(f"{page.url} pide {request.url}")


def test_a_request_to_the_outside_is_noticed(tmp_path, browser):
    (tmp_path / "p.html").write_text('<img src="https://example.org/a.png" alt="">')
    page, problems = browser.new_page(), []
    page.on("request", lambda request: note_if_foreign(request, page, problems))
    page.goto((tmp_path / "p.html").as_uri(), wait_until="load")
    page.close()
    assert len(problems) == 1 and "example.org" in problems[0]


def test_foot_of_a_chapter_asks_the_question_of_the_next_one(site):
    questions = {chapter["slug"]: chapter["pregunta"] for chapter in mapped()}
    names = [name for name in listed_files() if CHAPTER.match(name)]
    chapters = [name for name in names if not name.endswith("_ejercicios")]
    for name, following in zip(chapters, [*chapters[1:], None], strict=True):
        foot = parse(site / f"{name}.html").select_one("nav.vecinos")
        assert bool(foot.select_one("a[rel=prev]")) == (name != chapters[0])
        assert foot.select_one(f"a[href='{name.split('/')[-1]}_ejercicios.html']")
        after = foot.select_one("a[rel=next]")
        assert bool(after) == bool(following)
        if following:
            assert following.split("/")[-1] in after["href"]
            assert questions[CHAPTER.match(following)[1]] in after.get_text()
        back = parse(site / f"{name}_ejercicios.html").select_one("nav.vecinos a[rel=prev]")
        assert back["href"] == f"{name.split('/')[-1]}.html"


def test_card_of_a_chapter_says_what_it_costs(site):
    for name in listed_files():
        if CHAPTER.match(name) and not name.endswith("_ejercicios"):
            card = parse(site / f"{name}.html").select_one(".ficha").get_text()
            seconds = re.search(r"Medido: (\d+) s y \d,\d GB", card)
            assert seconds and 5 < int(seconds[1]) <= 60, (name, card[-200:])


def test_every_moving_figure_is_in_the_list():
    data = yaml.safe_load((ROOT / "chapters/mapa.yml").read_text(encoding="utf-8"))
    listed = Counter(figure["capitulo"] for figure in data["figuras"])
    for name in listed_files():
        chapter = CHAPTER.match(name)
        if chapter and not name.endswith("_ejercicios"):
            notebook = nbformat.read(ROOT / f"{name}.ipynb", as_version=4)
            code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
            made = sum(len(re.findall(r"Widget\(|picture_search\(", source)) for source in code)
            assert listed[chapter[1]] == made, (name, made)


def test_menu_opens_only_what_is_read(site):
    """Todas las partes y capítulos; de las páginas de dentro, las del capítulo que se lee."""
    folder = site / "chapters/1_recurrencia"
    listed = {link["href"] for link in parse(site / "chapters/intro.html").select(".bd-links a")}
    own = "lstm_gru_ejercicios.html"
    assert not [href for href in listed if "ejercicios" in href and "referencia" not in href]
    for name in ("lstm_gru.html", own):
        menu = parse(folder / name).select_one(".bd-links")
        assert [link.get_text() for link in menu.select("[aria-current=page]")] == [
            link.get_text() for link in menu.select(f'a[href="#"], a[href="{name}"]')
        ]
        assert len(menu.select(".toctree-l2")) == 1
        assert len(menu.select(".toctree-l1 > a")) == len(listed)
