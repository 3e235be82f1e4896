"""Lo que dice cada página generada de la referencia, en el Markdown del libro."""

import re

from workshop.house.plan import PACKAGE
from workshop.house.reading import House, Module, room_of, topic_of
from workshop.reference.plan import Group, IndexPage, Page, groups, index_pages

FOLDER = "chapters/referencia/paquete"
# Palabras del nombre de una cosa: si hay más antes de los dos puntos, es que ya se explica.
LONGEST_NAME = 6
# Lo que Markdown leería como una marca; el código, entre acentos graves, se deja como está.
MARKS = re.compile(r"(`[^`]*`)|([\\*_\[\]<>$|#{}~])")


def generated_pages(house: House, chapters: dict[str, str]) -> dict[str, str]:
    """Nombre de cada página generada → su texto; `chapters` da la página de cada capítulo."""
    texts = {}
    for group in groups(house):
        texts[group.name] = group_text(group)
        texts |= {page.name: page_text(page, house, chapters) for page in group.pages}
    pages = index_pages(house)
    texts["donde_esta"] = search_text(house, pages)
    return texts | {page.name: index_text(page) for page in pages}


def markdown(text: str) -> str:
    """Un texto con sus signos escritos tal cual, salvo los acentos graves del código."""
    return MARKS.sub(lambda match: match[1] or f"\\{match[2]}", text)


def named(text: str) -> str:
    """La primera línea de un docstring, con lo que nombra en negrita: «**Máscara causal**: …»."""
    name, colon, rest = text.partition(": ")
    short = colon and len(name.split()) <= LONGEST_NAME and name.count("`") % 2 == 0
    return f"**{markdown(name)}**: {markdown(rest)}" if short else markdown(text)


def module_link(module: Module) -> str:
    """El nombre de un módulo, sin el del paquete, enlazado a su sección."""
    return f"{{py:mod}}`{module.name} <{PACKAGE}.{module.name}>`"


def page_link(title: str, name: str) -> str:
    """Un enlace a otra página generada."""
    return f"[{title}](/{FOLDER}/{name}.md)"


def page_text(page: Page, house: House, chapters: dict[str, str]) -> str:
    """Una página: de qué trata, de qué capítulo es el cuarto y una sección por módulo."""
    names = ", ".join(module_link(module) for module in page.modules)
    room = room_of(page.modules[0].name)
    chapter = f" {chapter_text(house, room, chapters)}" if room else ""
    # Primero lo que es solo suyo: de aquí sale la descripción que se comparte de cada página.
    lead = f"{markdown(page.summary)} En esta página: {names}.{chapter}"
    return "\n\n".join([f"# {page.title}", lead, *map(_section, page.modules)]) + "\n"


def _section(module: Module) -> str:
    name = f"{PACKAGE}.{module.name}"
    return f"## `{name}`\n\n```{{eval-rst}}\n.. automodule:: {name}\n```"


def chapter_text(house: House, room: str, chapters: dict[str, str]) -> str:
    """De qué capítulo es un cuarto, con un enlace si está publicado."""
    chapter = chapter_of(house, room)
    if chapter is None:
        return ""
    page, title = chapters.get(chapter["slug"]), chapter["titulo"]
    link = f"[{title}](/{page}.ipynb)" if page else f"«{title}»"
    return f"Es del capítulo {link}."


def chapter_of(house: House, room: str) -> dict | None:
    """El capítulo al que pertenece un cuarto, según el mapa del curso."""
    topic = topic_of(room)
    return next((c for c in house.chapters if topic in c.get("cuarto", ())), None)


def group_text(group: Group) -> str:
    """La portada de un grupo: sus páginas, con los módulos de cada una."""
    lines = [
        f"{page_link(page.title, page.name)}\n: {markdown(page.summary)}\n\n"
        f"  {', '.join(module_link(module) for module in page.modules)}\n"
        for page in group.pages
    ]
    lead = (
        f"De los módulos que hay en «{group.title}», qué hace cada uno y qué se importa de él, "
        "leído de su propia documentación."
    )
    return "\n\n".join([f"# {group.title}", lead, *lines])


def search_text(house: House, pages: list[IndexPage]) -> str:
    """La portada de «¿Dónde está…?»: cómo se busca, las letras y la pregunta de cada cuarto."""
    letters = "\n".join(f"- {page_link(page.title, page.name)}" for page in pages)
    rooms = "\n".join(
        f"- {markdown(page.summary)} {page_link(page.title, page.name)}"
        for group in groups(house)
        for page in group.pages
        if room_of(page.modules[0].name)
    )
    return SEARCH.format(letters=letters, rooms=rooms)


def index_text(page: IndexPage) -> str:
    """Una página del índice: lo que es cada cosa y dónde está."""
    lines = [f"- {named(entry.text)} {{py}}`{entry.name}`" for entry in page.entries]
    title = f"# ¿Dónde está…? {page.title}"
    lead = (
        f"Lo que hay en el paquete, {page.title[0].lower()}{page.title[1:]}, por orden alfabético "
        "de lo que es; al final de cada línea, de dónde se importa."
    )
    return "\n\n".join([title, lead, "\n".join(lines)]) + "\n"


SEARCH = """# ¿Dónde está…?

Cada idea tiene una sola casa en el paquete. Hay tres maneras de dar con ella:

- **por lo que es**, en el índice alfabético de abajo: «máscara causal» está en la eme;
- **por la pregunta que contesta**, si es de un tema: los cuartos, más abajo;
- **por cualquier palabra suya**, con el buscador (Ctrl + K).

## Por lo que es

{letters}

## Por la pregunta que contesta

{rooms}
"""
