"""Canvas: el zip de «Download Submissions» y el libro de calificaciones en CSV.

Formato: código de Canvas, `lib/content_zipper.rb` (cómo se llama cada archivo),
`lib/gradebook_exporter.rb` y `lib/gradebook_importer.rb` (las columnas) e
`infer_comment_context_from_filename` (qué se exige a un zip de devoluciones).
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
    given_first,
)
from tfcourse.teaching.tables import read_table
from tfcourse.teaching.worksheet import Person

# «gilana_LATE_4001_777_tarea-1.ipynb»: apellidos y nombre pegados, persona, archivo y su nombre.
FILE = re.compile(
    r"^(?P<who>(?P<name>\w+?)(?P<late>_LATE)?_(?P<number>\d+)_(?P<id>\d+))_(?P<rest>.+)$"
)
ANONYMOUS = re.compile(r"^(?P<who>anon(?P<late>_LATE)?_(?P<number>\w+?)_(?P<id>\d+))_(?P<rest>.+)$")
POINTS, TEST = "points possible", "student, test"


class Canvas(Platform):
    """Dice quién llegó tarde, pero no cuándo; el número es el de la persona, en todo el sitio."""

    name, label, has_ids = "canvas", "Canvas", True
    undated = (
        "Canvas dice quién entregó tarde, pero no cuándo: si descuentas por días, di las fechas "
        "con un CSV en --hoja"
    )

    def owner(self, path: str) -> Owner | None:
        """Lo que Canvas pone delante del nombre de cada archivo."""
        file = PurePosixPath(path).name
        found = ANONYMOUS.match(file) or FILE.match(file)
        if not found:
            return None
        name = found["name"] if "name" in found.groupdict() else f"anónima {found['number']}"
        return Owner(name, found["number"], found["rest"], bool(found["late"]), found["who"])

    def recognises(self, rows: list[list[str]]) -> bool:
        """Empieza por «Student, ID» o por «LastName, FirstName, ID», en todos los idiomas."""
        return rows[0][:2] == ["Student", "ID"] or rows[0][:3] == ["LastName", "FirstName", "ID"]

    def people(self, path: Path) -> list[Person]:
        """Quién hay en el libro; de sus entregas no dice nada."""
        book = _Book(path)
        return [Person(book.id(r), book.full_name(r), book.email(r), None, None) for r in book.body]

    def fill(
        self, path: Path, grades: list[Graded], assignment: Assignment, decimal: str, column: str
    ) -> Filled:
        """Las columnas de la persona y la de la tarea: las demás tareas no se vuelven a subir.

        Canvas reconoce la columna por su número; a quien no tenga nota se le deja la que había.
        """
        book = _Book(path)
        place = column_for(book.header, book.section + 1, assignment, column)
        for row in book.tops:
            check_top(path, row[place], assignment.points)
        comma = any("," in row[place] for row in book.tops)
        finder, marked = Finder(grades), 0
        for row in book.body:
            grade = finder.take(book.id(row), book.email(row), book.full_name(row))
            if grade:
                row[place] = number(grade.score, "," if comma else ".")
                marked += grade.waiting
        kept = [*range(book.section + 1), place]
        rows = [[row[i] for i in kept] for row in book.rows]
        return Filled(rows, finder.missing(), ";" if comma else ",", marked)

    def hand_back(self, card: dict, assignment: str) -> tuple[str, str]:
        """El nombre de la entrega: Canvas lo adjunta como comentario, con el nombre que tenía."""
        address = card.get("address") or card["full_name"].replace("/", "-")
        return f"{address}_{card['file']}", "cuaderno"


class _Book:
    """El libro de calificaciones: sus columnas, sus filas y lo que vale cada tarea."""

    def __init__(self, path: Path):
        self.rows = read_table(path)
        self.header = self.rows[0]
        if "Section" not in self.header:
            raise ValueError(f"{path} no es el libro de Canvas: le falta la columna «Section»")
        self.section = self.header.index("Section")
        self.split = self.header[0] == "LastName"
        body = self.rows[1:]
        self.tops = [row for row in body if POINTS in row[0].casefold()]
        # La fila de lo que vale, la de las tareas ocultas y la persona de prueba no son de nadie.
        self.body = [r for r in body if self.id(r).isdigit() and r[0].casefold() != TEST]

    def id(self, row: list[str]) -> str:
        """El número de la persona en Canvas."""
        return row[2 if self.split else 1].strip()

    def full_name(self, row: list[str]) -> str:
        """«Gil, Ana» → «Ana Gil»."""
        return f"{row[1]} {row[0]}".strip() if self.split else given_first(row[0])

    def email(self, row: list[str]) -> str:
        """El usuario, si es un correo."""
        names = [n for n in ("SIS Login ID", "SIS User ID") if n in self.header]
        found = [row[self.header.index(name)].strip() for name in names]
        return next((text for text in found if "@" in text), "")
