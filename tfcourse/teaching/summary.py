"""El resumen de una tarea: qué se acertó, en qué se falló y cuánto se tardó en corregir."""

from collections import Counter
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.feedback import total_score
from tfcourse.teaching.numbers import number
from tfcourse.teaching.results import current_results
from tfcourse.teaching.written import read_scores

TIMEOUTS = ("no-termina", "sin-tiempo")
COMMON = 3


def summarise(course: Course, assignment: Assignment) -> list[dict]:
    """Por ejercicio: cuántos lo hicieron bien, los diagnósticos más frecuentes y los atascos."""
    results = current_results(course, assignment)
    rows = []
    for item in assignment.items:
        found = [row for r in results for row in r["exercises"] if row["id"] == item.id]
        keys = Counter(row["key"] for row in found)
        right = keys.pop("correcto", 0)
        rows.append(
            {
                "id": item.id,
                "right": right,
                "answers": len(found),
                "diagnoses": keys.most_common(COMMON),
                "timeouts": sum(keys[key] for key in TIMEOUTS),
            }
        )
    return rows


def summary_text(course: Course, assignment: Assignment) -> str:
    """El resumen, en Markdown."""
    results = current_results(course, assignment)
    if not results:
        raise ValueError(f"todavía no se ha corregido ninguna entrega de «{assignment.name}»")
    scores = read_scores(course, assignment)
    totals = [total_score(assignment, r, scores.get(r["student"], {}))[0] for r in results]
    mean = f"{number(sum(totals) / len(totals))} de {assignment.points}"
    lines = [f"# {assignment.title}", "", f"Entregas: {len(results)}. Nota media: {mean}.", ""]
    lines += [
        "| ejercicio | bien | diagnósticos más frecuentes | no terminan |",
        "|---|---|---|---|",
    ]
    rows = summarise(course, assignment)
    for row in rows:
        common = "; ".join(f"{key} ({count})" for key, count in row["diagnoses"]) or "—"
        share = f"{100 * row['right'] / max(1, row['answers']):.0f} %"
        lines.append(f"| {row['id']} | {share} | {common} | {row['timeouts']} |")
    lines += _in_words(rows, results)
    odd = [r for r in results if r["status"] != "corregida" or r["notes"]]
    if odd:
        lines += ["", "## Para mirar", ""]
        lines += [
            f"- {r['full_name']} ({r['student']}): "
            + "; ".join(r["notes"] if r["notes"] else [r["status"]])
            for r in odd
        ]
    return "\n".join(lines) + "\n"


def _in_words(rows: list[dict], results: list[dict]) -> list[str]:
    """Los errores más frecuentes, con lo que se le dijo a una de las personas que los cometió."""
    said = {
        (row["id"], row["key"]): row["likely"]
        for result in reversed(results)
        for row in result["exercises"]
    }
    lines = [
        f"- **{row['id']}**, {count} {'vez' if count == 1 else 'veces'}: {said[row['id'], key]}."
        for row in rows
        for key, count in row["diagnoses"]
    ]
    return ["", "## Qué decir en clase", "", *lines] if lines else []


def draw_summary(course: Course, assignment: Assignment, path: Path) -> Path:
    """Una barra por ejercicio: correctas, con error y sin terminar."""
    import matplotlib.pyplot as plt

    rows = summarise(course, assignment)[::-1]
    names = [row["id"] for row in rows]
    right = [row["right"] for row in rows]
    stuck = [row["timeouts"] for row in rows]
    wrong = [r["answers"] - r["right"] - r["timeouts"] for r in rows]
    figure, axes = plt.subplots(figsize=(7, 1 + 0.5 * len(rows)), layout="constrained")
    left = [0] * len(rows)
    for label, values, color, hatch in (
        ("correctas", right, "#2a7f4f", ""),
        ("con error", wrong, "#c98a1b", "//"),
        ("no terminan", stuck, "#8c2f39", "xx"),
    ):
        axes.barh(names, values, left=left, label=label, color=color, hatch=hatch)
        left = [a + b for a, b in zip(left, values, strict=True)]
    axes.set_xlabel("entregas")
    axes.set_title(assignment.title)
    axes.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.25 - 0.5 / len(rows)))
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path
