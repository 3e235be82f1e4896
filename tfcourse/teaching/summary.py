"""El resumen de una tarea: qué se acertó, en qué se falló y cuánto se tardó en corregir."""

import re
from collections import Counter
from pathlib import Path

from tfcourse.teaching.assignment import Assignment, Course
from tfcourse.teaching.feedback import total_score
from tfcourse.teaching.guard import clean
from tfcourse.teaching.meanings import meaning, safe_key
from tfcourse.teaching.numbers import number
from tfcourse.teaching.results import current_results
from tfcourse.teaching.written import read_scores

TIMEOUTS = ("no-termina", "sin-tiempo")
COMMON = 3
SPECIAL = re.compile(r"[\\`*_{}\[\]()<>#|!~]")


def summarise(course: Course, assignment: Assignment) -> list[dict]:
    """Por ejercicio: cuántos lo hicieron bien, los diagnósticos más frecuentes y los atascos.

    Las entregas que no se pudieron leer no cuentan: no dicen nada del ejercicio.
    """
    return _summarise(assignment, _legible(current_results(course, assignment)))


def _legible(results: list[dict]) -> list[dict]:
    return [result for result in results if result["status"] == "corregida"]


def _summarise(assignment: Assignment, results: list[dict]) -> list[dict]:
    rows = []
    for item in assignment.items:
        found = [row for r in results for row in r["exercises"] if row["id"] == item.id]
        keys = Counter(safe_key(row["key"]) for row in found)
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
    """El resumen, en Markdown: lo que va a clase no lleva nada que haya escrito una entrega."""
    results = current_results(course, assignment)
    if not results:
        raise ValueError(f"todavía no se ha corregido ninguna entrega de «{assignment.name}»")
    scores = read_scores(course, assignment)
    totals = [total_score(assignment, r, scores.get(r["student"], {}))[0] for r in results]
    mean = f"{number(sum(totals) / len(totals))} de {assignment.points}"
    unreadable = len(results) - len(_legible(results))
    apart = f" No se pudieron leer: {unreadable}, que abajo no cuentan." if unreadable else ""
    lines = [f"# {assignment.title}", ""]
    lines += [f"Entregas: {len(results)}.{apart} Nota media: {mean}.", ""]
    lines += [
        "| ejercicio | bien | diagnósticos más frecuentes | no terminan |",
        "|---|---|---|---|",
    ]
    rows = _summarise(assignment, _legible(results))
    for row in rows:
        common = "; ".join(f"{key} ({count})" for key, count in row["diagnoses"]) or "—"
        share = f"{100 * row['right'] / max(1, row['answers']):.0f} %"
        lines.append(f"| {row['id']} | {share} | {common} | {row['timeouts']} |")
    lines += _in_words(assignment, rows)
    odd = [r for r in results if r["status"] != "corregida" or r["notes"]]
    if odd:
        lines += ["", "## Para mirar, y no para enseñar", ""]
        lines += [
            f"- {_literal(r['full_name'])} ({r['student']}): "
            + _literal("; ".join(r["notes"] if r["notes"] else [r["status"]]))
            for r in odd
        ]
    return "\n".join(lines) + "\n"


def _literal(text: str) -> str:
    """Un texto ajeno que en Markdown se ve como está: ni enlaces, ni figuras, ni etiquetas."""
    return SPECIAL.sub(r"\\\g<0>", clean(text, 1_000))


def _in_words(assignment: Assignment, rows: list[dict]) -> list[str]:
    """Los errores más frecuentes, con lo que significa cada uno según el ejercicio."""
    exercises = {item.id: assignment.exercise(item) for item in assignment.items}
    lines = [
        f"- **{row['id']}**, {count} {'vez' if count == 1 else 'veces'}: "
        f"{meaning(exercises[row['id']], key)}."
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
