"""El cuaderno de cada estudiante: el mismo, con las constantes que le han tocado."""

import copy
import zipfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.roster import Student
from tfcourse.training.progress import progress


def personal_notebook(
    assignment: Assignment, release: NotebookNode, student: str | None
) -> NotebookNode:
    """El cuaderno que recibe un estudiante; sin semilla, el de todos.

    De sus constantes no lleva más que lo que dice el enunciado: con el número de la variante, el
    paquete instalado daría la respuesta.
    """
    notebook = copy.deepcopy(release)
    if assignment.seed is None or student is None:
        return notebook
    cells = {cell.id: cell for cell in notebook.cells}
    for item in assignment.items:
        variant = assignment.variant(item, student)
        if not variant.changes:
            continue
        statement, test = cells[f"{item.id}-enunciado"], cells[f"{item.id}-prueba"]
        statement.source = variant.rewrite(statement.source)
        if test.source.startswith("comprobar("):
            number = assignment.variant_number(student, item.id)
            option = "solo_forma=True" if assignment.sealed else f"variante={number}"
            test.source = f'comprobar("{item.id}", {option})'
    notebook.metadata["tfcourse"] = {
        "tarea": assignment.name,
        "estudiante": assignment.owner(student),
    }
    return notebook


def write_variants(course: Course, assignment: Assignment, roster: list[Student]) -> Path:
    """Un zip con el cuaderno de cada estudiante de la lista, en una carpeta con su nombre."""
    return _write(course, assignment, roster, "variantes.zip")


def write_new_variants(
    course: Course, assignment: Assignment, roster: list[Student]
) -> tuple[Path, list[str]]:
    """Los cuadernos de quienes no estaban, en `variantes-nuevas.zip`; también quiénes son.

    `variantes.zip` queda con los de todos; los de antes no cambian. Errores: `ValueError` si la
    tarea no reparte variantes.
    """
    if assignment.seed is None:
        raise ValueError(
            f"«{assignment.name}» no reparte variantes: quien llegue tarde recibe el de todos, "
            f"{course.release(assignment.name)}"
        )
    known = _inside(course.folder(assignment.name) / "variantes.zip")
    new = [student for student in roster if _file(assignment, student) not in known]
    target = _write(course, assignment, new, "variantes-nuevas.zip")
    write_variants(course, assignment, roster)
    return target, [student.full_name for student in new]


def _inside(path: Path) -> set[str]:
    if not path.exists():
        return set()
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def _file(assignment: Assignment, student: Student) -> str:
    return f"{student.full_name} ({student.id})/{assignment.name}.ipynb"


def _write(course: Course, assignment: Assignment, roster: list[Student], name: str) -> Path:
    release = nbformat.read(course.release(assignment.name), as_version=4)
    target = course.folder(assignment.name) / name
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for student in progress(roster, total=len(roster), description="variantes"):
            text = nbformat.writes(personal_notebook(assignment, release, student.id)) + "\n"
            archive.writestr(_file(assignment, student), text)
    return target
