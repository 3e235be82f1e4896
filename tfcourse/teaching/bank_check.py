"""Comprobar un banco privado igual que los ejercicios publicados."""

from collections.abc import Callable, Iterator

import torch

from tfcourse.exercises.build import disagreements
from tfcourse.exercises.data import other_data
from tfcourse.exercises.engine import Exercise
from tfcourse.exercises.markers import blanked, solved
from tfcourse.teaching.bank import Bank

SALTS = (0, 1, 2, 3)
MIN_WRONG = 3


def check_bank(bank: Bank) -> list[str]:
    """Lo que le falta a un banco para poder usarse; vacío si nada."""
    problems = list(disagreements(bank.notebook, bank.exercises))
    cells = {cell.id: cell.source for cell in bank.notebook.cells}
    for name, exercise in bank.exercises.items():
        answer = cells.get(f"{name}-respuesta")
        if answer is None:
            problems.append(f"el ejercicio {name!r} no está en el cuaderno del banco")
            continue
        problems += [f"{name}: {problem}" for problem in _answer_problems(exercise, answer)]
        wrong = bank.wrong.get(name, ())
        problems += [f"{name}: {problem}" for problem in _wrong_problems(exercise, wrong)]
    return problems


def _answer_problems(exercise: Exercise, source: str) -> Iterator[str]:
    """La solución pasa, también con otros datos, y el hueco se reconoce como tal."""
    try:
        solution, blank = _defined(exercise, solved(source)), _defined(exercise, blanked(source))
    except Exception as error:
        yield f"la celda de respuesta no se puede ejecutar ({type(error).__name__}: {error})"
        return
    for salt in SALTS:
        with other_data(salt):
            diagnosis = exercise.check(solution)
        if diagnosis:
            yield f"la solución no pasa ({diagnosis.key}: {diagnosis.likely})"
            break
    diagnosis = exercise.check(blank)
    if diagnosis is None or diagnosis.key != "sin-escribir":
        yield "el hueco en blanco no se reconoce como tal"


def _defined(exercise: Exercise, source: str) -> Callable:
    names = {"torch": torch}
    exec(compile(source, "<banco>", "exec"), names)
    return names[exercise.task.function]


def _wrong_problems(exercise: Exercise, wrong: tuple) -> Iterator[str]:
    """Cada respuesta equivocada recibe su diagnóstico, y hay una por cada error conocido."""
    if len(wrong) < MIN_WRONG:
        yield f"tiene {len(wrong)} respuestas equivocadas en WRONG: escribe al menos {MIN_WRONG}"
    for key, answer in wrong:
        for salt in SALTS:
            with other_data(salt):
                diagnosis = exercise.check(answer)
            found = diagnosis.key if diagnosis else "correcto"
            if found != key:
                yield f"una respuesta debía recibir «{key}» y recibe «{found}»"
                break
    missing = {mistake.key for mistake in exercise.task.mistakes} - {key for key, _ in wrong}
    if missing:
        yield f"nadie comete {', '.join(sorted(missing))}: añade a WRONG una respuesta de cada uno"
