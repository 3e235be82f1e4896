"""La página que se devuelve a cada estudiante: un solo archivo HTML, en español y para el móvil."""

import zipfile
from html import escape

import nbformat
from nbformat.v4 import new_markdown_cell, new_notebook

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course, Item
from tfcourse.teaching.create import spanish_date
from tfcourse.teaching.deliveries import read_delivery
from tfcourse.teaching.guard import (
    RENDERING_SECONDS,
    OutOfBounds,
    bounded,
    clean,
    failure_text,
    storable,
)
from tfcourse.teaching.lateness import penalty
from tfcourse.teaching.numbers import number
from tfcourse.teaching.pages import page, prose, with_code
from tfcourse.teaching.platforms.registry import PLATFORMS
from tfcourse.teaching.results import OUR_FAILURE
from tfcourse.teaching.steps import ready
from tfcourse.teaching.written import read_scores
from tfcourse.training.progress import progress


def write_feedback(course: Course, assignment: Assignment) -> tuple[list[str], list[str]]:
    """Escribe las páginas y un zip con todas; devuelve de quién son y los avisos.

    Quien no tiene una nota que valga hoy se queda sin página, y se dice quién es.
    """
    results, notices = ready(course, assignment)
    scores = read_scores(course, assignment)
    target = course.folder(assignment.name) / "devoluciones.zip"
    unfinished = target.with_name(f".{target.name}.parcial")
    written = []
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            for result in progress(results, total=len(results), description="devolviendo"):
                student = result["student"]
                try:
                    with bounded(RENDERING_SECONDS):
                        cells = scores.get(student, {})
                        text = storable(feedback_page(assignment, result, cells))
                        name, handed = _handed_back(course, assignment, result, cells, text)
                        if name in archive.NameToInfo:  # dos personas con el mismo nombre
                            name = _apart(name, student)
                except (OutOfBounds, Exception) as error:
                    why = failure_text(error)
                    notices.append(f"{result['full_name']}: sin página ({OUR_FAILURE}: {why})")
                    continue
                write_atomically(course.feedback(student, assignment.name), text)
                archive.writestr(name, handed)
                written.append(student)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    _withdraw(course, assignment, written)
    return written, notices


def _withdraw(course: Course, assignment: Assignment, written: list[str]) -> None:
    """Quita las páginas de otra vez que ya no dicen la nota que vale."""
    for path in (course.root / "feedback").glob(f"*/{assignment.name}/{assignment.name}.html"):
        if path.parents[1].name not in written:
            path.unlink()


def _handed_back(
    course: Course, assignment: Assignment, result: dict, cells: dict, text: str
) -> tuple[str, str]:
    """Cómo se llama en el zip lo que se devuelve a alguien, y qué es: su página o su cuaderno."""
    card = read_delivery(course, assignment.name, result["student"])
    platform = PLATFORMS.get(card["platform"], PLATFORMS["moodle"])
    name, kind = platform.hand_back(card, assignment.name)
    if kind == "cuaderno":
        text = storable(returned_notebook(course, assignment, result, cells))
    return name, text


def _apart(name: str, student: str) -> str:
    """El mismo nombre de archivo, con el identificador de la persona delante del punto."""
    stem, dot, kind = name.rpartition(".")
    return f"{stem} ({student}){dot}{kind}"


def returned_notebook(course: Course, assignment: Assignment, result: dict, cells: dict) -> str:
    """El cuaderno corregido con la nota delante, para donde una página no puede llegar."""
    path = course.autograded(result["student"], assignment.name)
    notebook = nbformat.read(path, as_version=4) if path.exists() else new_notebook()
    score, pending = total_score(assignment, result, cells)
    lines = [f"# {clean(assignment.title)}: {_out_of(score, assignment.points)}", ""]
    if pending:
        lines += ["Hay respuestas que se corrigen a mano y todavía no tienen nota.", ""]
    lines += [f"- {clean(note)}" for note in result["notes"]]
    for row in result["exercises"]:
        right = row["key"] == "correcto"
        lines.append(f"- **{row['id']}**: {'correcto' if right else _sentence(row['likely'])}")
        for part in ("prueba", "texto"):
            written = cells.get(f"{row['id']}-{part}")
            remark = (written.comment if written else None) or ""
            lines += [f"  {clean(line)}" for line in remark.split("\n") if line]
    notebook.cells.insert(0, new_markdown_cell("\n".join(lines), id="devolucion"))
    return nbformat.writes(notebook) + "\n"


def total_score(assignment: Assignment, result: dict, cells: dict) -> tuple[float, bool]:
    """Puntos del estudiante, con su descuento, y si falta algo por corregir a mano."""
    score, pending = score_before(assignment, result, cells)
    return score - penalty(assignment, result, score), pending


