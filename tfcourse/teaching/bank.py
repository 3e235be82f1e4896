"""Ejercicios del curso y bancos privados: carpetas que guarda el docente y no se publican.

Un banco es una carpeta con `banco.ipynb` (los enunciados y las soluciones, con las mismas celdas
que un maestro) y `ejercicios.py` (`EXERCISES`, los correctores, y `WRONG`, las respuestas
equivocadas).
"""

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.engine import Exercise
from tfcourse.projects.steps.registry import STEPS

COURSE: dict[str, Exercise] = EXERCISES | STEPS
CODE, NOTEBOOK = "ejercicios.py", "banco.ipynb"


@dataclass(frozen=True)
class Bank:
    """Un banco privado: sus ejercicios por identificador y sus respuestas equivocadas."""

    folder: Path
    exercises: dict[str, Exercise]
    wrong: dict[str, tuple]

    @property
    def notebook(self) -> NotebookNode:
        """El cuaderno con los enunciados y las soluciones."""
        return nbformat.read(self.folder / NOTEBOOK, as_version=4)


@cache
def load_bank(folder: str) -> Bank:
    """Lee un banco privado. Errores: `ValueError` si le falta algo o repite un identificador."""
    path = Path(folder)
    missing = [name for name in (CODE, NOTEBOOK) if not (path / name).exists()]
    if missing:
        raise ValueError(
            f"en el banco {folder} falta {' y '.join(missing)}: mira «Un banco privado»"
        )
    spec = importlib.util.spec_from_file_location("banco_privado", path / CODE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "EXERCISES") or not hasattr(module, "WRONG"):
        raise ValueError(f"{path / CODE} debe definir EXERCISES y WRONG")
    exercises = {exercise.card.id: exercise for exercise in module.EXERCISES}
    repeated = [name for name in exercises if name in COURSE]
    if repeated or len(exercises) != len(module.EXERCISES):
        which = ", ".join(repeated) or "entre los suyos"
        raise ValueError(
            f"el banco {folder} repite identificadores ({which}): cada ejercicio necesita el suyo, "
            "también distinto de los publicados"
        )
    return Bank(path, exercises, dict(module.WRONG))


def load_exercise(name: str, bank: str | None = None) -> Exercise:
    """Un ejercicio por su identificador. Errores: `ValueError` si no existe."""
    known = load_bank(bank).exercises if bank else COURSE
    if name not in known:
        where = f"el banco {bank}" if bank else "el curso"
        raise ValueError(f"en {where} no hay ningún ejercicio «{name}»; hay: {', '.join(known)}")
    return known[name]
