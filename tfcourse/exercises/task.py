"""Lo que define un ejercicio: su ficha, sus casos, sus errores típicos y su tarea."""

import copy
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from tfcourse.exercises.forms import is_float
from tfcourse.watch import FREELY, Rules

KINDS = {"comprender": "para comprender", "codigo": "de código", "abierto": "abierto"}
MAX_DIFFICULTY = 3


@dataclass(frozen=True)
class Card:
    """Ficha de un ejercicio: lo que se dice de él sin resolverlo.

    `points` los da la comprobación automática; `manual_points`, quien corrige con la rúbrica.
    """

    id: str
    title: str
    kind: str
    difficulty: int
    minutes: int
    points: int
    objective: str
    hints: tuple[str, ...]
    manual_points: int = 0

    def __post_init__(self):
        if self.kind not in KINDS or not 1 <= self.difficulty <= MAX_DIFFICULTY:
            raise ValueError(
                f"ejercicio {self.id!r}: kind={self.kind!r} y difficulty={self.difficulty}; usa "
                f"un tipo de {', '.join(KINDS)} y una dificultad de 1 a {MAX_DIFFICULTY}"
            )
        if len(self.hints) < 2:
            raise ValueError(
                f"el ejercicio {self.id!r} tiene {len(self.hints)} pistas: escribe al menos dos"
            )

    @property
    def summary(self) -> str:
        """La línea que encabeza el enunciado: dificultad, tiempo, puntos y para qué sirve."""
        stars = "★" * self.difficulty + "☆" * (MAX_DIFFICULTY - self.difficulty)
        total = self.points + self.manual_points
        points = f"{total} punto{'s' if total > 1 else ''}"
        return (
            f"**{stars}** · {self.minutes} minutos · {points} · {KINDS[self.kind]}. "
            f"*Practicas*: {self.objective}."
        )


@dataclass(frozen=True)
class Case:
    """Caso de prueba: un nombre que el lector entiende y cómo fabricar sus argumentos.

    `make` los hace nuevos cada vez, siempre iguales: así ninguna llamada ensucia la siguiente.
    `rules` dice cómo no se puede llegar al resultado con estos datos.
    """

    label: str
    make: Callable[[], tuple]
    rules: Rules = FREELY


EXAMPLE = "el ejemplo del enunciado"
IN_WORDS = f"{EXAMPLE}, que va en palabras"


def example(*arguments: object, in_words: bool = False) -> Case:
    """El ejemplo del enunciado, como un caso más; `in_words`, si no lo dice con sus números."""
    return Case(IN_WORDS if in_words else EXAMPLE, lambda: copy.deepcopy(arguments))


@dataclass(frozen=True)
class Mistake:
    """Error típico: se reconoce porque la respuesta da justo lo que daría cometerlo.

    `variants` son funciones con la firma del ejercicio, cada una una manera de equivocarse así.
    """

    key: str
    message: str
    variants: tuple[Callable, ...]


_LEFT = ("queda uno de los tres fallos", "quedan dos de los tres", "los tres siguen ahí")


def combined(faults: dict[str, str], build: Callable[..., Callable]) -> Iterator[Mistake]:
    """Los errores de un «encuentra los tres fallos»: dejar alguno, en todas sus combinaciones.

    `faults` da, en orden, el nombre de cada fallo y lo que se dice de él; `build` recibe tantos sí
    o no y da lo que hace el código si quedan esos.
    """
    for flags in product((False, True), repeat=3):
        left = [name for name, still in zip(faults, flags, strict=True) if still]
        if left:
            said = f"{_LEFT[len(left) - 1]}: {'; '.join(faults[name] for name in left)}"
            yield Mistake(f"queda-{'-'.join(left)}", said, (build(*flags),))


@dataclass(frozen=True)
class Task:
    """Lo que hay que resolver: la función pedida, sus casos, la referencia y los errores típicos.

    `reference` es un cálculo independiente del paquete. Con `reveals=False` los mensajes no dicen
    el valor esperado: sería la solución. Con `fixed_type`, el enunciado pide ese tipo de número
    aunque no entre ninguno.
    """

    function: str
    cases: tuple[Case, ...]
    reference: Callable
    mistakes: tuple[Mistake, ...]
    outputs: tuple[str, ...] = ()
    tolerance: float = 1e-5
    differentiable: bool = True
    reveals: bool = True
    fixed_type: bool = False

    @property
    def parameters(self) -> list[str]:
        """Nombres de los argumentos, en orden."""
        return list(inspect.signature(self.reference).parameters)

    @property
    def terms(self) -> str:
        """Lo que se le pide al resultado además de ser el correcto: precisión, tipo y gradiente."""
        given = self.cases[0].make()
        expected = self.reference(*given)
        kept = any(map(is_float, given)) and any(map(is_float, _items(expected)))
        more = []
        if kept:
            more.append("el resultado conserva el tipo de las entradas")
        if self.differentiable:
            more.append(f"el gradiente llega hasta {'ellas' if kept else 'las entradas'}")
        also = f"; {' y '.join(more)}" if more else ""
        return f"**Precisión**: {_precision(expected, self.tolerance)}{also}."

    def arguments(self, case: Case) -> dict[str, object]:
        """Argumentos de un caso, con su nombre."""
        return dict(zip(self.parameters, case.make(), strict=True))


def _items(value: object) -> list:
    """Los números y tensores de un resultado, esté como esté agrupado."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [item for part in value for item in _items(part)]
    return [value]


def _precision(expected: object, tolerance: float) -> str:
    decimals = [x for x in _items(expected) if is_float(x) or isinstance(x, float)]
    if not decimals or not tolerance:
        return "el valor exacto"
    error = f"{tolerance:.9f}".rstrip("0").replace(".", ",")
    relative = " más una diezmilésima del valor" if any(map(is_float, decimals)) else ""
    return f"{error}{relative}"
