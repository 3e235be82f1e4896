"""La hoja de calificación de una tarea de Moodle: quién es cada cual, cuándo entregó y su nota.

Las columnas se llaman en el idioma del sitio; aquí se reconocen las del español (de España y de
México) y las del inglés. Formato: código de Moodle, `mod/assign/gradingtable.php` (lo que se
descarga) y `mod/assign/feedback/offline/importgradeslib.php` (lo que se exige al subirla).
"""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from babel.dates import get_month_names

from tfcourse.teaching.numbers import number
from tfcourse.teaching.tables import column, plain, read_table

COLUMNS = {
    "who": ("identificador", "identifier"),
    "name": ("nombre completo", "full name", "nombre completo del usuario"),
    "email": ("direccion de correo", "direccion de correo electronico", "correo electronico",
              "email", "email address"),
    "status": ("estado", "estatus", "status"),
    "grade": ("calificacion", "grade"),
    "maximum": ("calificacion maxima", "maximum grade"),
    "submitted": ("ultima modificacion (entrega)", "ultima modificacion (envio)",
                  "last modified (submission)"),
    "changed": ("ultima modificacion (calificacion)", "last modified (grade)"),
    "comments": ("comentarios de retroalimentacion", "comentarios de la retroalimentacion",
                 "feedback comments"),
}  # fmt: skip
REQUIRED = ("who", "grade", "changed")
MONTHS = {
    plain(name): month
    for language in ("es", "en")
    for month, name in get_month_names("wide", locale=language).items()
}
# «lunes, 5 de octubre de 2026, 10:00» y «Monday, 5 October 2026, 10:00 AM».
DATE = re.compile(
    r"(\d{1,2})\s+(?:de\s+)?([^\W\d]+)\s+(?:de\s+)?(\d{4}),?\s+(\d{1,2}):(\d{2})(?:\s*([AP])\.?M)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Person:
    """Lo que la hoja dice de alguien; las fechas, en la hora de quien la descargó.

    `extension` es el plazo propio, si se le concedió una prórroga.
    """

    number: str
    full_name: str
    email: str
    submitted: datetime | None
    extension: datetime | None


class Worksheet:
    """La hoja, con sus columnas reconocidas; se devuelve con las mismas y en su orden.

    Errores: `ValueError` si le faltan las que Moodle exige.
    """

    def __init__(self, path: Path):
        self.path = path
        self.rows = read_table(path)
        self.places = {key: column(self.rows[0], names) for key, names in COLUMNS.items()}
        if any(self.places[key] is None for key in REQUIRED):
            raise ValueError(
                f"{path} no es una hoja de calificación de Moodle: le faltan las columnas del "
                "identificador, la calificación o su última modificación. Descárgala otra vez y "
                "no la guardes con una hoja de cálculo"
            )

    @property
    def body(self) -> list[list[str]]:
        """Las filas, sin la cabecera."""
        return self.rows[1:]

    def cell(self, row: list[str], key: str) -> str:
        """Lo que dice una fila en esa columna; vacío si la hoja no la tiene."""
        place = self.places[key]
        return "" if place is None else row[place].strip()

    def put(self, row: list[str], key: str, text: str) -> None:
        """Escribe en una fila, si la hoja tiene esa columna."""
        if self.places[key] is not None:
            row[self.places[key]] = text

    def number(self, row: list[str]) -> str:
        """El número de participante: «Participante 12345» → «12345»."""
        return "".join(c for c in self.cell(row, "who") if c.isdigit())

    def people(self) -> dict[str, Person]:
        """Las personas de la hoja, por su número de participante."""
        found = {}
        for row in self.body:
            extension = moodle_date(self.cell(row, "status"))
            found[self.number(row)] = Person(
                self.number(row), self.cell(row, "name"), self.cell(row, "email"),
                moodle_date(self.cell(row, "submitted")), extension,
            )  # fmt: skip
        return found

    @property
    def decimal(self) -> str | None:
        """El decimal del sitio, que se ve en la calificación máxima; `None` si no se ve."""
        shown = {c for row in self.body for c in self.cell(row, "maximum") if c in ",."}
        return shown.pop() if len(shown) == 1 else None

    def check_maximum(self, points: int) -> None:
        """Errores: `ValueError` si el máximo de la tarea en Moodle no es ese."""
        for text in {self.cell(row, "maximum") for row in self.body} - {""}:
            try:
                top = float(text.replace(",", "."))
            except ValueError:
                raise ValueError(
                    f"en {self.path} la calificación máxima es «{text}», que no es un número: "
                    "califica la tarea de Moodle con puntos, no con una escala"
                ) from None
            if top != points:
                raise ValueError(
                    f"en {self.path} la calificación máxima es {number(top)} y la tarea vale "
                    f"{points}: pon {points} en los ajustes de la tarea de Moodle y descarga la "
                    "hoja otra vez"
                )


def moodle_date(text: str) -> datetime | None:
    """La fecha que hay en un texto de Moodle, con sus minutos enteros; `None` si no la hay."""
    found = DATE.search(text)
    month = MONTHS.get(plain(found[2])) if found else None
    if month is None:
        return None
    day, _, year, hour, minute, half = found.groups()
    hours = int(hour) % 12 + 12 * (half.upper() == "P") if half else int(hour)
    try:
        return datetime(int(year), month, int(day), hours, int(minute))
    except ValueError:
        return None
