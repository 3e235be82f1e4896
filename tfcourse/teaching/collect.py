"""Recoger entregas: una carpeta o el zip que descarga Moodle, sin fiarse de lo que traiga."""

import json
import re
import zipfile
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.roster import Student, identify, read_roster
from tfcourse.teaching.submission import MAX_BYTES

# «Nombre Apellidos_12345_assignsubmission_file» y, según el ajuste de Moodle, carpeta o prefijo.
MOODLE = re.compile(r"^(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)$")
IGNORED = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\.ipynb_checkpoints|\._)")


@dataclass
class Delivered:
    """Lo que ha entregado una persona: sus archivos, con su fecha y su contenido."""

    full_name: str
    number: str
    files: list[tuple[datetime, str, bytes]] = field(default_factory=list)


def collect(course: Course, assignment: Assignment, origin: Path) -> list[str]:
    """Guarda cada entrega en `submitted/`; devuelve los avisos.

    Errores: `ValueError` si el origen no existe o no contiene ninguna entrega.
    """
    if not origin.exists():
        raise ValueError(f"no existe {origin}: di la carpeta o el zip que descargaste de Moodle")
    read = _from_zip if origin.is_file() else _from_folder
    delivered: dict[tuple[str, str], Delivered] = {}
    for path, moment, data in read(origin):
        name, number, file = _owner(path)
        person = delivered.setdefault((name, number), Delivered(name, number))
        person.files.append((moment, file, data))
    if not delivered:
        raise ValueError(f"en {origin} no hay ninguna entrega")
    roster_file = course.root / "alumnos.csv"
    roster = read_roster(roster_file) if roster_file.exists() else []
    notices, taken = [], {}
    for person in sorted(delivered.values(), key=lambda p: (p.full_name, p.number)):
        notices += _store(course, assignment, person, roster, taken)
    return notices


def _owner(path: str) -> tuple[str, str, str]:
    """De quién es un archivo, su número de participante y cómo se llama."""
    parts = PurePosixPath(path).parts
    for part in parts:
        if found := MOODLE.match(part):
            return found["name"], found["number"], parts[-1] if part != parts[-1] else found["rest"]
    if len(parts) > 1:
        return parts[0], "", parts[-1]
    return PurePosixPath(path).stem, "", path


def _from_folder(folder: Path):
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.is_file() or IGNORED.search(name):
            continue
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        yield name, datetime.fromtimestamp(path.stat().st_mtime), data


def _from_zip(path: Path):
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                name = _decoded(entry).replace("\\", "/")
                if entry.is_dir() or IGNORED.search(name):
                    continue
                with archive.open(entry) as file:  # lo que pase del máximo ya no se lee
                    data = file.read(MAX_BYTES + 1)
                yield name, datetime(*entry.date_time), data
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise ValueError(f"{path} no es un zip que se pueda leer: descárgalo otra vez") from error


def _decoded(entry: zipfile.ZipInfo) -> str:
    """El nombre del archivo, aunque el zip no diga que está en UTF-8."""
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _store(
    course: Course, assignment: Assignment, person: Delivered, roster: list[Student], taken: dict
) -> list[str]:
    student, notice = identify(person.full_name, person.number, roster)
    notices = [notice] if notice else []
    if student in taken:
        return [
            *notices,
            f"«{person.full_name}» y «{taken[student]}» serían los dos «{student}»: se conserva el "
            "primero; distínguelos en alumnos.csv",
        ]
    taken[student] = person.full_name
    moment, file, data = _choose(person)
    notes = []
    if len(person.files) > 1:
        others = ", ".join(sorted(name for _, name, _ in person.files if name != file)) or file
        notes.append(
            f"hay {len(person.files)} archivos: se corrige el más reciente, «{file}» (no: {others})"
        )
    late = assignment.due is not None and moment > assignment.due
    if late:
        notes.append(f"entregada fuera de plazo, el {moment:%d/%m/%Y a las %H:%M}")
    target = course.submitted(student, assignment.name)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    stamp = moment.astimezone().isoformat()
    write_atomically(target.with_name("timestamp.txt"), stamp)
    card = {
        "student": student, "full_name": person.full_name, "number": person.number,
        "submitted": stamp, "file": file, "notes": notes, "late": late,
    }  # fmt: skip
    path = delivery_card(course, assignment.name, student)
    write_atomically(path, json.dumps(card, ensure_ascii=False, indent=1) + "\n")
    return [*notices, *(f"{person.full_name}: {note}" for note in notes)]


def _choose(person: Delivered) -> tuple[datetime, str, bytes]:
    """De varios archivos, el cuaderno más reciente."""
    notebooks = [f for f in person.files if f[1].lower().endswith(".ipynb")]
    return max(notebooks or person.files, key=lambda f: (f[0], f[1]))


def delivery_card(course: Course, assignment: str, student: str) -> Path:
    """Dónde se apunta de quién es una entrega y qué se ha visto al recogerla."""
    return course.folder(assignment) / "entregas" / f"{student}.json"


def read_delivery(course: Course, assignment: str, student: str) -> dict:
    """Lo apuntado al recoger; quien copie a mano una entrega en `submitted/` no lo tiene."""
    path = delivery_card(course, assignment, student)
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    return {"student": student, "full_name": student, "number": "", "notes": [], "late": False}
