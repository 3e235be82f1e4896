"""La torre: un ViT que aprende qué forma y qué color hay en cada cuarto de una escena."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.scenes.asked_scenes import TEST_SEED, asked_scenes
from tfcourse.datasets.scenes.scene_objects import SHAPES
from tfcourse.datasets.scenes.told_scenes import COLOURS, SIZE, ToldScene
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.multimodal.dialogue.losses import presence_loss, seen_by_quarter
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

SEEN = (*SHAPES, *COLOURS)
SIZES = {
    "image_size": SIZE, "patch_size": 4, "channels": 3, "d_model": 48, "n_heads": 4,
    "n_layers": 3, "d_hidden": 96, "pool": "media", "positions": "senos 2D",
}  # fmt: skip


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena la torre: pasos, escenas por lote, ritmos y si ve las parejas reservadas.

    Con `every_pair`, en la mitad de las escenas hay una pareja reservada; sin él, en ninguna.
    """

    steps: int = 500
    batch_size: int = 32
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    every_pair: bool = False


def present(scenes: list[ToldScene]) -> Float[Tensor, "B 4 K"]:
    """De cada cuarto de cada escena, con unos y ceros, qué forma y qué color hay."""
    table = torch.zeros(len(scenes), 4, len(SEEN))
    for row, scene in zip(table, scenes, strict=True):
        for quarter, *names in scene.things:
            for name in names:
                row[quarter, SEEN.index(name)] = 1
    return table


def build(_recipe: Recipe) -> ViT:
    """La torre, sin entrenar: una clase por forma y otra por color."""
    return ViT(ViTConfig(len(SEEN), **SIZES))


def batches(recipe: Recipe, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Lotes sin fin de escenas y lo que hay en cada cuarto."""
    generator = torch.Generator().manual_seed(seed)
    special = recipe.batch_size // 2 if recipe.every_pair else 0
    while True:
        scenes = asked_scenes(recipe.batch_size - special, generator)
        if special:
            scenes += asked_scenes(special, generator, reserved=True)
        yield torch.stack([scene.image for scene in scenes]), present(scenes)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Trained:
    """Entrena la torre; sin `budget`, los pasos de la receta."""
    return trained(
        lambda: build(recipe), batches(recipe, seed), presence_loss, recipe, seed, budget
    )


@torch.no_grad()
def score(model: ViT, n: int = 400) -> dict[str, float]:
    """Parte de los síes y noes que acierta, en escenas reservadas."""
    scenes = asked_scenes(n, torch.Generator().manual_seed(TEST_SEED))
    said = seen_by_quarter(model, torch.stack([scene.image for scene in scenes])) > 0
    return {"acierto": float((said == present(scenes).bool()).float().mean())}


def _commonest(n: int = 400) -> dict[str, float]:
    share = present(asked_scenes(n, torch.Generator().manual_seed(TEST_SEED))).mean(dim=(0, 1))
    return {"acierto_de_la_mas_comun": float(torch.maximum(share, 1 - share).mean())}


@torch.no_grad()
def told(model: ViT, scenes: Sequence[ToldScene]) -> list[ToldScene]:
    """Las mismas imágenes, con lo que la torre dice que hay: es lo que sabe contar de ellas.

    En un cuarto hay una figura si la más probable pasa de la mitad; su color es el más probable. Si
    no hay ninguna en toda la imagen, se da la más probable.
    """
    device = next(model.parameters()).device
    found = seen_by_quarter(model, torch.stack([one.image for one in scenes]).to(device)).cpu()
    return [ToldScene(scene.image, _things(row)) for scene, row in zip(scenes, found, strict=True)]


def _things(row: Float[Tensor, "4 K"]) -> tuple[tuple[int, str, str], ...]:
    shapes, colours = row.split((len(SHAPES), len(COLOURS)), dim=1)
    best = shapes.max(dim=1)
    taken = best.values > min(0.0, float(best.values.max()) - 1e-6)
    named = zip(best.indices.tolist(), colours.argmax(dim=1).tolist(), strict=True)
    names = tuple(COLOURS)
    return tuple(
        (quarter, SHAPES[shape], names[colour])
        for quarter, (shape, colour) in enumerate(named)
        if taken[quarter]
    )


WEIGHTS = {
    "torre_escenas": Shipped(
        train=lambda: train(Recipe(), 0), score=score, blind=_commonest,
        data="escenas generadas por el curso, CC0",
    )
}  # fmt: skip


def load(name: str) -> ViT:
    """La torre que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = ViT(ViTConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return model
