"""Lo que dice el libro de notas: por persona y celda, puntos, comentarios y lo que falta."""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.gradebook import connect, in_spanish

GRADES = """
SELECT submission.student_id, cell.name, grade.id, grade.auto_score, grade.manual_score,
  COALESCE(grade.extra_credit, 0), COALESCE(graded.max_score, task.max_score, 0),
  grade.needs_manual_grade, submission.timestamp, student.first_name
FROM assignment
JOIN submitted_assignment AS submission ON submission.assignment_id = assignment.id
JOIN student ON student.id = submission.student_id
JOIN submitted_notebook AS notebook ON notebook.assignment_id = submission.id
JOIN grade ON grade.notebook_id = notebook.id
JOIN base_cell AS cell ON cell.id = grade.cell_id
LEFT JOIN grade_cells AS graded ON graded.id = cell.id
LEFT JOIN task_cells AS task ON task.id = cell.id
WHERE assignment.name = ?"""
COMMENTS = """
SELECT submission.student_id, cell.name, comment.id, comment.auto_comment, comment.manual_comment
FROM assignment
JOIN submitted_assignment AS submission ON submission.assignment_id = assignment.id
JOIN submitted_notebook AS notebook ON notebook.assignment_id = submission.id
JOIN comment ON comment.notebook_id = notebook.id
JOIN base_cell AS cell ON cell.id = comment.cell_id
WHERE assignment.name = ?"""


@dataclass
class Cell:
    """Lo que el libro dice de una celda de una persona."""

    grade: str
    auto: float | None
    manual: float | None
    extra: float
    maximum: float
    pending: bool

    @property
    def score(self) -> float:
        """La nota que vale: la puesta a mano, si la hay."""
        own = self.manual if self.manual is not None else self.auto
        return 0.0 if own is None else own + self.extra


@dataclass
class Written:
    """Lo que el libro dice de una persona en una tarea."""

    timestamp: str | None
    full_name: str | None
    cells: dict[str, Cell]
    comments: dict[str, tuple[str, str | None, str | None]]


class Score(NamedTuple):
    """Una nota del libro: cuánto, de cuánto, si falta y qué se le dijo.

    `by_hand` dice si la puso alguien en lugar del corrector.
    """

    score: float
    maximum: float
    pending: bool
    comment: str | None
    by_hand: bool = False


@contextlib.contextmanager
def reading(course: Course) -> Iterator[sqlite3.Connection]:
    """El libro, para leerlo. Errores: `ValueError` si no se deja."""
    with in_spanish(course.gradebook), contextlib.closing(connect(course.gradebook)) as book:
        yield book


def read_book(
    book: sqlite3.Connection, name: str, student: str | None = None
) -> dict[str, Written]:
    """Todo lo que el libro dice de una tarea, por persona; con `student`, solo de esa."""
    only, values = (" AND submission.student_id = ?", (name, student)) if student else ("", (name,))
    found: dict[str, Written] = {}
    for who, cell, *grade, pending, moment, full_name in book.execute(GRADES + only, values):
        known = found.setdefault(who, Written(moment, full_name, {}, {}))
        known.cells[cell] = Cell(*grade, bool(pending))
    for who, cell, *comment in book.execute(COMMENTS + only, values):
        if who in found:
            found[who].comments[cell] = tuple(comment)
    return found


def read_scores(course: Course, assignment: Assignment) -> dict[str, dict[str, Score]]:
    """Por estudiante y celda, lo que dice el libro."""
    if not course.gradebook.exists():
        return {}
    with reading(course) as book:
        found = read_book(book, assignment.name)
    return {
        who: {
            name: Score(
                cell.score, cell.maximum, cell.pending,
                known.comments.get(name.replace("-prueba", "-respuesta"), (None,))[-1],
                cell.manual is not None,
            )
            for name, cell in known.cells.items()
        }
        for who, known in found.items()
    }  # fmt: skip
