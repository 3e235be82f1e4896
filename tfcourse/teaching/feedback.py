"""La página que se devuelve a cada estudiante: un solo archivo HTML, en español y para el móvil."""

import re
import zipfile
from html import escape

from tfcourse.files import write_atomically
from tfcourse.teaching.assignment import Assignment, Course, Item
from tfcourse.teaching.classroom import all_results
from tfcourse.teaching.collect import read_delivery
from tfcourse.teaching.create import spanish_date
from tfcourse.teaching.gradebook import read_scores
from tfcourse.teaching.numbers import number

STYLE = """\
:root { color-scheme: light dark; --fondo: #fff; --texto: #1d1d1f; --suave: #f3f4f6;
  --bien: #0a6b2f; --mal: #a11d1d; --borde: #c9ccd1; }
@media (prefers-color-scheme: dark) { :root { --fondo: #16181c; --texto: #ececec;
  --suave: #24272d; --bien: #7ddc9a; --mal: #ff9d9d; --borde: #4a4f58; } }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--fondo);
  color: var(--texto); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin-bottom: .25rem }
h2 { font-size: 1.15rem; margin: 0 0 .5rem }
.nota { font-size: 1.6rem; font-weight: 700 }
article { border: 1px solid var(--borde); border-radius: .5rem; padding: 1rem; margin: 1rem 0 }
.bien { color: var(--bien) } .mal { color: var(--mal) }
pre { background: var(--suave); padding: .75rem; border-radius: .375rem; white-space: pre-wrap;
  font-size: .875rem; overflow-wrap: anywhere }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
summary { cursor: pointer; padding: .5rem 0 }
@media print { article { break-inside: avoid } }
"""

PAGE = """\
<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{heading}</h1>
<p>{who}</p>
<p class="nota">{score} de {maximum} puntos</p>
{notes}
{exercises}
</main>
</body>
</html>
"""


def write_feedback(course: Course, assignment: Assignment) -> list[str]:
    """Escribe las páginas y un zip con todas; devuelve de quién son."""
    scores = read_scores(course, assignment)
    target = course.folder(assignment.name) / "devoluciones.zip"
    written = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for result in all_results(course, assignment.name):
            student = result["student"]
            page = feedback_page(assignment, result, scores.get(student, {}))
            write_atomically(course.feedback(student, assignment.name), page)
            archive.writestr(_moodle_name(course, assignment, result), page)
            written.append(student)
    return written


def _moodle_name(course: Course, assignment: Assignment, result: dict) -> str:
    """El nombre con el que Moodle reparte cada archivo de devolución a su dueño."""
    delivery = read_delivery(course, assignment.name, result["student"])
    who = delivery["full_name"].replace("/", "-")
    folder = f"{who}_{delivery['number']}_assignsubmission_file" if delivery["number"] else who
    return f"{folder}/devolucion-{assignment.name}.html"


def total_score(assignment: Assignment, result: dict, cells: dict) -> tuple[float, bool]:
    """Puntos del estudiante según el libro de notas, y si falta algo por corregir a mano."""
    if not cells:
        return float(sum(row["points"] for row in result["exercises"])), any(
            item.manual_points for item in assignment.items
        )
    return sum(cell[0] for cell in cells.values()), any(cell[2] for cell in cells.values())


def feedback_page(assignment: Assignment, result: dict, cells: dict) -> str:
    """La página de un estudiante. Todo lo que viene de la entrega se escribe como texto."""
    score, pending = total_score(assignment, result, cells)
    notes = [escape(note) for note in result["notes"]]
    if pending:
        notes.append("Hay respuestas que se corrigen a mano y todavía no tienen nota.")
    listed = "".join(f"<li>{note}</li>" for note in notes)
    due = f" · plazo: {spanish_date(assignment.due)}" if assignment.due else ""
    rows = {row["id"]: row for row in result["exercises"]}
    return PAGE.format(
        style=STYLE,
        title=escape(f"{assignment.title} · {result['full_name']}"),
        heading=escape(assignment.title),
        who=escape(f"{result['full_name']}{due}"),
        score=number(score),
        maximum=number(assignment.points),
        notes=f"<h2>Avisos</h2>\n<ul>{listed}</ul>" if notes else "",
        exercises="\n".join(
            _exercise(n, assignment, item, rows[item.id], result, cells)
            for n, item in enumerate(assignment.items, start=1)
        ),
    )


def _exercise(
    n: int, assignment: Assignment, item: Item, row: dict, result: dict, cells: dict
) -> str:
    card = assignment.exercise(item, result["student"]).card
    points, comment = row["points"], None
    if f"{item.id}-prueba" in cells:
        points, _, _, comment = cells[f"{item.id}-prueba"]
    right = row["key"] == "correcto"
    mark, word = ("bien", "✓ Correcto") if right else ("mal", "✗ No es correcto")
    parts = [
        f"<h2>{n}. {escape(card.title)}</h2>",
        f'<p class="{mark}"><strong>{word}</strong> · {number(points)} de '
        f"{number(item.points)} puntos</p>",
    ]
    if not right:
        parts.append(_facts(row))
    if item.manual_points:
        parts.append(_manual(item, cells))
    if comment:
        parts.append(f"<p><strong>Comentario</strong>: {escape(comment)}</p>")
    answer = result.get("answers", {}).get(f"{item.id}-respuesta")
    if answer:
        parts.append(
            f"<details><summary>Lo que entregaste</summary><pre>{escape(answer)}</pre></details>"
        )
    return f'<article aria-label="Ejercicio {n}">\n' + "\n".join(parts) + "\n</article>"


def _facts(row: dict) -> str:
    facts = {
        "Qué ha pasado": row.get("likely"),
        "Caso de prueba": row.get("case"),
        "Se esperaba": row.get("expected"),
        "Ha llegado": row.get("received"),
        "En tu código": row.get("location"),
        "Mensaje original de Python": row.get("original"),
    }
    shown = "".join(f"<dt>{k}</dt><dd>{_text(v)}</dd>" for k, v in facts.items() if v)
    return f"<dl>{shown}</dl>"


def _text(text: str) -> str:
    """Un texto como texto, salvo el código entre comillas invertidas."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _manual(item: Item, cells: dict) -> str:
    found = cells.get(f"{item.id}-texto")
    if found is None or found[2]:
        return f"<p>Respuesta escrita: pendiente de corregir ({item.manual_points} puntos).</p>"
    score, maximum, _, comment = found
    text = (
        f"<p>Respuesta escrita: <strong>{number(score)}</strong> de {number(maximum)} puntos.</p>"
    )
    return text + (f"<p><strong>Comentario</strong>: {escape(comment)}</p>" if comment else "")
