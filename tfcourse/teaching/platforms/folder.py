"""Sin plataforma: una carpeta con una subcarpeta o un archivo por persona, y un CSV."""

from datetime import datetime
from pathlib import Path, PurePosixPath

from tfcourse.teaching.assignment import Assignment
from tfcourse.teaching.numbers import number
from tfcourse.teaching.platforms.base import Filled, Finder, Graded, Owner, Platform, given_first
from tfcourse.teaching.roster import COLUMNS
from tfcourse.teaching.tables import column, read_table, safe
from tfcourse.teaching.worksheet import Person, moodle_date

SUBMITTED = ("entregada", "entregado", "entrega", "fecha de entrega", "submitted")
EXTENSION = ("prorroga", "plazo", "extension")
GRADE = ("nota", "calificacion", "grade")
COMMENT = ("comentario", "comentarios", "comment")
FORMATS = ("%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%d-%m-%Y %H:%M", "%d/%m/%Y")


class Folder(Platform):
    """La fecha de un archivo es la de su entrega, si ninguna hoja dice otra."""

    name, label, dates_files = "carpeta", "una carpeta", True

    def owner(self, path: str) -> Owner | None:
        """El nombre de la primera carpeta o, si está suelto, el del archivo."""
        parts = PurePosixPath(path).parts or ("?",)
        name = parts[0] if len(parts) > 1 else PurePosixPath(parts[0]).stem
        return Owner(name, "", parts[-1])

    def recognises(self, rows: list[list[str]]) -> bool:
        """Cualquiera que diga de quién es cada fila."""
        return any(
            column(rows[0], COLUMNS[key]) is not None for key in ("id", "first", "last", "email")
        )

    def people(self, path: Path) -> list[Person]:
        """Quién hay y, si lo dice, cuándo entregó y hasta cuándo tenía."""
        sheet = _Sheet(path)
        return [
            Person(
                sheet.cell(row, COLUMNS["id"]), sheet.full_name(row),
                sheet.cell(row, COLUMNS["email"]), _date(path, sheet.cell(row, SUBMITTED)),
                _date(path, sheet.cell(row, EXTENSION)),
            )
            for row in sheet.body
        ]  # fmt: skip

    def fill(
        self, path: Path, grades: list[Graded], assignment: Assignment, decimal: str, column: str
    ) -> Filled:
        """La misma hoja con su nota y su comentario, en sus columnas o en dos nuevas."""
        sheet = _Sheet(path)
        note = sheet.place((column.casefold(),) if column else GRADE, column or "Nota")
        remark = sheet.place(COMMENT, "Comentario")
        finder, marked = Finder(grades), 0
        for row in sheet.body:
            identity = [sheet.cell(row, COLUMNS[key]) for key in ("id", "email")]
            grade = finder.take(*identity, sheet.full_name(row))
            if grade:
                row[note], row[remark] = number(grade.score, decimal), safe(grade.comment)
                marked += grade.waiting
        return Filled(sheet.rows, finder.missing(), ",", marked)

    def hand_back(self, card: dict, assignment: str) -> tuple[str, str]:
        """Una carpeta con el nombre de cada cual."""
        return f"{card['full_name'].replace('/', '-')}/devolucion-{assignment}.html", "página"


class _Sheet:
    def __init__(self, path: Path):
        self.rows = read_table(path)

    @property
    def body(self) -> list[list[str]]:
        return self.rows[1:]

    def cell(self, row: list[str], names: tuple[str, ...]) -> str:
        place = column(self.rows[0], names)
        return "" if place is None else row[place].strip()

    def full_name(self, row: list[str]) -> str:
        first, last = (self.cell(row, COLUMNS[key]) for key in ("first", "last"))
        return given_first(first) if not last else f"{first} {last}"

    def place(self, names: tuple[str, ...], title: str) -> int:
        """La columna con uno de esos nombres; si no la hay, una nueva."""
        found = column(self.rows[0], names)
        if found is None:
            found = len(self.rows[0])
            self.rows[0].append(title)
            for row in self.body:
                row[found:] = [""]
        return found


def _date(path: Path, text: str) -> datetime | None:
    """Una fecha escrita de las maneras habituales. Errores: `ValueError` si no se entiende."""
    if text.strip() in ("", "-"):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment
    except ValueError:
        pass
    for pattern in FORMATS:
        try:
            return datetime.strptime(text, pattern)
        except ValueError:
            continue
    if found := moodle_date(text):
        return found
    raise ValueError(f"en {path}, «{text}» no es una fecha: escríbela como 2026-12-03 23:59")
