"""Lo que comparten las órdenes del docente."""

import shutil
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.recording import record, unrecorded
from tfcourse.teaching.results import standing
from tfcourse.teaching.roster import read_roster, roster_file


def parse_part(text: str) -> tuple[int, int]:
    """`2/4` → (2, 4). Errores: `ValueError`."""
    index, _, parts = text.partition("/")
    if not (index.isdigit() and parts.isdigit() and 1 <= int(index) <= int(parts)):
        raise ValueError(
            f"--tarea {text} no vale: escribe i/n, p. ej. 2/4 para la segunda de cuatro"
        )
    return int(index), int(parts)


def keep_roster(course: Course, roster: Path | None) -> Path:
    """Guarda la lista de la clase en el curso, si se da otra y vale; devuelve dónde está."""
    kept = roster_file(course.root)
    if roster and roster.resolve() != kept.resolve():
        read_roster(roster)
        course.root.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(roster, kept)
    return kept


def record_results(course: Course, assignment: Assignment) -> None:
    """Apunta en el libro de notas lo corregido y dice quién no tiene una nota que valga."""
    found = standing(course, assignment)
    notices = record(course, assignment, found.good)
    print(f"apuntadas en {course.gradebook}: {len(found.good)} entregas")
    for notice in [*notices, *found.notices()]:
        print(f"aviso: {notice}")


def ready(course: Course, assignment: Assignment) -> tuple[list[dict], list[str]]:
    """Los resultados que se pueden devolver y exportar, y los avisos de quién falta y por qué.

    Errores: `ValueError` si no hay ninguno.
    """
    found = standing(course, assignment)
    pending = {result["student"]: result for result in unrecorded(course, assignment, found.good)}
    notices = found.notices()
    if pending:
        who = ", ".join(result["full_name"] for result in pending.values())
        notices.append(
            f"corregidas y sin apuntar en el libro: {len(pending)} ({who}); apúntalas con «docente "
            "corregir» o, si faltan partes, «docente reunir»"
        )
    good = [result for result in found.good if result["student"] not in pending]
    if not good:
        said = "; ".join(notices) or "no hay entregas"
        raise ValueError(f"en «{assignment.name}» no hay ninguna nota que valga: {said}")
    return good, notices
