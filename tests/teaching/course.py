"""Lo que comparten las pruebas del docente: una tarea hecha y un zip como los de Moodle."""

import zipfile
from pathlib import Path
from unittest.mock import patch

import nbformat

from tests.conftest import ROOT
from tests.teaching.classes import EXERCISES, Entry
from tfcourse.teaching import classroom
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.create import create_assignment, items_from
from tfcourse.teaching.recording import record
from tfcourse.teaching.results import standing

NAME = "tarea-1"
OPEN = "invertir-la-entrada"  # el ejercicio abierto que se contesta con texto


def make_course(
    folder: Path, names=EXERCISES, alembic=False, **settings
) -> tuple[Course, Assignment]:
    """Un curso con una tarea.

    nbgrader lanza `alembic` solo para saber su versión, y es lo que más tarda: sin `alembic`, se
    la dice su biblioteca.
    """
    course = Course(folder)
    bank = settings.pop("bank", None)
    wanted = Assignment(NAME, "Atención y memoria", items_from(list(names), bank), "", **settings)
    if alembic:
        create_assignment(course, ROOT, wanted)
    else:
        with patch("nbgrader.api.get_alembic_version", schema_version):
            create_assignment(course, ROOT, wanted)
    return course, course.load(NAME)


def essay(text: str):
    """Quien contesta con ese texto al ejercicio abierto."""

    def change(notebook):
        for cell in notebook.cells:
            if cell.id == f"{OPEN}-texto":
                cell.source = text

    return change


def schema_version() -> str:
    """La versión del libro de notas de nbgrader, sin lanzar otro programa."""
    import nbgrader
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()


def release(course: Course):
    """El cuaderno que se reparte."""
    return nbformat.read(course.release(NAME), as_version=4)


def fake_grade(course: Course, assignment: Assignment, student: str, run) -> dict:
    """Corrige de mentira: todo bien, sin ejecutar nada."""
    result = classroom._row(assignment, dict.fromkeys(i.id for i in assignment.items), "corregida")
    return result | {"answers": {}}


def graded_course(course: Course, assignment: Assignment, grade=fake_grade) -> list[str]:
    """Corrige a todos en este proceso y lo apunta; devuelve los avisos."""
    for student in course.students(assignment.name):
        classroom.grade_and_store(grade, course, assignment, classroom.Run(), student)
    return record(course, assignment, standing(course, assignment).good)


def moodle_zip(path: Path, entries: list[Entry], folders: bool = True) -> Path:
    """El zip de entregas de Moodle, con carpetas o con todo en el nombre del archivo."""
    with zipfile.ZipFile(path, "w") as archive:
        for number, entry in enumerate(entries, start=1000):
            for file, data in entry.files.items():
                stem = f"{entry.name}_{number}_assignsubmission_file"
                archive.writestr(f"{stem}/{file}" if folders else f"{stem}_{file}", data)
    return path
