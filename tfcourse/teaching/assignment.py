"""Una tarea: qué ejercicios la forman, cuánto valen, hasta cuándo y con qué datos se corrige.

Las carpetas son las de nbgrader (`source`, `release`, `submitted`, `autograded`, `feedback` y
`gradebook.db`); lo que nbgrader no guarda va en `tareas/<tarea>/`, que nunca se publica.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from tfcourse.exercises.engine import Exercise, Variant
from tfcourse.files import write_atomically
from tfcourse.teaching.bank import load_exercise

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,60}")


CRITERIA = ("hipótesis", "diseño", "medida", "conclusión")


@dataclass(frozen=True)
class Criterion:
    """Un criterio de una rúbrica: cómo se llama, cuánto vale y qué se mira."""

    name: str
    points: float
    description: str = ""


@dataclass(frozen=True)
class LatePolicy:
    """Lo que se descuenta por entregar tarde: un tanto por ciento por día, con un tope.

    Los primeros `grace` días no descuentan.
    """

    percent: float
    grace: int = 0
    most: float = 100.0

    def discount(self, days: int) -> float:
        """La parte de la nota que se pierde, entre 0 y 1."""
        return min(self.percent * max(0, days - self.grace), self.most) / 100


@dataclass(frozen=True)
class Item:
    """Un ejercicio de una tarea; `bank` es la carpeta de su banco privado, si sale de uno.

    `rubric` es la rúbrica propia; sin ella, vale la de los ejercicios abiertos del curso.
    """

    id: str
    points: int
    manual_points: int = 0
    bank: str | None = None
    rubric: tuple[Criterion, ...] = ()

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """Los criterios con los que se puntúa su parte abierta."""
        share = self.manual_points / len(CRITERIA)
        return self.rubric or tuple(Criterion(name, share) for name in CRITERIA)

    @property
    def total(self) -> int:
        """Puntos que vale entre lo automático y lo que se corrige con la rúbrica."""
        return self.points + self.manual_points


@dataclass(frozen=True)
class Assignment:
    """Una tarea. `secret` decide los datos ocultos y `seed`, si la hay, que haya variantes.

    Con `partial`, cada caso que se hace bien da su parte; `groups` dice, por persona, su grupo. Con
    `sealed`, también las constantes de las variantes salen de `secret`, que no sale de la carpeta
    del docente. En las tareas de antes salían de `seed` y el cuaderno llevaba su número.
    """

    name: str
    title: str
    items: tuple[Item, ...]
    secret: str
    deadline: str | None = None
    seed: str | None = None
    created: str = ""
    objectives: tuple[str, ...] = field(default=())
    partial: bool = False
    late: LatePolicy | None = None
    groups: dict[str, str] = field(default_factory=dict)
    sealed: bool = False

    @property
    def points(self) -> int:
        """Puntos que vale la tarea."""
        return sum(item.total for item in self.items)

    @property
    def due(self) -> datetime | None:
        """El plazo, si lo tiene, en la hora de este equipo."""
        if not self.deadline:
            return None
        moment = datetime.fromisoformat(self.deadline)
        return moment.astimezone().replace(tzinfo=None) if moment.tzinfo else moment

    def owner(self, student: str) -> str:
        """De quién es la variante de alguien: suya o de su grupo."""
        return f"grupo {self.groups[student]}" if student in self.groups else student

    def variant_number(self, student: str, exercise: str) -> int:
        """El número de variante de un estudiante: siempre el mismo en cada ejercicio."""
        if self.sealed:
            return _hash("variante", self.secret, str(self.seed), self.owner(student), exercise)
        return _hash("variante", str(self.seed), self.owner(student), exercise) % 1_000_000

    def salt(self, student: str, exercise: str) -> int:
        """La sal de los datos ocultos; con semilla, otra para cada estudiante."""
        who = self.owner(student) if self.seed is not None else ""
        return 1 + _hash("datos", self.secret, who, exercise) % (2**31)

    def variant(self, item: Item, student: str | None) -> Variant:
        """El ejercicio que le toca a un estudiante; sin semilla, el de todos."""
        exercise = load_exercise(item.id, item.bank)
        if self.seed is None or student is None:
            return Variant(exercise, ())
        return exercise.variant(self.variant_number(student, item.id))

    def exercise(self, item: Item, student: str | None = None) -> Exercise:
        """El ejercicio con el que se corrige a un estudiante."""
        return self.variant(item, student).exercise


def _hash(*parts: str) -> int:
    return int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big")


@dataclass(frozen=True)
class Course:
    """La carpeta de un curso, con la forma que espera nbgrader."""

    root: Path

    def folder(self, assignment: str) -> Path:
        """Lo que es nuestro de una tarea: no sale de aquí."""
        return self.root / "tareas" / assignment

    def source(self, assignment: str) -> Path:
        """El cuaderno con soluciones."""
        return self.root / "source" / assignment / f"{assignment}.ipynb"

    def release(self, assignment: str) -> Path:
        """El cuaderno que se reparte."""
        return self.root / "release" / assignment / f"{assignment}.ipynb"

    def submitted(self, student: str, assignment: str) -> Path:
        """El cuaderno que entregó un estudiante."""
        return self.root / "submitted" / student / assignment / f"{assignment}.ipynb"

    def autograded(self, student: str, assignment: str) -> Path:
        """El cuaderno corregido de un estudiante."""
        return self.root / "autograded" / student / assignment / f"{assignment}.ipynb"

    def feedback(self, student: str, assignment: str) -> Path:
        """La página que se le devuelve a un estudiante."""
        return self.root / "feedback" / student / assignment / f"{assignment}.html"

    def results(self, assignment: str) -> Path:
        """Un archivo de resultados por estudiante: lo que hace falta para reanudar y reunir."""
        return self.folder(assignment) / "resultados"

    @property
    def gradebook(self) -> Path:
        """El libro de notas de nbgrader."""
        return self.root / "gradebook.db"

    def students(self, assignment: str) -> list[str]:
        """Quienes han entregado, en orden."""
        found = (self.root / "submitted").glob(f"*/{assignment}")
        return sorted(p.parent.name for p in found if not p.parent.name.startswith("."))

    def load(self, assignment: str) -> Assignment:
        """Lee una tarea. Errores: `ValueError` si no existe."""
        path = self.folder(assignment) / "tarea.json"
        if not path.exists():
            known = sorted(p.parent.name for p in (self.root / "tareas").glob("*/tarea.json"))
            tip = f"hay estas: {', '.join(known)}" if known else "créala con «docente crear»"
            raise ValueError(f"en {self.root} no está la tarea «{assignment}»: {tip}")
        data = json.loads(path.read_text(encoding="utf-8"))
        data["items"] = tuple(_item(item) for item in data["items"])
        if data.get("late"):
            data["late"] = LatePolicy(**data["late"])
        data["objectives"] = tuple(data["objectives"])
        return Assignment(**data)

    def save(self, assignment: Assignment) -> None:
        """Guarda una tarea."""
        path = self.folder(assignment.name) / "tarea.json"
        write_atomically(path, json.dumps(asdict(assignment), ensure_ascii=False, indent=1) + "\n")


def _item(data: dict) -> Item:
    rubric = tuple(Criterion(**criterion) for criterion in data.get("rubric", ()))
    return Item(**data | {"rubric": rubric})


def check_name(name: str) -> str:
    """El nombre de una tarea, si vale. Errores: `ValueError`."""
    if not NAME.fullmatch(name):
        raise ValueError(
            f"el nombre «{name}» no vale: usa minúsculas sin tildes, cifras y guiones, p. ej. "
            "tarea-1"
        )
    return name
