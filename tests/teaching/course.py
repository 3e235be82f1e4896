"""Lo que comparten las pruebas del docente: una tarea hecha y un zip como los de Moodle."""

import zipfile
from pathlib import Path

import nbformat

from tests.conftest import ROOT
from tests.teaching.classes import EXERCISES, Entry
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.create import create_assignment, items_from

NAME = "tarea-1"


def make_course(folder: Path, names=EXERCISES, **settings) -> tuple[Course, Assignment]:
    """Un curso con una tarea."""
    course = Course(folder)
    bank = settings.pop("bank", None)
    wanted = Assignment(NAME, "Atención y memoria", items_from(list(names), bank), "", **settings)
    create_assignment(course, ROOT, wanted)
    return course, course.load(NAME)


def release(course: Course):
    """El cuaderno que se reparte."""
    return nbformat.read(course.release(NAME), as_version=4)


def moodle_zip(path: Path, entries: list[Entry], folders: bool = True) -> Path:
    """El zip de entregas de Moodle, con carpetas o con todo en el nombre del archivo."""
    with zipfile.ZipFile(path, "w") as archive:
        for number, entry in enumerate(entries, start=1000):
            for file, data in entry.files.items():
                stem = f"{entry.name}_{number}_assignsubmission_file"
                archive.writestr(f"{stem}/{file}" if folders else f"{stem}_{file}", data)
    return path
