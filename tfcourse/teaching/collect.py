"""Recoger entregas: una carpeta o el zip de una plataforma, sin fiarse de lo que traiga.

Los archivos se leen de uno en uno, y lo que falle al leer uno es un aviso con el nombre de quien
lo entregó: los demás se recogen.
"""

import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.deliveries import MISSING, keep, numbered, retire_twins
from tfcourse.teaching.groups import share_deliveries
from tfcourse.teaching.guard import clean, failure_text
from tfcourse.teaching.lateness import is_past, late_note
from tfcourse.teaching.platform import Owner, Platform, same_name
from tfcourse.teaching.platforms import named, of_files, of_sheet
from tfcourse.teaching.roster import course_roster, identify
from tfcourse.teaching.submission import MAX_BYTES
from tfcourse.teaching.worksheet import Person

COPY = re.compile(r"\((\d+)\)(?=\.\w+$|$)")
OWN_VARIANT = re.compile(rb'"estudiante":\s*"([^"\\]{1,80})"')
NAMELESS = "«{name}» no dice de quién es: llámalo «Nombre Apellidos - {name}» y recógelo otra vez"
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
    late: bool = False
    address: str = ""
    files: list[File] = field(default_factory=list)


def collect(
    course: Course, assignment: Assignment, origin: Path, sheet: Path | None = None,
    platform: str = "",
) -> list[str]:  # fmt: skip
    """Guarda cada entrega en `submitted/`; devuelve los avisos.

    `sheet` es la hoja de la plataforma o un CSV: dice cuándo entregó cada cual y su correo, que el
    zip no dice. Sin `platform`, se reconoce por cómo se llaman los archivos. Errores: `ValueError`
    si el origen no existe o no contiene ninguna entrega.
    """
    if not origin.exists():
        raise ValueError(f"no existe {origin}: di la carpeta o el zip que descargaste")
    people = of_sheet(sheet).people(sheet) if sheet else None
    own = named(platform) if platform else None
    if not origin.is_file():
        return _receive_all(course, assignment, own, _from_folder(origin), origin, people)
    try:
        archive = zipfile.ZipFile(origin)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, ValueError, OSError) as error:
        raise ValueError(f"{origin} no es un zip que se pueda leer: descárgalo otra vez") from error
    with archive:
        return _receive_all(course, assignment, own, _from_zip(archive), origin, people)


def _receive_all(
    course: Course, assignment: Assignment, platform: Platform | None,
    found: Iterator[tuple[str, File]], origin: Path, people: list[Person] | None,
) -> list[str]:  # fmt: skip
    files = [(unicodedata.normalize("NFC", path), file) for path, file in found]
    if not files:
        raise ValueError(f"en {origin} no hay ninguna entrega")
    if platform is None:
        platform = of_files([_tidy(path) for path, _ in files])
    delivered: dict[tuple[str, str], Delivered] = {}
    notices = []
    for path, file in files:
        owner = platform.owner(_tidy(path)) or _owner_inside(file)
        if owner is None:
            notices.append(NAMELESS.format(name=clean(PurePosixPath(path).name, 120)))
            continue
        person = delivered.setdefault(
            (owner.name, owner.number), Delivered(owner.name, owner.number)
        )
        person.late = person.late or owner.late
        person.address = owner.address
        person.files.append(File(owner.file, file.moment, file.read))
    desk = _Desk(course, assignment, platform, people or [])
    everybody = sorted(delivered.values(), key=lambda p: (p.full_name, p.number))
    notices += [notice for person in everybody for notice in desk.receive(person)]
    notices += share_deliveries(course, assignment)
    if assignment.due and people is None and platform.undated:
        notices.append(platform.undated)
    return notices


def _tidy(path: str) -> str:
    """La ruta, con cada parte en una línea y sin caracteres raros."""
    parts = [part for part in PurePosixPath(path).parts if part.strip("/.")]
    return "/".join(clean(part, 1_000) for part in parts) or "?"


