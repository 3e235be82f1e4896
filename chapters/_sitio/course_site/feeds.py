"""Lo que leen las máquinas: mapa del sitio, indicaciones para buscadores y novedades en RSS."""

import hashlib
import re
import subprocess
from email.utils import formatdate
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from course_site.chapters import ROOT, all_chapters, chapters, load_map

CHANGES = ROOT / "CHANGELOG.md"
VERSION = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>[\d-]+))?$", re.MULTILINE)
BULLET = re.compile(r"^- (?P<text>.+(?:\n  .*)*)", re.MULTILINE)
CHAPTER = re.compile(r"Capítulo «([^»]+)»")
QUOTED = re.compile(r"«([^»]+)»")
LINKED = re.compile(r"\]\((chapters/[^)#]+)\.(?:ipynb|md)")
MARKS = re.compile(r"[`*]|\[([^\]]*)\]\([^)]*\)")

SITEMAP = """<?xml version="1.0" encoding="utf-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{urls}
</urlset>
"""
FEED = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>{title}: novedades</title>
<link>{home}</link>
<atom:link href="{home}novedades.xml" rel="self" type="application/rss+xml"/>
<description>Lo que cambia en el curso</description>
<language>es</language>
{items}
</channel>
</rss>
"""
ITEM = """<item>
<title>{title}</title>
<link>{link}</link>
<guid isPermaLink="false">{identifier}</guid>{date}
<description>{text}</description>
</item>"""


class Change(NamedTuple):
    """Un cambio: su versión, su texto sin marcas, su primera línea y la página que enlaza."""

    version: str
    text: str
    line: int
    page: str | None = None


def sitemap(home: str, names: list[str], dates: dict[str, str]) -> str:
    """El mapa del sitio, como en sitemaps.org; `dates`, el día en que cambió cada página."""
    urls = []
    for name in names:
        day = dates.get(Path(name).with_suffix("").as_posix())
        changed = f"<lastmod>{day}</lastmod>" if day else ""
        urls.append(f"<url><loc>{escape(home + name)}</loc>{changed}</url>")
    return SITEMAP.format(urls="\n".join(urls))


def page_dates(root: Path) -> dict[str, str]:
    """El día del último cambio de cada página, sin su extensión; nada sin la historia entera."""
    git = ["git", "-C", str(root)]
    if _output([*git, "rev-parse", "--is-shallow-repository"]).strip() != "false":
        return {}
    log = _output([*git, "log", "--format=%x00%cs", "--name-only", "--relative", "--", "chapters"])
    found: dict[str, str] = {}
    for commit in log.split("\0")[1:]:  # del último al primero
        day, *names = commit.split()
        for name in names:
            found.setdefault(Path(name).with_suffix("").as_posix(), day)
    return found


def changes(text: str) -> list[Change]:
    """Los cambios de `CHANGELOG.md`, en su orden."""
    found = []
    for match, following in zip(
        versions := list(VERSION.finditer(text)), [*versions[1:], None], strict=True
    ):
        end = following.start() if following else len(text)
        label = match["name"] + (f" ({match['date']})" if match["date"] else "")
        for bullet in BULLET.finditer(text, match.end(), end):
            plain = MARKS.sub(r"\1", " ".join(bullet["text"].split()))
            link = LINKED.search(bullet["text"])
            line = text.count("\n", 0, bullet.start())
            found.append(Change(label, plain, line, link and link[1]))
    return found


def with_chapter_numbers(text: str, data: dict) -> str:
    """Pone su número a cada «Capítulo «DETR…»»: en el archivo no se escribe ninguno."""
    numbers = {entry["titulo"]: entry["numero"] for entry in all_chapters(data).values()}

    def numbered_mention(match: re.Match) -> str:
        number = numbers.get(match[1])
        return f"Capítulo {number}, «{match[1]}»" if number else match[0]

    return CHAPTER.sub(numbered_mention, text)


def page_of(change: Change, home: str, other: str, data: dict) -> str:
    """La página de la que habla un cambio: la que enlaza, la del capítulo que nombra u `other`.

    De un capítulo basta lo que va antes de los dos puntos: «GPT», por «GPT: generación…».
    """
    titles = {entry["titulo"]: entry["slug"] for entry in all_chapters(data).values()}
    slugs = {title.split(":")[0]: slug for title, slug in titles.items()} | titles
    named = (slugs[name] for name in QUOTED.findall(change.text) if name in slugs)
    chapter = chapters().get(next(named, ""))
    page = change.page or (chapter and chapter.page)
    return f"{home}{page}.html" if page else other


def line_dates(path: Path) -> list[int]:
    """Segundos de la última vez que se tocó cada línea; vacía si falta parte de la historia."""
    git = ["git", "-C", str(path.parent)]
    shallow = _output([*git, "rev-parse", "--is-shallow-repository"])
    if shallow.strip() != "false":
        return []
    blame = _output([*git, "blame", "--line-porcelain", "--", path.name])
    return [int(seconds) for seconds in re.findall(r"^author-time (\d+)$", blame, re.MULTILINE)]


def _output(command: list[str]) -> str:
    """Lo que escribe una orden; nada, si falla o si no está instalada."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def feed(title: str, home: str, page: str, text: str, dates: list[int], data: dict) -> str:
    """Las novedades en RSS, una por cambio; `dates`, los segundos de cada línea, si se saben.

    El identificador de una novedad no cuenta con el número de su capítulo, que puede cambiar.
    """
    items = [
        ITEM.format(
            title=escape(re.split(r"[:.] ", shown)[0].rstrip(".")),
            link=escape(page_of(change, home, page, data)),
            identifier=hashlib.sha256(change.text.encode()).hexdigest()[:20],
            date=f"\n<pubDate>{formatdate(dates[change.line], usegmt=True)}</pubDate>"
            if dates
            else "",
            text=escape(f"{change.version}. {shown}"),
        )
        for change in changes(text)
        for shown in [with_chapter_numbers(change.text, data)]
    ]
    return FEED.format(title=escape(title), home=escape(home), items="\n".join(items))


def write_feeds(app, failure) -> None:
    """Escribe los tres archivos en la raíz del sitio."""
    if failure or app.builder.format != "html":
        return
    folder, home = Path(app.outdir), app.config.html_baseurl
    names = sorted(p.relative_to(folder).as_posix() for p in (folder / "chapters").rglob("*.html"))
    (folder / "sitemap.xml").write_text(sitemap(home, names, page_dates(ROOT)), encoding="utf-8")
    (folder / "robots.txt").write_text(
        f"User-agent: *\nAllow: /\nSitemap: {home}sitemap.xml\n", encoding="utf-8"
    )
    page = f"{app.config.html_theme_options['repository_url']}/blob/main/CHANGELOG.md"
    news = CHANGES.read_text(encoding="utf-8")
    text = feed(app.config.html_title, home, page, news, line_dates(CHANGES), load_map())
    (folder / "novedades.xml").write_text(text, encoding="utf-8")


def setup_feeds(app) -> None:
    """Conecta los archivos con el final de la construcción."""
    app.connect("build-finished", write_feeds)
