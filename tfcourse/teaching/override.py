"""Poner a mano la nota de un ejercicio que se corrige solo, con su motivo y su línea del diario."""

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.journal import Change, write_journal
from tfcourse.teaching.numbers import number
from tfcourse.teaching.recording import Mark, clear_mark, text_mark, write_marks
from tfcourse.teaching.results import state_of
from tfcourse.teaching.written import Score, read_scores


def override(
    course: Course, assignment: Assignment, student: str, exercise: str,
    points: float | None, reason: str,
) -> Change:  # fmt: skip
    """Cambia una nota, o quita la que se puso con `points=None`; devuelve lo que ha cambiado.

    Vale para la respuesta que hay: si entrega otra, deja de contar. Errores: `ValueError` si no hay
    motivo, la nota no vale o esa persona no está corregida y apuntada.
    """
    if not reason.strip():
        raise ValueError("di por qué con --motivo: se apunta en el diario y lo lee quien la recibe")
    item = next((item for item in assignment.items if item.id == exercise), None)
    if item is None:
        known = ", ".join(item.id for item in assignment.items)
        raise ValueError(f"en «{assignment.name}» no hay ningún ejercicio «{exercise}»: {known}")
    if points is not None and not 0 <= points <= item.points:
        raise ValueError(f"«{exercise}» va de 0 a {item.points}: {number(points)} no vale")
    state, result = state_of(course, assignment, student)
    cell = f"{exercise}-prueba"
    known = read_scores(course, assignment).get(student, {})
    if state != "good" or cell not in known:
        raise ValueError(
            f"«{student}» no tiene una nota que valga en «{assignment.name}»: usa su nombre de "
            "carpeta en submitted/ y corrige antes su entrega"
        )
    before: Score = known[cell]
    if points is None:
        clear_mark(course, assignment, student, cell)
        after = next(row["points"] for row in result["exercises"] if row["id"] == exercise)
    else:
        answer = result.get("answers", {}).get(f"{exercise}-respuesta")
        comment = f"Nota revisada: {reason.strip()}"
        write_marks(course, assignment, [Mark(student, cell, points, comment, text_mark(answer))])
        after = points
    change = Change(
        student, result["full_name"], exercise, number(before.score), number(after), reason.strip()
    )
    write_journal(course, assignment.name, [change])
    return change
