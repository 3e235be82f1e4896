"""Un capítulo que todavía no existe: cómo se llama, dónde va y si se puede llamar así."""

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tfcourse.weights import WINGS
from workshop.house.rules import CHAPTER_NUMBER
from workshop.notebooks import Chapter, book_chapters

NAME = re.compile(r"[a-z][a-z0-9_]*")
QUESTION = re.compile(r"¿[^¿?]+\?")
# Lo que cabe en una línea de código junto a lo que la acompaña.
MAX_TITLE, MAX_QUESTION = 60, 94


@dataclass(frozen=True)
class NewChapter:
    """Lo que dice el autor: `short` sigue a «capítulo» cuando se lo cita («de BERT»).

    `part` es el número de la parte o su carpeta; `after`, el capítulo tras el que va, y sin él va
    el último de su parte; `requires`, aquellos en los que se apoya.
    """

    slug: str
    title: str
    short: str
    question: str
    part: str
    wing: str
    room: str
    requires: tuple[str, ...] = ()
    after: str = ""

    def place(self, root: Path) -> Chapter:
        """El capítulo tras el que va. Errores: `ValueError` con todo lo que no cuadra."""
        book = book_chapters(root)
        for check in (_missing, _name_problems, _taken, _place_problems):
            if found := [*check(self, book, root)]:
                raise ValueError("; ".join(found))
        return _previous(self, book)


# Campo → cómo se llama en la orden y qué se espera.
FIELDS = {
    "slug": ("NOMBRE", "el de su cuaderno, como «vision_transformer»"),
    "title": ("TITULO", "como «T5: texto a texto»"),
    "short": ("CORTO", "lo que sigue a «capítulo» al citarlo, como «de T5»"),
    "question": ("PREGUNTA", "la que contesta el capítulo, entre «¿» y «?»"),
    "part": ("PARTE", "su número o su carpeta"),
    "wing": ("ALA", f"una de {', '.join(WINGS)}"),
    "room": ("CUARTO", "una palabra en inglés para el tema, como «detection»"),
}


def _missing(chapter: NewChapter, _book: list[Chapter], _root: Path) -> Iterator[str]:
    for field, (name, hint) in FIELDS.items():
        if not getattr(chapter, field).strip():
            yield f"falta {name}: {hint}"


def _name_problems(chapter: NewChapter, _book: list[Chapter], _root: Path) -> Iterator[str]:
    for name, word in (("NOMBRE", chapter.slug), ("CUARTO", chapter.room)):
        if not NAME.fullmatch(word) or keyword.iskeyword(word):
            yield (
                f"{name}={word} no vale: empieza por minúscula y lleva solo letras sin tilde, "
                "cifras y guiones bajos"
            )
        elif CHAPTER_NUMBER.search(word):
            yield f"{name}={word} parece un número de capítulo: nombra el concepto"
    if chapter.slug.endswith("_ejercicios"):
        yield f"NOMBRE={chapter.slug} es como se llama un cuaderno de ejercicios: quita el final"
    if not QUESTION.fullmatch(chapter.question):
        yield f"PREGUNTA={chapter.question} no vale: una sola, entre «¿» y «?» y sin comillas"
    for name, text, most in (
        ("TITULO", chapter.title, MAX_TITLE), ("PREGUNTA", chapter.question, MAX_QUESTION),
    ):  # fmt: skip
        if len(text) > most or re.search('["\\n]', text):
            yield f"{name} va en una línea, sin comillas rectas y con {most} letras como mucho"


def _taken(chapter: NewChapter, _book: list[Chapter], root: Path) -> Iterator[str]:
    parts = yaml.safe_load((root / "chapters/mapa.yml").read_text(encoding="utf-8"))["partes"]
    mapped = {other["slug"]: other.get("cuarto", []) for p in parts for other in p["capitulos"]}
    if chapter.slug in mapped:
        yield f"ya hay un capítulo «{chapter.slug}» en chapters/mapa.yml: elige otro NOMBRE"
    owners = {room: slug for slug, rooms in mapped.items() for room in rooms}
    if chapter.room in owners:
        yield f"el cuarto «{chapter.room}» es del capítulo «{owners[chapter.room]}»: elige otro"
        return
    for path in (root / "tfcourse" / chapter.room, *root.glob(f"tfcourse/*/{chapter.room}")):
        if path.exists():
            yield f"{path.relative_to(root)} ya existe: elige otro CUARTO"


def _place_problems(chapter: NewChapter, book: list[Chapter], _root: Path) -> Iterator[str]:
    numbers = {other.slug: other.number for other in book}
    if chapter.wing not in WINGS:
        yield f"no hay ninguna ala «{chapter.wing}»: usa {', '.join(WINGS)}"
    if unknown := [name for name in (*chapter.requires, chapter.after) if name not in numbers]:
        yield from (f"ningún capítulo se llama «{name}»: mira _toc.yml" for name in unknown if name)
    same_part = [other.slug for other in _of_part(chapter.part, book)]
    if not same_part:
        folders = dict.fromkeys(other.part for other in book)
        yield f"no hay ninguna parte «{chapter.part}»: usa {', '.join(folders)}"
    elif chapter.after in numbers and chapter.after not in same_part:
        yield f"«{chapter.after}» no está en la parte «{chapter.part}»: cambia TRAS o PARTE"
    else:
        last = _previous(chapter, book).number
        for name in chapter.requires:
            if numbers.get(name, 0) > last:
                yield f"se apoya en «{name}», que va después: cambia PARTE, TRAS o REQUIERE"


def _of_part(part: str, book: list[Chapter]) -> list[Chapter]:
    """Los capítulos de una parte, por su número o por su carpeta."""
    return [other for other in book if part in (other.part, other.part.partition("_")[0])]


def _previous(chapter: NewChapter, book: list[Chapter]) -> Chapter:
    same_part = _of_part(chapter.part, book)
    return next((other for other in same_part if other.slug == chapter.after), same_part[-1])
