"""Apuntar en el libro de notas: lo corregido y lo que se puntúa a mano.

Solo se escribe lo que cambia, y lo que falle con una persona no impide apuntar a las demás.
"""

import hashlib
import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.gradebook import writing
from tfcourse.teaching.guard import clean, failure_text
from tfcourse.teaching.written import Written, read_book, reading


@dataclass(frozen=True)
class Mark:
    """Una nota puesta a mano a una celda de un estudiante, con lo que se le dice.

    `text` es la huella de lo que se puntuó: si entrega otra cosa, la nota deja de valer.
    """

    student: str
    cell: str
    points: float
    comment: str
    text: str


def record(course: Course, assignment: Assignment, results: list[dict]) -> list[str]:
    """Apunta los resultados que no lo estén; respeta las notas puestas a mano.

    Devuelve los avisos: con quién no se ha podido y a quién hay que volver a puntuar.
    """
    pending = unrecorded(course, assignment, results)
    if not pending:
        return []
    notices: list[str] = []
    marked = read_marked(course, assignment.name)
    with writing(course) as book:
        before = read_book(book, assignment.name)
        for result in pending:
            book.execute("SAVEPOINT persona")
            try:
                known = before.get(result["student"])
                notices += _record_one(book, assignment, result, known, marked)
            except Exception as error:
                book.execute("ROLLBACK TO persona")
                who = clean(result.get("full_name"), 80)
                notices.append(f"{who}: no se ha podido apuntar ({failure_text(error)})")
            book.execute("RELEASE persona")
    return notices


def unrecorded(course: Course, assignment: Assignment, results: list[dict]) -> list[dict]:
    """Los resultados que el libro no dice, o dice de otra manera."""
    if not course.gradebook.exists():
        return results
    with reading(course) as book:
        found = read_book(book, assignment.name)
    marked = read_marked(course, assignment.name)
    return [r for r in results if not _surely_recorded(r, found.get(r["student"]), marked)]


def _surely_recorded(result: dict, known: Written | None, marked: dict) -> bool:
    """Si no hay nada que apuntar de alguien; si no se puede saber, lo hay."""
    try:
        return _is_recorded(result, known, marked)
    except Exception:
        return False


def _is_recorded(result: dict, known: Written | None, marked: dict) -> bool:
    if known is None or known.full_name != result["full_name"]:
        return False
    if known.timestamp != utc_text(result["submitted"]) or _outdated(result, known, marked):
        return False
    for row in result["exercises"]:
        cell = known.cells.get(f"{row['id']}-prueba")
        comment = known.comments.get(f"{row['id']}-respuesta")
        if cell is None or cell.auto != float(row["points"]):
            return False
        if comment is not None and comment[1] != row["likely"]:
            return False
    return True


def _record_one(
    book: sqlite3.Connection, assignment: Assignment, result: dict, known: Written | None,
    marked: dict,
) -> list[str]:  # fmt: skip
    if known is None:
        _add_submission(book, assignment.name, result["student"])
        known = read_book(book, assignment.name, result["student"])[result["student"]]
    book.execute(
        "UPDATE student SET first_name = ? WHERE id = ?", (result["full_name"], result["student"])
    )
    book.execute(
        "UPDATE submitted_assignment SET timestamp = ? WHERE student_id = ? AND assignment_id ="
        " (SELECT id FROM assignment WHERE name = ?)",
        (utc_text(result["submitted"]), result["student"], assignment.name),
    )
    points = {f"{row['id']}-prueba": row for row in result["exercises"]}
    outdated = _outdated(result, known, marked)
    for name, cell in known.cells.items():
        row, manual = points.get(name), None if name in outdated else cell.manual
        auto = float(row["points"]) if row else cell.auto
        # Lo automático espera a alguien si lo cambió y no dijo por qué; lo abierto, a su nota.
        told = name in marked.get(result["student"], {})
        waits = manual is not None and not told if row else manual is None
        book.execute(
            "UPDATE grade SET auto_score = ?, manual_score = ?, needs_manual_grade = ?"
            " WHERE id = ?",
            (auto, manual, waits, cell.grade),
        )
    for name, (number, _, own) in known.comments.items():
        row = points.get(name.replace("-respuesta", "-prueba"))
        book.execute(
            "UPDATE comment SET auto_comment = ?, manual_comment = ? WHERE id = ?",
            (row["likely"] if row else None, None if name in outdated else own, number),
        )
    if not outdated:
        return []
    which = ", ".join(sorted(name.rpartition("-")[0] for name in outdated))
    return [
        f"{result['full_name']}: ha entregado otro texto en {which}; la nota a mano era del "
        "anterior y ya no cuenta: vuelve a pedir la hoja con «docente puntuar» o, si era de "
        "código, ponla con «docente nota»"
    ]


