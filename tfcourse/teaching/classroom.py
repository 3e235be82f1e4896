"""Corregir una clase: en paralelo, reanudable y repartible entre máquinas.

Cada entrega da un archivo de resultados que se escribe de una vez. Reanudar es no repetir las que
ya lo tienen con la misma huella; reunir varias máquinas es juntar esos archivos.
"""

import hashlib
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.autograded import graded_notebook
from tfcourse.teaching.collect import read_delivery
from tfcourse.teaching.grading import Grader
from tfcourse.teaching.limits import Limits, limit_memory
from tfcourse.teaching.submission import Submission, UnreadableSubmission, arrange, read_notebook
from tfcourse.teaching.variants import personal_notebook
from tfcourse.training.progress import progress

FORMAT = 1
FATAL = "la entrega ha acabado con el proceso que la corregía: mírala aparte y avísanos"
OUR_FAILURE = "fallo-del-corrector"  # no es culpa de la entrega: se corrige otra vez


@dataclass(frozen=True)
class Run:
    """Cómo se corrige: límites, aislamiento, procesos y qué parte de la clase."""

    limits: Limits = Limits()
    isolated: bool = True
    workers: int = 2
    part: tuple[int, int] = (1, 1)
    again: bool = False
    memory: int = 8 << 30  # bytes por proceso


Grade = Callable[[Course, Assignment, str, Run], dict]


def grade_class(
    course: Course, assignment: Assignment, run: Run, grade: Grade | None = None
) -> tuple[list[dict], int]:
    """Corrige lo que falte; devuelve los resultados de la parte pedida y cuántos son nuevos.

    `grade` corrige una entrega (sin ella, `grade_student`); se llama en otros procesos.
    """
    index, parts = run.part
    students = course.students(assignment.name)[index - 1 :: parts]
    if not students:
        raise ValueError(f"no hay entregas de «{assignment.name}»: recógelas con «docente recoger»")
    pending = [s for s in students if run.again or not is_done(course, assignment, s)]
    one = partial(grade_and_store, grade or grade_student, course, assignment, run)
    graded = _grade_all(one, pending, run)
    for _ in progress(graded, total=len(pending), description="corrigiendo"):
        pass
    results = [read_result(course, assignment.name, student) for student in students]
    return results, len(pending)


def _grade_all(one: Callable[..., None], students: list[str], run: Run) -> Iterator[str]:
    """Corrige entregas y da cada una al acabarla; ninguna arrastra a las demás."""
    left = students
    while left:
        left = yield from _grade_together(one, left, run)
        # Si faltan, una ha matado a quien la corregía, y es de las primeras: esas, de una en una.
        suspects, left = left[: run.workers + 1], left[run.workers + 1 :]
        for student in suspects:
            if (yield from _grade_together(one, [student], run)):
                one(student, fatal=True)
                yield student


def _grade_together(
    one: Callable[..., None], students: list[str], run: Run
) -> Generator[str, None, list[str]]:
    """Corrige en paralelo; devuelve las que faltan si una entrega acaba con el proceso."""
    # Este proceso no se bifurca: si ya ha usado un acelerador, su copia no podría derivar.
    context = multiprocessing.get_context("forkserver" if os.name == "posix" else "spawn")
    count = max(1, min(run.workers, len(students)))
    finished = set()
    with ProcessPoolExecutor(count, context, _prepare_worker, (run.memory,)) as pool:
        jobs = {pool.submit(one, student): student for student in students}
        try:
            for job in as_completed(jobs):
                job.result()
                finished.add(jobs[job])
                yield jobs[job]
        except BrokenProcessPool:
            pass
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [student for student in students if student not in finished]


