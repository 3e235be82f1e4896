"""Recoger entregas: una carpeta o el zip que descarga Moodle, sin fiarse de lo que traiga.

Los archivos se leen de uno en uno, y lo que falle al leer uno es un aviso con el nombre de quien
lo entregó: los demás se recogen.
"""

import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.deliveries import MISSING, keep, retire_twins
from tfcourse.teaching.guard import clean, failure_text
from tfcourse.teaching.roster import course_roster, identify
from tfcourse.teaching.submission import MAX_BYTES
from tfcourse.teaching.worksheet import Person, Worksheet, is_late

# «Nombre Apellidos_12345_assignsubmission_file» y, según el ajuste de Moodle, carpeta o prefijo.
MOODLE = re.compile(r"^(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)$")
COPY = re.compile(r"\((\d+)\)(?=\.\w+$|$)")
UNDATED = (
    "el zip de Moodle no dice cuándo entregó cada cual: para apuntar los retrasos, descarga "
    "también la hoja de calificación y dila con --hoja"
)
IGNORED = re.compile(r"(^|/)(__MACOSX|\.DS_Store|\.ipynb_checkpoints|\._)")
MAX_FILES = 50  # por persona


@dataclass(frozen=True)
class File:
    """Un archivo entregado: cómo se llama, su fecha (si vale) y cómo leerlo."""

    name: str
    moment: datetime | None
    read: Callable[[], bytes]


@dataclass
class Delivered:
    """Lo que ha entregado una persona."""

    full_name: str
    number: str
    files: list[File] = field(default_factory=list)


def collect(
    course: Course, assignment: Assignment, origin: Path, sheet: Path | None = None
) -> list[str]:
    """Guarda cada entrega en `submitted/`; devuelve los avisos.

    `sheet` es la hoja de calificación de Moodle: dice cuándo entregó cada cual y su correo, que el
    zip no dice. Errores: `ValueError` si el origen no existe o no contiene ninguna entrega.
    """
    if not origin.exists():
        raise ValueError(f"no existe {origin}: di la carpeta o el zip que descargaste de Moodle")
    desk = _Desk(course, assignment, Worksheet(sheet).people() if sheet else {})
    if not origin.is_file():
        return _receive_all(desk, _from_folder(origin), origin, sheet is not None)
    try:
        archive = zipfile.ZipFile(origin)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, OSError) as error:
        raise ValueError(f"{origin} no es un zip que se pueda leer: descárgalo otra vez") from error
    with archive:
        return _receive_all(desk, _from_zip(archive), origin, sheet is not None)


def _receive_all(
    desk: "_Desk", found: Iterator[tuple[str, File]], origin: Path, dated: bool
) -> list[str]:
    delivered: dict[tuple[str, str], Delivered] = {}
    for path, file in found:
        name, number, own = _owner(path)
        person = delivered.setdefault((name, number), Delivered(name, number))
        person.files.append(File(own, file.moment, file.read))
    if not delivered:
        raise ValueError(f"en {origin} no hay ninguna entrega")
    people = sorted(delivered.values(), key=lambda p: (p.full_name, p.number))
    notices = [notice for person in people for notice in desk.receive(person)]
    if desk.assignment.due and not dated and any(person.number for person in people):
        notices.append(UNDATED)
    return notices


def missing(course: Course, assignment: Assignment) -> list[str]:
    """Quienes están en la lista de la clase y no han entregado."""
    here = set(course.students(assignment.name))
    return [s.full_name for s in course_roster(course.root) if s.id not in here]


def _owner(path: str) -> tuple[str, str, str]:
    """De quién es un archivo, su número de participante y cómo se llama."""
    parts = [clean(part) for part in PurePosixPath(path).parts] or ["?"]
    for part in parts:
        if found := MOODLE.match(part):
            return found["name"], found["number"], parts[-1] if part != parts[-1] else found["rest"]
    if len(parts) > 1:
        return parts[0], "", parts[-1]
    return PurePosixPath(parts[0]).stem, "", parts[0]


