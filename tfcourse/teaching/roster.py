"""La lista de la clase y cómo se reconoce a quien entrega, con tildes, espacios y homónimos."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from tfcourse.teaching.tables import column, plain, read_table

COLUMNS = {
    "id": ("id", "identificador", "usuario", "nombre de usuario", "username", "numero de id",
           "id number", "idnumber", "matricula"),
    "first": ("nombre", "nombre(s)", "first name", "nombre completo", "full name"),
    "last": ("apellido(s)", "apellidos", "apellido", "last name", "surname"),
    "email": ("direccion de correo", "direccion de correo electronico", "correo", "email",
              "email address", "correo electronico"),
}  # fmt: skip


MAX_SLUG = 80


@dataclass(frozen=True)
class Student:
    """Alguien de la clase: `id` nombra sus carpetas y `number` es como lo escribe la lista."""

    id: str
    full_name: str
    email: str = ""
    number: str = ""


def slug(text: str) -> str:
    """Un texto en minúsculas, sin tildes y con guiones: sirve de nombre de carpeta."""
    name = re.sub(r"[^a-z0-9]+", "-", plain(text)).strip("-") or "sin-nombre"
    if len(name) <= MAX_SLUG:
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:8]  # no cabría en un nombre de archivo
    return f"{name[:MAX_SLUG].strip('-')}-{mark}"


def read_roster(path: Path) -> list[Student]:
    """Lee la lista (CSV con coma, punto y coma o tabulador; también la que descarga Moodle).

    Errores: `ValueError` si no hay columna de nombre o un identificador se repite.
    """
    header, *rows = read_table(path)
    places = {key: column(header, names) for key, names in COLUMNS.items()}
    if not rows or places["first"] is None:
        raise ValueError(
            f"en {path} no hay ninguna columna de nombre: la primera línea debe decir, p. ej., "
            "id,nombre,apellidos,correo"
        )
    students = [_student(row, places) for row in rows]
    repeated = {s.id for s in students if sum(s.id == other.id for other in students) > 1}
    if repeated:
        raise ValueError(f"en {path} se repite el identificador {', '.join(sorted(repeated))}")
    return students


def _student(row: list[str], places: dict[str, int | None]) -> Student:
    cell = {key: "" if place is None else row[place].strip() for key, place in places.items()}
    full = " ".join(f"{cell['first']} {cell['last']}".split())
    return Student(
        slug(cell["id"] or cell["email"].split("@")[0] or full), full, cell["email"], cell["id"]
    )


def roster_file(folder: Path) -> Path:
    """Dónde guarda un curso la lista de la clase."""
    return folder / "alumnos.csv"


def course_roster(folder: Path) -> list[Student]:
    """La lista que guarda un curso; vacía si no la tiene."""
    path = roster_file(folder)
    return read_roster(path) if path.exists() else []


def identify(
    full_name: str, number: str, roster: list[Student], email: str = ""
) -> tuple[str, str | None]:
    """El identificador de quien entrega y, si no se sabe seguro, un aviso.

    Con lista, por el correo, si se sabe, o por el nombre completo; sin ella, el nombre y el número
    de participante de Moodle.
    """
    alone = slug(f"{full_name} {number}".strip())
    if not roster:
        return alone, None
    key = sorted(plain(full_name).split())
    found = [s for s in roster if email and s.email.casefold() == email.casefold()] or [
        s for s in roster if sorted(plain(s.full_name).split()) == key or s.id == full_name
    ]
    if len(found) == 1:
        return found[0].id, None
    why = "no está en la lista" if not found else "hay varias personas con ese nombre"
    return alone, f"«{full_name}»: {why}; se ha guardado como «{alone}»"
