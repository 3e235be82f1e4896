"""La lista de la clase y cómo se reconoce a quien entrega, con tildes, espacios y homónimos."""

import hashlib
import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tfcourse.teaching.tables import column, plain, read_table

COLUMNS = {
    "id": ("id", "identificador", "usuario", "nombre de usuario", "username", "numero de id",
           "id number", "idnumber", "matricula"),
    "first": ("nombre", "nombre(s)", "first name", "nombre completo", "full name",
              "student", "firstname"),
    "last": ("apellido(s)", "apellidos", "apellido", "last name", "surname", "lastname"),
    "email": ("direccion de correo", "direccion de correo electronico", "correo", "email",
              "email address", "correo electronico", "sis login id"),
}  # fmt: skip
# Las filas de los libros de Canvas y de Classroom que no son de nadie.
HEADINGS = {"points possible", "student, test", "date", "fecha", "points", "puntos"}

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
    """Lee la lista: un CSV propio, la de Moodle o el libro de Canvas o de Classroom.

    Errores: `ValueError` si no hay columna de nombre o un identificador se repite.
    """
    header, *rows = read_table(path)
    places = {key: column(header, names) for key, names in COLUMNS.items()}
    if not rows or places["first"] is None:
        raise ValueError(
            f"en {path} no hay ninguna columna de nombre: la primera línea debe decir, p. ej., "
            "id,nombre,apellidos,correo"
        )
    people = [row for row in rows if not HEADINGS & {plain(cell) for cell in row[:3]}]
    students = [s for row in people if (s := _student(row, places)).full_name or s.number]
    repeated = [name for name, count in Counter(s.id for s in students).items() if count > 1]
    if repeated:
        raise ValueError(f"en {path} se repite el identificador {', '.join(sorted(repeated))}")
    return students


def _student(row: list[str], places: dict[str, int | None]) -> Student:
    cell = {key: "" if place is None else row[place].strip() for key, place in places.items()}
    last, comma, first = cell["first"].partition(",")  # Canvas: «Gil, Ana»
    full = f"{first} {last}" if comma else f"{cell['first']} {cell['last']}"
    full = " ".join(full.split())
    email = cell["email"] if "@" in cell["email"] else ""
    return Student(slug(cell["id"] or cell["email"].split("@")[0] or full), full, email, cell["id"])


@lru_cache(maxsize=50_000)
def name_key(full_name: str) -> tuple[str, ...]:
    """Un nombre para compararlo: sin tildes ni comas y con sus palabras en cualquier orden."""
    return tuple(sorted(plain(full_name.replace(",", " ")).split()))


def roster_file(folder: Path) -> Path:
    """Dónde guarda un curso la lista de la clase."""
    return folder / "alumnos.csv"


def course_roster(folder: Path) -> list[Student]:
    """La lista que guarda un curso; vacía si no la tiene."""
    path = roster_file(folder)
    return read_roster(path) if path.exists() else []


def identify(
    full_name: str, number: str, roster: list[Student], email: str = "", own_id: str = ""
) -> tuple[str, str | None]:
    """El identificador de quien entrega y, si no se sabe seguro, un aviso.

    Con lista, por el correo, si se sabe, o por el nombre completo; sin ella, el nombre y el número
    de participante. `own_id` es el número de la persona en su plataforma, si lo es de verdad.
    """
    alone = slug(f"{full_name} {number}".strip())
    if not roster:
        return alone, None
    key = name_key(full_name)
    found = (
        [s for s in roster if email and s.email.casefold() == email.casefold()]
        or [s for s in roster if own_id and s.number == own_id]
        or [s for s in roster if name_key(s.full_name) == key or s.id == full_name]
        or [s for s in roster if own_id and plain(full_name) in _joined(s.full_name)]
        or [s for s in roster if "@" in full_name and s.email.casefold() == full_name.casefold()]
    )
    if len(found) == 1:
        return found[0].id, None
    why = "no está en la lista" if not found else "hay varias personas con ese nombre"
    return alone, f"«{full_name}»: {why}; se ha guardado como «{alone}»"


def _joined(full_name: str) -> set[str]:
    """Un nombre con sus palabras pegadas, empiece por donde empiece: Canvas escribe «gilana»."""
    parts = re.sub(r"[^\w\s]", "", plain(full_name)).split()
    return {"".join([*parts[i:], *parts[:i]]) for i in range(len(parts))}
