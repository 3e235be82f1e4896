"""Entrenar solo lo que escribe: con los ojos ya entrenados y quietos, cada prueba cuesta poco."""

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor, nn

from tfcourse.box_writing import WritingLoss
from tfcourse.datasets.box_sequences import write_scenes
from tfcourse.datasets.scenes import Scenes, make_scenes
from tfcourse.models.pix2seq import Pix2Seq
from tfcourse.muon import Muon, split_parameters
from tfcourse.pix2seq_recipes import (
    ADAM_LR,
    BATCH_SIZE,
    BETAS,
    MUON_LR,
    Writer,
    WritingRecipe,
)
from tfcourse.training import fit, one_cycle, seed_everything

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


def read_batches(
    scenes: Scenes, memory: Tensor, model: Pix2Seq, recipe: WritingRecipe, seed: int
) -> Iterator[tuple[Tensor, ...]]:
    """Lotes sin fin de las mismas escenas, escritas cada vez de otra manera."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        rows = torch.randint(len(memory), (BATCH_SIZE,), generator=generator)
        some = (part[rows] for part in (scenes.boxes, scenes.classes, scenes.counts))
        written = write_scenes(*some, model.vocabulary, generator, recipe.writing)
        yield (memory[rows], *written)


def train_decoder(
    eyes: Writer,
    recipe: WritingRecipe,
    seed: int,
    steps: int,
    read: tuple[Scenes, Tensor] | None = None,
    *,
    start: Writer | None = None,
) -> Writer:
    """Un decodificador nuevo, desde cero, con los ojos de otro modelo, que no se mueven.

    `read` es lo que devuelve `read_once`, para no leer dos veces las mismas escenas. Con `start`,
    no empieza de cero, sino de una copia de otro decodificador que usa los mismos ojos.
    """
    scenes, memory = read or read_once(eyes, N_READ, seed)
    seed_everything(seed)
    model = Pix2Seq(replace(eyes.model.config, n_bins=recipe.n_bins))
    model.encoder.load_state_dict(eyes.model.encoder.state_dict())
    if start is not None:
        model.load_state_dict(start.model.state_dict())
    model.encoder.requires_grad_(False)
    history = fit(
        model,
        read_batches(scenes, memory, model, recipe, seed),
        WordsLoss(model.vocabulary, recipe.width),
        steps=steps,
        optimizer=Muon(*split_parameters(model), lr=MUON_LR, adam_lr=ADAM_LR, betas=BETAS),
        schedule=one_cycle(steps, 0.05),
    )
    return Writer(model, recipe, eyes.scenes, history)
