"""Lo que comparten las órdenes del docente."""

import shutil
from datetime import datetime
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course, LatePolicy
from tfcourse.teaching.journal import regraded, snapshot, write_journal
from tfcourse.teaching.lateness import undated
from tfcourse.teaching.recording import record, unrecorded
from tfcourse.teaching.results import all_results, standing
from tfcourse.teaching.roster import read_roster, roster_file


def parse_part(text: str) -> tuple[int, int]:
    """`2/4` → (2, 4). Errores: `ValueError`."""
    index, _, parts = text.partition("/")
    if not (index.isdigit() and parts.isdigit() and 1 <= int(index) <= int(parts)):
        raise ValueError(
            f"--tarea {text} no vale: escribe i/n, p. ej. 2/4 para la segunda de cuatro"
        )
    return int(index), int(parts)


def check_deadline(text: str) -> None:
    """Errores: `ValueError` si no es una fecha; vacío, vale."""
    try:
        datetime.fromisoformat(text or "2026-01-01")
    except ValueError:
        raise ValueError(f"el plazo «{text}» no vale: p. ej. 2026-12-03T23:59") from None


def parse_points(text: str) -> dict[str, int]:
    """`contexto=3,luong=2` → `{"contexto": 3, "luong": 2}`. Errores: `ValueError`."""
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, points = part.partition("=")
        if not points.strip().isdigit():
            raise ValueError(f"--puntos {text} no vale: escribe, p. ej., contexto=3,luong=2")
        found[name.strip()] = int(points)
    return found


def parse_late(text: str) -> LatePolicy | None:
    """`10`, `10/2` o `10/2/50`: porcentaje por día, días de cortesía y tope. Errores: `ValueError`.

    `no` quita el descuento.
    """
    if text == "no":
        return None
    try:
        percent, grace, most = (*text.split("/"), *("0", "100")[text.count("/") :])
        policy = LatePolicy(float(percent.replace(",", ".")), int(grace), float(most))
    except ValueError:
        policy = LatePolicy(-1)
    if not (0 < policy.percent <= 100 and policy.grace >= 0 and 0 < policy.most <= 100):
        raise ValueError(
            f"--retraso {text} no vale: 10 descuenta un 10 % al día; 10/2, tras dos días de "
            "cortesía, y 10/2/50, con un tope del 50 %; «no» lo quita"
        )
    return policy


def keep_roster(course: Course, roster: Path | None) -> Path:
    """Guarda la lista de la clase en el curso, si se da otra y vale; devuelve dónde está."""
    kept = roster_file(course.root)
    if roster and roster.resolve() != kept.resolve():
        read_roster(roster)
        course.root.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(roster, kept)
    return kept


class Regrading:
    """Antes de volver a corregir, cómo estaban las notas; después, a quién le cambian."""

    def __init__(self, course: Course, assignment: Assignment):
        self.course, self.assignment = course, assignment
        self.before = snapshot(all_results(course, assignment.name))

    def tell(self) -> None:
        """Lo dice y lo apunta en el diario."""
        good = standing(self.course, self.assignment).good
        changes = regraded(self.before, good)
        write_journal(self.course, self.assignment.name, changes)
        if changes:
            people = len({change.student for change in changes})
            print(f"cambia la nota de {people} {'persona' if people == 1 else 'personas'}:")
        for change in changes:
            print(f"  {change}")


def record_results(course: Course, assignment: Assignment) -> None:
    """Apunta en el libro de notas lo corregido y dice quién no tiene una nota que valga."""
    found = standing(course, assignment)
    notices = record(course, assignment, found.good)
    print(f"apuntadas en {course.gradebook}: {len(found.good)} entregas")
    for notice in [*notices, *found.notices()]:
        print(f"aviso: {notice}")


def ready(course: Course, assignment: Assignment) -> tuple[list[dict], list[str]]:
    """Los resultados que se pueden devolver y exportar, y los avisos de quién falta y por qué.

    Errores: `ValueError` si no hay ninguno.
    """
    found = standing(course, assignment)
    pending = {result["student"]: result for result in unrecorded(course, assignment, found.good)}
    notices = found.notices()
    if pending:
        who = ", ".join(result["full_name"] for result in pending.values())
        notices.append(
            f"corregidas y sin apuntar en el libro: {len(pending)} ({who}); apúntalas con «docente "
            "corregir» o, si faltan partes, «docente reunir»"
        )
    good = [result for result in found.good if result["student"] not in pending]
    if not good:
        said = "; ".join(notices) or "no hay entregas"
        raise ValueError(f"en «{assignment.name}» no hay ninguna nota que valga: {said}")
    return good, [*notices, *undated(assignment, good)]
