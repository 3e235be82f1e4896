"""Una clase de dos mil personas, de recoger a devolver: cuánto procesador gasta cada paso.

Las entregas son de verdad (bien, mal, en blanco) y pasan por las mismas órdenes que las de una
clase de veinte. Lo único que no se hace dos mil veces es levantar el recinto: el código, que aquí
se sabe de quién es, se ejecuta en este proceso. Lo que cuesta dar a cada entrega un proceso, como
hace el recinto, se mide con unas cuantas; lo que gasta bubblewrap no se puede leer y no está.
`python -m benchmarks.class_of_2000` pone la tabla en su página.
"""

import copy
import os
import random
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
import torch

from tfcourse.exercises.data import other_data
from tfcourse.exercises.markers import solved
from tfcourse.stored.results import load_results
from tfcourse.teaching import classroom
from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.autograded import graded_notebook
from tfcourse.teaching.classroom import Run, grade_and_store
from tfcourse.teaching.collect import collect
from tfcourse.teaching.create import create_assignment, items_from
from tfcourse.teaching.export import fill_sheet
from tfcourse.teaching.feedback import write_feedback
from tfcourse.teaching.likeness import class_pairs
from tfcourse.teaching.recording import record
from tfcourse.teaching.results import merge_results, standing
from tfcourse.teaching.submission import arrange, read_notebook
from tfcourse.teaching.summary import summary_text
from tfcourse.teaching.variants import personal_notebook

NAME = "clase_de_dos_mil"
TASK = "tarea-1"
ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- tabla -->", "<!-- fin -->"
PAGE = ROOT / "chapters/docencia/mas_de_una_maquina.md"
EXERCISES = ("memoria", "contexto", "a-mano")
PEOPLE, PARTS, IN_THE_BOX = 2_000, 8, 12
WRONG = {"contexto-respuesta": "def context_vector(alpha, h):\n    return h.sum(dim=1)\n"}
STEPS = {
    "crear": "crear la tarea",
    "recoger": "recoger el zip y la hoja",
    "corregir": "corregir, todas en el mismo proceso",
    "recinto": "corregir unas cuantas con un proceso para cada una, sin bubblewrap",
    "reunir": "reunir las ocho partes",
    "apuntar": "apuntar en el libro de notas",
    "repetir": "volver a apuntar, sin cambios",
    "exportar": "rellenar la hoja de Moodle",
    "devolver": "escribir las páginas y su zip",
    "resumen": "resumir",
    "parecidos": "buscar parecidos",
}


