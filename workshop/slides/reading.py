"""Qué se enseña de un capítulo en clase: sus secciones, sus figuras y sus preguntas."""

import ast
import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import nbformat
import yaml

from tfcourse.notebook import repository_url
from workshop.notebooks.book import Chapter

WIDGET = "application/vnd.jupyter.widget-view+json"
# De estas secciones no se da nada en clase: se leen, o son preguntas y ya tienen su diapositiva.
NOT_TOLD = ("Para seguir leyendo", "Comprueba lo que has entendido")
GOALS = "**Al terminar sabrás**"
_HEADING = re.compile(r"(?P<marks>#{1,3}) (?P<text>.+)")
_FENCE = re.compile(r"\s*(`{3,}|:{3,})(?P<name>.*)")


@dataclass(frozen=True)
class Section:
    """Una sección del capítulo y lo que hay en ella."""

    title: str
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Figure:
    """Una figura: dónde está, cómo se llama, su pie, lo que enseña dicho en palabras y su PNG."""

    heading: str
    name: str
    caption: str
    alt: str
    png: bytes


@dataclass(frozen=True)
class Play:
    """Una figura con la que se juega, que solo está en la página."""

    heading: str


@dataclass(frozen=True)
class Answer:
    """Una respuesta de una pregunta: si es la buena y por qué."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Asked:
    """Una pregunta del cuestionario."""

    text: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Talk:
    """Un capítulo, listo para contarlo: de qué va y sus diapositivas, por orden."""

    title: str
    part: str
    question: str
    goals: tuple[str, ...]
    slides: tuple[Section | Figure | Play | Asked, ...]
    page: str
    repository: str

    @property
    def figures(self) -> list[Figure]:
        """Las figuras que se pueden llevar sueltas."""
        return [slide for slide in self.slides if isinstance(slide, Figure)]

    @property
    def colab(self) -> str:
        """Dónde se abre el cuaderno."""
        where = self.repository.removeprefix("https://github.com/")
        return f"https://colab.research.google.com/github/{where}/blob/main/{self.page}.ipynb"


def read_talk(root: Path, chapter: Chapter) -> Talk:
    """Lee el cuaderno guardado de un capítulo, y de `mapa.yml`, su parte y su pregunta."""
    text = (root / f"{chapter.page}.ipynb").read_text(encoding="utf-8")
    cells = nbformat.v4.reads(text).cells  # sin validarlo, que es lo que más tarda
    title = next(text for cell in cells for marks, text in headings(cell) if marks == "#")
    parts = yaml.safe_load((root / "chapters/mapa.yml").read_text(encoding="utf-8"))["partes"]
    part, entry = next(
        (part["titulo"], entry)
        for part in parts
        for entry in part["capitulos"]
        if entry["slug"] == chapter.slug
    )
    return Talk(
        title,
        part,
        entry["pregunta"],
        tuple(goals(cells)),
        tuple(told(cells)),
        chapter.page,
        repository_url(root),
    )


def headings(cell) -> Iterator[tuple[str, str]]:
    """Los títulos de una celda de texto, con sus almohadillas; los de dentro de un bloque, no."""
    if cell.cell_type != "markdown":
        return
    fences: list[str] = []
    for line in cell.source.splitlines():
        if fence := _FENCE.match(line):
            closes = fences and not fence["name"].strip()
            fences = fences[:-1] if closes else [*fences, line]
        elif not fences and (found := _HEADING.fullmatch(line.rstrip())):
            yield found["marks"], found["text"]


def goals(cells) -> Iterator[str]:
    """Lo que dice la ficha que se sabrá al terminar."""
    card = next((cell.source for cell in cells if GOALS in cell.source), "")
    lines = card.partition(GOALS)[2].strip().splitlines()
    for line in takewhile(lambda line: line.startswith(":"), lines):
        yield line.lstrip(": ").rstrip(";.")


def told(cells) -> Iterator[Section | Figure | Play | Asked]:
    """Las diapositivas, por el orden de la página."""
    section, heading = "", ""
    for place, cell in enumerate(cells):
        for marks, text in headings(cell):
            if marks == "##":
                section = text
                if section not in NOT_TOLD:
                    yield Section(section, tuple(inner_headings(cells[place:], section)))
            heading = text if marks != "#" else heading
        if cell.cell_type == "code":
            yield from shown(cell, heading)
            yield from asked(cell.source)


def inner_headings(cells, section: str) -> Iterator[str]:
    """Los apartados de una sección, que empieza en la primera celda."""
    found = [pair for cell in cells for pair in headings(cell)]
    start = found.index(("##", section))
    for _, text in takewhile(lambda pair: pair[0] == "###", found[start + 1 :]):
        yield text


def shown(cell, heading: str) -> Iterator[Figure | Play]:
    """La figura que dejó una celda, si dejó alguna: con su pie, o de las que se tocan."""
    kept = cell.metadata.get("mystnb", {})
    for output in cell.outputs:
        data = output.get("data", {})
        if WIDGET in data:
            yield Play(heading)
        elif "image/png" in data and "figure" in kept:
            about, image = kept["figure"], base64.b64decode(data["image/png"])
            yield Figure(heading, about["name"], about["caption"], kept["image"]["alt"], image)


def asked(source: str) -> Iterator[Asked]:
    """Las preguntas de un cuestionario, leídas de su celda sin ejecutarla."""
    if "Quiz(" not in source:
        return
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Question":
            text, options = call.args
            read = ([ast.literal_eval(part) for part in option.args] for option in options.elts)
            yield Asked(ast.literal_eval(text), tuple(Answer(*parts) for parts in read))
