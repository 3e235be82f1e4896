"""Lo que comparten las órdenes del docente."""

import shutil
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.classroom import OUR_FAILURE, all_results
from tfcourse.teaching.gradebook import record
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
    """Apunta en el libro de notas lo corregido y dice lo que no se ha podido corregir."""
    results = all_results(course, assignment.name)
    good = [result for result in results if result["status"] != OUR_FAILURE]
    record(course, assignment, good)
    print(f"apuntadas en {course.gradebook}: {len(good)} entregas")
    for result in results:
        if result["status"] == OUR_FAILURE:
            print(f"aviso: {result['full_name']}: {'; '.join(result['notes'])}")