def settings() -> dict:
    """Todo lo que define la tabla."""
    return {"people": PEOPLE, "parts": PARTS, "boxed": IN_THE_BOX, "exercises": list(EXERCISES)}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por paso y semilla: cuántas entregas y cuántos segundos."""
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            for step, count, seconds in run_class(Path(folder), PEOPLE, IN_THE_BOX, seed):
                yield {"seed": seed, "step": step, "count": count, "seconds": seconds}


def run_class(
    folder: Path, people: int, boxed: int, seed: int = 0
) -> Iterator[tuple[str, int, float]]:
    """Los pasos, uno por uno; con la semilla se decide quién se equivoca."""
    course = Course(folder / "curso")
    wanted = Assignment(TASK, "Tarea", items_from(list(EXERCISES), None), "", "2026-12-03T23:59")
    clock = _Clock()
    create_assignment(course, ROOT, wanted)
    yield "crear", 1, clock.lap()
    assignment = course.load(TASK)
    release = nbformat.read(course.release(TASK), as_version=4)
    source = nbformat.read(course.source(TASK), as_version=4)
    answers = {c.id: solved(c.source) for c in source.cells if c.id.endswith("-respuesta")}
    right, wrong = _filled(release, answers), _filled(release, answers | WRONG)
    kinds = (right, right, wrong, nbformat.writes(release))
    archive, sheet = _hand_in(folder, assignment.points, kinds, people, random.Random(seed))
    clock.lap()
    collect(course, assignment, archive, sheet)
    yield "recoger", people, clock.lap()
    if boxed:
        few = Course(folder / "unas-cuantas")
        shutil.copytree(course.root, few.root, ignore=_but(course.students(TASK)[:boxed]))
        clock.lap()
        for student in few.students(TASK):
            run = Run(isolated=False)  # el procesador que gasta bubblewrap no se puede leer
            grade_and_store(classroom.grade_student, few, assignment, run, student)
        boxed = len(standing(few, assignment).good)
        yield "recinto", boxed, clock.lap()
    students = course.students(TASK)
    for part in range(PARTS):
        for student in students[part::PARTS]:
            grade_and_store(grade_here, course, assignment, Run(), student)
    yield "corregir", people, clock.lap()
    machines = _spread(course, students, folder)
    clock.lap()
    merge_results(course, assignment, machines)
    yield "reunir", people, clock.lap()
    good = standing(course, assignment).good
    record(course, assignment, good)
    yield "apuntar", len(good), clock.lap()
    record(course, assignment, standing(course, assignment).good)
    yield "repetir", len(good), clock.lap()
    filled = fill_sheet(course, assignment, sheet, ",")
    yield "exportar", sum(row[4] != "" for row in filled.rows[1:]), clock.lap()
    written, _ = write_feedback(course, assignment)
    yield "devolver", len(written), clock.lap()
    summary_text(course, assignment)
    yield "resumen", len(good), clock.lap()
    class_pairs(course, assignment)
    yield "parecidos", len(good), clock.lap()


class _Clock:
    """Los segundos de procesador desde la última vuelta, también los de otros procesos.

    Los de reloj dependerían de lo ocupada que esté la máquina.
    """

    def __init__(self):
        self.last = self._now()

    @staticmethod
    def _now() -> float:
        spent = os.times()
        return spent.user + spent.system + spent.children_user + spent.children_system

    def lap(self) -> float:
        now = self._now()
        seconds, self.last = now - self.last, now
        return seconds


def grade_here(course: Course, assignment: Assignment, student: str, run: Run) -> dict:
    """Como `grade_student`, con el código en este proceso: solo para entregas nuestras."""
    release = nbformat.read(course.release(TASK), as_version=4)
    original = personal_notebook(assignment, release, student)
    exercises = {item.id: assignment.exercise(item, student) for item in assignment.items}
    functions = {name: exercise.task.function for name, exercise in exercises.items()}
    submission = arrange(read_notebook(course.submitted(student, TASK)), original, functions)
    names, found, shares = {"torch": torch}, {}, {}
    for step in submission.steps:
        if step.kind == "celda":
            exec(compile(step.source, "<celda>", "exec"), names)
            continue
        with other_data(assignment.salt(student, step.name)):
            verdict = exercises[step.name].judge(names.get(functions[step.name]))
        found[step.name], shares[step.name] = verdict.diagnosis, (verdict.right, verdict.total)
    result = classroom._row(assignment, found, "corregida", shares)
    result |= {"notes": submission.notes, "answers": classroom._kept(submission)}
    path = course.autograded(student, TASK)
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(graded_notebook(original, submission, result), path)
    return result


def _hand_in(
    folder: Path, points: int, kinds: Sequence[str], people: int, chance: random.Random
) -> tuple[Path, Path]:
    """El zip de Moodle y su hoja, con una entrega de esas por persona."""
    archive, sheet = folder / "entregas.zip", folder / "hoja.csv"
    lines = [
        "Identificador,Nombre completo,Dirección de correo,Estado,Calificación,Calificación máxima,"
        "Última modificación (entrega),Última modificación (calificación),"
        "Comentarios de retroalimentación"
    ]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for i in range(people):
            stem = f"Persona Número {i}_{1000 + i}_assignsubmission_file"
            target.writestr(f"{stem}/{TASK}.ipynb", chance.choice(kinds))
            lines.append(
                f"Participante {1000 + i},Persona Número {i},p{i}@uni.es,Enviado para calificar,,"
                f'"{points},00","jueves, 3 de diciembre de 2026, 10:00",-,'
            )
    sheet.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return archive, sheet


def _filled(release: nbformat.NotebookNode, answers: dict[str, str]) -> str:
    notebook = copy.deepcopy(release)
    for cell in notebook.cells:
        if cell.id.endswith("-respuesta"):
            cell.source = answers[cell.id]
    return nbformat.writes(notebook)


def _but(kept: Sequence[str]):
    """Qué no se copia: las entregas de los demás."""
    wanted = {*kept}

    def ignore(folder: str, names: list[str]) -> list[str]:
        here = Path(folder).name
        if here == "submitted":
            return [name for name in names if name not in wanted]
        return [name for name in names if here == "entregas" and Path(name).stem not in wanted]

    return ignore


def _spread(course: Course, students: list[str], folder: Path) -> list[Path]:
    """Los resultados, en la carpeta de la máquina que los hizo, como si llegaran de fuera."""
    machines = [folder / f"maquina-{part}" for part in range(PARTS)]
    for part, machine in enumerate(machines):
        machine.mkdir()
        for student in students[part::PARTS]:
            shutil.move(course.results(TASK) / f"{student}.json", machine)
    return machines


def markdown(rows: Sequence[dict]) -> str:
    """La tabla de la página."""
    found = {row["step"]: row for row in rows if row["seed"] == 0}
    lines = ["| paso | entregas | segundos de procesador | por entrega |", "|---|---|---|---|"]
    for step, title in STEPS.items():
        row = found[step]
        each = 1000 * row["seconds"] / row["count"]
        shown = f"{each:.0f} ms" if each >= 0.5 else "menos de 1 ms"
        shown = shown if row["count"] > 1 else "—"
        lines.append(f"| {title} | {_thousands(row['count'])} | {row['seconds']:.0f} | {shown} |")
    return "\n".join(lines)


def _thousands(value: int) -> str:
    return f"{value:,}".replace(",", "\u202f") if value >= 10_000 else str(value)


def page(text: str, rows: Sequence[dict]) -> str:
    """La página con la tabla puesta entre sus marcas."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{markdown(rows)}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    told = page(PAGE.read_text(encoding="utf-8"), load_results(NAME, settings()))
    PAGE.write_text(told, encoding="utf-8")