def _from_folder(folder: Path) -> Iterator[tuple[str, File]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not path.is_file() or IGNORED.search(name):
            continue
        moment = datetime.fromtimestamp(path.stat().st_mtime)
        yield name, File(name, moment, partial(_read_some, path.open, "rb"))


def _from_zip(archive: zipfile.ZipFile) -> Iterator[tuple[str, File]]:
    for entry in archive.infolist():
        name = _decoded(entry).replace("\\", "/")
        if entry.is_dir() or IGNORED.search(name):
            continue
        yield name, File(name, _entry_date(entry), partial(_read_some, archive.open, entry))


def _read_some(open_file: Callable, *arguments) -> bytes:
    """El contenido, hasta un byte más del máximo: lo que pase ya no se lee ni se descomprime."""
    with open_file(*arguments) as file:
        return file.read(MAX_BYTES + 1)


def _entry_date(entry: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*entry.date_time)
    except ValueError:  # hay programas que la dejan a cero
        return None


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
        """Guarda la entrega de alguien; devuelve los avisos, también el de que no se ha podido.

        Errores: `OSError` si no se puede escribir, que es de todos.
        """
        try:
            return self._receive(person)
        except OSError:
            raise
        except Exception as error:
            return [f"{person.full_name}: no se ha podido recoger ({failure_text(error)})"]

    def _receive(self, person: Delivered) -> list[str]:
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
        moment, file, data, notes = _choose(person, self.assignment)
        # El zip de Moodle lleva la hora a la que se descargó, no la de cada entrega.
        submitted = known.submitted if known else None if person.number else moment
        late = self._is_late(submitted, known)
        if late:
            notes.append(f"entregada fuera de plazo, el {submitted:%d/%m/%Y a las %H:%M}")
        when = [m for m in (submitted, moment) if m]
        card = {
            "student": student, "full_name": person.full_name, "number": person.number,
            "submitted": _stamp(submitted), "file": file, "notes": notes, "late": late,
            "content": _stamp(min(when)) if when else None,
        }  # fmt: skip
        notices += retire_twins(self.course, self.assignment.name, card)
        kept = keep(self.course, self.assignment.name, card, data)
        return [*notices, *(f"{person.full_name}: {note}" for note in [*notes, *kept])]

    def _is_late(self, submitted: datetime | None, known: Person | None) -> bool:
        due = self.assignment.due
        if due is None or submitted is None:
            return False
        return is_late(submitted, max(due, known.extension) if known and known.extension else due)


def _stamp(moment: datetime | None) -> str | None:
    return moment.astimezone().isoformat() if moment else None


def _choose(
    person: Delivered, assignment: Assignment
) -> tuple[datetime | None, str, bytes | None, list[str]]:
    """El cuaderno de esta tarea: su fecha, su nombre, su contenido y los avisos.

    De varios, el que más se le parece; si empatan, el más reciente; si Moodle da a todos la misma
    fecha, el que se llama «(2)» antes que el «(1)». Sin ninguno que se lea, el contenido es `None`.
    """
    best, chosen, notes = None, (None, "", None), []
    for file in person.files[:MAX_FILES]:
        try:
            data = file.read()
        except Exception as error:  # un trozo de zip estropeado, cifrado o que miente
            why = failure_text(error)
            notes.append(f"«{file.name}» no se puede leer ({why}): pídeselo otra vez")
            continue
        answers = sum(f'"{item.id}-respuesta"'.encode() in data for item in assignment.items)
        copy = COPY.search(file.name)
        moment = file.moment or datetime.min
        number = int(copy[1][:6]) if copy else 0
        rank = file.name.lower().endswith(".ipynb"), answers, moment, number, file.name
        if best is None or rank > best:
            best, chosen = rank, (file.moment, file.name, data)
    if best is None:
        return None, "", None, [*notes, MISSING]
    return *chosen, [*_several(person, chosen[1]), *notes]


def _several(person: Delivered, chosen: str) -> list[str]:
    if len(person.files) == 1:
        return []
    others = sorted(file.name for file in person.files if file.name != chosen)
    shown = ", ".join(others[:5]) + (f" y {len(others) - 5} más" if len(others) > 5 else "")
    return [f"hay {len(person.files)} archivos: se corrige «{chosen}» (no: {shown or chosen})"]
