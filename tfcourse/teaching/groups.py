"""Los grupos: uno entrega y la nota es de todos."""

from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.deliveries import keep, read_delivery
from tfcourse.teaching.roster import COLUMNS, Student, course_roster, identify, slug
from tfcourse.teaching.tables import column, read_table

GROUP = ("grupo", "equipo", "group")


def read_groups(path: Path, roster: list[Student]) -> dict[str, str]:
    """El grupo de cada persona, de un CSV con su nombre, correo o identificador y «grupo».

    Errores: `ValueError` si falta una columna, alguien no está en la lista o está en dos grupos.
    """
    header, *rows = read_table(path)
    places = {key: column(header, names) for key, names in COLUMNS.items()}
    own = column(header, GROUP)
    if own is None or all(place is None for place in places.values()):
        raise ValueError(f"en {path} hacen falta una columna «grupo» y otra que diga de quién es")
    if not roster:
        raise ValueError("para hacer grupos hace falta la lista de la clase: dila con --alumnos")
    found: dict[str, str] = {}
    for line, row in enumerate(rows, start=2):
        cell = {key: "" if p is None else row[p].strip() for key, p in places.items()}
        name = f"{cell['first']} {cell['last']}".strip() or slug(cell["id"])
        student, notice = identify(name, "", roster, cell["email"], cell["id"])
        if notice:
            raise ValueError(f"fila {line} de {path}: {notice.partition(';')[0]}")
        if found.get(student, row[own].strip()) != row[own].strip():
            raise ValueError(f"fila {line} de {path}: «{name}» está en dos grupos")
        if row[own].strip():
            found[student] = row[own].strip()
    return found


def share_deliveries(course: Course, assignment: Assignment) -> list[str]:
    """Da a todo el grupo lo que entregó uno; si entregan varios, lo más reciente. Los avisos."""
    names = {student.id: student.full_name for student in course_roster(course.root)}
    notices = []
    for group in sorted(set(assignment.groups.values())):
        members = [who for who, own in assignment.groups.items() if own == group]
        cards = [read_delivery(course, assignment.name, who) for who in members]
        own = [card for card in cards if "content" in card and not card.get("by")]
        if not own:
            continue
        chosen = max(own, key=lambda card: (card.get("content") or "", card["student"]))
        if len(own) > 1:
            who = ", ".join(card["full_name"] for card in own)
            notices.append(
                f"grupo «{group}»: han entregado {who}; se corrige lo de {chosen['full_name']}"
            )
        path = course.submitted(chosen["student"], assignment.name)
        data = path.read_bytes() if path.is_file() else None
        for card in cards:
            if card["student"] == chosen["student"]:
                continue
            note = f"entrega del grupo «{group}», que hizo {chosen['full_name']}"
            shared = {
                "student": card["student"],
                "full_name": names.get(card["student"], card["full_name"]),
                "number": card["number"], "address": card["address"], "email": card["email"],
                "by": chosen["student"], "notes": [note],
            }  # fmt: skip
            kept = ("submitted", "late", "content", "extension", "platform", "file")
            keep(course, assignment.name, shared | {k: chosen.get(k) for k in kept}, data)
    return notices
