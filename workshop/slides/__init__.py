"""Las diapositivas de un capítulo y sus figuras sueltas, para darlo en clase.

Salen del cuaderno guardado, sin ejecutarlo: los títulos, las figuras con su pie y las preguntas.
"""

from pathlib import Path

from workshop.notebooks.book import Chapter
from workshop.slides.deck import deck_html
from workshop.slides.pack import pack_bytes
from workshop.slides.reading import read_talk

__all__ = ["write_slides"]


def write_slides(root: Path, chapter: Chapter, folder: Path) -> list[Path]:
    """Escribe las diapositivas de un capítulo y el archivo de sus figuras; devuelve los dos.

    Si la página no tiene figuras, solo las diapositivas.
    """
    talk = read_talk(root, chapter)
    folder.mkdir(parents=True, exist_ok=True)
    deck, pack = folder / f"{chapter.slug}.html", folder / f"{chapter.slug}_figuras.zip"
    deck.write_text(deck_html(talk), encoding="utf-8")
    if not talk.figures:
        return [deck]
    pack.write_bytes(pack_bytes(talk))
    return [deck, pack]
