"""Cuestionario: preguntas de opción única con una explicación para cada opción."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from tfcourse.quiz.page import quiz_html

_KEY_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Option:
    """Opción de una pregunta.

    Args:
        text: lo que se lee al elegir.
        correct: si es la respuesta correcta.
        why: por qué lo es o por qué no; se muestra al comprobar.

    Los textos admiten `código` entre acentos graves y fórmulas entre \\( y \\).

    Raises:
        ValueError: si falta el texto o la explicación.
        TypeError: si `correct` no es True o False.
    """

    text: str
    correct: bool
    why: str

    def __post_init__(self) -> None:
        _check_text("text", self.text)
        if not isinstance(self.correct, bool):
            raise TypeError(f"correct={self.correct!r} en «{self.text}»: usa True o False")
        if not isinstance(self.why, str) or not self.why.strip():
            raise ValueError(
                f"la opción «{self.text}» no tiene explicación: di en why por qué es correcta o no"
            )


@dataclass(frozen=True)
class Question:
    """Pregunta con dos o más opciones, de las que una y solo una es correcta.

    Args:
        prompt: el enunciado.
        options: lista de `Option`, en el orden en que se muestran.

    Raises:
        TypeError: si alguna opción no es un `Option`.
        ValueError: si hay menos de dos opciones, textos repetidos o no hay una sola correcta.
    """

    prompt: str
    options: Sequence[Option]

    def __post_init__(self) -> None:
        _check_text("prompt", self.prompt)
        object.__setattr__(self, "options", tuple(self.options))
        _check_members("options", self.options, Option)
        if not 2 <= len(self.options) <= len(ascii_lowercase):
            raise ValueError(
                f"la pregunta «{self.prompt}» tiene {len(self.options)} opciones: "
                f"pon entre 2 y {len(ascii_lowercase)}"
            )
        correct = sum(option.correct for option in self.options)
        if correct != 1:
            raise ValueError(
                f"la pregunta «{self.prompt}» tiene {correct} opciones correctas y se esperaba 1: "
                "marca una sola con correct=True"
            )
        if len({option.text for option in self.options}) < len(self.options):
            raise ValueError(f"la pregunta «{self.prompt}» repite opciones: haz que difieran")

    def lettered(self) -> list[tuple[str, Option]]:
        """Las opciones con su letra: a, b, c…"""
        return list(zip(ascii_lowercase, self.options, strict=False))


class Quiz:
    """Cuestionario que se corrige solo en JupyterLab, en Colab y en la página estática.

    Se muestra al dejarlo como última expresión de una celda. Sin JavaScript y en papel siguen
    ahí las preguntas y sus respuestas. Por ejemplo::

        Quiz("seq2seq", [
            Question("¿Qué recibe el decodificador?", [
                Option("Un vector", True, "Es el estado final del codificador."),
                Option("El texto", False, "El texto solo lo lee el codificador."),
            ]),
        ])

    Args:
        key: nombre único en la página, en minúsculas y con guiones; de él salen los
            identificadores, que así no cambian de una ejecución a otra.
        questions: lista de `Question`.

    Raises:
        TypeError: si alguna pregunta no es un `Question`.
        ValueError: si la clave no vale o no hay preguntas.
    """

    def __init__(self, key: str, questions: Sequence[Question]):
        if not isinstance(key, str) or not _KEY_PATTERN.fullmatch(key):
            raise ValueError(
                f"key={key!r} no sirve de identificador: usa minúsculas sin acentos, cifras y "
                "guiones, p. ej. key='seq2seq'"
            )
        self.key = key
        self.questions = tuple(questions)
        _check_members("questions", self.questions, Question)
        if not self.questions:
            raise ValueError(f"el cuestionario «{key}» no tiene preguntas: pasa al menos una")

    def __repr__(self) -> str:
        """Las preguntas y sus opciones, sin decir cuáles son correctas."""
        lines = [f"Cuestionario «{self.key}»"]
        for number, question in enumerate(self.questions, start=1):
            lines += ["", f"{number}. {question.prompt}"]
            lines += [f"   {letter}) {option.text}" for letter, option in question.lettered()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return quiz_html(self.key, self.questions)


def _check_text(name: str, text: str) -> None:
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"{name}={text!r}: se esperaba un texto no vacío")


def _check_members(name: str, members: tuple, expected: type) -> None:
    for position, member in enumerate(members):
        if not isinstance(member, expected):
            raise TypeError(
                f"{name}[{position}] es {type(member).__name__} y se esperaba {expected.__name__}"
            )
