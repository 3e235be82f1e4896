"""El cuaderno corregido, con la forma que espera nbgrader: pruebas originales y su veredicto."""

import copy

from nbformat import NotebookNode
from nbformat.v4 import new_output

from tfcourse.teaching.submission import Submission


def graded_notebook(original: NotebookNode, submission: Submission, result: dict) -> NotebookNode:
    """El cuaderno original con las respuestas del estudiante y el veredicto bajo cada prueba."""
    notebook = copy.deepcopy(original)
    rows = {f"{row['id']}-prueba": row for row in result["exercises"]}
    for cell in notebook.cells:
        name = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id")
        if name in submission.answers:
            cell.source = submission.answers[name]
        if cell.cell_type == "code":
            cell.outputs = _verdict(rows[name]) if name in rows else []
            cell.execution_count = None
    return notebook


def _verdict(row: dict) -> list[NotebookNode]:
    """Una salida normal si es correcto; si no, un error, que es como nbgrader cuenta un cero.

    Si se puntúa por casos, un número: los puntos.
    """
    if row["key"] == "correcto":
        return [new_output("stream", name="stdout", text=f"✓ {row['points']} puntos")]
    text = f"✗ {row['likely']}"
    if row["points"]:
        points = {"text/plain": str(row["points"])}
        return [
            new_output("stream", name="stdout", text=text),
            new_output("execute_result", points),
        ]
    return [_error(text)]


def _error(text: str) -> NotebookNode:
    return new_output("error", ename="RespuestaIncorrecta", evalue=text, traceback=[text])
