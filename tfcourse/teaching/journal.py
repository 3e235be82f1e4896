"""El diario de una tarea: quién cambió qué nota, cuándo y por qué, en un CSV que solo crece."""

import csv
import getpass
import io
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Course
from tfcourse.teaching.guard import clean
from tfcourse.teaching.numbers import number
from tfcourse.teaching.tables import safe

HEADER = ["fecha", "quién", "estudiante", "nombre", "ejercicio", "antes", "después", "motivo"]


@dataclass(frozen=True)
class Change:
    """Una nota que cambia; con `student` vacío, algo de la tarea entera."""

    student: str
    full_name: str
    exercise: str
    before: str
    after: str
    reason: str

    def __str__(self) -> str:
        return f"{self.full_name}: {self.exercise}, de {self.before} a {self.after} ({self.reason})"


def journal_file(course: Course, assignment: str) -> Path:
    """Dónde está el diario de una tarea."""
    return course.folder(assignment) / "cambios.csv"


def write_journal(course: Course, assignment: str, changes: list[Change]) -> None:
    """Añade unas líneas al diario: lo que ya decía no se toca."""
    if not changes:
        return
    path = journal_file(course, assignment)
    before = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=";", lineterminator="\r\n")
    if not before:
        writer.writerow(HEADER)
    moment, who = datetime.now().isoformat(timespec="seconds"), _user()
    for change in changes:
        cells = (
            change.student, change.full_name, change.exercise, change.before, change.after,
            change.reason,
        )  # fmt: skip
        writer.writerow([moment, who, *(safe(clean(cell)) for cell in cells)])
    # Con marca: así una hoja de cálculo ve las tildes.
    write_atomically(path, ("\ufeff" + before + buffer.getvalue()).encode("utf-8"))


def _user() -> str:
    try:
        return getpass.getuser()
    except Exception:  # en un contenedor puede no haber ninguno
        return "?"


def snapshot(results: list[dict]) -> dict[str, tuple[str, dict[str, float]]]:
    """Por persona, la huella de lo que entregó y los puntos de cada ejercicio."""
    return {
        result["student"]: (
            str(result.get("submission", "")),
            {row["id"]: row["points"] for row in result["exercises"]},
        )
        for result in results
    }


def regraded(before: dict[str, tuple[str, dict[str, float]]], results: list[dict]) -> list[Change]:
    """A quién le cambia la nota al volver a corregir, y si es porque entregó otra cosa."""
    changes = []
    for result in results:
        if result["student"] not in before:
            continue
        content, points = before[result["student"]]
        same = content == str(result.get("submission", ""))
        reason = "la misma entrega, corregida otra vez" if same else "otra entrega"
        changes += [
            Change(
                result["student"], result["full_name"], row["id"],
                number(points[row["id"]]), number(row["points"]), reason,
            )
            for row in result["exercises"]
            if row["id"] in points and points[row["id"]] != row["points"]
        ]  # fmt: skip
    return changes