def score_before(assignment: Assignment, result: dict, cells: dict) -> tuple[float, bool]:
    """Puntos según el libro de notas, sin descuentos, y si falta algo por corregir a mano."""
    if not cells:
        return float(sum(row["points"] for row in result["exercises"])), any(
            item.manual_points for item in assignment.items
        )
    return sum(cell[0] for cell in cells.values()), any(cell[2] for cell in cells.values())


def feedback_page(assignment: Assignment, result: dict, cells: dict) -> str:
    """La página de un estudiante. Todo lo que viene de la entrega se escribe como texto."""
    full, pending = score_before(assignment, result, cells)
    lost = penalty(assignment, result, full)
    score = full - lost
    notes = [escape(_sentence(note)) for note in result["notes"]]
    if lost:
        notes.append(f"Descuento por el retraso: {number(lost)} de {number(full)} puntos.")
    if pending:
        notes.append("Hay respuestas que se corrigen a mano y todavía no tienen nota.")
    listed = "".join(f"<li>{note}</li>" for note in notes)
    due = f" · plazo: {spanish_date(assignment.due)}" if assignment.due else ""
    rows = {row["id"]: row for row in result["exercises"]}
    exercises = "\n".join(
        _exercise(n, assignment, item, rows[item.id], result, cells)
        for n, item in enumerate(assignment.items, start=1)
    )
    body = (
        f"<h1>{escape(assignment.title)}</h1>\n<p>{escape(result['full_name'] + due)}</p>\n"
        f'<p class="nota">{_out_of(score, assignment.points)}</p>\n'
        + (f"<h2>Avisos</h2>\n<ul>{listed}</ul>\n" if notes else "")
        + exercises
    )
    return page(f"{assignment.title} · {result['full_name']}", body)


def _exercise(
    n: int, assignment: Assignment, item: Item, row: dict, result: dict, cells: dict
) -> str:
    card = assignment.exercise(item, result["student"]).card
    points, comment, by_hand = row["points"], None, False
    if f"{item.id}-prueba" in cells:
        points, _, _, comment, by_hand = cells[f"{item.id}-prueba"]
    right = row["key"] == "correcto"
    mark, word = ("bien", "✓ Correcto") if right else ("mal", "✗ No es correcto")
    if by_hand:
        mark, word = ("bien" if points == item.points else "mal"), "Nota puesta a mano"
    parts = [
        f"<h2>{n}. {escape(card.title)}</h2>",
        f'<p class="{mark}"><strong>{word}</strong> · {_out_of(points, item.points)}</p>',
    ]
    if not right:
        parts.append(_facts(row))
    if item.manual_points:
        parts.append(_manual(item, cells))
    if comment:
        parts.append(f"<p><strong>Comentario</strong>: {escape(comment)}</p>")
    answers = result.get("answers", {})
    code, text = answers.get(f"{item.id}-respuesta"), answers.get(f"{item.id}-texto")
    shown = (f"<pre>{escape(code)}</pre>" if code else "") + (prose(text) if text else "")
    if shown:
        parts.append(f"<details><summary>Lo que entregaste</summary>{shown}</details>")
    return f'<article aria-label="Ejercicio {n}">\n' + "\n".join(parts) + "\n</article>"


def _facts(row: dict) -> str:
    facts = {
        "Qué ha pasado": _sentence(row.get("likely")),
        "Comprobaciones que pasa": _share(row),
        "Caso de prueba": row.get("case"),
        "Se esperaba": row.get("expected"),
        "Ha llegado": row.get("received"),
        "En tu código": row.get("location"),
        "Mensaje original de Python": row.get("original"),
    }
    shown = "".join(f"<dt>{k}</dt><dd>{with_code(v)}</dd>" for k, v in facts.items() if v)
    return f"<dl>{shown}</dl>"


def _share(row: dict) -> str | None:
    """Cuánto hace bien, si la tarea puntúa por casos."""
    return f"{row['right']} de {row['total']}" if row.get("total") else None


def _sentence(text: str | None) -> str | None:
    """Con mayúscula y punto."""
    return text and f"{text[0].upper()}{text[1:]}{'' if text[-1] in '.!?' else '.'}"


def _out_of(points: float, maximum: float) -> str:
    return f"{number(points)} de {number(maximum)} punto{'' if maximum == 1 else 's'}"


def _manual(item: Item, cells: dict) -> str:
    found = cells.get(f"{item.id}-texto")
    if found is None or found[2]:
        return f"<p>Respuesta escrita: pendiente de corregir ({item.manual_points} puntos).</p>"
    score, maximum, _, comment, _ = found
    text = f"<p>Respuesta escrita: <strong>{_out_of(score, maximum)}</strong>.</p>"
    if not comment:
        return text
    lines = "<br>".join(escape(line) for line in comment.split("\n"))
    return f"{text}<p><strong>Comentario</strong>: {lines}</p>"
