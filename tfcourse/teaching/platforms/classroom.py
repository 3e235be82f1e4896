"""Google Classroom: la carpeta de Drive de una tarea y las notas que descarga en CSV.

Drive no dice de quién es cada archivo: se sabe por su nombre, «Ana Gil - tarea-1.ipynb», que es el
que pone «Hacer una copia para cada alumno», o por la variante que lleva dentro. Classroom no
importa notas de ningún archivo: la hoja que se rellena sirve para copiarlas.
"""

import re
from pathlib import Path, PurePosixPath

from tfcourse.teaching.assignment import Assignment
from tfcourse.teaching.numbers import number
from tfcourse.teaching.platforms.base import (
    Filled,
    Finder,
    Graded,
    Owner,
    Platform,
    check_top,
    column_for,
)
from tfcourse.teaching.roster import COLUMNS
from tfcourse.teaching.tables import column, read_table, safe
from tfcourse.teaching.worksheet import Person

COPY = re.compile(r"^(?:copia de|copy of)\s+", re.IGNORECASE)


class Classroom(Platform):
    """La fecha de un archivo de Drive es la de su último cambio, no la de la entrega."""

    name, label = "classroom", "Google Classroom"
    undated = (
        "Drive no dice cuándo entregó cada cual: para apuntar los retrasos, di las fechas con un "
        "CSV en --hoja"
    )

    def owner(self, path: str) -> Owner | None:
        """Lo que va delante del primer guion con espacios."""
        file = PurePosixPath(path).name
        who, dash, rest = COPY.sub("", file).partition(" - ")
        return Owner(who.strip(), "", rest.strip() or file) if dash and who.strip() else None

    def recognises(self, rows: list[list[str]]) -> bool:
        """Apellidos, nombre, correo y una columna por tarea, con su fecha y sus puntos debajo."""
        places = [column(rows[0][:3], COLUMNS[key]) for key in ("last", "first", "email")]
        return places == [0, 1, 2] and len(rows[0]) > 3 and len(_tops(rows)) == 2

    def people(self, path: Path) -> list[Person]:
        """Quién hay: quien tiene correo; la fila de las fechas y la de los puntos no lo tienen."""
        body = [row for row in read_table(path)[1:] if "@" in row[2]]
        return [Person("", f"{r[1]} {r[0]}".strip(), r[2].strip(), None, None) for r in body]

    def fill(
        self, path: Path, grades: list[Graded], assignment: Assignment, decimal: str, column: str
    ) -> Filled:
        """En su mismo orden, con la nota y el comentario al lado: se copian en Classroom."""
        header, *body = read_table(path)
        place = column_for(header, 3, assignment, column)
        finder, marked = Finder(grades), 0
        for row in _tops([header, *body]):
            check_top(path, row[place], assignment.points)
        rows = [[*header[:3], header[place], "Comentario"]]
        for row in body:
            if "@" not in row[2]:
                continue
            grade = finder.take("", row[2].strip(), f"{row[1]} {row[0]}")
            shown = (
                [number(grade.score, decimal), safe(grade.comment)] if grade else [row[place], ""]
            )
            marked += bool(grade and grade.waiting)
            rows.append([*row[:3], *shown])
        return Filled(rows, finder.missing(), ",", marked)

    def hand_back(self, card: dict, assignment: str) -> tuple[str, str]:
        """Con el nombre delante, como los archivos que llegaron."""
        return f"{card['full_name'].replace('/', '-')} - devolucion-{assignment}.html", "página"


def _tops(rows: list[list[str]]) -> list[list[str]]:
    """Las dos filas de debajo de la cabecera, la de las fechas y la de los puntos."""
    return [row for row in rows[1:3] if "@" not in row[2]]
