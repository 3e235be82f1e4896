"""Cuadernos de ejercicios del estudiante, generados a partir de los maestros.

El maestro (`chapters/<parte>/maestros/<NN_tema>_ejercicios.ipynb`) es la única fuente: lo lee
nbgrader y de él sale, junto al capítulo, el cuaderno que publica el sitio y que abre Colab.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tfcourse.exercises.engine import Exercise
from tfcourse.exercises.markers import TEXT_STUB, blanked, solved
from tfcourse.exercises.registry import EXERCISES
from tfcourse.files import write_atomically

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# Un hueco sin rellenar falla a propósito, y lo que dice depende de lo que se haya escrito.
TEST_TAGS = ["raises-exception", "nbval-ignore-output"]

# El recuadro del enunciado, en el maestro y en el cuaderno del estudiante. El segundo usa HTML
# porque Colab y Jupyter, que no conocen las directivas de MyST, las mostrarían tal cual.
DIRECTIVE = re.compile(
    r"^:::\{exercise\}\n:label: (?P<label>[a-z0-9-]+)\n\n(?P<body>.+)\n:::$",
    re.DOTALL | re.MULTILINE,
)
BOX = """\
<div class="admonition exercise" id="{label}">
<p class="admonition-title">Ejercicio {number}</p>

{body}

</div>"""

SOLUTION = """\
<details class="solucion">
<summary>Solución: {title}</summary>

{body}

</details>"""


def masters(root: Path) -> list[Path]:
    """Cuadernos maestros, en orden."""
    return sorted((root / "chapters").glob("*/maestros/*_ejercicios.ipynb"))


def student_path(master: Path) -> Path:
    """Dónde va el cuaderno del estudiante de un maestro."""
    return master.parent.parent / master.name


def write_student_notebooks(root: Path) -> list[Path]:
    """Genera los cuadernos del estudiante; devuelve los que cambiaron."""
    changed = []
    for master in masters(root):
        target, text = student_path(master), student_text(master)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            write_atomically(target, text)
            changed.append(target)
    return changed


def check_student_notebooks(root: Path) -> list[str]:
    """Lo que está sin generar, anticuado o en desacuerdo con las fichas de los ejercicios."""
    problems, found = [], []
    for master in masters(root):
        notebook = nbformat.read(master, as_version=4)
        problems += [f"{master}: {problem}" for problem in disagreements(notebook, EXERCISES)]
        found += _exercise_ids(notebook)
        target = student_path(master)
        if not target.exists():
            problems.append(f"{target} no existe; ejecuta «make ejercicios»")
        elif target.read_text(encoding="utf-8") != student_text(master):
            problems.append(f"{target} no sale de su maestro; ejecuta «make ejercicios»")
    orphans = set((root / "chapters").glob("*/*_ejercicios.ipynb")) - {
        student_path(master) for master in masters(root)
    }
    problems += [f"{path} no tiene maestro: escríbelo o bórralo" for path in sorted(orphans)]
    missing = [name for name in EXERCISES if name not in found]
    problems += [f"el ejercicio {name!r} no está en ningún maestro" for name in missing]
    return problems


def student_text(master: Path) -> str:
    """Cuaderno del estudiante, como texto: siempre el mismo para el mismo maestro."""
    notebook = nbformat.read(master, as_version=4)
    cells = list(_student_cells(notebook.cells, chapter=int(master.name.split("_")[0])))
    student = new_notebook(cells=cells, metadata=METADATA)
    nbformat.validate(student)
    return nbformat.writes(student) + "\n"


def _student_cells(cells: list[NotebookNode], chapter: int) -> Iterator[NotebookNode]:
    """Cada enunciado con su número, su hueco, su comprobación y su solución plegada."""
    pending, position = None, 0
    for cell in cells:
        grader = cell.metadata.get("nbgrader")
        if cell.id.endswith("-enunciado"):
            position += 1
            yield _copy(cell, cell.id, boxed(cell.source, f"{chapter}.{position}"))
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
            yield _solution(pending)


def boxed(source: str, number: str) -> str:
    """El enunciado con su recuadro, que se ve igual en el sitio, en Colab y en Jupyter."""
    return DIRECTIVE.sub(lambda found: BOX.format(number=number, **found.groupdict()), source)


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
    title = EXERCISES[_exercise_id(name)].card.title
    return new_markdown_cell(SOLUTION.format(title=title, body=body), id=f"{name}-solucion")


def _exercise_id(grade_id: str) -> str:
    """`contexto-respuesta` → `contexto`."""
    return grade_id.rpartition("-")[0]


def _exercise_ids(notebook: NotebookNode) -> list[str]:
    return [
        _exercise_id(cell.metadata["nbgrader"]["grade_id"])
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    ]


def disagreements(notebook: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    """En qué contradice un maestro a las fichas de sus ejercicios."""
    by_id = {cell.id: cell for cell in notebook.cells}
    for name in dict.fromkeys(_exercise_ids(notebook)):
        if name not in exercises:
            yield f"el ejercicio {name!r} no está registrado en tfcourse.exercises"
            continue
        missing = {f"{name}-{part}" for part in ("enunciado", "respuesta", "prueba")} - by_id.keys()
        if missing:
            yield f"faltan las celdas {', '.join(sorted(missing))}"
            continue
        yield from _cell_disagreements(exercises[name], by_id)
    yield from _wrong_totals(notebook, exercises)


def _wrong_totals(notebook: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    names = exercises.keys() & _exercise_ids(notebook)
    cards = [exercises[name].card for name in names]
    minutes = sum(card.minutes for card in cards)
    points = sum(card.points + card.manual_points for card in cards)
    for wanted in (f"{minutes} minutos", f"{points} puntos"):
        if wanted not in notebook.cells[0].source:
            yield f"la portada debe decir «{wanted}», que es lo que suman los ejercicios"


def _cell_disagreements(exercise: Exercise, by_id: dict[str, NotebookNode]) -> Iterator[str]:
    card = exercise.card
    statement, test = by_id[f"{card.id}-enunciado"], by_id[f"{card.id}-prueba"]
    for wanted in (f"## {card.title}\n", card.summary):
        if wanted not in statement.source:
            yield f"el enunciado de {card.id!r} debe decir «{wanted.strip()}», como su ficha"
    box = DIRECTIVE.search(statement.source)
    if not box or box["label"] != f"ej-{card.id}":
        yield f"el enunciado de {card.id!r} debe ir en `:::{{exercise}}` con `:label: ej-{card.id}`"
    if f"def {exercise.task.function}(" not in by_id[f"{card.id}-respuesta"].source:
        yield f"la respuesta de {card.id!r} debe definir `{exercise.task.function}`"
    if test.source != f'comprobar("{card.id}")':
        yield f'la prueba de {card.id!r} debe ser `comprobar("{card.id}")`'
    if test.metadata["nbgrader"]["points"] != card.points:
        yield f"la prueba de {card.id!r} debe valer {card.points} puntos, como su ficha"
