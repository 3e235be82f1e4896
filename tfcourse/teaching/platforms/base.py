"""Lo que tienen en común las plataformas: de quién es un archivo, quién hay en una hoja y su nota.

Cada una dice cómo se llaman sus archivos, cómo son sus hojas y cómo se le devuelven las páginas.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tfcourse.teaching.assignment import Assignment
from tfcourse.teaching.roster import name_key
from tfcourse.teaching.tables import plain
from tfcourse.teaching.worksheet import Person


@dataclass(frozen=True)
class Owner:
    """De quién es un archivo, según su ruta.

    `number` es como lo llama la plataforma; `late`, si ella dice que llegó tarde; `address`, lo que
    hay que repetir para que la devolución vuelva a su dueño.
    """

    name: str
    number: str
    file: str
    late: bool = False
    address: str = ""


@dataclass(frozen=True)
class Graded:
    """La nota de alguien, lista para escribirla en una hoja."""

    student: str
    full_name: str
    email: str
    number: str  # como lo llama la plataforma
    ids: tuple[str, ...]
    score: float
    waiting: bool
    comment: str


@dataclass
class Filled:
    """Una hoja con las notas puestas, su separador y los avisos."""

    rows: list[list[str]]
    notices: list[str]
    separator: str = ","
    marked: int = 0  # a cuántas les falta la parte que se puntúa a mano


class Platform(ABC):
    """Una plataforma: archivos de entrada, hojas y devoluciones."""

    name: str
    label: str
    has_ids = False  # si su número es el de la persona y no cambia de una tarea a otra
    returns_by_name = False  # si reparte las devoluciones por el nombre que ella escribió
    dates_files = False  # si la fecha de un archivo es la de su entrega
    undated = ""

    @abstractmethod
    def owner(self, path: str) -> Owner | None:
        """De quién es un archivo; `None` si no se sabe por su ruta."""

    @abstractmethod
    def recognises(self, rows: list[list[str]]) -> bool:
        """Si una hoja con esas filas, la primera la cabecera, es suya."""

    @abstractmethod
    def people(self, path: Path) -> list[Person]:
        """Quién hay en una hoja y lo que dice de sus entregas."""

    @abstractmethod
    def fill(
        self, path: Path, grades: list[Graded], assignment: Assignment, decimal: str, column: str
    ) -> Filled:
        """La hoja con las notas puestas."""

    @abstractmethod
    def hand_back(self, card: dict, assignment: str) -> tuple[str, str]:
        """Cómo se llama en el zip la devolución de alguien y qué es: `página` o `cuaderno`."""


class Finder:
    """Busca de quién es una fila: por su número, por su correo o, si no hay dos, por su nombre."""

    def __init__(self, grades: Iterable[Graded], has_ids: bool = True):
        self.left: dict[str, Graded] = {}
        self.known: dict[tuple, list[Graded]] = {}
        self.notices: list[str] = []
        for grade in grades:
            self.left[grade.student] = grade
            for number in grade.ids if has_ids else (grade.number,):
                self._add(grade, "número", number)
            self._add(grade, "correo", grade.email.casefold())
            self._add(grade, "nombre", name_key(grade.full_name))

    def _add(self, grade: Graded, kind: str, value: str | tuple[str, ...]) -> None:
        self.known.setdefault((kind, value), []).append(grade)

    def take(self, number: str, email: str, name: str) -> Graded | None:
        """La nota de esa fila, que ya no se dará a otra."""
        for key in (("número", number), ("correo", email.casefold()), ("nombre", name_key(name))):
            found = self.known.get(key, []) if key[1] else []
            if key[0] == "nombre":
                # Si los dos tienen número y no es el mismo, son dos personas del mismo nombre.
                found = [grade for grade in found if not (number and grade.number)]
            if len(found) == 1:
                return self.left.pop(found[0].student, None)
            if len(found) > 1:
                self.notices.append(
                    f"«{name}»: hay {len(found)} personas que se llaman así y la hoja no dice cuál "
                    "es: pon su nota a mano"
                )
                return None
        return None

    def missing(self) -> list[str]:
        """Los avisos: quién tiene nota y no está en la hoja, y qué filas no se distinguen."""
        absent = [f"{grade.full_name} no está en la hoja" for grade in self.left.values()]
        return [*self.notices, *absent]


def same_name(one: str, other: str) -> bool:
    """Si dos nombres son el mismo, con o sin tildes y en cualquier orden."""
    return name_key(one) == name_key(other)


def given_first(name: str) -> str:
    """«Gil, Ana» → «Ana Gil»."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name.strip()


def column_for(header: list[str], start: int, assignment: Assignment, wanted: str) -> int:
    """La columna de una tarea en un libro con varias. Errores: `ValueError`, con las que hay."""
    titles = {i: text.rpartition(" (")[0] or text for i, text in enumerate(header) if i >= start}
    names = [wanted] if wanted else [assignment.title, assignment.name]
    for name in names:
        found = [
            i for i, title in titles.items() if plain(name) in (plain(title), plain(header[i]))
        ]
        if len(found) == 1:
            return found[0]
    shown = ", ".join(f"«{header[i]}»" for i in titles) or "ninguna"
    raise ValueError(
        f"no se sabe qué columna es la de «{wanted or assignment.title}»: hay {shown}; dila con "
        "--columna"
    )


def check_top(path: Path, text: str, points: float) -> None:
    """Errores: `ValueError` si el máximo que dice la hoja no es el de la tarea."""
    try:
        top = float(text.replace(",", "."))
    except ValueError:  # vacío o «(read only)»
        return
    if top != points:
        raise ValueError(
            f"en {path} la tarea vale {top:g} y aquí {points:g}: pon {points:g} en sus ajustes y "
            "descarga la hoja otra vez"
        )
