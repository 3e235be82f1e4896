"""Recoger entregas: una carpeta o el zip que descarga Moodle, sin fiarse de lo que traiga."""

import json
import re
import zipfile
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.roster import course_roster, identify
from tfcourse.teaching.submission import MAX_BYTES
from tfcourse.teaching.worksheet import Person, Worksheet, is_late

# «Nombre Apellidos_12345_assignsubmission_file» y, según el ajuste de Moodle, carpeta o prefijo.
MOODLE = re.compile(r"^(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)$")
UNDATED = (
    "el zip de Moodle no dice cuándo entregó cada cual: para apuntar los retrasos, descarga "
    "también la hoja de calificación y dila con --hoja"
)
IGNORED = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\.ipynb_checkpoints|\._)")


@dataclass
class Delivered:
    """Lo que ha entregado una persona: sus archivos, con su fecha y su contenido."""

    full_name: str
    number: str
    files: list[tuple[datetime, str, bytes]] = field(default_factory=list)


def collect(
    course: Course, assignment: Assignment, origin: Path, sheet: Path | None = None
) -> list[str]:
    """Guarda cada entrega en `submitted/`; devuelve los avisos.

    `sheet` es la hoja de calificación de Moodle: dice cuándo entregó cada cual y su correo, que el
    zip no dice. Errores: `ValueError` si el origen no existe o no contiene ninguna entrega.
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
    desk = _Desk(course, assignment, Worksheet(sheet).people() if sheet else {})
    people = sorted(delivered.values(), key=lambda p: (p.full_name, p.number))
    notices = [notice for person in people for notice in desk.receive(person)]
    if assignment.due and sheet is None and any(person.number for person in people):
        notices.append(UNDATED)
    return notices


def missing(course: Course, assignment: Assignment) -> list[str]:
    """Quienes están en la lista de la clase y no han entregado."""
    here = set(course.students(assignment.name))
    return [s.full_name for s in course_roster(course.root) if s.id not in here]


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


class _Desk:
    """Recibe entregas: dice de quién es cada una, elige el archivo y apunta lo que se ha visto."""

    def __init__(self, course: Course, assignment: Assignment, people: dict[str, Person]):
        self.course, self.assignment, self.people = course, assignment, people
        self.roster = course_roster(course.root)
        self.taken: dict[str, str] = {}

    def receive(self, person: Delivered) -> list[str]:
        """Guarda la entrega de alguien; devuelve los avisos."""
        known = self.people.get(person.number)
        email = known.email if known else ""
        student, notice = identify(person.full_name, person.number, self.roster, email)
        notices = [notice] if notice else []
        if student in self.taken:
            return [
                *notices,
                f"«{person.full_name}» y «{self.taken[student]}» serían los dos «{student}»: se "
                "conserva el primero; distínguelos en alumnos.csv",
            ]
        self.taken[student] = person.full_name
        moment, file, data = _choose(person, self.assignment)
        notes = _several(person, file)
        # El zip de Moodle lleva la hora a la que se descargó, no la de cada entrega.
        submitted = known.submitted if known else None if person.number else moment
        late = self._is_late(submitted, known)
        if late:
            notes.append(f"entregada fuera de plazo, el {submitted:%d/%m/%Y a las %H:%M}")
        self._write(student, data, submitted)
        card = {
            "student": student, "full_name": person.full_name, "number": person.number,
            "submitted": _stamp(submitted), "file": file, "notes": notes, "late": late,
        }  # fmt: skip
        path = delivery_card(self.course, self.assignment.name, student)
        write_atomically(path, json.dumps(card, ensure_ascii=False, indent=1) + "\n")
        return [*notices, *(f"{person.full_name}: {note}" for note in notes)]

    def _is_late(self, submitted: datetime | None, known: Person | None) -> bool:
        due = self.assignment.due
        if due is None or submitted is None:
            return False
        return is_late(submitted, max(due, known.extension) if known and known.extension else due)

    def _write(self, student: str, data: bytes, submitted: datetime | None) -> None:
        target = self.course.submitted(student, self.assignment.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        stamp = target.with_name("timestamp.txt")  # así lo llama nbgrader
        if submitted:
            write_atomically(stamp, _stamp(submitted))
        else:
            stamp.unlink(missing_ok=True)


def _stamp(moment: datetime | None) -> str | None:
    return moment.astimezone().isoformat() if moment else None


def _choose(person: Delivered, assignment: Assignment) -> tuple[datetime, str, bytes]:
    """De varios archivos, el cuaderno de esta tarea y, si hay más de uno, el más reciente."""

    def preference(file: tuple[datetime, str, bytes]) -> tuple:
        moment, name, data = file
        answers = sum(f'"{item.id}-respuesta"'.encode() in data for item in assignment.items)
        return name.lower().endswith(".ipynb"), answers, moment, name

    return max(person.files, key=preference)


def _several(person: Delivered, chosen: str) -> list[str]:
    if len(person.files) == 1:
        return []
    others = ", ".join(sorted(name for _, name, _ in person.files if name != chosen)) or chosen
    return [f"hay {len(person.files)} archivos: se corrige «{chosen}» (no: {others})"]


def delivery_card(course: Course, assignment: str, student: str) -> Path:
    """Dónde se apunta de quién es una entrega y qué se ha visto al recogerla."""
    return course.folder(assignment) / "entregas" / f"{student}.json"


def read_delivery(course: Course, assignment: str, student: str) -> dict:
    """Lo apuntado al recoger; quien copie a mano una entrega en `submitted/` no lo tiene."""
    path = delivery_card(course, assignment, student)
    if path.exists():
        return json.loads(path.read_text(encoding="utf-8"))
    return {"student": student, "full_name": student, "number": "", "notes": [], "late": False}
