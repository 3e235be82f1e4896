"""Los resultados guardados: cuáles valen para lo que hay entregado ahora, y reunir los de fuera.

Cada uno lleva la huella de lo que lo decide: la entrega, la tarea y los correctores. Si algo
cambia, el resultado ya no vale y no se apunta, ni se exporta, ni se devuelve.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.deliveries import read_delivery
from tfcourse.teaching.guard import clean, clean_notes, failure_text
from tfcourse.teaching.submission import MAX_BYTES

FORMAT = 3
OUR_FAILURE = "fallo-del-corrector"  # no es culpa de la entrega: se corrige otra vez
PACKAGE = Path(__file__).resolve().parents[1]
CORRECTION = ("exercises", "bank", "teaching/grading.py", "teaching/submission.py")


@lru_cache
def _course_correction() -> str:
    """Huella de los correctores del curso y de cómo se usan."""
    files = [f for name in CORRECTION for f in _python_files(PACKAGE / name)]
    return _digest(files, PACKAGE)


def _python_files(place: Path) -> list[Path]:
    return [place] if place.is_file() else sorted(place.rglob("*.py"))


def _digest(files: list[Path], root: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(root)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def fingerprint(course: Course, assignment: Assignment, student: str) -> str:
    """Huella de lo que decide una nota: la entrega, la tarea y los correctores."""
    digest = hashlib.sha256()
    digest.update(_content(course.submitted(student, assignment.name)))
    digest.update(_release_mark(course.release(assignment.name)))
    digest.update(json.dumps(_deciding(assignment, student), sort_keys=True).encode())
    digest.update(_course_correction().encode())
    for bank in sorted({item.bank for item in assignment.items if item.bank}):
        digest.update(_digest(_python_files(Path(bank)), Path(bank)).encode())
    return f"{FORMAT}-{digest.hexdigest()}"


def submission_mark(course: Course, assignment: Assignment, student: str) -> str:
    """Huella de lo que entregó alguien: dice si una nota cambia porque entregó otra cosa."""
    try:
        return _content(course.submitted(student, assignment.name)).hex()[:16]
    except OSError:
        return ""


def _deciding(assignment: Assignment, student: str) -> dict:
    """Lo que decide una nota automática: ni el título, ni el plazo, ni la rúbrica."""
    items = [(item.id, item.points, item.bank) for item in assignment.items]
    fields = ("name", "secret", "seed", "partial")
    return {"items": items, "owner": assignment.owner(student)} | {
        name: getattr(assignment, name) for name in fields
    }


def _release_mark(path: Path) -> bytes:
    """Huella del cuaderno repartido, sin la portada, que dice el plazo."""
    try:
        state = path.stat()
    except OSError:
        return b"no hay cuaderno"
    return _read_release(str(path), state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=64)
def _read_release(path: str, moment: int, size: int) -> bytes:
    data = Path(path).read_bytes()
    try:
        cells = [c for c in json.loads(data)["cells"] if c.get("id") != "portada"]
        data = json.dumps(cells, sort_keys=True).encode()
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    return hashlib.sha256(data).digest()


def _content(path: Path) -> bytes:
    """Los bytes de un archivo, o cuál es su falta."""
    if not path.is_file():
        return b"no hay archivo"
    with path.open("rb") as file:
        return hashlib.sha256(file.read(MAX_BYTES + 1)).digest()


def result_file(course: Course, assignment: str, student: str) -> Path:
    """Dónde se guarda el resultado de una entrega."""
    return course.results(assignment) / f"{student}.json"


def read_result(course: Course, assignment: str, student: str) -> dict:
    """El resultado de una entrega, con lo que se sabe de ella hoy: de quién es y cuándo llegó.

    Errores: `ValueError` si no es un resultado; `OSError` si no se puede leer.
    """
    result = parse_result(result_file(course, assignment, student), student)
    delivery = read_delivery(course, assignment, student)
    known = ("full_name", "number", "late", "submitted", "extension")
    result |= {name: delivery.get(name) for name in known}
    result["notes"] = clean_notes([*delivery["notes"], *result["notes"]])
    return result


def parse_result(path: Path, student: str) -> dict:
    """Lo que dice un archivo de resultados. Errores: `ValueError` si no tiene su forma."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        good = (
            result["format"] == FORMAT
            and result["student"] == student
            and type(result["status"]) is str
            and all(type(note) is str for note in result["notes"])
            and all(
                type(row["id"]) is str and type(row["key"]) is str
                and 0 <= row["points"] <= row["maximum"]
                for row in result["exercises"]
            )
            and type(result.get("answers", {})) is dict
        )  # fmt: skip
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} no es un resultado") from error
    if not good:
        raise ValueError(f"{path} no es un resultado de esta versión")
    return result


