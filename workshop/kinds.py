"""Qué piden los ejercicios de cada capítulo: la tabla de la página del docente, que se genera."""

import re
from collections import Counter
from pathlib import Path

import nbformat

from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.asks import ASKS, asked
from tfcourse.exercises.masters import masters
from tfcourse.files import write_atomically

PAGE = "chapters/docencia/index.md"
BEGIN, END = "<!-- lo que piden: lo escribe «make ejercicios» -->", "<!-- fin de lo que piden -->"


def kinds_of(master: Path) -> tuple[str, Counter]:
    """El título de un capítulo y cuántos ejercicios de cada clase tiene."""
    cells = nbformat.read(master, as_version=4).cells
    title = cells[0].source.split("\n")[0].removeprefix("# Ejercicios: ")
    kinds = Counter(
        asked(EXERCISES[name].card, cell.source)
        for cell in cells
        if cell.id.endswith("-enunciado") and (name := cell.id.removesuffix("-enunciado"))
    )
    return title, kinds


def kinds_table(root: Path) -> str:
    """La tabla, con una fila por capítulo y la suma."""
    rows = [kinds_of(master) for master in masters(root)]
    rows.append(("**total**", sum((kinds for _, kinds in rows), Counter())))
    lines = [f"| capítulo | {' | '.join(ASKS.values())} |", "|---|" + "---|" * len(ASKS)]
    for title, kinds in rows:
        lines.append(f"| {title} | {' | '.join(str(kinds[kind] or '') for kind in ASKS)} |")
    return "\n".join(lines)


def with_table(page: str, table: str) -> str:
    """La página, con la tabla en su sitio. Errores: `ValueError` si la página no lo dice."""
    place = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
    if not place.search(page):
        raise ValueError(f"en {PAGE} falta el sitio de la tabla, entre «{BEGIN}» y «{END}»")
    return place.sub(lambda _: f"{BEGIN}\n\n{table}\n\n{END}", page)


def write_kinds(root: Path) -> list[Path]:
    """Pone al día la tabla; devuelve la página si cambió."""
    path = root / PAGE
    if not path.exists():  # en una copia sin la página del docente
        return []
    before = path.read_text(encoding="utf-8")
    after = with_table(before, kinds_table(root))
    if before == after:
        return []
    write_atomically(path, after)
    return [path]


def check_kinds(root: Path) -> list[str]:
    """Si la tabla está anticuada."""
    path = root / PAGE
    if not path.exists():
        return []
    page = path.read_text(encoding="utf-8")
    if page == with_table(page, kinds_table(root)):
        return []
    return [f"{PAGE} no dice lo que piden los ejercicios; ejecuta «make ejercicios»"]
