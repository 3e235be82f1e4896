"""Una rúbrica propia para las respuestas abiertas de una tarea, escrita en un CSV."""

from dataclasses import replace
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course, Criterion, Item
from tfcourse.teaching.gradebook import writing
from tfcourse.teaching.numbers import number
from tfcourse.teaching.tables import column, read_table

COLUMNS = {
    "exercise": ("ejercicio",), "name": ("criterio",), "points": ("puntos",),
    "description": ("descripcion",),
}  # fmt: skip
RESERVED = ("respuesta", "estudiante", "nombre", "ejercicio", "comentario", "texto")


def with_rubric(assignment: Assignment, path: Path) -> Assignment:
    """La tarea con esa rúbrica, una fila por criterio: ejercicio, criterio, puntos y descripción.

    Los puntos de la parte abierta son los que suman. Errores: `ValueError` si una fila no vale.
    """
    header, *rows = read_table(path)
    places = {key: column(header, names) for key, names in COLUMNS.items()}
    if any(places[key] is None for key in ("exercise", "name", "points")):
        raise ValueError(f"{path} no es una rúbrica: hacen falta ejercicio, criterio y puntos")
    found: dict[str, list[Criterion]] = {}
    opened = {item.id for item in assignment.items if item.manual_points}
    for line, row in enumerate(rows, start=2):
        cell = {key: "" if p is None else row[p].strip() for key, p in places.items()}
        if cell["exercise"] not in opened:
            raise ValueError(
                f"fila {line}: «{cell['exercise']}» no es un ejercicio abierto de la tarea"
            )
        own = found.setdefault(cell["exercise"], [])
        if not cell["name"] or cell["name"] in RESERVED or cell["name"] in [c.name for c in own]:
            raise ValueError(f"fila {line}: el criterio «{cell['name']}» no vale o se repite")
        own.append(Criterion(cell["name"], _points(cell["points"], line), cell["description"]))
    items = [_with(item, tuple(found.get(item.id, item.rubric))) for item in assignment.items]
    return replace(assignment, items=tuple(items))


def _points(text: str, line: int) -> float:
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = 0.0
    if not 0 < value < 1000:
        raise ValueError(f"fila {line}: «{text}» no son unos puntos")
    return value


def _with(item: Item, rubric: tuple[Criterion, ...]) -> Item:
    if not rubric:
        return item
    total = sum(criterion.points for criterion in rubric)
    if total != int(total):
        raise ValueError(f"los criterios de «{item.id}» suman {number(total)}: deben dar un entero")
    return replace(item, rubric=rubric, manual_points=int(total))


def forget_marks(course: Course, before: Assignment, after: Assignment) -> int:
    """Quita las notas que se pusieron con otra rúbrica; devuelve cuántas eran."""
    changed = [
        new.id
        for old, new in zip(before.items, after.items, strict=True)
        if old.criteria != new.criteria
    ]
    count = 0
    with writing(course) as book:
        for name in changed:
            count += book.execute(
                "UPDATE grade SET manual_score = NULL, needs_manual_grade = 1 WHERE manual_score IS"
                " NOT NULL AND cell_id IN (SELECT cell.id FROM base_cell AS cell JOIN notebook ON"
                " notebook.id = cell.notebook_id JOIN assignment ON assignment.id ="
                " notebook.assignment_id WHERE assignment.name = ? AND cell.name = ?)",
                (after.name, f"{name}-texto"),
            ).rowcount
    return count


def rubric_table(item: Item) -> str:
    """La rúbrica como se lee en el enunciado."""
    rows = [f"| **{c.name}** | {number(c.points)} | {c.description} |" for c in item.rubric]
    return "\n".join(["| criterio | puntos | qué se mira |", "|---|---|---|", *rows])
