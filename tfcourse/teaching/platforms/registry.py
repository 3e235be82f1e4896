"""Las plataformas que se conocen y cómo se reconoce cada una por sus archivos o por su hoja."""

from pathlib import Path

from tfcourse.teaching.platforms.base import Platform
from tfcourse.teaching.platforms.canvas import Canvas
from tfcourse.teaching.platforms.classroom import Classroom
from tfcourse.teaching.platforms.folder import Folder
from tfcourse.teaching.platforms.moodle import Moodle
from tfcourse.teaching.tables import read_table
from tfcourse.teaching.worksheet import Worksheet

PLATFORMS: dict[str, Platform] = {p.name: p for p in (Moodle(), Canvas(), Classroom(), Folder())}


def named(name: str) -> Platform:
    """La plataforma de ese nombre. Errores: `ValueError`, con las que hay."""
    if name not in PLATFORMS:
        raise ValueError(f"no se conoce la plataforma «{name}»: usa {', '.join(PLATFORMS)}")
    return PLATFORMS[name]


def of_files(paths: list[str]) -> Platform:
    """De dónde vienen unos archivos, por sus nombres; Classroom no se distingue: se dice."""
    if any(PLATFORMS["moodle"].owner(path) for path in paths):
        return PLATFORMS["moodle"]
    if paths and all(PLATFORMS["canvas"].owner(path) for path in paths):
        return PLATFORMS["canvas"]
    return PLATFORMS["carpeta"]


def of_sheet(path: Path) -> Platform:
    """De qué plataforma es una hoja, por su cabecera. Errores: `ValueError` si de ninguna."""
    rows = read_table(path)
    for name in ("moodle", "canvas", "classroom", "carpeta"):
        if PLATFORMS[name].recognises(rows):
            return PLATFORMS[name]
    Worksheet(path)  # dice qué le falta
    raise ValueError(f"{path} no dice de quién es cada fila: le falta el nombre o el correo")
