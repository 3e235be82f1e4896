"""Leer una entrega sin fiarse de ella y devolverla a la forma de la tarea.

De lo que llega solo cuentan las respuestas y las celdas que el estudiante haya añadido: las
pruebas y los enunciados se toman siempre del original.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tfcourse.teaching.guard import storable

MAX_BYTES = 20_000_000
MAX_CELLS, MAX_SOURCE = 2_000, 100_000
SKIPPED = ("preparacion",)
EXPERIMENT = "-experimento"


class UnreadableSubmission(Exception):
    """Lo entregado no es un cuaderno que se pueda leer; el mensaje dice por qué."""


@dataclass(frozen=True)
class Step:
    """Un paso de la corrección: ejecutar una celda o comprobar un ejercicio."""

    kind: str  # «celda» o «comprobar»
    name: str
    source: str = ""


@dataclass
class Submission:
    """Una entrega ya ordenada: qué se ejecuta, qué contestó y qué se ha tenido que arreglar."""

    steps: list[Step]
    answers: dict[str, str]
    notes: list[str] = field(default_factory=list)


def read_notebook(path: Path) -> NotebookNode:
    """Lee el cuaderno entregado. Errores: `UnreadableSubmission`."""
    try:
        if not path.is_file():
            raise UnreadableSubmission(f"no está el cuaderno: se esperaba «{path.name}»")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableSubmission(f"el archivo no se puede abrir ({error.strerror})") from None
    if not data:
        raise UnreadableSubmission("el archivo está vacío")
    if len(data) > MAX_BYTES:
        raise UnreadableSubmission(f"el archivo ocupa más de {MAX_BYTES / 1e6:.0f} MB")
    try:
        text = data.decode("utf-8-sig")
        _check_cells(text)
        notebook = nbformat.reads(text, as_version=4)
        cells = [_clean(cell) for cell in notebook.cells]
    except UnreadableSubmission:
        raise
    except RecursionError:
        raise UnreadableSubmission("el archivo no es un cuaderno de Jupyter") from None
    except Exception as error:
        raise UnreadableSubmission(
            f"el archivo no es un cuaderno de Jupyter ({type(error).__name__})"
        ) from None
    notebook.cells = cells
    return notebook


def _check_cells(text: str) -> None:
    """Errores: `UnreadableSubmission` si tiene tantas celdas que cuesta hasta leerlas."""
    data = json.loads(text)
    cells = data.get("cells") if type(data) is dict else None
    if type(cells) is list and len(cells) > MAX_CELLS:
        raise UnreadableSubmission(f"tiene {len(cells)} celdas y el máximo son {MAX_CELLS}")


def _clean(cell: NotebookNode) -> NotebookNode:
    if not isinstance(cell.source, str) or cell.cell_type not in ("code", "markdown", "raw"):
        raise TypeError("celda")
    cell.source = storable(cell.source[:MAX_SOURCE])
    return cell


def cell_name(cell: NotebookNode) -> str:
    """El nombre de una celda: el de nbgrader o, si se perdió, su identificador."""
    metadata = cell.get("metadata", {})
    grader = metadata.get("nbgrader")
    name = grader.get("grade_id") if isinstance(grader, dict) else None
    return storable(str(name or cell.get("id") or metadata.get("id") or "")[:200])


def arrange(
    submitted: NotebookNode, original: NotebookNode, functions: dict[str, str]
) -> Submission:
    """Ordena una entrega; `functions` dice qué función pide cada ejercicio.

    Las celdas de prueba se restauran: se anota si alguien las cambió, las borró o las repitió.
    """
    known = {cell_name(cell): cell for cell in original.cells}
    result = Submission([], {})
    seen: set[str] = set()
    for cell in original.cells:  # los import del original, aunque los hayan borrado
        if cell.cell_type == "code" and _is_given(cell):
            result.steps.append(Step("celda", f"original {cell_name(cell)}", cell.source))
    for position, cell in enumerate(submitted.cells, start=1):
        name = cell_name(cell)
        if name in known and known[name].cell_type != cell.cell_type:
            name = ""
        if name in known and name in seen:
            result.notes.append(f"la celda «{name}» está repetida: cuenta la primera")
            continue
        seen.add(name)
        _add_cell(result, cell, name, known, position)
    _add_missing(result, functions, seen)
    _add_lost_texts(result, submitted, original)
    _check_after_answer(result, functions)
    return result


def _add_lost_texts(result: Submission, submitted: NotebookNode, original: NotebookNode) -> None:
    """Busca por su sitio, tras el enunciado, las respuestas escritas que perdieron el nombre."""
    given = {cell.source.strip() for cell in original.cells}
    known = {cell_name(cell) for cell in original.cells}
    statements = {cell_name(cell): cell.source.strip() for cell in original.cells}
    for cell in original.cells:
        name = cell_name(cell)
        exercise = name.removesuffix("-texto")
        if name == exercise or cell.cell_type != "markdown" or name in result.answers:
            continue
        place, own = False, []
        for found in submitted.cells:
            text = found.source.strip()
            if text in given and found.cell_type == "markdown" and text != cell.source.strip():
                place = text == statements.get(f"{exercise}-enunciado")
            elif place and found.cell_type == "markdown" and cell_name(found) not in known:
                own.append(found.source)
        if own:
            result.answers[name] = "\n\n".join(own)
            result.notes.append(
                f"la respuesta escrita de «{exercise}» había perdido su nombre: se ha reconocido "
                "por su sitio"
            )
        else:
            result.notes.append(f"falta la celda de la respuesta escrita de «{exercise}»")


def _check_after_answer(result: Submission, functions: dict[str, str]) -> None:
    """Una comprobación que se movió delante de su respuesta se hace después."""
    for exercise in functions:
        names = [(step.kind, step.name) for step in result.steps]
        check, answer = ("comprobar", exercise), ("celda", f"{exercise}-respuesta")
        if check not in names or answer not in names:
            continue
        if names.index(check) < names.index(answer):
            step = result.steps.pop(names.index(check))
            result.steps.insert(names.index(answer), step)
            result.notes.append(
                f"la celda de prueba de «{exercise}» estaba antes que su respuesta: se ha "
                "comprobado después"
            )


def own_work(submitted: NotebookNode, original: NotebookNode) -> dict[str, list[NotebookNode]]:
    """Por ejercicio, lo que alguien hizo fuera de las respuestas: experimentos y otras celdas."""
    given = {cell_name(cell): cell.source for cell in original.cells}
    found: dict[str, list[NotebookNode]] = {}
    current = ""
    for cell in submitted.cells:
        name = cell_name(cell)
        if name in given:
            current = name.rpartition("-")[0]
        added = name not in given
        used = name.endswith(EXPERIMENT) and (cell.source != given.get(name) or cell.get("outputs"))
        if current and cell.source.strip() and (added or used):
            found.setdefault(current, []).append(cell)
    return found


def _is_given(cell: NotebookNode) -> bool:
    name = cell_name(cell)
    return (
        "nbgrader" not in cell.metadata or not cell.metadata["nbgrader"].get("grade_id", "")
    ) and not (name in SKIPPED or name.endswith(EXPERIMENT))


def _add_cell(result: Submission, cell, name: str, known: dict, position: int) -> None:
    if name.endswith("-prueba") and name in known:
        if cell.source.strip() != known[name].source.strip():
            result.notes.append(f"la celda de prueba «{name}» estaba cambiada: se ha restaurado")
        result.steps.append(Step("comprobar", name.removesuffix("-prueba")))
    elif cell.cell_type == "markdown":
        if name in known and "nbgrader" in known[name].metadata:
            result.answers[name] = cell.source
    elif cell.cell_type == "code" and name not in SKIPPED and not name.endswith(EXPERIMENT):
        if name.endswith("-respuesta") and name in known:
            result.answers[name] = cell.source
        if cell.source.strip():
            label = name if name in known else f"{position}"
            result.steps.append(Step("celda", label, cell.source))


def _add_missing(result: Submission, functions: dict[str, str], seen: set[str]) -> None:
    """Vuelve a poner lo que falta y busca por su función las respuestas que perdieron el nombre."""
    for exercise, function in functions.items():
        answer = f"{exercise}-respuesta"
        if answer not in result.answers:
            found = _find_definition(result.steps, function)
            if found is None:
                result.notes.append(f"falta la celda de respuesta de «{exercise}»")
            else:
                result.answers[answer] = found.source
                result.notes.append(
                    f"la celda de respuesta de «{exercise}» había perdido su nombre: se ha "
                    "reconocido "
                    f"por la función `{function}`"
                )
        if f"{exercise}-prueba" not in seen:
            result.notes.append(f"faltaba la celda de prueba de «{exercise}»: se ha restaurado")
            _insert_check(result.steps, exercise, function)


def _find_definition(steps: list[Step], function: str) -> Step | None:
    name = re.escape(function)
    pattern = re.compile(rf"^(?:(?:def|class)\s+{name}\b|{name}\s*=\s*prestada\()", re.MULTILINE)
    found = [step for step in steps if step.kind == "celda" and pattern.search(step.source)]
    return found[-1] if found else None


def _insert_check(steps: list[Step], exercise: str, function: str) -> None:
    """La comprobación, justo después de donde se define la función; si no, al final."""
    place = next((i for i, step in enumerate(steps) if step.name == f"{exercise}-respuesta"), None)
    if place is None:
        definition = _find_definition(steps, function)
        place = steps.index(definition) if definition else len(steps) - 1
    steps.insert(place + 1, Step("comprobar", exercise))
