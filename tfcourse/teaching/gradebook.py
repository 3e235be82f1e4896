"""El libro de notas de nbgrader, escrito de una vez: o queda entero o queda el de antes."""

import contextlib
import logging
import os
import shutil
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tfcourse.exercises.markers import BEGIN_SOLUTION, CODE_STUB, END_SOLUTION, TEXT_STUB
from tfcourse.teaching.assignment import Assignment, Course

BACKUPS = 20


def nbgrader_settings(root: str | Path, database: Path | None = None):
    """Los ajustes de nbgrader: nuestras marcas en español y dónde está el curso."""
    from traitlets.config import Config

    settings = Config()
    settings.CourseDirectory.root = str(Path(root).resolve())
    settings.CourseDirectory.db_url = _url(database or Path(root) / "gradebook.db")
    # «delimeter» es una errata de nbgrader: el nombre de la opción es ese.
    settings.ClearSolutions.begin_solution_delimeter = BEGIN_SOLUTION
    settings.ClearSolutions.end_solution_delimeter = END_SOLUTION
    settings.ClearSolutions.code_stub = {"python": CODE_STUB}
    settings.ClearSolutions.text_stub = TEXT_STUB
    return settings


def _url(path: Path) -> str:
    return f"sqlite:///{path.resolve()}"


def generate_release(course: Course, assignment: Assignment) -> None:
    """Pide a nbgrader el cuaderno que se reparte. Errores: `ValueError` si se niega."""
    from nbgrader.apps import NbGraderAPI

    with _quiet(), writing(course) as database:
        api = NbGraderAPI(config=nbgrader_settings(course.root, database))
        outcome = api.generate_assignment(assignment.name, force=True, create=True)
        if not outcome["success"]:
            why = outcome.get("error") or outcome.get("log") or ""
            raise ValueError(f"nbgrader no ha podido preparar la tarea: {str(why).strip()[-400:]}")
        if assignment.due:
            with open_gradebook(database) as book:
                book.update_or_create_assignment(
                    assignment.name, duedate=assignment.due.astimezone().isoformat()
                )


def open_gradebook(path: Path):
    """El libro de notas, con la interfaz de nbgrader."""
    from nbgrader.api import Gradebook

    return Gradebook(_url(path))


@contextlib.contextmanager
def writing(course: Course) -> Iterator[Path]:
    """Una copia del libro en la que escribir; al terminar bien, sustituye al libro de una vez.

    Antes guarda el anterior en `copias/`. Si algo falla o se interrumpe, el libro no cambia.
    """
    import fcntl

    course.root.mkdir(parents=True, exist_ok=True)
    with open(course.root / ".gradebook.cerrojo", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        draft = course.root / ".gradebook.borrador.db"
        draft.unlink(missing_ok=True)
        if course.gradebook.exists():
            back_up(course)
            shutil.copy2(course.gradebook, draft)
        try:
            yield draft
            _check(draft)
            os.replace(draft, course.gradebook)
        finally:
            draft.unlink(missing_ok=True)


def back_up(course: Course) -> Path:
    """Guarda el libro con la fecha en el nombre; conserva los últimos."""
    folder = course.root / "copias"
    folder.mkdir(exist_ok=True)
    copy = folder / f"gradebook-{datetime.now():%Y%m%d-%H%M%S-%f}.db"
    shutil.copy2(course.gradebook, copy)
    for old in sorted(folder.glob("gradebook-*.db"))[:-BACKUPS]:
        old.unlink()
    return copy


def _check(path: Path) -> None:
    """Errores: `ValueError` si la copia no es una base de datos sana."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        answer = connection.execute("PRAGMA integrity_check").fetchone()[0]
    if answer != "ok":
        raise ValueError(f"el libro de notas no se ha escrito bien ({answer}): queda el de antes")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Calla los avisos en inglés de nbgrader, que además busca `alembic` en el PATH."""
    previous, path = logging.root.manager.disable, os.environ.get("PATH", "")
    logging.disable(logging.CRITICAL)
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), path])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(previous)
        os.environ["PATH"] = path


def record(course: Course, assignment: Assignment, results: list[dict]) -> None:
    """Apunta los resultados de una clase; respeta las notas puestas a mano."""
    with _quiet(), writing(course) as database, open_gradebook(database) as book:
        for result in results:
            _record_one(book, assignment, result)


def _record_one(book, assignment: Assignment, result: dict) -> None:
    student, name = result["student"], assignment.name
    book.update_or_create_student(student, first_name=result.get("full_name", ""))
    book.update_or_create_submission(name, student, timestamp=result.get("submitted"))
    notebook = book.find_submission_notebook(name, name, student)
    points = {f"{row['id']}-prueba": row for row in result["exercises"]}
    for grade in notebook.grades:
        row = points.get(grade.name)
        if row is not None:
            grade.auto_score = float(row["points"])
            grade.needs_manual_grade = grade.manual_score is not None
        else:  # las que se corrigen con la rúbrica
            grade.needs_manual_grade = grade.manual_score is None
    for comment in notebook.comments:
        row = points.get(comment.name.replace("-respuesta", "-prueba"))
        comment.auto_comment = row["likely"] if row else None
    book.db.commit()


@dataclass(frozen=True)
class Mark:
    """Una nota puesta a mano a una celda de un estudiante, con lo que se le dice."""

    student: str
    cell: str
    points: float
    comment: str


def write_marks(course: Course, assignment: Assignment, marks: list[Mark]) -> None:
    """Apunta notas puestas a mano: todas o ninguna."""
    name = assignment.name
    with _quiet(), writing(course) as database, open_gradebook(database) as book:
        for mark in marks:
            grade = book.find_grade(mark.cell, name, name, mark.student)
            grade.manual_score, grade.needs_manual_grade = mark.points, False
            comment = book.find_comment(mark.cell, name, name, mark.student)
            comment.manual_comment = mark.comment
        book.db.commit()


def read_scores(course: Course, assignment: Assignment) -> dict[str, dict[str, tuple]]:
    """Por estudiante y celda: puntos, máximo, si falta la nota a mano y el comentario."""
    scores: dict[str, dict[str, tuple]] = {}
    if not course.gradebook.exists():
        return scores
    with _quiet(), open_gradebook(course.gradebook) as book:
        for submission in book.assignment_submissions(assignment.name):
            cells = scores.setdefault(submission.student.id, {})
            for notebook in submission.notebooks:
                comments = {c.name: c.manual_comment for c in notebook.comments}
                for grade in notebook.grades:
                    cells[grade.name] = (
                        grade.score, grade.max_score, grade.needs_manual_grade,
                        comments.get(grade.name.replace("-prueba", "-respuesta")),
                    )  # fmt: skip
    return scores
