"""Entrenar solo lo que escribe: con los ojos ya entrenados y quietos, cada prueba cuesta poco."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor, nn

from tfcourse.datasets.scenes.box_sequences import write_scenes
from tfcourse.datasets.scenes.scenes import Scenes, make_scenes
from tfcourse.models.pix2seq import Pix2Seq
from tfcourse.tokenizers.boxes import BoxVocabulary
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import trained
from tfcourse.vision.box_language.recipe import Recipe, Writer, vocabulary
from tfcourse.vision.box_language.writing import WritingLoss

N_READ = 2_000  # escenas que se leen una vez y se escriben muchas


class WordsLoss(WritingLoss):
    """La pérdida de las palabras, con las imágenes ya leídas en lugar de las imágenes."""

    def __call__(self, model: nn.Module, batch: tuple) -> Tensor:
        """El lote es `(memoria, lo leído, objetivos, pesos)`."""
        memory, inputs, targets, weights = batch
        return self.words(model.decode(inputs, memory), targets, weights)


@torch.no_grad()
def read_once(eyes: Writer, n_scenes: int, seed: int) -> tuple[Scenes, Tensor]:
    """Escenas nuevas y lo que los ojos ven en ellas: `(escenas, memoria)`."""
    scenes = make_scenes(n_scenes, torch.Generator().manual_seed(seed), eyes.scenes)
    memory = torch.cat([eyes.model.encode(some) for some in scenes.images.split(100)])
    return scenes, memory


def build(recipe: Recipe, eyes: Writer, start: Writer | None = None) -> Pix2Seq:
    """Un decodificador nuevo con los ojos de otro modelo, que no se mueven.

    Con `start`, no empieza de cero, sino de una copia de otro decodificador que usa esos ojos.
    """
    model = Pix2Seq(replace(eyes.model.config, n_bins=recipe.n_bins))
    model.encoder.load_state_dict(eyes.model.encoder.state_dict())
    if start is not None:
        model.load_state_dict(start.model.state_dict())
    model.encoder.requires_grad_(False)
    return model


def batches(
    recipe: Recipe, seed: int, scenes: Scenes, memory: Tensor, words: BoxVocabulary
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin de las mismas escenas, escritas cada vez de otra manera."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        rows = torch.randint(len(memory), (recipe.batch_size,), generator=generator)
        some = (part[rows] for part in (scenes.boxes, scenes.classes, scenes.counts))
        written = write_scenes(*some, words, generator, recipe.writing)
        yield (memory[rows], *written)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    eyes: Writer,
    read: tuple[Scenes, Tensor] | None = None,
    start: Writer | None = None,
) -> Writer:
    """Entrena un decodificador con los ojos de otro modelo.

    `read` es lo que devuelve `read_once`, para no leer dos veces las mismas escenas; `start`, el
    de `build`.
    """
    read = read or read_once(eyes, N_READ, seed)
    words = vocabulary(recipe, eyes.scenes)
    done = trained(
        partial(build, recipe, eyes, start), batches(recipe, seed, *read, words),
        WordsLoss(words, recipe.width), recipe, seed, budget,
    )  # fmt: skip
    return Writer(done.model, recipe, done.history, eyes.scenes)