def _prepare_worker(memory: int) -> None:
    """Ctrl+C lo atiende quien reparte, y ninguna entrega puede dejar sin memoria a la máquina."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(memory)


def grade_and_store(
    grade: Grade, course: Course, assignment: Assignment, run: Run, student: str, fatal=False
) -> None:
    """Corrige una entrega y guarda su resultado; un fallo nuestro se apunta y no para la clase.

    Con `fatal` no se corrige, que acabaría con el proceso: solo se apunta.
    """
    started = time.perf_counter()
    mark = fingerprint(course, assignment, student)
    try:
        result = _failure(assignment, FATAL) if fatal else grade(course, assignment, student, run)
    except Exception as error:
        why = f"fallo del corrector ({type(error).__name__}: {error}): avísanos"
        result = _failure(assignment, why)
    _store(course, assignment, student, result, mark, time.perf_counter() - started)


def _failure(assignment: Assignment, why: str) -> dict:
    return _row(assignment, {}, OUR_FAILURE) | {"notes": [why]}


def _store(
    course: Course, assignment: Assignment, student: str, result: dict, mark: str, seconds: float
) -> None:
    """Guarda un resultado con lo que se apuntó al recoger la entrega."""
    delivery = read_delivery(course, assignment.name, student)
    result |= {name: delivery.get(name) for name in ("student", "full_name", "number", "late")}
    result["submitted"] = delivery.get("submitted")
    result["notes"] = [*delivery["notes"], *result["notes"]]
    result["seconds"] = round(seconds, 2)
    result["fingerprint"] = mark
    text = json.dumps(result, ensure_ascii=False, indent=1) + "\n"
    write_atomically(course.results(assignment.name) / f"{student}.json", text)


def grade_student(course: Course, assignment: Assignment, student: str, run: Run) -> dict:
    """El resultado de una entrega, con su cuaderno corregido en `autograded/`."""
    release = nbformat.read(course.release(assignment.name), as_version=4)
    original = personal_notebook(assignment, release, student)
    exercises = {
        item.id: (assignment.exercise(item, student), assignment.salt(student, item.id))
        for item in assignment.items
    }
    functions = {name: exercise.task.function for name, (exercise, _) in exercises.items()}
    try:
        submitted = read_notebook(course.submitted(student, assignment.name))
    except UnreadableSubmission as error:
        unreadable = Diagnosis("ilegible", f"no se ha podido leer la entrega: {error}")
        result = _row(assignment, dict.fromkeys(exercises, unreadable), "ilegible")
        return result | {"notes": [str(error)], "answers": {}}
    submission = arrange(submitted, original, functions)
    submission.notes += _whose(submitted, student)
    found = Grader(submission, run.limits, run.isolated).grade(exercises)
    result = _row(assignment, found, "corregida")
    result |= {"notes": submission.notes, "answers": _kept(submission)}
    notebook = graded_notebook(original, submission, result)
    text = nbformat.writes(notebook) + "\n"
    write_atomically(course.autograded(student, assignment.name), text)
    return result


def _whose(submitted: NotebookNode, student: str) -> list[str]:
    """El aviso de que se ha entregado la variante de otra persona."""
    card = submitted.metadata.get("tfcourse")
    owner = card.get("estudiante") if isinstance(card, dict) else None
    if owner in (None, student):
        return []
    return [f"el cuaderno es la variante de «{str(owner)[:80]}»: se corrige con sus propios datos"]


def _kept(submission: Submission) -> dict[str, str]:
    return {name: source[:20_000] for name, source in submission.answers.items()}


def _row(assignment: Assignment, found: dict, status: str) -> dict:
    """Los puntos de cada ejercicio: todos si no hay nada que objetar; si no, ninguno."""
    rows = []
    for item in assignment.items:
        diagnosis = found.get(item.id, Diagnosis("sin-corregir", "no se ha podido corregir"))
        details = asdict(diagnosis) if diagnosis else {"key": "correcto", "likely": None}
        points = 0 if diagnosis else item.points
        row = {"id": item.id, "points": points, "maximum": item.points}
        rows.append(row | {"manual": item.manual_points} | details)
    return {"format": FORMAT, "status": status, "exercises": rows, "notes": []}


def fingerprint(course: Course, assignment: Assignment, student: str) -> str:
    """Huella de lo que decide una nota: la entrega y la tarea."""
    digest = hashlib.sha256(course.submitted(student, assignment.name).read_bytes())
    digest.update(json.dumps(asdict(assignment), sort_keys=True).encode())
    return f"{FORMAT}-{digest.hexdigest()}"


def is_done(course: Course, assignment: Assignment, student: str) -> bool:
    """Dice si esa entrega, tal cual está, ya se corrigió."""
    try:
        result = read_result(course, assignment.name, student)
    except (OSError, ValueError):
        return False
    same = result.get("fingerprint") == fingerprint(course, assignment, student)
    return same and result.get("status") != OUR_FAILURE


def read_result(course: Course, assignment: str, student: str) -> dict:
    """El resultado guardado de una entrega."""
    path = course.results(assignment) / f"{student}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def all_results(course: Course, assignment: str) -> list[dict]:
    """Los resultados que hay, en orden."""
    found = sorted(course.results(assignment).glob("*.json"))
    return [json.loads(path.read_text(encoding="utf-8")) for path in found]


def merge_results(course: Course, assignment: str, folders: Iterable[Path]) -> int:
    """Trae los resultados de otras máquinas; devuelve cuántos. El más lento en llegar no pisa nada.

    Errores: `ValueError` si una carpeta no los tiene.
    """
    brought = 0
    for folder in folders:
        found = sorted(folder.glob("*.json")) or sorted(folder.rglob("resultados/*.json"))
        if not found:
            raise ValueError(
                f"en {folder} no hay resultados (archivos .json de «corregir --tarea»)"
            )
        for path in found:
            write_atomically(
                course.results(assignment) / path.name, path.read_text(encoding="utf-8")
            )
            brought += 1
    return brought
