"""Cuadernos de ejercicios del estudiante, generados a partir de los maestros.

El maestro (`chapters/<parte>/maestros/<tema>_ejercicios.ipynb`) es la única fuente: lo lee
nbgrader y de él sale, junto al capítulo, el cuaderno que publica el sitio y que abre Colab.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.markers import TEXT_STUB, blanked, solved
from tfcourse.exercises.masters import (
    METADATA,
    boxed,
    disagreements,
    exercise_id,
    exercise_ids,
    masters,
    project_masters,
    student_path,
)
from tfcourse.files import write_atomically
from tfcourse.projects.steps.registry import STEPS
from workshop.kinds import check_kinds, write_kinds
from workshop.lent_pieces import check_lent_pieces, write_lent_pieces

# Un hueco sin rellenar falla a propósito, y lo que dice depende de lo que se haya escrito.
TEST_TAGS = ["raises-exception", "nbval-ignore-output"]
# Las celdas de un proyecto que usan las piezas: hasta que no están escritas, también fallan.
RESULT = "resultado-"

SOLUTION = """\
<details class="solucion">
<summary>Solución: {title}</summary>

{body}

</details>"""


def write_student_notebooks(root: Path) -> list[Path]:
    """Genera los cuadernos del estudiante; devuelve los que cambiaron."""
    changed = []
    for master in [*masters(root), *project_masters(root)]:
        target, text = student_path(master), student_text(master)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            write_atomically(target, text)
            changed.append(target)
    return changed + write_lent_pieces(root) + write_kinds(root)


def check_student_notebooks(root: Path) -> list[str]:
    """Lo que está sin generar, anticuado o en desacuerdo con las fichas de los ejercicios."""
    problems, found, known = [], [], EXERCISES | STEPS
    sources = [*masters(root), *project_masters(root)]
    for master in sources:
        notebook = nbformat.read(master, as_version=4)
        problems += [f"{master}: {problem}" for problem in disagreements(notebook, known)]
        found += exercise_ids(notebook)
        target = student_path(master)
        if not target.exists():
            problems.append(f"{target} no existe; ejecuta «make ejercicios»")
        elif target.read_text(encoding="utf-8") != student_text(master):
            problems.append(f"{target} no sale de su maestro; ejecuta «make ejercicios»")
    pages = (root / "chapters").glob
    orphans = set(chain(pages("*/*_ejercicios.ipynb"), pages("*/proyecto_*.ipynb"))) - {
        student_path(master) for master in sources
    }
    problems += [f"{path} no tiene maestro: escríbelo o bórralo" for path in sorted(orphans)]
    missing = [name for name in known if name not in found]
    problems += [f"el ejercicio {name!r} no está en ningún maestro" for name in missing]
    return problems + check_lent_pieces(root) + check_kinds(root)


def student_text(master: Path) -> str:
    """Cuaderno del estudiante, como texto: siempre el mismo para el mismo maestro."""
    return student_notebook_text(nbformat.read(master, as_version=4))


def student_notebook_text(master: NotebookNode) -> str:
    """Lo mismo, de un maestro ya leído."""
    student = new_notebook(cells=list(_student_cells(master.cells)), metadata=METADATA)
    nbformat.validate(student)
    return nbformat.writes(student) + "\n"


def _student_cells(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Cada enunciado con su número, su hueco, su comprobación y su solución plegada."""
    pending, position = None, 0
    project = _is_project(cells)
    for cell in cells:
        grader = cell.metadata.get("nbgrader")
        if cell.id.endswith("-enunciado"):
            position += 1
            kind = "Paso" if project else "Ejercicio"
            yield _copy(cell, cell.id, boxed(cell.source, position, kind))
        elif cell.id.startswith(RESULT):
            yield _copy(cell, cell.id, cell.source, tags=TEST_TAGS)
        elif grader is None:
            yield _copy(cell, cell.id, cell.source, tags=cell.metadata.get("tags"))
        elif cell.cell_type == "markdown":
            yield _copy(cell, grader["grade_id"], blanked(cell.source, TEXT_STUB))
            yield _solution(cell)
        elif grader["solution"]:
            yield _copy(cell, grader["grade_id"], blanked(cell.source))
            pending = cell
        else:
            yield _copy(cell, grader["grade_id"], cell.source, tags=TEST_TAGS)
            if not project:  # lo que falte de un proyecto se toma prestado
                yield _solution(pending)


def _is_project(cells: list[NotebookNode]) -> bool:
    """Si un maestro es el de un proyecto."""
    return any(exercise_id(cell.id) in STEPS for cell in cells)


def _copy(cell: NotebookNode, cell_id: str, source: str, tags: list[str] | None = None):
    make = new_code_cell if cell.cell_type == "code" else new_markdown_cell
    kept = {name: cell.metadata[name] for name in ("mystnb",) if name in cell.metadata}
    return make(source, id=cell_id, metadata=kept | ({"tags": list(tags)} if tags else {}))


def _solution(cell: NotebookNode) -> NotebookNode:
    """La solución, plegada: es texto y no código, así que no puede pisar la respuesta.

    `<details>` se pliega igual en el sitio, en Colab y en Jupyter, también sin JavaScript.
    """
    name = cell.metadata["nbgrader"]["grade_id"]
    body = solved(cell.source)
    if cell.cell_type == "code":
        body = f"```python\n{body}\n```"
    title = EXERCISES[exercise_id(name)].card.title
    return new_markdown_cell(SOLUTION.format(title=title, body=body), id=f"{name}-solucion")
