"""La lista de la clase y cómo se reconoce a quien entrega, con tildes, espacios y homónimos."""

import csv
import io
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

COLUMNS = {
    "id": ("id", "identificador", "usuario", "nombre de usuario", "username", "numero de id",
           "id number", "idnumber", "matricula"),
    "first": ("nombre", "nombre(s)", "first name", "nombre completo", "full name"),
    "last": ("apellido(s)", "apellidos", "apellido", "last name", "surname"),
    "email": ("direccion de correo", "direccion de correo electronico", "correo", "email",
              "email address", "correo electronico"),
}  # fmt: skip


@dataclass(frozen=True)
class Student:
    """Alguien de la clase."""

    id: str
    full_name: str
    email: str = ""


def slug(text: str) -> str:
    """Un texto en minúsculas, sin tildes y con guiones: sirve de nombre de carpeta."""
    return re.sub(r"[^a-z0-9]+", "-", plain(text)).strip("-") or "sin-nombre"


def plain(text: str) -> str:
    """Un texto sin tildes, en minúsculas y con los espacios justos: para comparar nombres."""
    letters = unicodedata.normalize("NFKD", text)
    kept = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(kept.casefold().split())


def read_roster(path: Path) -> list[Student]:
    """Lee la lista (CSV con coma, punto y coma o tabulador; también la que descarga Moodle).

    Errores: `ValueError` si no hay columna de nombre o un identificador se repite.
    """
    rows = list(csv.DictReader(io.StringIO(_text(path)), dialect=_dialect(_text(path))))
    names = {key: _column(rows, options) for key, options in COLUMNS.items()}
    if not rows or names["first"] is None:
        raise ValueError(
            f"en {path} no hay ninguna columna de nombre: la primera línea debe decir, p. ej., "
            "id,nombre,apellidos,correo"
        )
    students = [_student(row, names) for row in rows]
    repeated = {s.id for s in students if sum(s.id == other.id for other in students) > 1}
    if repeated:
        raise ValueError(f"en {path} se repite el identificador {', '.join(sorted(repeated))}")
    return students


def _student(row: dict, names: dict) -> Student:
    parts = [row.get(names[key]) or "" for key in ("first", "last") if names[key]]
    full = " ".join(" ".join(parts).split())
    email = (row.get(names["email"]) or "").strip() if names["email"] else ""
    own = (row.get(names["id"]) or "").strip() if names["id"] else ""
    return Student(slug(own or email.split("@")[0] or full), full, email)


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def _dialect(text: str):
    first = text.split("\n", 1)[0]

    class Found(csv.excel):
        delimiter = max(",;\t", key=first.count)

    return Found


def _column(rows: list[dict], options: tuple[str, ...]) -> str | None:
    header = rows[0].keys() if rows else ()
    return next((name for name in header if name and plain(name) in options), None)


def identify(full_name: str, number: str, roster: list[Student]) -> tuple[str, str | None]:
    """El identificador de quien entrega y, si no se sabe seguro, un aviso.

    Con lista, por el nombre completo; sin ella, el nombre y el número de participante de Moodle.
    """
    alone = slug(f"{full_name} {number}".strip())
    if not roster:
        return alone, None
    key = sorted(plain(full_name).split())
    found = [s for s in roster if sorted(plain(s.full_name).split()) == key or s.id == full_name]
    if len(found) == 1:
        return found[0].id, None
    why = "no está en la lista" if not found else "hay varias personas con ese nombre"
    return alone, f"«{full_name}»: {why}; se ha guardado como «{alone}»"
