"""La receta del alumno y el maestro: dos vistas de cada cifra, y decir lo mismo de las dos."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.batching import minibatches
from tfcourse.datasets.pictures.augmentation import Augmentation, move_images
from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.models.self_distillation import (
    Observer,
    PrototypeHead,
    SelfDistiller,
)
from tfcourse.models.vit import ViTConfig
from tfcourse.models.vit_published import RegisteredEncoder
from tfcourse.training.budget import Budget
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.classification.recipe import SOURCE
from tfcourse.vision.self_supervision.few_labels import ENCODER, features_of, few_label_score
from tfcourse.vision.self_supervision.losses import distillation_terms
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights, weights_card

VIEWS = Augmentation(shift=0.7, degrees=10.0, scale=0.1)


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos, vistas, temperaturas y lo que conserva el maestro.

    `erased` es el lado del cuadrado que se borra en cada vista, y `noise`, el ruido que se le suma.
    `balance` es una de `losses.BALANCES`. `pixel_mean` y `pixel_scale` son la media y la desviación
    de los píxeles, que se les quitan antes de leerlos. `options` cambia los tamaños de `ViTConfig`.
    """

    steps: int = 1_000
    batch_size: int = 64
    muon_lr: float = 0.005
    adam_lr: float = 1e-3
    moves: Augmentation = field(default_factory=lambda: VIEWS)
    n_views: int = 2
    erased: int = 2
    noise: float = 0.03
    student_temperature: float = 0.1
    teacher_temperature: float = 0.04
    balance: str = "centro"
    momentum: float = 0.98
    center_momentum: float = 0.9
    n_prototypes: int = 64
    batch_norm: bool = False
    n_registers: int = 0
    pixel_mean: float = 0.305
    pixel_scale: float = 0.376
    options: dict = field(default_factory=lambda: dict(ENCODER))

    def prepared(self, images: Float[Tensor, "*B C H W"]) -> Float[Tensor, "*B C H W"]:
        """Las imágenes como las lee el codificador: sin la media ni la escala de los píxeles."""
        return (images - self.pixel_mean) / self.pixel_scale


def build_encoder(recipe: Recipe) -> RegisteredEncoder:
    """El codificador de la receta, sin entrenar."""
    return RegisteredEncoder(ViTConfig(1, **recipe.options), recipe.n_registers)


def build(recipe: Recipe) -> SelfDistiller:
    """El alumno y el maestro de la receta, iguales y sin entrenar."""
    encoder = build_encoder(recipe)
    width = encoder.config.d_model
    head = PrototypeHead(
        width, 2 * width, width // 2, recipe.n_prototypes, batch_norm=recipe.batch_norm
    )
    return SelfDistiller(Observer(encoder, head), recipe.momentum, recipe.center_momentum)


def seen_again(
    images: Float[Tensor, "B C H W"], recipe: Recipe, generator: torch.Generator
) -> Float[Tensor, "B C H W"]:
    """Otra vista de cada imagen: movida, con otra tinta, un cuadrado borrado y algo de ruido."""
    views = move_images(images, recipe.moves, generator)
    count, side = len(views), recipe.erased
    height, width = views.shape[-2:]
    top = torch.randint(0, height - side + 1, (count, 1, 1, 1), generator=generator)
    left = torch.randint(0, width - side + 1, (count, 1, 1, 1), generator=generator)
    rows, columns = torch.arange(height)[:, None], torch.arange(width)
    inside = (rows >= top) & (rows < top + side) & (columns >= left) & (columns < left + side)
    ink = 1 + 0.4 * (torch.rand(count, 1, 1, 1, generator=generator) - 0.5)
    grain = recipe.noise * torch.randn(views.shape, generator=generator)
    return (ink * views.masked_fill(inside, 0.0) + grain).clamp(0, 1)


def batches(
    recipe: Recipe, seed: int, images: Float[Tensor, "N C H W"] | None = None
) -> Iterator[Float[Tensor, "B V C H W"]]:
    """Lotes sin fin de vistas, ya preparadas, de las mismas imágenes; sus clases no se miran."""
    images = split_digits()[0].images if images is None else images
    generator = torch.Generator().manual_seed(seed + 2)
    size = min(recipe.batch_size, len(images))
    for (some,) in minibatches(images, batch_size=size, seed=seed):
        views = [seen_again(some, recipe, generator) for _ in range(recipe.n_views)]
        yield recipe.prepared(torch.stack(views, dim=1))


def distillation_loss(model: nn.Module, views: Tensor, *, recipe: Recipe) -> tuple[Tensor, dict]:
    """La pérdida de un lote de vistas, con las dos entropías del maestro aparte."""
    return distillation_terms(
        model(views), recipe.student_temperature, recipe.teacher_temperature, recipe.balance
    )


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    images: Float[Tensor, "N C H W"] | None = None,
    checkpoint: Checkpoint | None = None,
) -> Trained:
    """Entrena al alumno y a su maestro; con `images`, con esas en lugar de las cifras."""
    return trained(
        partial(build, recipe), batches(recipe, seed, images),
        partial(distillation_loss, recipe=recipe), recipe, seed, budget, checkpoint=checkpoint,
    )  # fmt: skip


SHIPPED = Recipe()


def _train() -> Trained:
    """De todo lo entrenado se guarda el codificador del maestro."""
    done = train(SHIPPED, 0)
    return Trained(done.model.teacher.encoder, done.recipe, done.history)


def _score(encoder: RegisteredEncoder) -> dict[str, float]:
    return few_label_score(features_of(encoder, prepare=SHIPPED.prepared))


def _untrained() -> dict[str, float]:
    torch.manual_seed(0)
    found = _score(build_encoder(SHIPPED))
    return {f"{name}, sin entrenar": value for name, value in found.items()}


WEIGHTS = {"dino_cifras": Shipped(train=_train, score=_score, blind=_untrained, data=SOURCE)}


def load(name: str) -> RegisteredEncoder:
    """El codificador del maestro que viene con el curso; lee imágenes de `SHIPPED.prepared`.

    Errores: los de `check_shipped`.
    """
    check_shipped(name, WEIGHTS)
    config = ViTConfig(**weights_card(name).config)
    encoder = RegisteredEncoder(config, SHIPPED.n_registers).eval()
    load_weights(name, encoder)
    return encoder
