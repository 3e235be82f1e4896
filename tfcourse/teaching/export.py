"""Las notas en el CSV que entiende cada plataforma.

Formatos: la hoja de una tarea o el libro de una plataforma (`platforms`) y «Calificaciones →
Importar → CSV» de Moodle (separador a elegir y una columna que identifique a la persona).
Documentación de Moodle: «Grade import».
"""

from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.deliveries import read_delivery
from tfcourse.teaching.feedback import total_score
from tfcourse.teaching.guard import clean, failure_text
from tfcourse.teaching.numbers import number
from tfcourse.teaching.platforms.base import Filled, Graded
from tfcourse.teaching.platforms.registry import of_sheet
from tfcourse.teaching.results import OUR_FAILURE
from tfcourse.teaching.roster import Student, course_roster
from tfcourse.teaching.steps import ready
from tfcourse.teaching.tables import safe
from tfcourse.teaching.written import read_scores

MAX_COMMENT = 4_000
SEPARATORS = {"coma": ",", "punto-y-coma": ";", "tabulador": "\t"}
DECIMALS = {"coma": ",", "punto": "."}


def plain_rows(
    course: Course, assignment: Assignment, decimal: str
) -> tuple[list[list[str]], list[str]]:
    """Una fila por persona, con cabecera, para «Importar CSV» del libro de calificaciones.

    También los avisos: quien no tiene una nota que valga hoy no tiene fila, y se dice quién es.
    """
    grades, notices = graded(course, assignment)
    known = {student.id: student.number for student in course_roster(course.root)}
    rows = [
        ["Identificador", "Nombre completo", "Dirección de correo", assignment.title, "Comentario"]
    ]
    for grade in grades:
        rows.append(
            [
                known.get(grade.student) or grade.student, safe(grade.full_name), grade.email,
                number(grade.score, decimal), safe(grade.comment),
            ]
        )  # fmt: skip
    return rows, [*notices, *unmarked_notice(sum(grade.waiting for grade in grades))]


def comment_for(result: dict, cells: dict) -> str:
    """El comentario que verá en Moodle: qué ejercicios están bien y qué falló en los demás.

    `cells` son las notas de esa persona en el libro: de ahí sale lo que se puntuó a mano.
    """
    parts = []
    for row in result["exercises"]:
        parts.append(f"{row['id']}: {'correcto' if row['key'] == 'correcto' else row['likely']}")
        for part in ("prueba", "texto"):
            written = cells.get(f"{row['id']}-{part}")
            if written and written.comment:
                parts.append(" ".join(written.comment.split("\n")))
    return clean("; ".join([*parts, *result["notes"]]), MAX_COMMENT)


def _comment(result: dict, cells: dict, notices: list[str]) -> str:
    """El comentario de alguien; si no se puede componer, su nota va sin él y se dice."""
    try:
        return comment_for(result, cells)
    except Exception as error:
        notices.append(f"{result['full_name']}: sin comentario ({failure_text(error)})")
        return ""


def fill_worksheet(
    course: Course, assignment: Assignment, path: Path, decimal: str, column: str = ""
) -> tuple[list[list[str]], list[str]]:
    """La hoja que se descargó de la plataforma, con las notas puestas, y los avisos."""
    filled = fill_sheet(course, assignment, path, decimal, column)
    return filled.rows, filled.notices


def fill_sheet(
    course: Course, assignment: Assignment, path: Path, decimal: str, column: str = ""
) -> Filled:
    """Lo mismo, con el separador que pide la plataforma, que se reconoce por la cabecera.

    Errores: `ValueError` si le faltan columnas o si su máximo no es el de la tarea.
    """
    platform = of_sheet(path)
    grades, notices = graded(course, assignment)
    filled = platform.fill(path, grades, assignment, decimal, column)
    filled.notices = [*notices, *filled.notices, *unmarked_notice(filled.marked)]
    return filled


def graded(course: Course, assignment: Assignment) -> tuple[list[Graded], list[str]]:
    """Las notas que valen hoy, con todo lo que se sabe de quién es cada una, y los avisos."""
    results, notices = ready(course, assignment)
    roster = {student.id: student for student in course_roster(course.root)}
    scores, found = read_scores(course, assignment), []
    for result in results:
        who = result["student"]
        cells, known = scores.get(who, {}), roster.get(who, Student(who, result["full_name"]))
        try:
            found.append(_graded(course, assignment, result, cells, known, notices))
        except Exception as error:
            notices.append(
                f"{result['full_name']}: sin nota ({OUR_FAILURE}: {failure_text(error)})"
            )
    return found, notices


def _graded(
    course: Course, assignment: Assignment, result: dict, cells: dict, known: Student,
    notices: list[str],
) -> Graded:  # fmt: skip
    card = read_delivery(course, assignment.name, known.id)
    score, waiting = total_score(assignment, result, cells)
    ids = tuple(dict.fromkeys(n for n in (card["number"], known.number, known.id) if n))
    return Graded(
        known.id, known.full_name, known.email or card["email"], card["number"], ids, score,
        bool(waiting), _comment(result, cells, notices),
    )  # fmt: skip


def unmarked_notice(count: int) -> list[str]:
    """El aviso de que hay notas a las que les falta la parte que se puntúa a mano."""
    if not count:
        return []
    return [f"sin nota a mano, que cuenta como cero: {count} (ponla con «docente puntuar»)"]
