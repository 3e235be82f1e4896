"""Mutantes de las soluciones de los ejercicios: los que un corrector da por buenos.

De cada solución publicada salen todos sus cambios pequeños: operadores, ejes, constantes, límites y
funciones parecidas. Uno que pasa es un hueco del corrector o da lo mismo que la solución: entonces,
su motivo está en `soluciones.yml`.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import torch
import yaml

from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises import student
from tfcourse.exercises.compare import difference
from tfcourse.exercises.data import other_data
from tfcourse.exercises.engine import Task
from tfcourse.exercises.forms import accepted, is_float
from tfcourse.exercises.gradient import check_gradient
from tfcourse.exercises.markers import solved
from tfcourse.exercises.masters import masters
from tfcourse.watch import FREELY
from workshop.mutants.operators import Mutant, mutants

REASONS = Path(__file__).with_name("soluciones.yml")
SALTS = (0, 7919, 15838)
SECONDS = 2.0  # lo que puede durar una llamada de un mutante que no acaba


@dataclass(frozen=True)
class Verdict:
    """Un mutante de la solución de un ejercicio y con qué sales pasa."""

    exercise: str
    mutant: Mutant
    passes: tuple[bool, ...]

    @property
    def alive(self) -> bool:
        """Si el corrector lo da por bueno siempre."""
        return all(self.passes)

    @property
    def unfair(self) -> bool:
        """Si pasa con los datos publicados y falla con los de alguna tarea."""
        return self.passes[0] and not self.alive


def answer_mutants(root: Path) -> Iterator[tuple[str, Mutant]]:
    """Todos los de las soluciones de código, ejercicio a ejercicio."""
    for master in masters(root):
        for cell in nbformat.read(master, as_version=4).cells:
            name = cell.id.removesuffix("-respuesta")
            if cell.id.endswith("-respuesta") and EXERCISES[name].card.kind != "comprender":
                for mutant in mutants(name, solved(cell.source)):
                    yield name, mutant


def judge(name: str, mutant: Mutant) -> Verdict:
    """Lo que el corrector dice de un mutante, con los datos publicados y con otros."""
    task = EXERCISES[name].task
    names = {"torch": torch}
    try:
        exec(compile(mutant.source, "<mutante>", "exec"), names)
        function = names[task.function]
    except Exception:
        return Verdict(name, mutant, (False,) * len(SALTS))
    passes = []
    for salt in SALTS:
        with other_data(salt), torch.device("cpu"), torch.enable_grad():
            passes.append(_accepts(task, function))
        if not passes[0]:  # ya lo ve quien lo escribe
            break
    return Verdict(name, mutant, (*passes, *[False] * (len(SALTS) - len(passes))))


def _accepts(task: Task, function) -> bool:
    for case in task.cases:
        answer = function if case.rules == FREELY else case.rules.watched(function)
        outcome = student.run_student(answer, lambda case=case: task.arguments(case))
        if outcome.error is not None or outcome.changed:
            return False
        value = accepted(
            task.reference(*case.make()), outcome.value,
            keeps_type=any(map(is_float, outcome.arguments.values())),
            only_tensors=task.differentiable,
        )  # fmt: skip
        if difference(task.reference(*case.make()), value, task.tolerance, task.outputs):
            return False
    if not task.differentiable:
        return True
    return check_gradient(function, lambda: task.arguments(task.cases[0])) is None


def known_reasons(file: Path = REASONS) -> dict[tuple[str, str, str], str]:
    """Por qué pasan los que pasan, por su ejercicio y sus dos textos."""
    exercises = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return {
        (name, entry["antes"], entry["despues"]): entry["motivo"]
        for name, entries in exercises.items()
        for entry in entries
    }


def run_answers(root: Path, seed: int, how_many: int | None) -> list[Verdict]:
    """Juzga unos cuantos, al azar, o todos; escribe los que pasan y cuántos son."""
    student.CALL_SECONDS = SECONDS
    born = list(answer_mutants(root))
    if how_many is not None:
        born = random.Random(seed).sample(born, min(how_many, len(born)))
    known, verdicts = known_reasons(), []
    for name, mutant in born:
        verdict = judge(name, mutant)
        verdicts.append(verdict)
        if verdict.alive or verdict.unfair:
            state = "pasa" if verdict.alive else "pasa solo con los datos publicados"
            why = known.get(mutant.key, "sin motivo")
            print(f"{name} · {state} · {why}\n  − {mutant.before}\n  + {mutant.after}", flush=True)
    alive = [verdict for verdict in verdicts if verdict.alive or verdict.unfair]
    equal = [verdict for verdict in alive if verdict.mutant.key in known]
    counted = len(verdicts) - len(equal)
    refused = len(verdicts) - len(alive)
    print(
        f"{len(verdicts)} mutantes: {refused} rechazados, {len(equal)} que dan lo mismo y "
        f"{len(alive) - len(equal)} sin motivo; de los que no dan lo mismo se rechaza el "
        f"{100 * refused / max(1, counted):.1f} %".replace(".", ",")
    )
    return verdicts
