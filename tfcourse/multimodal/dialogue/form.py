"""Cómo se escribe una conversación sobre una escena: marcas de imagen, preguntas y respuestas."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.scenes.asked_scenes import Question, description, dialogue_words
from tfcourse.datasets.scenes.told_scenes import ToldScene
from tfcourse.tokenizers.vocabulary import Vocabulary, pad_sequences

IMAGE = "<imagen>"
Talk = tuple[ToldScene, Sequence[Question]]
"""Una conversación: una escena y lo que se pregunta de ella."""


class Turns(NamedTuple):
    """Un lote de conversaciones: tokens con relleno detrás, cuáles son de respuesta, e imágenes."""

    tokens: Int[Tensor, "B L"]
    answer: Bool[Tensor, "B L"]
    images: Float[Tensor, "B C H W"]


@cache
def vocabulary() -> Vocabulary:
    """Las palabras de las escenas, los tres símbolos de siempre y la marca de imagen."""
    return Vocabulary({*dialogue_words(), IMAGE})


def image_id() -> int:
    """El número de la marca de imagen."""
    return vocabulary().encode([IMAGE])[0]


def opening(scene: ToldScene, n_image: int | None) -> list[int]:
    """Lo que va delante de las preguntas: las marcas de la imagen o, con `None`, su descripción."""
    words = description(scene) if n_image is None else [IMAGE] * n_image
    return [Vocabulary.start_id, *vocabulary().encode(words)]


def turn(question: Question) -> tuple[list[int], list[int]]:
    """Los números de una pregunta y los de su respuesta, que acaba con la marca de fin."""
    form = vocabulary()
    return form.encode(question.words), [*form.encode(question.answer), form.stop_id]


def prompts(pairs: Sequence[tuple[ToldScene, Question]], n_image: int | None) -> list[list[int]]:
    """Los comienzos de unas conversaciones de una pregunta, hasta donde toca responder."""
    return [opening(scene, n_image) + turn(question)[0] for scene, question in pairs]


def turns(talks: Sequence[Talk], n_image: int | None) -> Turns:
    """Un lote de conversaciones, con las marcas de imagen o, con `None`, con la descripción.

    Con cero marcas no hay imagen ni descripción: es hablar a ciegas.
    """
    rows, marks = [], []
    for scene, questions in talks:
        ids = opening(scene, n_image)
        told = [False] * len(ids)
        for question in questions:
            asked, answered = turn(question)
            ids += asked + answered
            told += [False] * len(asked) + [True] * len(answered)
        rows.append(ids)
        marks.append([int(flag) for flag in told])
    images = torch.stack([scene.image for scene, _ in talks])
    return Turns(pad_sequences(rows), pad_sequences(marks, 0).bool(), images)


def read(ids: Sequence[int]) -> str:
    """Una respuesta, en texto, hasta su marca de fin."""
    return " ".join(vocabulary().decode(ids))
