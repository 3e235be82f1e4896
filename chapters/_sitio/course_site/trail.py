"""Quien llega a mitad del curso: dónde está, qué pregunta responde la página y qué la precede.

Lo mismo se dice a los buscadores, en JSON-LD, el formato de schema.org.
"""

import json
from functools import cache
from html import escape, unescape
from pathlib import Path

from course_site.chapters import (
    ROOT,
    Chapter,
    all_chapters,
    chapter_of,
    chapters,
    load_map,
    numbered,
)
from workshop.notebooks.book import book_notebooks, is_project

CONTEXT = "https://schema.org"
HOME = "chapters/intro"


def add_trail(app, pagename: str, _template, context, _doctree) -> None:
    """Pone las migas en capítulos, ejercicios y proyectos; en un capítulo, también la pregunta."""
    home = app.config.html_baseurl
    if "body" in context and pagename in projects():
        add_project_trail(app, pagename, context)
        return
    chapter = chapter_of(pagename, chapters())
    context["structured"] = None
    if pagename == HOME:
        context["structured"] = as_script(course(home))
    if chapter is None or "body" not in context:
        return
    steps = trail(chapter, pagename)
    entry = all_chapters(load_map())[chapter.slug]
    head = breadcrumb(steps, context["pathto"])
    body = context["body"]
    if pagename == chapter.page:
        question = f'</h1>\n<p class="pregunta">{escape(entry["pregunta"])}</p>'
        body = body.replace("</h1>", question, 1)
    context["body"] = head + body
    context["structured"] = as_script(lesson(home, entry, pagename, steps))


def add_project_trail(app, pagename: str, context) -> None:
    """Las migas de un proyecto: es de una parte y no de un capítulo."""
    title = unescape(context["title"])
    steps = [*part_steps(projects()[pagename]), (title, pagename, "")]
    about = {"pregunta": context["description"], "requiere": []}
    context["body"] = breadcrumb(steps, context["pathto"]) + context["body"]
    context["structured"] = as_script(lesson(app.config.html_baseurl, about, pagename, steps))


@cache
def projects() -> dict[str, int]:
    """Los proyectos del índice, cada uno con el número de su parte."""
    names = [path.relative_to(ROOT).with_suffix("").as_posix() for path in book_notebooks(ROOT)]
    return {name: int(Path(name).parent.name[0]) for name in names if is_project(Path(name))}


def part_steps(number: int) -> list[tuple[str, str, str]]:
    """De la portada a una parte."""
    part = load_map()["partes"][number - 1]
    return [("Curso", HOME, ""), (f"{number} · {part['titulo']}", HOME, f"parte-{number}")]


def trail(chapter: Chapter, pagename: str) -> list[tuple[str, str, str]]:
    """De la portada a la página: nombre, página y ancla de cada paso."""
    for number, part in enumerate(load_map()["partes"], start=1):
        for entry in part["capitulos"]:
            if entry["slug"] == chapter.slug:
                title = numbered(entry["numero"], entry["titulo"])
                steps = [*part_steps(number), (title, chapter.page, "")]
                return steps + [("Ejercicios", pagename, "")] * (pagename != chapter.page)
    raise KeyError(chapter.slug)


def breadcrumb(steps: list[tuple[str, str, str]], pathto) -> str:
    """Las migas: cada paso, con su enlace, menos el último, que es la propia página."""
    items = [
        f'<li><a href="{pathto(page)}{anchor and "#" + anchor}">{escape(name)}</a></li>'
        for name, page, anchor in steps[:-1]
    ]
    items.append(f'<li aria-current="page">{escape(steps[-1][0])}</li>')
    return f'<nav class="migas" aria-label="Dónde estás"><ol>{"".join(items)}</ol></nav>\n'


def course(home: str) -> dict:
    """El curso entero."""
    return {
        "@context": CONTEXT,
        "@type": "Course",
        "name": "Aprende Transformers desde cero",
        "description": "Un curso en español que construye los Transformers pieza a pieza.",
        "url": f"{home}{HOME}.html",
        "inLanguage": "es",
        "isAccessibleForFree": True,
        "provider": {"@type": "Organization", "name": "tfcourse", "url": home},
        "hasPart": [
            {"@type": "LearningResource", "name": entry["titulo"], "url": f"{home}{one.page}.html"}
            for one in chapters().values()
            for entry in [all_chapters(load_map())[one.slug]]
        ],
    }


def lesson(home: str, entry: dict, pagename: str, steps: list[tuple[str, str, str]]) -> list[dict]:
    """Una página del curso y el camino hasta ella."""
    book = chapters()
    return [
        {
            "@context": CONTEXT,
            "@type": "LearningResource",
            "name": steps[-1][0],
            "description": entry["pregunta"],
            "url": f"{home}{pagename}.html",
            "inLanguage": "es",
            "isAccessibleForFree": True,
            "isPartOf": {"@type": "Course", "url": f"{home}{HOME}.html"},
            "competencyRequired": [
                all_chapters(load_map())[name]["titulo"]
                for name in entry["requiere"]
                if name in book
            ],
        },
        {
            "@context": CONTEXT,
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": place, "name": name, "item": f"{home}{page}.html"}
                for place, (name, page, _) in enumerate(steps, start=1)
            ],
        },
    ]


def as_script(value) -> str:
    """El JSON, sin nada que pueda cerrar su guion."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def setup_trail(app) -> None:
    """Conecta las migas con la escritura de cada página, antes de elegir lo que carga."""
    app.connect("html-page-context", add_trail, priority=600)
