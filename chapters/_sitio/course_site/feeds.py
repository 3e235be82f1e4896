"""Lo que leen las máquinas: mapa del sitio, indicaciones para buscadores y novedades en RSS."""

import hashlib
import re
from pathlib import Path
from xml.sax.saxutils import escape

CHANGES = Path(__file__).resolve().parents[3] / "CHANGELOG.md"
VERSION = re.compile(r"^## \[(?P<name>[^\]]+)\](?: - (?P<date>[\d-]+))?$", re.MULTILINE)
KIND = re.compile(r"^### (?P<name>.+)$", re.MULTILINE)

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
<guid isPermaLink="false">{identifier}</guid>
<description>{text}</description>
</item>"""


def sitemap(home: str, names: list[str]) -> str:
    """El mapa del sitio en el formato de sitemaps.org."""
    urls = "\n".join(f"<url><loc>{escape(home + name)}</loc></url>" for name in names)
    return SITEMAP.format(urls=urls)


def changes(text: str) -> list[tuple[str, str]]:
    """Versión y texto de cada cambio de `CHANGELOG.md`, sin marcas."""
    found = []
    for match, following in zip(
        versions := list(VERSION.finditer(text)), [*versions[1:], None], strict=True
    ):
        section = text[match.end() : following.start() if following else len(text)]
        label = match["name"] + (f" ({match['date']})" if match["date"] else "")
        for bullet in re.split(r"^- ", KIND.sub("", section), flags=re.MULTILINE)[1:]:
            found.append(
                (label, re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(bullet.split())))
            )
    return found


def feed(title: str, home: str, page: str, text: str) -> str:
    """Las novedades en RSS, una por cambio."""
    items = [
        ITEM.format(
            title=escape(re.split(r"[:.] ", change)[0].rstrip(".")),
            link=escape(page),
            identifier=hashlib.sha256(change.encode()).hexdigest()[:20],
            text=escape(f"{label}. {change}"),
        )
        for label, change in changes(text)
    ]
    return FEED.format(title=escape(title), home=escape(home), items="\n".join(items))


def write_feeds(app, failure) -> None:
    """Escribe los tres archivos en la raíz del sitio."""
    if failure or app.builder.format != "html":
        return
    folder, home = Path(app.outdir), app.config.html_baseurl
    names = sorted(p.relative_to(folder).as_posix() for p in (folder / "chapters").rglob("*.html"))
    (folder / "sitemap.xml").write_text(sitemap(home, names), encoding="utf-8")
    (folder / "robots.txt").write_text(
        f"User-agent: *\nAllow: /\nSitemap: {home}sitemap.xml\n", encoding="utf-8"
    )
    page = f"{app.config.html_theme_options['repository_url']}/blob/main/CHANGELOG.md"
    text = feed(app.config.html_title, home, page, CHANGES.read_text(encoding="utf-8"))
    (folder / "novedades.xml").write_text(text, encoding="utf-8")


def setup_feeds(app) -> None:
    """Conecta los archivos con el final de la construcción."""
    app.connect("build-finished", write_feeds)
