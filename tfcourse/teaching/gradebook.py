"""El libro de notas de nbgrader, escrito de una vez: o queda entero o queda el de antes.

Se escribe en una sola transacción de SQLite, que respeta lo que otro programa tenga a medias: si
lo está usando, se espera y, si no acaba, se dice y no se cambia nada.
"""

import contextlib
import logging
import os
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tfcourse.exercises.markers import BEGIN_SOLUTION, CODE_STUB, END_SOLUTION, TEXT_STUB
from tfcourse.teaching.assignment import Assignment, Course

BACKUPS = 20
PATIENCE = 10.0  # segundos que se espera a otro programa
BUSY = (
    "otro programa está escribiendo en {path}: espera a que acabe o ciérralo, y repite la orden; "
    "aquí no se ha cambiado nada"
)
CHANGED = (
    "otro programa ha cambiado {path} mientras se preparaba la tarea: repite la orden; lo suyo se "
    "conserva"
)


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

    with _quiet(), draft(course) as database:
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
def writing(course: Course) -> Iterator[sqlite3.Connection]:
    """Una transacción sobre el libro; si algo falla o se interrumpe, el libro no cambia.

    Antes guarda el anterior en `copias/`. Errores: `ValueError` si no lo hay, si no es un libro de
    notas, si otro programa no lo suelta o si no cabe.
    """
    if not course.gradebook.exists():
        raise ValueError(f"no existe {course.gradebook}: crea la tarea o recupéralo de «copias»")
    with in_spanish(course.gradebook), contextlib.closing(connect(course.gradebook)) as book:
        book.execute("BEGIN IMMEDIATE")
        back_up(course)
        try:
            yield book
            book.execute("COMMIT")
        except BaseException:
            book.execute("ROLLBACK") if book.in_transaction else None
            raise


@contextlib.contextmanager
def draft(course: Course) -> Iterator[Path]:
    """Una copia del libro para que escriba nbgrader; al terminar bien, el libro es como ella.

    Si otro programa ha cambiado el libro mientras tanto, no se toca. Errores: `ValueError`.
    """
    course.root.mkdir(parents=True, exist_ok=True)
    path = course.root / f".gradebook.{os.getpid()}.borrador.db"
    path.unlink(missing_ok=True)
    try:
        if not course.gradebook.exists():
            yield path
            check(path)
            os.replace(path, course.gradebook)
            return
        with in_spanish(course.gradebook), contextlib.closing(connect(course.gradebook)) as book:
            seen = book.execute("PRAGMA data_version").fetchone()
            back_up(course)
            _copy(course.gradebook, path)
            yield path
            check(path)
            _bring(book, path, seen, course.gradebook)
    finally:
        path.unlink(missing_ok=True)


def _bring(book: sqlite3.Connection, path: Path, seen: tuple, original: Path) -> None:
    """Pasa al libro, en una transacción, todas las filas de la copia."""
    book.execute("ATTACH ? AS copia", (str(path),))
    book.execute("BEGIN EXCLUSIVE")
    try:
        if book.execute("PRAGMA data_version").fetchone() != seen:
            raise ValueError(CHANGED.format(path=original))
        names = "SELECT name FROM {}.sqlite_master WHERE type = 'table' ORDER BY name"
        tables = [book.execute(names.format(where)).fetchall() for where in ("main", "copia")]
        if tables[0] != tables[1]:
            raise ValueError(f"{original} es de otra versión de nbgrader")
        for (name,) in tables[0]:
            book.execute(f'DELETE FROM main."{name}"')
            book.execute(f'INSERT INTO main."{name}" SELECT * FROM copia."{name}"')
        book.execute("COMMIT")
    except BaseException:
        book.execute("ROLLBACK") if book.in_transaction else None
        raise


def connect(path: Path) -> sqlite3.Connection:
    """El libro abierto con las transacciones a mano."""
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)


@contextlib.contextmanager
def in_spanish(path: Path) -> Iterator[None]:
    """Dice en español lo que SQLite dice en inglés. Errores: `ValueError`."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise ValueError(BUSY.format(path=path)) from error
        if "full" in text:
            raise ValueError(
                f"no queda sitio en el disco para {path}: queda como estaba"
            ) from error
        raise ValueError(f"{path} no se puede usar como libro de notas ({text})") from error


def _copy(source: Path, target: Path) -> None:
    """Una copia entera aunque otro programa esté escribiendo."""
    with contextlib.closing(connect(source)) as book, contextlib.closing(connect(target)) as copy:
        book.backup(copy)


def back_up(course: Course) -> Path:
    """Guarda el libro con la fecha en el nombre; conserva los últimos."""
    folder = course.root / "copias"
    folder.mkdir(exist_ok=True)
    copy = folder / f"gradebook-{datetime.now():%Y%m%d-%H%M%S-%f}.db"
    try:
        _copy(course.gradebook, copy)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    for old in sorted(folder.glob("gradebook-*.db"))[:-BACKUPS]:
        old.unlink()
    return copy


def check(path: Path) -> None:
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