def _owner_inside(file: File) -> Owner | None:
    """De quién dice ser un cuaderno por dentro, si es la variante de alguien."""
    try:
        found = OWN_VARIANT.search(file.read())
    except Exception:  # lo que no se lea se dirá con su nombre
        return None
    who = found[1].decode("utf-8", "replace") if found else ""
    return Owner(who, "", PurePosixPath(file.name).name) if who else None


def missing(course: Course, assignment: Assignment) -> list[str]:
    """Quienes están en la lista de la clase y no han entregado."""
    here = set(course.students(assignment.name))
    return [s.full_name for s in course_roster(course.root) if s.id not in here]


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
    """El nombre del archivo, aunque el zip no diga en qué está escrito.

    Los de Windows van en la página de códigos del sistema: vale la que menos símbolos deja.
    """
    if entry.flag_bits & 0x800:
        return entry.filename
    try:
        raw = entry.filename.encode("cp437")
        return raw.decode("utf-8")
    except UnicodeEncodeError:
        return entry.filename
    except UnicodeDecodeError:
        readings = [raw.decode(code, "replace") for code in ("cp850", "cp1252")]
        return min(readings, key=lambda text: sum(ord(c) > 127 and not c.isalpha() for c in text))


class _Desk:
    """Recibe entregas: dice de quién es cada una, elige el archivo y apunta lo que se ha visto."""

    def __init__(
        self, course: Course, assignment: Assignment, platform: Platform, people: list[Person]
    ):
        self.course, self.assignment, self.platform = course, assignment, platform
        self.people = people
        self.roster = course_roster(course.root)
        self.numbered = numbered(course, assignment.name)
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
        known = self._known(person)
        email = known.email if known else ""
        own_id = person.number if self.platform.has_ids else ""
        if known and known.full_name and not self.platform.returns_by_name:
            person.full_name = known.full_name  # Canvas los pega: «gilana»
        student, notice = identify(person.full_name, person.number, self.roster, email, own_id)
        listed = next((s for s in self.roster if s.id == student), None)
        if listed and not self.platform.returns_by_name:
            person.full_name = listed.full_name
        notices = [notice] if notice else []
        if student in self.taken:
            return [
                *notices,
                f"«{person.full_name}» y «{self.taken[student]}» serían los dos «{student}»: se "
                "conserva el primero; distínguelos en alumnos.csv",
            ]
        self.taken[student] = person.full_name
        moment, file, data, notes = _choose(person, self.assignment)
        submitted = known.submitted if known else None
        if submitted is None and self.platform.dates_files:
            submitted = moment
        extension = known.extension if known else None
        late = person.late if submitted is None else is_past(self.assignment, submitted, extension)
        when = [m for m in (submitted, moment) if m]
        card = {
            "student": student, "full_name": person.full_name, "number": person.number,
            "submitted": _stamp(submitted), "file": file, "notes": notes, "late": late,
            "content": _stamp(min(when)) if when else None, "extension": _stamp(extension),
            "platform": self.platform.name, "address": person.address, "email": email,
        }  # fmt: skip
        twins = self.numbered.get(person.number, []) if person.number else []
        notices += retire_twins(self.course, self.assignment.name, card, twins)
        kept = keep(self.course, self.assignment.name, card, data)
        said = [note for note in (*notes, late_note(card), *kept) if note]
        return [*notices, *(f"{person.full_name}: {note}" for note in said)]

    def _known(self, person: Delivered) -> Person | None:
        """Quién es en la hoja: por su número, su correo o, si no hay dos, su nombre."""
        if person.number:
            found = [p for p in self.people if p.number == person.number]
            if found or not self.platform.has_ids:
                return found[0] if found else None
        who = person.full_name
        for test in (
            lambda p: who == p.number or who.casefold() == p.email.casefold(),
            lambda p: same_name(p.full_name, who),
        ):
            if len(found := [p for p in self.people if test(p)]) == 1:
                return found[0]
        return None


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
