"""Los cuadernos maestros: dónde están, cómo se recuadra un enunciado y si dicen lo que sus fichas.

Un maestro (`chapters/<parte>/maestros/<tema>_ejercicios.ipynb`) lleva de cada ejercicio tres
celdas: el enunciado, la respuesta y la prueba. Lo leen nbgrader y el generador de cuadernos.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from tfcourse.exercises.engine import Exercise

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# El recuadro del enunciado, en el maestro y en el cuaderno del estudiante. El segundo usa HTML
# porque Colab y Jupyter, que no conocen las directivas de MyST, las mostrarían tal cual.
DIRECTIVE = re.compile(
    r"^:::\{exercise\}\n:label: (?P<label>[a-z0-9-]+)\n\n(?P<body>.+)\n:::$",
    re.DOTALL | re.MULTILINE,
)
BOX = """\
<div class="admonition exercise" id="{label}">
<p class="admonition-title">{kind} {number}</p>

{body}

</div>"""


def masters(root: Path) -> list[Path]:
    """Cuadernos maestros, por su carpeta y su nombre."""
    return sorted((root / "chapters").glob("*/maestros/*_ejercicios.ipynb"))


def project_masters(root: Path) -> list[Path]:
    """Los maestros de los proyectos, con las mismas celdas que los de ejercicios."""
    return sorted((root / "chapters").glob("*/maestros/proyecto_*.ipynb"))


def student_path(master: Path) -> Path:
    """Dónde va el cuaderno del estudiante de un maestro."""
    return master.parent.parent / master.name


def boxed(source: str, number: int, kind: str = "Ejercicio") -> str:
    """El enunciado con su recuadro, que se ve igual en el sitio, en Colab y en Jupyter.

    El sitio pone delante el número del capítulo, que no se sabe hasta que se lee el índice.
    """
    return DIRECTIVE.sub(
        lambda found: BOX.format(number=number, kind=kind, **found.groupdict()), source
    )


def exercise_id(grade_id: str) -> str:
    """`contexto-respuesta` → `contexto`."""
    return grade_id.rpartition("-")[0]


def exercise_ids(notebook: NotebookNode) -> list[str]:
    """El ejercicio de cada celda que se corrige, en su orden y con repeticiones."""
    return [
        exercise_id(cell.metadata["nbgrader"]["grade_id"])
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    ]


def disagreements(notebook: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    """En qué contradice un maestro a las fichas de sus ejercicios."""
    by_id = {cell.id: cell for cell in notebook.cells}
    for name in dict.fromkeys(exercise_ids(notebook)):
        if name not in exercises:
            yield f"el ejercicio {name!r} no está en el banco"
            continue
        missing = {f"{name}-{part}" for part in ("enunciado", "respuesta", "prueba")} - by_id.keys()
        if missing:
            yield f"faltan las celdas {', '.join(sorted(missing))}"
            continue
        yield from _cell_disagreements(exercises[name], by_id)
    yield from _wrong_totals(notebook, exercises)


def _wrong_totals(notebook: NotebookNode, exercises: dict[str, Exercise]) -> Iterator[str]:
    names = exercises.keys() & exercise_ids(notebook)
    cards = [exercises[name].card for name in names]
    minutes = sum(card.minutes for card in cards)
    points = sum(card.points + card.manual_points for card in cards)
    for wanted in (f"{minutes} minutos", f"{points} puntos"):
        if wanted not in notebook.cells[0].source:
            yield f"la portada debe decir «{wanted}», que es lo que suman los ejercicios"


def _cell_disagreements(exercise: Exercise, by_id: dict[str, NotebookNode]) -> Iterator[str]:
    card = exercise.card
    statement, test = by_id[f"{card.id}-enunciado"], by_id[f"{card.id}-prueba"]
    for wanted in (f"## {card.title}\n", card.summary, exercise.terms):
        if wanted not in statement.source:
            yield f"el enunciado de {card.id!r} debe decir «{wanted.strip()}», como su ficha"
    box = DIRECTIVE.search(statement.source)
    if not box or box["label"] != f"ej-{card.id}":
        yield f"el enunciado de {card.id!r} debe ir en `:::{{exercise}}` con `:label: ej-{card.id}`"
    answer = by_id[f"{card.id}-respuesta"].source
    if not re.search(rf"^(def|class) {exercise.task.function}\b", answer, re.MULTILINE):
        yield f"la respuesta de {card.id!r} debe definir `{exercise.task.function}`"
    if test.source != f'comprobar("{card.id}")':
        yield f'la prueba de {card.id!r} debe ser `comprobar("{card.id}")`'
    if test.metadata["nbgrader"]["points"] != card.points:
        yield f"la prueba de {card.id!r} debe valer {card.points} puntos, como su ficha"
