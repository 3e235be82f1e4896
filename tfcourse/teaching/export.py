"""Las notas en el CSV que entiende Moodle: la hoja de una tarea o el libro de calificaciones.

Formatos: la hoja que descarga «Tarea → Descargar hoja de calificación» (siempre con comas; Moodle
exige las columnas identificador, calificación y última modificación de la calificación, en el
idioma del sitio) y «Calificaciones → Importar → CSV» (separador a elegir y una columna que
identifique a la persona). Documentación de Moodle: «Assignment settings» y «Grade import».
"""

import csv
import io
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.classroom import all_results
from tfcourse.teaching.collect import read_delivery
from tfcourse.teaching.feedback import total_score
from tfcourse.teaching.gradebook import read_scores
from tfcourse.teaching.numbers import number
from tfcourse.teaching.roster import plain, read_roster

SEPARATORS = {"coma": ",", "punto-y-coma": ";", "tabulador": "\t"}
DECIMALS = {"coma": ",", "punto": "."}
# Cómo se llaman las columnas de la hoja de Moodle en español (España y México) y en inglés.
IDENTIFIER = ("identificador", "identifier", "id")
GRADE = ("calificacion", "grade")
CHANGED = (
    "ultima modificacion (calificacion)", "last modified (grade)", "modificada (calificacion)",
)  # fmt: skip
MAXIMUM = ("calificacion maxima", "maximum grade")
COMMENTS = ("comentarios de retroalimentacion", "comentarios de la retroalimentacion",
            "feedback comments")  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain_rows(course: Course, assignment: Assignment, decimal: str) -> list[list[str]]:
    """Una fila por persona, con cabecera, para «Importar CSV» del libro de calificaciones."""
    roster_file = course.root / "alumnos.csv"
    roster = read_roster(roster_file) if roster_file.exists() else []
    emails = {student.id: student.email for student in roster}
    scores = read_scores(course, assignment)
    rows = [
        ["Identificador", "Nombre completo", "Dirección de correo", assignment.title, "Comentario"]
    ]
    for result in all_results(course, assignment.name):
        student = result["student"]
        score, _ = total_score(assignment, result, scores.get(student, {}))
        rows.append(
            [
                student, safe(result["full_name"]), emails.get(student, ""),
                number(score, decimal), safe(comment_for(result)),
            ]
        )  # fmt: skip
    return rows


def comment_for(result: dict) -> str:
    """El comentario que verá en Moodle: qué ejercicios están bien y qué falló en los demás."""
    parts = [
        f"{row['id']}: {'correcto' if row['key'] == 'correcto' else row['likely']}"
        for row in result["exercises"]
    ]
    return "; ".join([*parts, *result["notes"]])


def safe(text: str) -> str:
    """Un texto que una hoja de cálculo no tomará por una fórmula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def write_csv(path: Path, rows: list[list[str]], separator: str) -> Path:
    """Escribe el CSV en UTF-8, con las comillas que hagan falta."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=separator, lineterminator="\r\n").writerows(rows)
    path.write_text(buffer.getvalue(), encoding="utf-8", newline="")
    return path


def fill_worksheet(
    course: Course, assignment: Assignment, sheet: Path, decimal: str
) -> tuple[list[list[str]], list[str]]:
    """La hoja que se descargó de Moodle, con las notas puestas; y de quién no había fila o entrega.

    No cambia las columnas ni su orden: Moodle la reconoce porque es la suya. Errores:
    `ValueError` si le faltan las que Moodle exige o si su máximo no es el de la tarea.
    """
    rows = list(csv.reader(io.StringIO(sheet.read_text(encoding="utf-8-sig"))))
    header = [plain(name) for name in rows[0]] if rows else []
    who, grade = _position(header, IDENTIFIER), _position(header, GRADE)
    if None in (who, grade, _position(header, CHANGED)):
        raise ValueError(
            f"{sheet} no es una hoja de calificación de Moodle: le faltan las columnas del "
            "identificador, la calificación o su última modificación. Descárgala otra vez y no la "
            "guardes con una hoja de cálculo"
        )
    maximum, comments = _position(header, MAXIMUM), _position(header, COMMENTS)
    scores, notices = read_scores(course, assignment), []
    pending = {}
    for result in all_results(course, assignment.name):
        number_of = read_delivery(course, assignment.name, result["student"])["number"]
        pending[number_of or result["student"]] = result
    for row in rows[1:]:
        result = pending.pop(_digits(row[who]), None)
        if result is None:
            continue
        _check_maximum(row, maximum, assignment, sheet)
        score, _ = total_score(assignment, result, scores.get(result["student"], {}))
        row[grade] = number(score, decimal)
        if comments is not None:
            row[comments] = safe(comment_for(result))
    notices += [f"{result['full_name']} no está en la hoja" for result in pending.values()]
    return rows, notices


def _position(header: list[str], options: tuple[str, ...]) -> int | None:
    return next((i for i, name in enumerate(header) if name in options), None)


def _digits(text: str) -> str:
    """«Participante 12345» → «12345»."""
    return "".join(c for c in text if c.isdigit())


def _check_maximum(row: list[str], place: int | None, assignment: Assignment, sheet: Path) -> None:
    if place is None or not row[place]:
        return
    top = float(row[place].replace(",", "."))
    if top != assignment.points:
        raise ValueError(
            f"en {sheet} la calificación máxima es {number(top)} y la tarea vale "
            f"{assignment.points}: pon {assignment.points} en los ajustes de la tarea de Moodle y "
            "descarga la hoja otra vez"
        )
