"""Lo que se sabe de cada entrega y sus versiones: lo nuevo no borra lo que había.

La entrega que se corrige está en `submitted/`; las anteriores, en `tareas/<tarea>/anteriores/`.
"""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Course
from tfcourse.teaching.guard import clean_notes
from tfcourse.teaching.lateness import late_note
from tfcourse.teaching.submission import MAX_BYTES

MISSING = "ninguno de sus archivos se puede leer"


def delivery_card(course: Course, assignment: str, student: str) -> Path:
    """Dónde se apunta de quién es una entrega y qué se ha visto al recogerla."""
    return course.folder(assignment) / "entregas" / f"{student}.json"


def read_delivery(course: Course, assignment: str, student: str) -> dict:
    """Lo apuntado al recoger; quien copie a mano una entrega en `submitted/` no lo tiene."""
    usual = {
        "student": student, "full_name": student, "number": "", "notes": [], "late": False,
        "submitted": None, "extension": None, "platform": "", "address": "", "email": "",
        "file": "",
    }  # fmt: skip
    try:
        text = delivery_card(course, assignment, student).read_text(encoding="utf-8")
        card = json.loads(text)
        if type(card) is not dict or type(card.get("notes")) is not list:
            return usual
        late = late_note(card)
        return usual | card | {"notes": [*card["notes"], *([late] if late else [])]}
    except FileNotFoundError:
        return usual
    except (OSError, ValueError, RecursionError):
        return usual | {"notes": ["lo apuntado al recoger no se puede leer: recógela otra vez"]}


def rewrite_delivery(
    course: Course, assignment: str, student: str, change: Callable[[dict], dict]
) -> None:
    """Cambia lo apuntado de una entrega; si no se puede leer, se queda como está."""
    path = delivery_card(course, assignment, student)
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
        text = json.dumps(change(card), ensure_ascii=False, indent=1)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return
    write_atomically(path, text + "\n")


def keep(course: Course, assignment: str, card: dict, data: bytes | None) -> list[str]:
    """Guarda una entrega y lo que se sabe de ella; devuelve los avisos.

    Si lo que llega es más antiguo que lo que hay, se queda lo que hay; en los dos casos, lo otro
    se guarda aparte. `data` es `None` si no se ha podido leer.
    """
    student = card["student"]
    target = course.submitted(student, assignment)
    before = target.read_bytes() if target.is_file() else None
    old = read_delivery(course, assignment, student)
    if data is None and before is not None:
        return ["se queda la entrega que ya había"]
    data = data or b""
    if before is not None and before != _bounded(data):
        if _is_older(card, old):
            _store_version(course, assignment, student, data)
            return ["lo que traes es más antiguo que lo que hay: se queda lo que hay"]
        _store_version(course, assignment, student, before)
        notices = ["había otra entrega: se corrige la que traes y la anterior queda guardada"]
    else:
        notices = []
    if before != _bounded(data):
        _write(target, data)
    _write_stamp(target.with_name("timestamp.txt"), card["submitted"])
    text = json.dumps(card | {"notes": clean_notes(card["notes"])}, ensure_ascii=False, indent=1)
    write_atomically(delivery_card(course, assignment, student), text + "\n")
    return notices


def _bounded(data: bytes) -> bytes:
    """Una entrega que pasa del máximo no se podrá leer: de ella basta con que se sepa."""
    return data if len(data) <= MAX_BYTES else b"\0" * (MAX_BYTES + 1)


def _is_older(new: dict, old: dict) -> bool:
    """Si el contenido nuevo es anterior al que hay; sin alguna de las dos fechas, no se sabe."""
    moments = [card.get("content") for card in (new, old)]
    if not all(type(moment) is str for moment in moments):
        return False
    return datetime.fromisoformat(moments[0]) < datetime.fromisoformat(moments[1])


def _store_version(course: Course, assignment: str, student: str, data: bytes) -> None:
    name = hashlib.sha256(data).hexdigest()[:12]
    path = course.folder(assignment) / "anteriores" / student / f"{name}.ipynb"
    if not path.exists():
        _write(path, data)


def _write(path: Path, data: bytes) -> None:
    if len(data) <= MAX_BYTES:
        write_atomically(path, data)
        return
    write_atomically(path, b"")  # con su tamaño y sin ocupar disco
    os.truncate(path, MAX_BYTES + 1)


def _write_stamp(path: Path, submitted: str | None) -> None:
    if submitted:  # así lo llama nbgrader
        write_atomically(path, submitted)
    else:
        path.unlink(missing_ok=True)


def numbered(course: Course, assignment: str) -> dict[str, list[str]]:
    """Quiénes tienen apuntado cada número de la plataforma."""
    found: dict[str, list[str]] = {}
    for path in sorted(delivery_card(course, assignment, "x").parent.glob("*.json")):
        number = read_delivery(course, assignment, path.stem)["number"]
        if number:
            found.setdefault(str(number), []).append(path.stem)
    return found


def retire_twins(course: Course, assignment: str, card: dict, twins: list[str]) -> list[str]:
    """Quita lo que la misma persona entregó cuando aún no se sabía quién era.

    La plataforma le da un número: si lo tiene otra carpeta de `twins`, es suya. Los avisos.
    """
    notices = []
    for who in twins:
        path = delivery_card(course, assignment, who)
        if who == card["student"] or not path.exists():
            continue
        submitted = course.submitted(path.stem, assignment)
        if submitted.is_file():
            _store_version(course, assignment, card["student"], submitted.read_bytes())
        for leftover in (submitted, submitted.with_name("timestamp.txt"), path):
            leftover.unlink(missing_ok=True)
        (course.results(assignment) / path.name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # si hay algo más dentro, se queda
            submitted.parent.rmdir()
        notices.append(f"«{path.stem}» es «{card['student']}»: se juntan")
    return notices
