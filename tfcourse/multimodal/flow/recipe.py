"""La receta: un DiT que aprende a llevar ruido a cifras, diciéndole cuál o sin decírselo."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.datasets.pictures.augmentation import Augmentation, image_batches
from tfcourse.datasets.pictures.digits import LabelledImages, few_per_class, split_digits
from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.models.vit import ViT
from tfcourse.multimodal.flow.decoding import flow_path, guided, noise_like
from tfcourse.multimodal.flow.losses import Journey, image_flow_loss
from tfcourse.multimodal.flow.metrics import agreement, features, frechet_distance
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.classification.recipe import SOURCE
from tfcourse.vision.classification.recipe import load as load_classifier
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

N_DIGITS, N_STEPS, GUIDANCE = 10, 16, 2.0
N_SCORED = 40  # dibujos de cada cifra con que se mide


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos, con qué imágenes y cuándo se calla la clase.

    `drop` es la parte de los ejemplos en que no se dice la clase; sin ella no habría guía. Con
    `per_class` se usan solo esas imágenes de cada clase. `options` cambia los tamaños de
    `DiTConfig`.
    """

    steps: int = 800
    batch_size: int = 64
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    drop: float = 0.1
    moves: Augmentation | None = None
    per_class: int | None = None
    options: dict = field(default_factory=dict)


def to_signed(images: Float[Tensor, "*B"]) -> Float[Tensor, "*B"]:
    """Píxeles de 0 a 1 → de −1 a 1, que es donde viven el ruido y el modelo."""
    return 2 * images - 1


def to_pixels(images: Float[Tensor, "*B"]) -> Float[Tensor, "*B"]:
    """De −1 a 1 → píxeles de 0 a 1; lo que se sale se recorta."""
    return ((images + 1) / 2).clamp(0, 1)


def known(recipe: Recipe) -> LabelledImages:
    """Las cifras con que se entrena: las de entrenar del curso, o unas pocas de cada clase."""
    digits, _ = split_digits()
    return digits if recipe.per_class is None else few_per_class(digits, recipe.per_class)


def build(recipe: Recipe, n_classes: int = N_DIGITS) -> DiT:
    """El DiT de la receta, sin entrenar."""
    return DiT(DiTConfig(n_classes, **recipe.options))


def batches(
    recipe: Recipe, seed: int, data: LabelledImages | None = None, n_classes: int = N_DIGITS
) -> Iterator[Journey]:
    """Viajes sin fin: imagen, ruido, instante al azar y clase, que a veces se calla."""
    data = data or known(recipe)
    generator = torch.Generator().manual_seed(seed + 2)
    size = min(recipe.batch_size, len(data))
    for images, labels in image_batches(data, size, moves=recipe.moves, seed=seed):
        noise = torch.randn(images.shape, generator=generator)
        times = torch.rand(len(images), generator=generator)
        silent = torch.rand(len(images), generator=generator) < recipe.drop
        yield Journey(to_signed(images), noise, times, labels.masked_fill(silent, n_classes))


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    data: LabelledImages | None = None,
    n_classes: int = N_DIGITS,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Entrena el DiT de la receta; con `data`, con esas imágenes en lugar de las cifras."""
    return trained(
        partial(build, recipe, n_classes), batches(recipe, seed, data, n_classes),
        image_flow_loss, recipe, seed, budget, checkpoint=checkpoint,
    )  # fmt: skip


@torch.no_grad()
def draw(
    model: DiT,
    classes: Int[Tensor, " B"],
    *,
    n_steps: int = N_STEPS,
    guidance: float = GUIDANCE,
    solver: str = "Euler",
    seed: int = 0,
) -> LabelledImages:
    """Dibuja una imagen por clase pedida, desde un ruido que depende de la semilla."""
    noise = noise_like(model, len(classes), seed)
    velocity = guided(model.eval(), classes.to(noise.device), guidance)
    return LabelledImages(to_pixels(flow_path(velocity, noise, n_steps, solver)[-1].cpu()), classes)


def asked(n_per_class: int) -> Int[Tensor, " N"]:
    """Las clases que se piden: cada cifra, las mismas veces."""
    return torch.arange(N_DIGITS).repeat_interleave(n_per_class)


@cache
def judge() -> ViT:
    """Quien mira los dibujos: el clasificador de cifras del curso, que no sabe de dónde vienen."""
    return load_classifier("vit_cifras")


def _score(model: DiT) -> dict[str, float]:
    drawn, (_, test) = draw(model, asked(N_SCORED)), split_digits()
    seen = (features(judge(), images) for images in (drawn.images, test.images))
    return {"acuerdo": agreement(judge(), drawn), "fréchet": frechet_distance(*seen)}


def _untrained() -> dict[str, float]:
    return {f"{name} sin entrenar": value for name, value in _score(build(Recipe())).items()}


WEIGHTS = {
    "dit_cifras": Shipped(
        train=lambda: train(Recipe(), 0), score=_score, blind=_untrained, data=SOURCE
    )
}


def load(name: str) -> DiT:
    """El DiT que viene con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = DiT(DiTConfig(**weights_card(name).config)).eval()
    load_weights(name, model)
    return model
