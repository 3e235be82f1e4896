"""Comprobar un banco privado igual que los ejercicios publicados."""

from collections.abc import Callable, Iterable, Iterator

import torch

from tfcourse.exercises.compare import same
from tfcourse.exercises.data import other_data
from tfcourse.exercises.engine import Exercise
from tfcourse.exercises.markers import blanked, solved
from tfcourse.exercises.masters import disagreements
from tfcourse.teaching.bank import Bank

SALTS = (0, 1, 2, 3)
SOLUTION_SALTS = range(20)
MIN_WRONG = 3
VARIANTS, MIN_DISTINCT = 40, 30


def check_bank(bank: Bank) -> list[str]:
    """Lo que le falta a un banco para poder usarse; vacío si nada."""
    problems = list(disagreements(bank.notebook, bank.exercises))
    cells = {cell.id: cell.source for cell in bank.notebook.cells}
    for name, exercise in bank.exercises.items():
        answer = cells.get(f"{name}-respuesta")
        if answer is None:
            problems.append(f"el ejercicio {name!r} no está en el cuaderno del banco")
            continue
        statement = cells.get(f"{name}-enunciado", "")
        wrong = bank.wrong.get(name, ())
        found = [*_answer_problems(exercise, answer), *_wrong_problems(exercise, wrong)]
        if not found:  # con la solución o los errores mal, esto solo repetiría lo mismo
            found = [*memory_problems(exercise), *variant_problems(exercise, statement)]
        problems += [f"{name}: {problem}" for problem in found]
    return problems


def memory_problems(exercise: Exercise) -> Iterator[str]:
    """Quien conteste de memoria lo que se espera con los datos publicados no debe acertar."""
    if exercise.card.kind == "comprender":  # no tiene datos: lo suyo son las variantes
        return
    published = _expected(exercise)
    for salt in SALTS[1:]:
        with other_data(salt * 7919):
            hidden = _expected(exercise)
        pairs = zip(published, hidden, strict=True)
        if all(same(before, after, exercise.task.tolerance) for before, after in pairs):
            yield (
                "con otros datos se espera lo mismo: haz que algún caso salga de `chance`, "
                "`seeded` o `random_case`"
            )
            return


def _expected(exercise: Exercise) -> list:
    return [exercise.task.reference(*case.make()) for case in exercise.task.cases]


def variant_problems(exercise: Exercise, statement: str) -> Iterator[str]:
    """Las constantes se sortean, el enunciado las dice y cada error conserva su diagnóstico."""
    if exercise.draw is None:
        if exercise.card.kind == "comprender":
            yield "le falta `draw`: con --semilla, todo el mundo recibiría las mismas constantes"
        return
    published, answers = exercise.task.reference, {}
    for number in range(VARIANTS):
        variant = exercise.variant(number)
        task = variant.exercise.task
        try:
            text = variant.rewrite(statement)
        except ValueError as error:
            yield str(error)
            return
        if variant.exercise.check(task.reference) is not None:
            yield f"la variante {number} no acepta su propia respuesta"
        if text != statement and variant.exercise.check(published) is None:
            yield f"la variante {number} acepta la respuesta publicada"
        if not same(answers.setdefault(text, task.reference()), task.reference(), task.tolerance):
            yield f"la variante {number} tiene el enunciado de otra y distinta respuesta"
        yield from _confused(variant.exercise, number)
    if len(answers) < MIN_DISTINCT:
        yield f"de {VARIANTS} variantes solo hay {len(answers)} enunciados distintos"


def _confused(exercise: Exercise, number: int) -> Iterator[str]:
    for mistake in exercise.task.mistakes:
        for wrong in mistake.variants:
            diagnosis = exercise.check(wrong)
            found = diagnosis.key if diagnosis else "correcto"
            if found != mistake.key:
                yield f"en la variante {number}, el error «{mistake.key}» recibe «{found}»"


def _answer_problems(exercise: Exercise, source: str) -> Iterator[str]:
    """La solución pasa, también con otros datos, y el hueco se reconoce como tal."""
    try:
        solution, blank = defined(exercise, solved(source)), defined(exercise, blanked(source))
    except Exception as error:
        yield f"la celda de respuesta no se puede ejecutar ({type(error).__name__}: {error})"
        return
    yield from salt_problems(exercise, solution, SOLUTION_SALTS)
    diagnosis = exercise.check(blank)
    if diagnosis is None or diagnosis.key != "sin-escribir":
        yield "el hueco en blanco no se reconoce como tal"


def salt_problems(exercise: Exercise, solution: Callable, salts: Iterable[int]) -> Iterator[str]:
    """La solución debe acertar con los datos de todas esas sales; dice la primera que falla."""
    for salt in salts:
        with other_data(salt):
            diagnosis = exercise.check(solution)
        if diagnosis:
            yield f"la solución no pasa con la sal {salt} ({diagnosis.key}: {diagnosis.likely})"
            return


def defined(exercise: Exercise, source: str) -> Callable:
    """La función que define una celda, con los nombres que el cuaderno ya ha importado."""
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
