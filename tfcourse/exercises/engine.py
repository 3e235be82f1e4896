"""Motor de los ejercicios: casos de prueba, errores típicos y diagnóstico de una respuesta."""

import copy
import inspect
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from tfcourse.exercises.compare import accepted, difference, in_the_form_of, is_float, same
from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.exercises.gradient import check_gradient
from tfcourse.exercises.python_errors import diagnose_error
from tfcourse.exercises.student import Outcome, StoppedByChecker, check_callable, run_student
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


def example(*arguments: object) -> Case:
    """El ejemplo del enunciado, como un caso más."""
    return Case(EXAMPLE, lambda: copy.deepcopy(arguments))


@dataclass(frozen=True)
class Mistake:
    """Error típico: se reconoce porque la respuesta da justo lo que daría cometerlo.

    `variants` son funciones con la firma del ejercicio, cada una una manera de equivocarse así.
    """

    key: str
    message: str
    variants: tuple[Callable, ...]


@dataclass(frozen=True)
class Task:
    """Lo que hay que resolver: la función pedida, sus casos, la referencia y los errores típicos.

    `reference` es un cálculo independiente del paquete. Con `reveals=False` los mensajes no dicen
    el valor esperado: sería la solución.
    """

    function: str
    cases: tuple[Case, ...]
    reference: Callable
    mistakes: tuple[Mistake, ...]
    outputs: tuple[str, ...] = ()
    tolerance: float = 1e-5
    differentiable: bool = True
    reveals: bool = True

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


@dataclass(frozen=True)
class Trial:
    """Lo que dio la respuesta en un caso, junto a lo esperado."""

    case: Case
    expected: object
    outcome: Outcome

    @property
    def broke_a_rule(self) -> bool:
        """Si no llegó a dar nada porque se salió de las reglas del caso."""
        return self.case.rules != FREELY and self.outcome.error is not None


@dataclass(frozen=True)
class Verdict:
    """Lo que merece una respuesta: su diagnóstico, `None` si es correcta, y cuánto hace bien.

    `right` de `total` son los casos y, si se pide que se pueda derivar, el gradiente.
    """

    diagnosis: Diagnosis | None
    right: int = 0
    total: int = 1


@dataclass(frozen=True)
class Exercise:
    """Ejercicio que se corrige solo: una ficha y una tarea.

    `draw` sortea otras constantes, si el enunciado las admite; sin él, todo el mundo recibe las
    mismas.
    """

    card: Card
    task: Task
    draw: Callable[[random.Random], "Variant"] | None = None

    @property
    def terms(self) -> str:
        """Lo que dice el enunciado de cómo se compara; cada proyecto lo dice en su portada."""
        return self.task.terms if type(self) is Exercise else ""

    def variant(self, number: int) -> "Variant":
        """La variante de ese número: siempre la misma. Sin `draw`, el ejercicio tal cual."""
        if self.draw is None:
            return Variant(self, ())
        return self.draw(random.Random(f"{self.card.id}/{number}"))

    def check(self, answer: object) -> Diagnosis | None:
        """Diagnóstico de una respuesta; `None` si es correcta. Nunca lanza un error."""
        return self.judge(answer).diagnosis

    def judge(self, answer: object) -> Verdict:
        """Lo que merece una respuesta. Nunca lanza un error."""
        try:
            # Aunque el cuaderno haya cambiado el dispositivo por omisión o apagado los gradientes.
            with torch.device("cpu"), torch.enable_grad():
                return self._judge(answer)
        except Exception as error:  # valores tan raros que ni compararse dejan
            likely = (
                f"no se ha podido comprobar tu respuesta ({type(error).__name__}): devuelve "
                f"tensores, números o listas normales, como pide el enunciado"
            )
            return Verdict(Diagnosis("no-comparable", likely))

    def _judge(self, answer: object) -> Verdict:
        unusable = check_callable(answer, self.task.function, self.task.parameters)
        if unusable:
            return Verdict(unusable)
        trials = list(_run_trials(self.task, answer))
        problem = _first_problem(self.task, trials, answer)
        total = len(self.task.cases) + self.task.differentiable
        if problem is None:
            flaw = self._check_gradient(answer)
            return Verdict(flaw, total - (flaw is not None), total)
        if problem.key == "sin-escribir":
            return Verdict(replace(problem, case=None, expected=None))
        right = sum(_is_right(self.task, trial) for trial in trials)
        return Verdict(_recognise(self.task, trials, problem) or problem, right, total)

    def check_form(self, answer: object) -> Diagnosis | None:
        """Lo mismo, sin mirar los valores: que sea una función y devuelva lo que se pide."""
        try:
            return self._check_form(answer)
        except Exception as error:
            likely = f"no se ha podido mirar tu respuesta ({type(error).__name__})"
            return Diagnosis("no-comparable", likely)

    def _check_form(self, answer: object) -> Diagnosis | None:
        unusable = check_callable(answer, self.task.function, self.task.parameters)
        if unusable:
            return unusable
        for case in self.task.cases:
            outcome = run_student(answer, lambda case=case: self.task.arguments(case))
            expected = self.task.reference(*case.make())
            if self._draws_its_keys() and isinstance(outcome.value, dict):
                expected = dict(zip(outcome.value, expected.values(), strict=False))
            expected = in_the_form_of(expected, outcome.value)
            problem = _problem(self.task, Trial(case, expected, outcome), answer)
            if problem:
                return replace(problem, expected=None)
        return None

    def _draws_its_keys(self) -> bool:
        """Si las claves de su diccionario cambian con las constantes."""
        some = [self, *(self.variant(number).exercise for number in range(4))]
        answers = [exercise.task.reference() for exercise in some if self.draw]
        return any(isinstance(a, dict) and a.keys() != answers[0].keys() for a in answers)

    def _draws_its_keys(self) -> bool:
        """Si las claves de su diccionario cambian con las constantes."""
        some = [self, *(self.variant(number).exercise for number in range(4))]
        answers = [exercise.task.reference() for exercise in some if self.draw]
        return any(isinstance(a, dict) and a.keys() != answers[0].keys() for a in answers)

    def _check_gradient(self, answer: Callable) -> Diagnosis | None:
        if not self.task.differentiable:
            return None
        case = self.task.cases[0]
        found = check_gradient(answer, lambda: self.task.arguments(case))
        return found and found.at(case.label)