def _outdated(result: dict, known: Written, marked: dict) -> set[str]:
    """Las celdas cuya nota a mano se puso a un texto que ya no es el entregado."""
    answers, own = result.get("answers", {}), marked.get(result["student"], {})
    return {
        name
        for name, cell in known.cells.items()
        if cell.manual is not None
        and name in own
        and own[name].partition("-")[0] != text_mark(answers.get(_answer_cell(name)))
    }


def _answer_cell(name: str) -> str:
    """Dónde se contesta lo que esa celda puntúa: `contexto-prueba` → `contexto-respuesta`."""
    return name.replace("-prueba", "-respuesta")


def _add_submission(book: sqlite3.Connection, assignment: str, student: str) -> None:
    """Una entrega con sus celdas por puntuar, como las que hace nbgrader."""
    (number,) = book.execute("SELECT id FROM assignment WHERE name = ?", (assignment,)).fetchone()
    book.execute("INSERT OR IGNORE INTO student (id) VALUES (?)", (student,))
    submission = uuid4().hex
    book.execute(
        "INSERT INTO submitted_assignment (id, assignment_id, student_id) VALUES (?, ?, ?)",
        (submission, number, student),
    )
    for (notebook,) in book.execute(
        "SELECT id FROM notebook WHERE assignment_id = ?", (number,)
    ).fetchall():
        own = uuid4().hex
        book.execute(
            "INSERT INTO submitted_notebook (id, assignment_id, notebook_id, flagged)"
            " VALUES (?, ?, ?, 0)",
            (own, submission, notebook),
        )
        for table, kind, extra in (
            ("grade", ("grade_cells", "task_cells"), ", needs_manual_grade"),
            ("comment", ("solution_cells", "task_cells"), ""),
        ):
            cells = book.execute(
                f"SELECT id FROM base_cell WHERE notebook_id = ? AND (id IN (SELECT id FROM"
                f" {kind[0]}) OR id IN (SELECT id FROM {kind[1]}))",
                (notebook,),
            ).fetchall()
            rows = [(uuid4().hex, own, cell) for (cell,) in cells]
            values = "?, ?, ?, 1" if extra else "?, ?, ?"
            book.executemany(
                f"INSERT INTO {table} (id, notebook_id, cell_id{extra}) VALUES ({values})", rows
            )


def utc_text(stamp: str | None) -> str | None:
    """Una fecha como la guarda nbgrader: en UTC y sin decirlo."""
    if not stamp:
        return None
    moment = datetime.fromisoformat(stamp).astimezone(UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S.%f}"


def text_mark(text: str | None) -> str:
    """Huella de una respuesta escrita, para saber si una nota es de ese texto."""
    return hashlib.sha256((text or "").strip().encode("utf-8", "replace")).hexdigest()[:12]


def _marked_file(course: Course, assignment: str) -> Path:
    return course.folder(assignment) / "a-mano.json"


def read_marked(course: Course, assignment: str) -> dict[str, dict[str, str]]:
    """Por persona y celda, la huella del texto al que se puso nota a mano."""
    path = _marked_file(course, assignment)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_marks(course: Course, assignment: Assignment, marks: list[Mark]) -> None:
    """Apunta notas puestas a mano: todas o ninguna. Errores: `ValueError` si alguien no está."""
    with writing(course) as book:
        found, marked = read_book(book, assignment.name), read_marked(course, assignment.name)
        for mark in marks:
            known = found.get(mark.student)
            if known is None or mark.cell not in known.cells:
                raise ValueError(f"«{mark.student}» no está en el libro: corrige antes su entrega")
            book.execute(
                "UPDATE grade SET manual_score = ?, needs_manual_grade = 0 WHERE id = ?",
                (mark.points, known.cells[mark.cell].grade),
            )
            book.execute(
                "UPDATE comment SET manual_comment = ? WHERE id = ?",
                (mark.comment, known.comments[_answer_cell(mark.cell)][0]),
            )
            marked.setdefault(mark.student, {})[mark.cell] = mark.text
        # Antes que las notas: si se corta aquí, sobra una huella y no falta ninguna.
        text = json.dumps(marked, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        write_atomically(_marked_file(course, assignment.name), text)


def clear_mark(course: Course, assignment: Assignment, student: str, cell: str) -> None:
    """Quita una nota puesta a mano: vuelve a valer la del corrector."""
    with writing(course) as book:
        known = read_book(book, assignment.name, student).get(student)
        if known is None or cell not in known.cells:
            raise ValueError(f"«{student}» no está en el libro: corrige antes su entrega")
        book.execute(
            "UPDATE grade SET manual_score = NULL, needs_manual_grade = 0 WHERE id = ?",
            (known.cells[cell].grade,),
        )
        book.execute(
            "UPDATE comment SET manual_comment = NULL WHERE id = ?",
            (known.comments[_answer_cell(cell)][0],),
        )