def is_done(course: Course, assignment: Assignment, student: str) -> bool:
    """Dice si esa entrega, tal cual está, ya se corrigió."""
    return state_of(course, assignment, student)[0] == "good"


def state_of(course: Course, assignment: Assignment, student: str) -> tuple[str, dict | None]:
    """En qué está una entrega (`good`, `stale`, `failed` o `ungraded`) y su resultado."""
    try:
        result = read_result(course, assignment.name, student)
    except (OSError, ValueError):
        return "ungraded", None
    if result.get("fingerprint") != fingerprint(course, assignment, student):
        return "stale", result
    return ("failed" if result["status"] == OUR_FAILURE else "good"), result


@dataclass
class Standing:
    """Cómo está una clase: los resultados que valen y quiénes no tienen uno."""

    good: list[dict] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    ungraded: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Si nadie se queda sin nota."""
        return not (self.stale or self.failed or self.ungraded)

    def notices(self) -> list[str]:
        """A quién no se le puede poner nota todavía, y por qué."""
        said = (
            ("sin corregir", self.ungraded, "«docente corregir» o, si falta una parte, «reunir»"),
            ("la nota que había es de otra entrega, otra tarea u otro corrector", self.stale,
             "«docente corregir»"),
            ("fallo del corrector, que no es un cero", self.failed, "míralas y avísanos"),
        )  # fmt: skip
        return [
            f"{why}: {len(who)} ({', '.join(who)}); se quedan sin nota: {cure}"
            for why, who, cure in said
            if who
        ]


def standing(course: Course, assignment: Assignment) -> Standing:
    """Mira, una por una, en qué está cada entrega."""
    found = Standing()
    for student in course.students(assignment.name):
        try:
            _place(found, course, assignment, student)
        except Exception as error:  # lo que falle con una persona no deja sin nota a las demás
            found.failed.append(f"{clean(student, 80)}: {failure_text(error)}")
    return found


def _place(found: Standing, course: Course, assignment: Assignment, student: str) -> None:
    state, result = state_of(course, assignment, student)
    if state == "good":
        found.good.append(result)
        return
    name = read_delivery(course, assignment.name, student)["full_name"]
    why = f": {result['notes'][-1]}" if state == "failed" and result["notes"] else ""
    getattr(found, state).append(f"{clean(name, 80)}{why}")


def current_results(course: Course, assignment: Assignment) -> list[dict]:
    """Los resultados que valen, en orden."""
    return standing(course, assignment).good


def all_results(course: Course, assignment: str) -> list[dict]:
    """Los resultados que se dejan leer, valgan o no, en orden."""
    found = []
    for path in sorted(course.results(assignment).glob("*.json")):
        try:
            found.append(read_result(course, assignment, path.stem))
        except (OSError, ValueError):
            continue
    return found


@dataclass
class Merged:
    """Lo que ha pasado al reunir: cuántos resultados se traen y cuáles no, y por qué."""

    brought: int = 0
    notices: list[str] = field(default_factory=list)


def merge_results(course: Course, assignment: Assignment, folders: Iterable[Path]) -> Merged:
    """Trae los resultados de otras máquinas: de cada entrega queda el último que vale.

    Uno que no vale (otra entrega, otra tarea, otro corrector) no pisa nada y se dice de quién es.
    Errores: `ValueError` si una carpeta no los tiene.
    """
    merged, here = Merged(), set(course.students(assignment.name))
    for folder in folders:
        found = sorted(folder.glob("*.json")) or sorted(folder.rglob("resultados/*.json"))
        if not found:
            raise ValueError(
                f"en {folder} no hay resultados (archivos .json de «corregir --tarea»)"
            )
        for path in found:
            try:
                why = _merge_one(course, assignment, path, here)
            except Exception as error:
                why = f"no se ha podido traer ({failure_text(error)})"
            if why:
                merged.notices.append(f"{clean(path.stem, 80)}: {why}")
            else:
                merged.brought += 1
    return merged


def _merge_one(course: Course, assignment: Assignment, path: Path, here: set[str]) -> str | None:
    """Trae un resultado, si mejora el que hay; devuelve por qué no vale."""
    student = path.stem
    if student not in here:
        return "aquí no hay ninguna entrega suya: recógela antes"
    try:
        new = parse_result(path, student)
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return f"el resultado de {path.parent} no se puede leer"
    if new.get("fingerprint") != fingerprint(course, assignment, student):
        return "el resultado que llega es de otra entrega, otra tarea u otro corrector: no se usa"
    state, own = state_of(course, assignment, student)
    if _rank(new["status"] != OUR_FAILURE, new) > _rank(state == "good", own):
        write_atomically(result_file(course, assignment.name, student), text)
    return None


def _rank(valid: bool, result: dict | None) -> tuple:
    return valid, str((result or {}).get("graded", ""))