@dataclass(frozen=True)
class Variant:
    """Un ejercicio con otras constantes, y qué hay que cambiar en su enunciado (antes, después)."""

    exercise: Exercise
    changes: tuple[tuple[str, str], ...]

    def rewrite(self, statement: str) -> str:
        """El enunciado con las constantes de la variante.

        Errores: `ValueError` si el enunciado ya no dice lo que había que cambiar.
        """
        for before, _ in self.changes:
            if before not in statement:
                raise ValueError(
                    f"el enunciado de {self.exercise.card.id!r} no dice «{before}», que su "
                    "variante tenía que cambiar: pon de acuerdo el maestro y el ejercicio"
                )
        # Todos a la vez: si uno pone un 3 donde había un 2, el que cambia los 3 no lo toca.
        after = dict(self.changes)
        longest_first = sorted(after, key=len, reverse=True)
        pattern = "|".join(map(re.escape, longest_first))
        return re.sub(pattern, lambda found: after[found[0]], statement) if pattern else statement


def _run_trials(task: Task, answer: Callable):
    for case in task.cases:
        expected = task.reference(*case.make())
        outcome = run_student(
            _under_rules(case.rules, answer), lambda case=case: task.arguments(case)
        )
        if outcome.error is None:
            value = accepted(
                expected,
                outcome.value,
                keeps_type=any(map(is_float, outcome.arguments.values())),
                only_tensors=task.differentiable,
            )
            outcome = replace(outcome, value=value)
        trial = Trial(case, expected, outcome)
        yield trial
        if trial.broke_a_rule or isinstance(outcome.error, (StoppedByChecker, KeyboardInterrupt)):
            return  # no hacer esperar otra vez a quien ya ha esperado


def _under_rules(rules: Rules, answer: Callable) -> Callable:
    """La respuesta, vigilada; si corre en otro proceso, es allí donde se la vigila."""
    if rules == FREELY:
        return answer
    there = getattr(answer, "under_rules", None)
    return there(rules) if there else rules.watched(answer)


def _first_problem(task: Task, trials: list[Trial], answer: Callable) -> Diagnosis | None:
    for trial in trials:
        found = _problem(task, trial, answer)
        if found:
            return (found if task.reveals else replace(found, expected=None)).at(trial.case.label)
    return None


def _problem(task: Task, trial: Trial, answer: Callable) -> Diagnosis | None:
    if trial.outcome.error is not None:
        return diagnose_error(trial.outcome, answer)
    found = difference(trial.expected, trial.outcome.value, task.tolerance, task.outputs)
    if found is None and trial.outcome.changed:
        names = ", ".join(f"`{name}`" for name in trial.outcome.changed)
        likely = (
            f"el resultado es correcto, pero tu función modifica {names}, que no es suyo: evita "
            "las operaciones que escriben en el sitio (`x += …`, `x[...] = …`, las acabadas en `_`)"
        )
        return Diagnosis("modifica-entradas", likely)
    return found


def _is_right(task: Task, trial: Trial) -> bool:
    """Si en ese caso no hay nada que objetar."""
    outcome = trial.outcome
    if outcome.error is not None or outcome.changed:
        return False
    return difference(trial.expected, outcome.value, task.tolerance, task.outputs) is None


def _recognise(task: Task, trials: list[Trial], problem: Diagnosis) -> Diagnosis | None:
    """El error típico que explica todo lo que se ha visto, si hay alguno."""
    for mistake in task.mistakes:
        if any(_explains(task, variant, trials) for variant in mistake.variants):
            return replace(problem, key=mistake.key, likely=mistake.message)
    return None


def _explains(task: Task, variant: Callable, trials: list[Trial]) -> bool:
    """Dice si cometer ese error da, en todos los casos, lo mismo que dio la respuesta.

    Un error puede romper la cuenta en unos casos (formas que no encajan) y no en otros; hace
    falta al menos un caso en el que dé un resultado, y distinto del correcto.
    """
    evidence = False
    for trial in trials:
        if trial.broke_a_rule:
            continue  # qué habría dado no se sabe
        simulated = run_student(variant, lambda case=trial.case: task.arguments(case))
        if (simulated.error is None) != (trial.outcome.error is None):
            return False
        if simulated.error is not None:
            continue
        if not same(simulated.value, trial.outcome.value, task.tolerance):
            return False
        evidence = evidence or not same(simulated.value, trial.expected, task.tolerance)
    return evidence
