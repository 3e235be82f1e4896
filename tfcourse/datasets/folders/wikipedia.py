"""La Wikipedia en español entera, para el perfil `completo`: se lee del volcado oficial.

Los textos son de los autores de Wikipedia en español, con licencia CC BY-SA 4.0.
"""

import bz2
import itertools
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from tfcourse.datasets.text.streams import simplify_text
from tfcourse.datasets.text.wikitext import prose
from tfcourse.stored.full import Source

WIKIPEDIA_SOURCE = Source(
    "Wikipedia en español",
    "https://dumps.wikimedia.org/eswiki/latest/",
    "CC BY-SA 4.0",
    5,
    "TFCOURSE_WIKIPEDIA",
)
DUMP = "eswiki-*-pages-articles*.xml.bz2"
MIN_CHARACTERS = 200  # los más cortos son casi todos fichas que escribió un programa
RESERVED_EVERY = 20  # de cada veinte artículos, uno no se entrena


def wikipedia_texts(n_articles: int | None = None, folder: Path | None = None) -> Iterator[str]:
    """La prosa de los artículos, uno a uno y en el orden del volcado; sin `n_articles`, todos.

    Sin `folder`, la de `TFCOURSE_WIKIPEDIA`. Se dejan fuera las páginas que no son artículos, las
    que solo llevan a otra y las muy cortas.
    Errores: los de `Source.folder`; `FileNotFoundError` si en la carpeta no está el volcado;
    `ValueError` si está a medias o no es de Wikipedia.
    """
    path = _dump_in(folder or WIKIPEDIA_SOURCE.folder())
    texts = (prose(text) for text in _articles(path))
    return itertools.islice((text for text in texts if len(text) >= MIN_CHARACTERS), n_articles)


def wikipedia_split(n_articles: int, folder: Path | None = None) -> tuple[list[str], list[str]]:
    """Los `n_articles` primeros: los de entrenar y los reservados, que son artículos enteros.

    Errores: los de `wikipedia_texts`, y `ValueError` si no hay ni para reservar uno.
    """
    train, reserved = [], []
    for number, text in enumerate(wikipedia_texts(n_articles, folder), start=1):
        (train if number % RESERVED_EVERY else reserved).append(text)
    if not reserved:
        raise ValueError(
            f"el volcado solo tiene {len(train)} artículos y hacen falta {RESERVED_EVERY} o más: "
            "descárgalo entero"
        )
    return train, reserved


def wikipedia_text(max_characters: int, folder: Path | None = None) -> str:
    """Los primeros `max_characters` caracteres, con el alfabeto del curso, un artículo por línea.

    Errores: los de `wikipedia_texts`, y `ValueError` si no se pide ningún carácter.
    """
    if max_characters < 1:
        raise ValueError(f"max_characters={max_characters}: pide al menos uno")
    pieces, size = [], 0
    for text in wikipedia_texts(folder=folder):
        pieces.append(one_line(text))
        size += len(pieces[-1]) + 1
        if size > max_characters:
            break
    return "\n".join(pieces)[:max_characters]


def one_line(text: str) -> str:
    """Un artículo en una línea y con el alfabeto del curso."""
    return simplify_text(" ".join(text.split()))


def _dump_in(folder: Path) -> Path:
    found = sorted(Path(folder).glob(DUMP))
    if not found:
        raise FileNotFoundError(
            f"en {folder} no está el volcado de Wikipedia: descarga allí "
            f"eswiki-latest-pages-articles.xml.bz2 de {WIKIPEDIA_SOURCE.page}"
        )
    return found[0]


def _articles(path: Path) -> Iterator[str]:
    """El código de cada artículo: las páginas del espacio principal que no llevan a otra."""
    try:
        with bz2.open(path) as file:
            for page in _pages(file):
                if page.get("ns") == "0" and "redirect" not in page:
                    yield page.get("text", "")
    except (EOFError, OSError, ElementTree.ParseError) as error:
        raise ValueError(
            f"{path} está a medias o no es un volcado de Wikipedia ({error}): vuelve a descargarlo"
        ) from error


def _pages(file) -> Iterator[dict[str, str]]:
    """Cada página, de una en una: el archivo entero no cabe en la memoria."""
    root, page = None, {}
    for event, element in ElementTree.iterparse(file, events=("start", "end")):
        root = element if root is None else root
        if event == "end":
            tag = element.tag.rpartition("}")[2]  # delante va la versión del formato
            if tag == "page":
                yield page
                page = {}
                root.clear()
            else:
                page[tag] = element.text or ""
