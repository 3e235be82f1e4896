"""Página de un cuestionario: el HTML que se guarda como salida de la celda."""

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path

_FOLDER = Path(__file__).parent


def quiz_html(key: str, questions: Sequence) -> str:
    """HTML completo de un cuestionario, con su estilo y su guion.

    `key` es su nombre en la página, y `questions`, las preguntas de un `Quiz`.

    La clase `tex2jax_process` pide al sitio que componga las fórmulas.
    """
    total = len(questions)
    count = f"{total} {'pregunta' if total == 1 else 'preguntas'}"
    body = "".join(
        _question_html(key, number, total, question)
        for number, question in enumerate(questions, start=1)
    )
    return (
        f'<div class="tfc tfc-quiz tex2jax_process" id="cuestionario-{key}" lang="es" '
        f'role="group" aria-label="Cuestionario de {count}">'
        f"<style>{_asset('../widgets/palette.css')}{_asset('quiz.css')}</style>"
        f"{body}"
        '<div class="tfc-end"><p class="tfc-score" role="status"></p>'
        '<button type="button" class="tfc-button tfc-again" hidden>Volver a intentarlo</button>'
        f"</div>{_printed_answers(questions)}"
        f"<script>{_asset('quiz.js')}</script></div>"
    )


def _question_html(key: str, number: int, total: int, question) -> str:
    name = f"{key}-{number}"
    options = "".join(
        f'<label class="tfc-option"><input type="radio" name="{name}" value="{letter}">'
        f'<span class="tfc-letter">{letter})</span><span>{inline_html(option.text)}</span></label>'
        for letter, option in question.lettered()
    )
    return (
        '<form class="tfc-question"><fieldset><legend>'
        f'<span class="tfc-number">Pregunta {number} de {total}</span>'
        f"<span>{inline_html(question.prompt)}</span></legend>{options}</fieldset>"
        # Sin JavaScript el botón no haría nada: lo descubre el guion.
        '<button type="submit" class="tfc-button" hidden disabled>Comprobar</button>'
        f'<div class="tfc-feedback" role="status"></div>{_answer_html(question)}</form>'
    )


def _answer_html(question) -> str:
    """Desplegable con la corrección; el guion toma de aquí la explicación de cada opción."""
    items = "".join(
        f'<li data-option="{letter}" data-correct="{"si" if option.correct else "no"}">'
        f"<strong>{letter}) {'✓ Correcta.' if option.correct else '✗ Incorrecta.'}</strong> "
        f'<span class="tfc-why">{inline_html(option.why)}</span></li>'
        for letter, option in question.lettered()
    )
    return (
        f'<details class="tfc-answer"><summary>Ver la respuesta</summary><ul>{items}</ul></details>'
    )


def _printed_answers(questions: Sequence) -> str:
    """Línea de soluciones que solo sale en papel, donde los desplegables están cerrados."""
    answers = " · ".join(
        f"{number} {letter}"
        for number, question in enumerate(questions, start=1)
        for letter, option in question.lettered()
        if option.correct
    )
    return f'<p class="tfc-printed">Soluciones: {answers}.</p>'


def inline_html(text: str) -> str:
    """Texto seguro para HTML, con `código` marcado; las fórmulas, `\\( … \\)`, quedan igual."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


@cache
def _asset(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
