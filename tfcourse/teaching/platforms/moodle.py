"""Moodle: el zip de «Descargar todas las entregas» y la hoja de calificación de la tarea.

Formato: código de Moodle, `mod/assign/locallib.php` y `mod/assign/feedback/offline`.
"""

import re
from html import escape
from pathlib import Path, PurePosixPath

from tfcourse.teaching.assignment import Assignment
from tfcourse.teaching.guard import clean
from tfcourse.teaching.numbers import number
from tfcourse.teaching.platforms.base import Filled, Finder, Graded, Owner, Platform
from tfcourse.teaching.tables import column, safe
from tfcourse.teaching.worksheet import COLUMNS, REQUIRED, Person, Worksheet

# «Nombre Apellidos_12345_assignsubmission_file» y, según el ajuste de Moodle, carpeta o prefijo.
FILE = re.compile(r"^(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)$")


class Moodle(Platform):
    """El número de participante cambia en cada tarea; las fechas solo están en la hoja."""

    name, label, returns_by_name = "moodle", "Moodle", True
    undated = (
        "el zip de Moodle no dice cuándo entregó cada cual: para apuntar los retrasos, descarga "
        "también la hoja de calificación y dila con --hoja"
    )

    def owner(self, path: str) -> Owner | None:
        """La carpeta o el prefijo que pone Moodle."""
        parts = PurePosixPath(path).parts
        for part in parts:
            if found := FILE.match(part):
                file = parts[-1] if part != parts[-1] else found["rest"]
                return Owner(found["name"], found["number"], file)
        return None

    def recognises(self, rows: list[list[str]]) -> bool:
        """La hoja de una tarea tiene identificador, calificación y su última modificación."""
        return all(column(rows[0], COLUMNS[key]) is not None for key in REQUIRED)

    def people(self, path: Path) -> list[Person]:
        """Quién hay, cuándo entregó y hasta cuándo tenía."""
        return list(Worksheet(path).people().values())

    def fill(
        self, path: Path, grades: list[Graded], assignment: Assignment, decimal: str, column: str
    ) -> Filled:
        """No cambia las columnas ni su orden: Moodle la reconoce porque es la suya.

        Las notas llevan el decimal que use la hoja y, si no se ve ninguno, `decimal`.
        """
        sheet = Worksheet(path)
        sheet.check_maximum(assignment.points)
        decimal = sheet.decimal or decimal
        # El número es de esta tarea; quien no lo tiene (entregó otro de su grupo), por su correo.
        finder, marked = Finder(grades, has_ids=False), 0
        for row in sheet.body:
            who = sheet.number(row), sheet.cell(row, "email"), sheet.cell(row, "name")
            grade = finder.take(*who)
            if grade is None:
                continue
            marked += grade.waiting
            sheet.put(row, "grade", number(grade.score, decimal))
            sheet.put(row, "comments", escape(safe(grade.comment), quote=False))
        return Filled(
            sheet.rows, finder.missing(), ",", marked
        )  # Moodle solo lee su hoja con comas

    def hand_back(self, card: dict, assignment: str) -> tuple[str, str]:
        """El nombre con el que Moodle reparte cada archivo de devolución a su dueño."""
        # Lo parte por sus guiones bajos; el último lo piden las versiones antiguas.
        who = clean(card["full_name"], 120).replace("/", "-").replace("_", " ")
        folder = f"{who}_{card['number']}_assignsubmission_file_" if card["number"] else who
        return f"{folder}/devolucion-{assignment}.html", "página"
