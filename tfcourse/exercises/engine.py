"""Motor de los ejercicios: qué merece una respuesta, y las variantes de un enunciado."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch

from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.exercises.forms import in_the_form_of
from tfcourse.exercises.gradient import check_gradient
from tfcourse.exercises.student import check_callable, run_student
from tfcourse.exercises.task import (
    EXAMPLE,
    KINDS,
    MAX_DIFFICULTY,
    Card,
    Case,
    Mistake,
    Task,
    combined,
    example,
)
from tfcourse.exercises.trials import (
    Trial,
    first_problem,
    is_right,
    recognise,
    run_trials,
    trial_problem,
)

__all__ = [
    "EXAMPLE", "KINDS", "MAX_DIFFICULTY", "Card", "Case", "Exercise", "Mistake", "Task",
    "Variant", "Verdict", "combined", "example",
]  # fmt: skip


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
        trials = list(run_trials(self.task, answer))
        problem = first_problem(self.task, trials, answer)
        total = len(self.task.cases) + self.task.differentiable
        if problem is None:
            flaw = self._check_gradient(answer)
            return Verdict(flaw, total - (flaw is not None), total)
        if problem.key == "sin-escribir":
            return Verdict(replace(problem, case=None, expected=None))
        right = sum(is_right(self.task, trial) for trial in trials)
        return Verdict(recognise(self.task, trials, problem) or problem, right, total)

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
            if isinstance(outcome.value, dict) and self._draws_its_keys():
                expected = dict(zip(outcome.value, expected.values(), strict=False))
            expected = in_the_form_of(expected, outcome.value)
            problem = trial_problem(self.task, Trial(case, expected, outcome), answer)
            if problem:
                return replace(problem, expected=None)
        return None

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
