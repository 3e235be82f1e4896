"""Cambiar una tarea ya repartida: su plazo, sus puntos, sus descuentos o su manera de puntuar."""

import re
from dataclasses import replace
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course, Item
from tfcourse.teaching.create import cover, rubric
from tfcourse.teaching.deliveries import rewrite_delivery
from tfcourse.teaching.gradebook import writing
from tfcourse.teaching.journal import Change, write_journal
from tfcourse.teaching.lateness import is_past, local
from tfcourse.teaching.recording import utc_text
from tfcourse.teaching.roster import course_roster
from tfcourse.teaching.rubric import rubric_table
from tfcourse.teaching.variants import write_variants

RUBRIC = "**Rúbrica de esta tarea**"
WORTH = re.compile(r"· \d+ puntos? ·")


def with_points(assignment: Assignment, wanted: dict[str, int]) -> tuple[Item, ...]:
    """Los ejercicios con otros puntos. Errores: `ValueError` si alguno no está o no vale."""
    unknown = sorted(wanted.keys() - {item.id for item in assignment.items})
    if unknown:
        raise ValueError(f"en «{assignment.name}» no está {', '.join(unknown)}")
    if any(points < 1 for points in wanted.values()):
        raise ValueError("los puntos de un ejercicio son uno o más")
    return tuple(replace(i, points=wanted.get(i.id, i.points)) for i in assignment.items)


def save_changes(course: Course, before: Assignment, after: Assignment) -> list[str]:
    """Guarda la tarea cambiada, en sus cuadernos y en el libro; devuelve qué hay que hacer.

    Errores: `ValueError` si el libro no se deja escribir: entonces no cambia nada.
    """
    told = _what_changes(before, after)
    if not told:
        return ["no hay nada que cambiar"]
    with writing(course) as book:
        moment = utc_text(after.due.astimezone().isoformat()) if after.due else None
        book.execute("UPDATE assignment SET duedate = ? WHERE name = ?", (moment, after.name))
        for item in after.items:
            for part, points in (("prueba", item.points), ("texto", item.manual_points)):
                book.execute(
                    "UPDATE grade_cells SET max_score = ? WHERE id IN (SELECT cell.id FROM"
                    " base_cell AS cell JOIN notebook ON notebook.id = cell.notebook_id JOIN"
                    " assignment ON assignment.id = notebook.assignment_id"
                    " WHERE assignment.name = ? AND cell.name = ?)",
                    (points, after.name, f"{item.id}-{part}"),
                )
        for path in _notebooks(course, after.name):
            notebook = nbformat.read(path, as_version=4)
            _rewrite(notebook, after)
            write_atomically(path, nbformat.writes(notebook) + "\n")
        course.save(after)
    for student in course.students(after.name):
        rewrite_delivery(course, after.name, student, lambda card: _on_time(card, after))
    if after.seed is not None:
        write_variants(course, after, course_roster(course.root))
    write_journal(course, after.name, told)
    return _what_to_do(before, after)


def _what_changes(before: Assignment, after: Assignment) -> list[Change]:
    """Lo que cambia de la tarea, como se apunta en el diario."""
    changes = [
        Change("", "la tarea", name, _shown(getattr(before, field)), _shown(getattr(after, field)),
               "cambio de la tarea")
        for name, field in (
            ("título", "title"), ("plazo", "deadline"), ("puntos por casos", "partial"),
            ("descuento", "late"), ("grupos", "groups"),
        )
        if getattr(before, field) != getattr(after, field)
    ]  # fmt: skip
    for old, new in zip(before.items, after.items, strict=True):
        if (old.points, old.criteria) != (new.points, new.criteria):
            changes.append(
                Change("", "la tarea", new.id, f"{old.total} puntos", f"{new.total} puntos",
                       "cambio de la tarea")
            )  # fmt: skip
    return changes


def _shown(value: object) -> str:
    if type(value) is bool:
        return "sí" if value else "no"
    if type(value) is dict:
        return f"{len(set(value.values()))}"
    percent = getattr(value, "percent", None)
    return f"{percent:g} % al día" if percent is not None else str(value or "ninguno")


def _what_to_do(before: Assignment, after: Assignment) -> list[str]:
    again = any(
        (old.points, before.partial) != (new.points, after.partial)
        for old, new in zip(before.items, after.items, strict=True)
    )
    told = ["los retrasos se han vuelto a calcular"] if before.due != after.due else []
    if again:
        told.append("las notas de antes ya no valen: repite «docente corregir», que dirá a quién "
                    "le cambian")  # fmt: skip
    if before.points != after.points:
        told.append(f"la tarea vale ahora {after.points} puntos: ponlo también en tu plataforma")
    return told


def _notebooks(course: Course, name: str) -> list[Path]:
    copy = course.folder(name) / "copia_docente.ipynb"
    return [path for path in (course.source(name), course.release(name), copy) if path.exists()]


def _rewrite(notebook: NotebookNode, assignment: Assignment) -> None:
    """La portada, los puntos de cada enunciado y los que lee nbgrader."""
    items = {item.id: item for item in assignment.items}
    for cell in notebook.cells:
        name, _, part = cell.id.rpartition("-")
        if cell.id == "portada":
            cell.source = cover(assignment)
        elif part == "rubrica" and name in items:
            cell.source = rubric(items[name], assignment.partial)
        elif part == "enunciado" and name in items:
            total = items[name].total
            worth = f"· {total} punto{'s' if total > 1 else ''} ·"
            cell.source = WORTH.sub(worth, cell.source, count=1)
            if items[name].rubric:
                text = cell.source.partition(RUBRIC)[0].rstrip()
                cell.source = f"{text}\n\n{RUBRIC}\n\n{rubric_table(items[name])}"
        elif part in ("prueba", "texto") and name in items and "nbgrader" in cell.metadata:
            item = items[name]
            points = item.points if part == "prueba" else item.manual_points
            cell.metadata["nbgrader"]["points"] = points


def _on_time(card: dict, assignment: Assignment) -> dict:
    """Lo apuntado de una entrega, con su retraso según el plazo de ahora."""
    if not card.get("submitted"):
        return card
    extension = card.get("extension")
    late = is_past(assignment, local(card["submitted"]), local(extension) if extension else None)
    return card | {"late": late}
