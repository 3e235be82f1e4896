"""Tablas en CSV que vienen de fuera: de Moodle, de una hoja de cálculo o de un editor."""

import codecs
import csv
import io
import unicodedata
from pathlib import Path

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain(text: str) -> str:
    """Un texto sin tildes, en minúsculas y con los espacios justos: para comparar nombres."""
    letters = unicodedata.normalize("NFKD", text)
    kept = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(kept.casefold().split())


def read_table(path: Path) -> list[list[str]]:
    """Las filas de un CSV, con cualquiera de los separadores y codificaciones habituales.

    Errores: `ValueError` si el archivo no existe o está vacío.
    """
    if not path.exists():
        raise ValueError(f"no existe {path}")
    text = _text(path)
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if any(row)]
    if not rows:
        raise ValueError(f"{path} está vacío")
    width = len(rows[0])
    return [(row + [""] * width)[: max(width, len(row))] for row in rows]


def _text(path: Path) -> str:
    data = path.read_bytes()
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # «Texto Unicode» de Excel
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:  # lo que guardan las hojas de cálculo en Windows
        return data.decode("cp1252")


def safe(text: str) -> str:
    """Un texto que una hoja de cálculo no tomará por una fórmula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def column(header: list[str], names: tuple[str, ...]) -> int | None:
    """Qué columna se llama de una de esas maneras; `None` si ninguna."""
    return next((i for i, name in enumerate(header) if plain(name) in names), None)


def write_table(path: Path, rows: list[list[str]], separator: str, mark: bool = False) -> Path:
    """Escribe un CSV en UTF-8; con `mark`, la que pide una hoja de cálculo para ver las tildes."""
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=separator, lineterminator="\r\n").writerows(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    encoding = "utf-8-sig" if mark else "utf-8"
    path.write_text(buffer.getvalue(), encoding=encoding, newline="")
    return path
