"""Las notas en el CSV que entiende Moodle: la hoja de una tarea o el libro de calificaciones.

Formatos: la hoja de una tarea (`worksheet`) y «Calificaciones → Importar → CSV» (separador a elegir
y una columna que identifique a la persona). Documentación de Moodle: «Grade import».
"""

from html import escape
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.deliveries import read_delivery
from tfcourse.teaching.feedback import total_score
from tfcourse.teaching.guard import clean, failure_text
from tfcourse.teaching.numbers import number
from tfcourse.teaching.roster import Student, course_roster
from tfcourse.teaching.steps import ready
from tfcourse.teaching.tables import safe
from tfcourse.teaching.worksheet import Worksheet
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
    results, notices = ready(course, assignment)
    roster = {student.id: student for student in course_roster(course.root)}
    scores = read_scores(course, assignment)
    rows = [
        ["Identificador", "Nombre completo", "Dirección de correo", assignment.title, "Comentario"]
    ]
    unmarked = 0
    for result in results:
        known = roster.get(result["student"], Student(result["student"], result["full_name"]))
        cells = scores.get(known.id, {})
        score, waiting = total_score(assignment, result, cells)
        unmarked += waiting
        rows.append(
            [
                known.number or known.id, safe(known.full_name), known.email,
                number(score, decimal), safe(_comment(result, cells, notices)),
            ]
        )  # fmt: skip
    return rows, [*notices, *unmarked_notice(unmarked)]


def comment_for(result: dict, cells: dict) -> str:
    """El comentario que verá en Moodle: qué ejercicios están bien y qué falló en los demás.

    `cells` son las notas de esa persona en el libro: de ahí sale lo que se puntuó a mano.
    """
    parts = []
    for row in result["exercises"]:
        parts.append(f"{row['id']}: {'correcto' if row['key'] == 'correcto' else row['likely']}")
        *_, remark = cells.get(f"{row['id']}-texto", (None,))
        if remark:
            parts.append(" ".join(remark.split("\n")))
    return clean("; ".join([*parts, *result["notes"]]), MAX_COMMENT)


def _comment(result: dict, cells: dict, notices: list[str]) -> str:
    """El comentario de alguien; si no se puede componer, su nota va sin él y se dice."""
    try:
        return comment_for(result, cells)
    except Exception as error:
        notices.append(f"{result['full_name']}: sin comentario ({failure_text(error)})")
        return ""


def fill_worksheet(
    course: Course, assignment: Assignment, path: Path, decimal: str
) -> tuple[list[list[str]], list[str]]:
    """La hoja que se descargó de Moodle, con las notas puestas, y los avisos.

    No cambia las columnas ni su orden: Moodle la reconoce porque es la suya. Las notas llevan el
    decimal que use la hoja y, si no se ve ninguno, `decimal`. Errores: `ValueError` si le faltan
    columnas o si su máximo no es el de la tarea.
    """
    sheet = Worksheet(path)
    sheet.check_maximum(assignment.points)
    decimal = sheet.decimal or decimal
    scores, pending = read_scores(course, assignment), {}
    results, notices = ready(course, assignment)
    for result in results:
        number_of = read_delivery(course, assignment.name, result["student"])["number"]
        pending[number_of or result["student"]] = result
    unmarked = 0
    for row in sheet.body:
        result = pending.pop(sheet.number(row), None)
        if result is None:
            continue
        cells = scores.get(result["student"], {})
        score, waiting = total_score(assignment, result, cells)
        unmarked += waiting
        sheet.put(row, "grade", number(score, decimal))
        comment = _comment(result, cells, notices)
        sheet.put(row, "comments", escape(safe(comment), quote=False))
    notices += [f"{result['full_name']} no está en la hoja" for result in pending.values()]
    return sheet.rows, [*notices, *unmarked_notice(unmarked)]


def unmarked_notice(count: int) -> list[str]:
    """El aviso de que hay notas a las que les falta la parte que se puntúa a mano."""
    if not count:
        return []
    return [f"sin nota a mano, que cuenta como cero: {count} (ponla con «docente puntuar»)"]
