"""Corregir una clase: en paralelo, reanudable y repartible entre máquinas.

Cada entrega da un archivo de resultados que se escribe de una vez. Reanudar es no repetir las que
ya lo tienen con la misma huella; reunir varias máquinas es juntar esos archivos.
"""

import json
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial

import nbformat
from nbformat import NotebookNode

from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.autograded import graded_notebook
from tfcourse.teaching.grading import Grader
from tfcourse.teaching.guard import bounded, clean, clean_fields, clean_notes, failure_text
from tfcourse.teaching.limits import Limits, limit_memory
from tfcourse.teaching.results import (
    FORMAT,
    OUR_FAILURE,
    fingerprint,
    is_done,
    result_file,
    state_of,
    submission_mark,
)
from tfcourse.teaching.submission import Submission, UnreadableSubmission, arrange, read_notebook
from tfcourse.teaching.variants import personal_notebook
from tfcourse.training.progress import progress

FATAL = "la entrega ha acabado con el proceso que la corregía: mírala aparte y avísanos"


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
    everybody = course.students(assignment.name)
    if not everybody:
        raise ValueError(f"no hay entregas de «{assignment.name}»: recógelas con «docente recoger»")
    students = everybody[index - 1 :: parts]  # con más partes que entregas, alguna queda vacía
    pending = [s for s in students if run.again or not is_done(course, assignment, s)]
    one = partial(grade_and_store, grade or grade_student, course, assignment, run)
    graded = _grade_all(one, pending, run)
    for _ in progress(graded, total=len(pending), description="corrigiendo"):
        pass
    states = [state_of(course, assignment, student)[1] for student in students]
    return [result for result in states if result is not None], len(pending)


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
    """Ctrl+C lo atiende quien reparte, y ninguna entrega puede dejar sin memoria a la máquina.

    Si quien reparte se muere sin despedirse, este proceso no se queda esperándolo.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_memory(memory)
    if parent := multiprocessing.parent_process():
        threading.Thread(target=_die_with, args=(parent.sentinel,), daemon=True).start()


def _die_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def grade_and_store(
    grade: Grade, course: Course, assignment: Assignment, run: Run, student: str, fatal=False
) -> None:
    """Corrige una entrega y guarda su resultado; lo que falle se apunta y no para la clase.

    Con `fatal` no se corrige, que acabaría con el proceso: solo se apunta. Aquí una interrupción
    también es de la entrega: la de quien corrige la atiende otro proceso. Errores: `OSError` si no
    se puede escribir, que es de todos.
    """
    started = time.perf_counter()
    mark = ""
    try:
        mark = fingerprint(course, assignment, student)
        if fatal:
            result = _failure(assignment, FATAL)
        else:
            with bounded(run.limits.outside_seconds, run.memory):
                result = grade(course, assignment, student, run)
    except BaseException as error:
        why = f"fallo del corrector ({failure_text(error)}): avísanos"
        result = _failure(assignment, why)
    result |= {"student": student, "fingerprint": mark}
    result |= {"submission": submission_mark(course, assignment, student)}
    result |= {"graded": datetime.now(UTC).isoformat()}
    result["seconds"] = round(time.perf_counter() - started, 2)
    path = result_file(course, assignment.name, student)
    try:
        text = _serialised(result)
    except Exception as error:
        failed = _failure(assignment, f"fallo del corrector ({failure_text(error)}): avísanos")
        text = _serialised(failed | {"student": student, "fingerprint": mark})
    write_atomically(path, text)


def _serialised(result: dict) -> str:
    text = json.dumps(result, ensure_ascii=False, indent=1) + "\n"
    return text.encode("utf-8", "replace").decode()


def _failure(assignment: Assignment, why: str) -> dict:
    return _row(assignment, {}, OUR_FAILURE) | {"notes": [why]}


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
        return result | {"notes": [clean(error)], "answers": {}}
    submission = arrange(submitted, original, functions)
    submission.notes += _whose(submitted, assignment, student)
    grader = Grader(submission, run.limits, run.isolated)
    found = grader.grade(exercises)
    result = _row(assignment, found, "corregida", grader.shares)
    result |= {"notes": clean_notes(submission.notes), "answers": _kept(submission)}
    notebook = graded_notebook(original, submission, result)
    text = nbformat.writes(notebook) + "\n"
    write_atomically(course.autograded(student, assignment.name), text)
    return result


def _whose(submitted: NotebookNode, assignment: Assignment, student: str) -> list[str]:
    """El aviso de que se ha entregado la variante de otra persona."""
    card = submitted.metadata.get("tfcourse")
    owner = card.get("estudiante") if isinstance(card, dict) else None
    if owner in (None, student, assignment.owner(student)):
        return []
    return [f"el cuaderno es la variante de «{clean(owner, 80)}»: se corrige con sus propios datos"]


def _kept(submission: Submission) -> dict[str, str]:
    return {name: source[:20_000] for name, source in submission.answers.items()}


def _row(assignment: Assignment, found: dict, status: str, shares: dict | None = None) -> dict:
    """Los puntos de cada ejercicio: todos si no hay nada que objetar; si no, ninguno.

    Si la tarea puntúa por casos, los de los casos que se hacen bien, que dice `shares`.
    """
    rows = []
    for item in assignment.items:
        diagnosis = found.get(item.id, Diagnosis("sin-corregir", "no se ha podido corregir"))
        details = asdict(diagnosis) if diagnosis else {"key": "correcto", "likely": None}
        points = 0 if diagnosis else item.points
        row = {"id": item.id, "points": points, "maximum": item.points}
        if diagnosis and assignment.partial and item.id in (shares or {}):
            right, total = shares[item.id]
            row |= {"points": round(item.points * right / total, 2), "right": right, "total": total}
        rows.append(row | {"manual": item.manual_points} | clean_fields(details))
    return {"format": FORMAT, "status": status, "exercises": rows, "notes": []}
