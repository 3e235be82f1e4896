"""Apuntar un capítulo nuevo en el índice, en el mapa y en la portada del repositorio.

Se inserta texto, y no se vuelve a escribir el archivo entero: así se conservan sus comentarios.
"""

import json

import yaml

from workshop.new_chapter.chapter import NewChapter
from workshop.notebooks import Chapter


def with_chapter_in_toc(text: str, chapter: NewChapter, previous: Chapter) -> str:
    """El índice, con el capítulo y sus ejercicios detrás del anterior."""
    page = f"chapters/{previous.part}/{chapter.slug}"
    entry = [f"- file: {page}", "  sections:", f"    - file: {page}_ejercicios"]
    return _insert_after(text, f"- file: {previous.page}", entry)


def with_chapter_in_map(text: str, chapter: NewChapter, previous: Chapter) -> str:
    """El mapa del curso, con el capítulo detrás del anterior."""
    entry = [
        f"- slug: {chapter.slug}",
        f"  titulo: {_scalar(chapter.title)}",
        f"  corto: {_scalar(chapter.short)}",
        f"  pregunta: {_scalar(chapter.question)}",
        f"  requiere: [{', '.join(chapter.requires)}]",
        f"  cuarto: [{chapter.room}]",
    ]
    return _insert_after(text, f"- slug: {previous.slug}", entry)


def with_chapter_in_readme(text: str, chapter: NewChapter, previous: Chapter) -> str:
    """La portada del repositorio, con una fila más en su tabla de capítulos."""
    row = f"| | [{chapter.title}](chapters/{previous.part}/{chapter.slug}.ipynb) |"
    lines = text.split("\n")
    place = next(n for n, line in enumerate(lines) if f"({previous.page}.ipynb)" in line)
    return "\n".join([*lines[: place + 1], row, *lines[place + 1 :]])


def _insert_after(text: str, first: str, entry: list[str]) -> str:
    """Inserta un elemento detrás del que empieza por `first`, con su sangría."""
    lines = text.split("\n")
    start = next(n for n, line in enumerate(lines) if line.strip() == first)
    margin = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and lines[end].startswith(" " * (margin + 1)):
        end += 1
    return "\n".join([*lines[:end], *(" " * margin + line for line in entry), *lines[end:]])


def _scalar(text: str) -> str:
    """Un texto como valor de YAML, con comillas solo si hacen falta."""
    try:
        plain = yaml.safe_load(f"valor: {text}") == {"valor": text}
    except yaml.YAMLError:
        plain = False
    return text if plain else json.dumps(text, ensure_ascii=False)
