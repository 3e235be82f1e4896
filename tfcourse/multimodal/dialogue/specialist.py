"""El especialista: la misma torre y una cabeza que elige entre las respuestas que conoce."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import islice

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.scenes.asked_scenes import (
    COUNTS,
    NO,
    NOTHING,
    YES,
    Question,
    endless,
    place,
)
from tfcourse.datasets.scenes.scene_objects import SHAPES
from tfcourse.datasets.scenes.told_scenes import COLOURS
from tfcourse.models.answer_classifier import AnswerClassifier
from tfcourse.multimodal.dialogue import tower
from tfcourse.multimodal.dialogue.form import vocabulary
from tfcourse.multimodal.dialogue.metrics import Pairs
from tfcourse.text.assistant.lora import trainable
from tfcourse.tokenizers.vocabulary import pad_sequences
from tfcourse.training.budget import Budget, Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import fit, seed_everything
from tfcourse.training.recipe import Trained
from tfcourse.training.schedules import cycle

PLACES = tuple(" ".join(place(quarter)) for quarter in range(4))
ANSWERS = (*SHAPES, NOTHING, *COLOURS, *COUNTS, *PLACES, YES, NO)


@dataclass(frozen=True)
class Recipe:
    """Cómo se entrena el especialista: pasos, escenas por lote, preguntas de cada una y ritmo."""

    steps: int = 400
    batch_size: int = 24
    n_questions: int = 8
    rate: float = 3e-3
    warmup = 0.1


@cache
def _numbers() -> dict[str, int]:
    return {answer: number for number, answer in enumerate(ANSWERS)}


def build(_recipe: Recipe) -> AnswerClassifier:
    """La torre del curso, quieta, con una cabeza nueva."""
    seeing = deepcopy(tower.load("torre_escenas")).requires_grad_(False)
    return AnswerClassifier(seeing, len(vocabulary()), len(ANSWERS))


def asked(questions: Sequence[Question]) -> Tensor:
    """Las palabras de unas preguntas, en números y con relleno."""
    return pad_sequences([vocabulary().encode(question.words) for question in questions])


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin: preguntas, imágenes y, de cada pregunta, el número de su respuesta.

    Son las mismas escenas y preguntas que las del modelo que escribe, con la misma semilla.
    """
    stream, number = endless(seed, recipe.n_questions), _numbers()
    while True:
        talks = list(islice(stream, recipe.batch_size))
        questions = [question for _, own in talks for question in own]
        images = torch.stack([scene.image for scene, _ in talks])
        told = torch.tensor([number[" ".join(question.answer)] for question in questions])
        yield asked(questions), images.repeat_interleave(recipe.n_questions, dim=0), told


def answer_choice_loss(model: AnswerClassifier, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada de la respuesta, entre todas las que hay."""
    words, images, told = batch
    return F.cross_entropy(model(words, images), told)


def train(
    recipe: Recipe, seed: int, budget: Budget | None = None,
    *, model: AnswerClassifier | None = None, checkpoint: Checkpoint | None = None,
) -> Trained:  # fmt: skip
    """Entrena el especialista; sin `model`, desde la torre del curso."""
    budget = budget or Steps(recipe.steps)
    seed_everything(seed)
    model = build(recipe) if model is None else model
    optimizer = torch.optim.AdamW(
        trainable(model), lr=recipe.rate, betas=(0.9, 0.95), weight_decay=0.0
    )
    history = fit(
        model, batches(recipe, seed), answer_choice_loss, budget=budget, optimizer=optimizer,
        schedule=cycle(budget, recipe.warmup), checkpoint=checkpoint,
    )  # fmt: skip
    return Trained(model, recipe, history)


@torch.no_grad()
def choices(model: AnswerClassifier, pairs: Pairs, at_once: int = 100) -> list[str]:
    """La respuesta que elige a cada pregunta."""
    device, found = model.output.weight.device, []
    for start in range(0, len(pairs), at_once):
        some = pairs[start : start + at_once]
        words = asked([question for _, question in some]).to(device)
        images = torch.stack([scene.image for scene, _ in some]).to(device)
        found += [ANSWERS[number] for number in model(words, images).argmax(dim=1).tolist()]
    return found
