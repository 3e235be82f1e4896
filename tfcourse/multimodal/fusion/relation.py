"""¿Son la misma cifra? Una pregunta sobre la relación, que ninguna modalidad contesta sola."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.sounds.digit_pairs import (
    CLEAN,
    N_CLASSES,
    Damage,
    doubtful_pairs,
    split_pools,
)
from tfcourse.models.fusion import UNIMODAL, VARIANTS, FusionClassifier, FusionConfig
from tfcourse.models.late_fusion import BottleneckClassifier, JointHeadClassifier
from tfcourse.training.budget import Budget
from tfcourse.training.recipe import MuonRecipe, Trained, trained

# Lo que contesta cada modelo: qué cifra se ve, qué cifra se oye y si son la misma.
ANSWERS = (N_CLASSES, N_CLASSES, 2)
BOTTLENECK, ADDED, HEAD = "cuello de botella", "tardía que suma", "tardía con cabeza"
# Con más bloques, más estrechos por dentro: así todos tienen los mismos parámetros.
HIDDEN = {
    "solo imagen": 63,
    "solo sonido": 63,
    "suma temprana": 258,
    "concatenación temprana": 258,
    "varios a uno": 128,
    "uno a varios": 128,
    "cruzada": 63,
    "cruzada y concatenación": 128,
    BOTTLENECK: 63,
    ADDED: 63,
    HEAD: 47,
}
RIVALS = (*VARIANTS, BOTTLENECK, ADDED, HEAD)


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Cómo se entrena: pasos, lote, ritmos, daño y cuánto pesa decir las cifras en la pérdida."""

    steps: int = 300
    batch_size: int = 48
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    damage: Damage = field(default_factory=lambda: CLEAN)
    digits: float = 1.0


def build(_recipe: Recipe, name: str) -> FusionClassifier:
    """Uno de los que compiten, sin entrenar. Errores: `ValueError` si el nombre no se conoce."""
    if name not in HIDDEN:
        raise ValueError(f"name={name!r}: usa {', '.join(HIDDEN)}")
    kinds: dict[str, Callable[..., FusionClassifier]] = {
        BOTTLENECK: BottleneckClassifier,
        HEAD: JointHeadClassifier,
    }
    variant = name if name in VARIANTS | UNIMODAL else "por separado"
    config = FusionConfig(variant, n_classes=sum(ANSWERS), d_hidden=HIDDEN[name])
    return kinds.get(name, FusionClassifier)(config)


def split_answers(logits: Float[Tensor, "N 22"]) -> tuple[Tensor, Tensor, Tensor]:
    """Los logits de la cifra que se ve, de la que se oye y de si son la misma: no y sí."""
    return logits.split(ANSWERS, dim=1)


def relation_loss(model: FusionClassifier, batch: tuple, digits: float = 1.0) -> Float[Tensor, ""]:
    """La entropía cruzada de si son la misma, más `digits` veces las de las dos cifras.

    El lote es `(imágenes, ondas, cifra vista, cifra oída)`. Quien solo lee una modalidad no puede
    saber la otra cifra: lo mejor es decir la misma, y acierta la mitad.
    """
    images, waves, seen, heard = batch
    answers = split_answers(model(images, waves))
    wanted = seen, heard, (seen == heard).long()
    first, second, relation = map(F.cross_entropy, answers, wanted)
    return relation + digits * (first + second)


def batches(recipe: Recipe, seed: int) -> Iterator[tuple]:
    """Lotes sin fin de parejas de entrenar, la mitad contradichas."""
    pools, generator = split_pools()[0], torch.Generator().manual_seed(seed)
    while True:
        pairs = doubtful_pairs(pools, recipe.batch_size, recipe.damage, generator)
        yield pairs.images, pairs.waves, pairs.seen, pairs.heard


def train(recipe: Recipe, seed: int, budget: Budget | None = None, *, name: str) -> Trained:
    """Construye y entrena uno de los que compiten; sin `budget`, los pasos de la receta."""
    loss = partial(relation_loss, digits=recipe.digits)
    return trained(lambda: build(recipe, name), batches(recipe, seed), loss, recipe, seed, budget)
