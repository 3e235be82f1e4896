"""La receta: un DiT que aprende a llevar ruido a cifras, diciéndole cuál o sin decírselo."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache, partial

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.pictures.augmentation import Augmentation, image_batches
from tfcourse.datasets.pictures.digits import LabelledImages, split_digits
from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.multimodal.flow.decoding import flow_path, guided, noise_like
from tfcourse.multimodal.flow.losses import Journey, image_flow_loss
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained

N_DIGITS = 10


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos, cuánto se mueven las imágenes y cuándo se calla la clase.

    `drop` es la parte de los ejemplos en que no se dice la clase; sin ella no habría guía.
    `options` cambia los tamaños de `DiTConfig`.
    """

    steps: int = 800
    batch_size: int = 64
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    drop: float = 0.1
    moves: Augmentation | None = None
    options: dict = field(default_factory=dict)


def to_signed(images: Float[Tensor, "*B"]) -> Float[Tensor, "*B"]:
    """Píxeles de 0 a 1 → de −1 a 1, que es donde viven el ruido y el modelo."""
    return 2 * images - 1


def to_pixels(images: Float[Tensor, "*B"]) -> Float[Tensor, "*B"]:
    """De −1 a 1 → píxeles de 0 a 1; lo que se sale se recorta."""
    return ((images + 1) / 2).clamp(0, 1)


def build(recipe: Recipe, n_classes: int = N_DIGITS) -> DiT:
    """El DiT de la receta, sin entrenar."""
    return DiT(DiTConfig(n_classes, **recipe.options))


def batches(
    recipe: Recipe, seed: int, data: LabelledImages, n_classes: int = N_DIGITS
) -> Iterator[Journey]:
    """Viajes sin fin: imagen, ruido, instante al azar y clase, que a veces se calla."""
    generator = torch.Generator().manual_seed(seed + 2)
    size = min(recipe.batch_size, len(data))
    for images, labels in image_batches(data, size, moves=recipe.moves, seed=seed):
        noise = torch.randn(images.shape, generator=generator)
        times = torch.rand(len(images), generator=generator)
        silent = torch.rand(len(images), generator=generator) < recipe.drop
        classes = labels.masked_fill(silent, n_classes)
        yield Journey(to_signed(images), noise, times, classes)


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: LabelledImages,
    **options,
) -> Trained:
    """Entrena el DiT de la receta con esas imágenes; `options`, las de `trained`."""
    stream = batches(recipe, seed, data)
    return trained(partial(build, recipe), stream, image_flow_loss, recipe, seed, budget, **options)


@torch.no_grad()
def draw(
    model: DiT,
    classes: Int[Tensor, " B"],
    *,
    n_steps: int = 16,
    guidance: float = 2.0,
    solver: str = "Euler",
    seed: int = 0,
) -> Float[Tensor, "B C H W"]:
    """Dibuja una imagen por clase pedida, desde un ruido que depende de la semilla."""
    noise = noise_like(model, len(classes), seed)
    velocity = guided(model, classes.to(noise.device), guidance)
    return to_pixels(flow_path(velocity, noise, n_steps, solver)[-1].cpu())
