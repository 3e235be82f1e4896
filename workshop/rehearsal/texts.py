"""Textos diminutos con el formato de los conjuntos públicos: Wikipedia, IMDB y los tuits."""

import bz2
import io
import random
import tarfile
from pathlib import Path
from xml.sax.saxutils import escape

from tfcourse.datasets.folders.imdb import ARCHIVE, CLASSES, PARTS, UNLABELLED
from tfcourse.datasets.folders.spanish_tweets import FILES, N_CLASSES

N_ARTICLES, N_REVIEWS, N_TWEETS = 60, 6, 12  # críticas, por carpeta; tuits, por parte
SUBJECTS = ("el río", "la ciudad", "un poeta", "la montaña", "el barrio", "una novela")
VERBS = ("nace en", "pertenece a", "mira hacia", "se parece a", "limita con", "recuerda a")
OPINIONS = ("malo", "normal", "bueno")
_HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="es">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>eswiki</dbname>
  </siteinfo>
"""
_PAGE = """  <page>
    <title>{title}</title>
    <ns>{space}</ns>
    <id>{number}</id>
{redirect}    <revision>
      <id>{number}</id>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="{size}" xml:space="preserve">{text}</text>
    </revision>
  </page>
"""


def make_wikipedia(folder: Path) -> None:
    """El volcado de los artículos: XML en bz2, con una redirección y una página de discusión."""
    rng = random.Random(0)
    pages = [_page(1, "Redirigida", "#REDIRECCIÓN [[Artículo 3]]", redirect="Artículo 3")]
    pages.append(_page(2, "Discusión:Artículo 3", _article(rng), space=1))
    pages += [_page(n, f"Artículo {n}", _article(rng)) for n in range(3, N_ARTICLES + 3)]
    content = _HEAD + "".join(pages) + "</mediawiki>\n"
    path = folder / "eswiki-latest-pages-articles.xml.bz2"
    path.write_bytes(bz2.compress(content.encode("utf-8")))


def make_imdb(folder: Path) -> None:
    """El archivo de IMDB: una crítica por archivo, en `parte/clase`, con la nota en su nombre."""
    rng, grades = random.Random(0), {"neg": 2, "pos": 9, UNLABELLED: 0}
    names = [(part, kind) for part in PARTS for kind in CLASSES] + [("train", UNLABELLED)]
    with tarfile.open(folder / ARCHIVE.name, "w:gz") as packed:
        for part, kind in names:
            for number in range(N_REVIEWS):
                opinion = {"neg": "dull", "pos": "lovely"}.get(kind, "long")
                text = f"A {opinion} film.<br /><br />{_sentences(rng, 4)}".encode()
                info = tarfile.TarInfo(f"aclImdb/{part}/{kind}/{number}_{grades[kind]}.txt")
                info.size = len(text)
                packed.addfile(info, io.BytesIO(text))


def make_tweets(folder: Path) -> None:
    """Los tuits: de cada parte, un archivo de textos y otro de clases, sin salto al final."""
    rng = random.Random(0)
    for texts, labels in FILES.values():
        numbers = [row % N_CLASSES for row in range(N_TWEETS)]
        lines = [f"@user {_sentences(rng, 1)} {OPINIONS[n]}" for n in numbers]
        (folder / texts.name).write_text("\n".join(lines), encoding="utf-8")
        (folder / labels.name).write_text("\n".join(map(str, numbers)), encoding="utf-8")


def _page(number: int, title: str, text: str, *, space: int = 0, redirect: str = "") -> str:
    line = f'    <redirect title="{redirect}" />\n' if redirect else ""
    return _PAGE.format(
        title=title, space=space, number=number, redirect=line, text=escape(text),
        size=len(text.encode()),
    )  # fmt: skip


def _article(rng: random.Random) -> str:
    return (
        "{{Ficha de lugar|nombre={{nombre}}}}\n"
        f"'''{_sentences(rng, 6)}'''<ref>Una nota.</ref> {_sentences(rng, 6)}\n\n"
        f"== Historia ==\n[[Archivo:foto.jpg|miniatura|Un [[río]].]]\n{_sentences(rng, 8)}\n"
        "* [[Lista|una lista]]\n\n== Referencias ==\n{{listaref}}\n"
    )


def _sentences(rng: random.Random, count: int) -> str:
    return " ".join(
        f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(SUBJECTS)}.".capitalize()
        for _ in range(count)
    )


MAKERS = {
    "Wikipedia en español": make_wikipedia,
    "IMDB": make_imdb,
    "Tuits en español": make_tweets,
}
