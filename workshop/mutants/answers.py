"""Mutantes de las soluciones, de los ejercicios y de los pasos: los que un corrector da por buenos.

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
from tfcourse.exercises.data import other_data
from tfcourse.exercises.engine import Exercise
from tfcourse.exercises.markers import solved
from tfcourse.exercises.masters import masters, project_masters
from tfcourse.projects.steps.registry import STEPS
from workshop.mutants.operators import Mutant, mutants

REASONS = Path(__file__).with_name("soluciones.yml")
SALTS = (0, 7919, 15838)
SECONDS = 2.0  # lo que puede durar una llamada de un mutante que no acaba
CODED: dict[str, Exercise] = {
    name: exercise
    for name, exercise in (EXERCISES | STEPS).items()
    if exercise.card.kind != "comprender"
}


@dataclass(frozen=True)
class Solution:
    """La solución publicada de un ejercicio o de un paso, y los nombres que hay antes de ella."""

    name: str
    source: str
    names: dict[str, object]

    def accepts(self, source: str) -> bool:
        """Si el corrector da por buena esa respuesta."""
        names = dict(self.names)
        try:
            exec(compile(source, "<mutante>", "exec"), names)
            answer = names[CODED[self.name].task.function]
        except Exception:
            return False
        return CODED[self.name].check(answer) is None


@dataclass(frozen=True)
class Verdict:
    """Un mutante de una solución y con qué sales pasa."""

    name: str
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


def solutions(root: Path) -> Iterator[Solution]:
    """Todas las de código, cuaderno a cuaderno; las de un proyecto se apoyan en las de delante."""
    for master in (*masters(root), *project_masters(root)):
        names: dict[str, object] = {"torch": torch, "__name__": "__main__"}
        for cell in nbformat.read(master, as_version=4).cells:
            name = cell.id.removesuffix("-respuesta")
            if cell.id == "imports":
                exec(compile(cell.source, "<importaciones>", "exec"), names)
            if not cell.id.endswith("-respuesta") or name not in CODED:
                continue
            source = solved(cell.source)
            yield Solution(name, source, dict(names))
            if name in STEPS:
                exec(compile(source, f"<{name}>", "exec"), names)


def answer_mutants(root: Path, prefix: str = "") -> Iterator[tuple[Solution, Mutant]]:
    """Los de las soluciones cuyo nombre empieza así: «gpt-», las de un proyecto."""
    for solution in solutions(root):
        if solution.name.startswith(prefix):
            for mutant in mutants(solution.name, solution.source):
                yield solution, mutant


def judge(solution: Solution, mutant: Mutant) -> Verdict:
    """Lo que el corrector dice de un mutante, con los datos publicados y con otros."""
    passes = []
    for salt in SALTS:
        with other_data(salt):
            passes.append(solution.accepts(mutant.source))
        if not passes[0]:  # ya lo ve quien lo escribe
            break
    return Verdict(solution.name, mutant, (*passes, *[False] * (len(SALTS) - len(passes))))


def known_reasons(file: Path = REASONS) -> dict[tuple[str, str, str], str]:
    """Por qué pasan los que pasan, por su ejercicio o su paso y sus dos textos."""
    exercises = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return {
        (name, entry["antes"], entry["despues"]): entry["motivo"]
        for name, entries in exercises.items()
        for entry in entries
    }


def run_answers(root: Path, seed: int, how_many: int | None, prefix: str = "") -> list[Verdict]:
    """Juzga unos cuantos, al azar, o todos; escribe los que pasan y cuántos son."""
    student.CALL_SECONDS = SECONDS
    born = list(answer_mutants(root, prefix))
    if how_many is not None:
        born = random.Random(seed).sample(born, min(how_many, len(born)))
    known, verdicts = known_reasons(), []
    for solution, mutant in born:
        verdict = judge(solution, mutant)
        verdicts.append(verdict)
        if verdict.alive or verdict.unfair:
            state = "pasa" if verdict.alive else "pasa solo con los datos publicados"
            why = known.get(mutant.key, "sin motivo")
            print(
                f"{solution.name} · {state} · {why}\n  − {mutant.before}\n  + {mutant.after}",
                flush=True,
            )
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
