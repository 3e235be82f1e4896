"""Recetas de fusión: entrenar una variante y ver qué acierta, qué le falta y a quién cree."""

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.classifiers import fit_with_muon
from tfcourse.datasets.digit_pairs import Damage, DigitPairs, DigitPools, pair_batches, split_pools
from tfcourse.layers.rollout import attention_rollout
from tfcourse.models.fusion import FusionClassifier, FusionConfig
from tfcourse.training import History, seed_everything

# Qué llega al evaluar: las dos modalidades, o una sola.
BOTH, NO_SOUND, NO_IMAGE = (True, True), (True, False), (False, True)


@dataclass(frozen=True)
class FusionRecipe:
    """Cómo se entrena: pasos, lote, ritmos, daño y con qué probabilidad se quita una modalidad."""

    steps: int = 150
    batch_size: int = 48
    muon_lr: float = 0.02
    adam_lr: float = 3e-3
    weight_decay: float = 0.01
    modality_dropout: float = 0.0
    damage: Damage = field(default_factory=Damage)


def fusion_loss(model: FusionClassifier, batch: tuple) -> Float[Tensor, ""]:
    """Entropía cruzada media de un lote `(imágenes, ondas, qué llega, cifras)`."""
    images, waves, present, labels = batch
    return F.cross_entropy(model(images, waves, present), labels)


def trained(
    variant: str,
    seed: int,
    recipe: FusionRecipe | None = None,
    pools: DigitPools | None = None,
    **sizes,
) -> tuple[FusionClassifier, History]:
    """Construye y entrena una variante; devuelve el modelo, en la CPU, y la historia."""
    seed_everything(seed)
    recipe = recipe or FusionRecipe()
    model = FusionClassifier(FusionConfig(variant, **sizes))
    batches = pair_batches(
        pools or split_pools()[0], recipe.batch_size, recipe.damage,
        dropout=recipe.modality_dropout, seed=seed,
    )  # fmt: skip
    history = fit_with_muon(model, batches, fusion_loss, recipe)
    return model.cpu().eval(), history


@torch.no_grad()
def pair_logits(
    model: FusionClassifier, pairs: DigitPairs, present: tuple[bool, bool] = BOTH
) -> Float[Tensor, "N K"]:
    """Lo que contesta el modelo a cada pareja, con las modalidades que llegan."""
    model.eval()
    flags = torch.tensor(present).expand(len(pairs), 2)
    parts = zip(*(x.split(250) for x in (pairs.images, pairs.waves, flags)), strict=True)
    return torch.cat([model(*part) for part in parts])


def pair_accuracy(
    model: FusionClassifier, pairs: DigitPairs, present: tuple[bool, bool] = BOTH
) -> float:
    """Parte de las parejas que acierta. Errores: los de `DigitPairs.labels`."""
    right = pair_logits(model, pairs, present).argmax(dim=1) == pairs.labels
    return float(right.float().mean())


def believed(logits: Float[Tensor, "N K"], pairs: DigitPairs) -> dict[str, float]:
    """A quién cree cuando la imagen y la voz se contradicen: parte de las parejas de cada caso."""
    guess = logits.argmax(dim=1)
    image, sound = guess == pairs.seen, guess == pairs.heard
    shares = {"la imagen": image, "la voz": sound, "a ninguna": ~(image | sound)}
    return {name: float(rows.float().mean()) for name, rows in shares.items()}


def late_fusion(
    first: Float[Tensor, "N K"], second: Float[Tensor, "N K"], prior: Float[Tensor, " K"]
) -> Float[Tensor, "N K"]:
    """Fusión tardía: el producto de las probabilidades de dos modelos, entre la de cada clase.

    Es exacta si, sabida la clase, una modalidad no dice nada de la otra (Kittler et al., 1998,
    ec. 9). Devuelve logaritmos de probabilidades.
    """
    total = first.log_softmax(dim=-1) + second.log_softmax(dim=-1) - prior.log()
    return total.log_softmax(dim=-1)


def image_share(model: FusionClassifier, pairs: DigitPairs) -> Float[Tensor, " N"]:
    """Qué parte de lo que resume cada pareja sale de los tokens de la imagen, según la atención.

    Con el despliegue de la atención de todas las capas. Errores: `ValueError` si la variante solo
    deja una secuencia, en la que no se distinguen.
    """
    n_image, n_sound = model.config.lengths
    maps = model.maps(pairs.images, pairs.waves)
    if maps[0].shape[-1] != n_image + n_sound:
        raise ValueError(
            f"{model.config.variant!r} no tiene tokens de las dos modalidades por separado: usa "
            "una variante que las concatene o las cruce"
        )
    return attention_rollout(maps)[:, :, :n_image].sum(dim=-1).mean(dim=-1)


def class_prior(labels: Int[Tensor, " N"], n_classes: int) -> Float[Tensor, " K"]:
    """La frecuencia de cada clase, contando una vez de más cada una para que ninguna sea cero."""
    counts = labels.bincount(minlength=n_classes).float() + 1
    return counts / counts.sum()
