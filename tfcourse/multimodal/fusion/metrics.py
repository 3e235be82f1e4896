"""Medir una fusión: qué acierta con lo que llega, a quién cree y de dónde toma lo que resume."""

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.sounds.digit_pairs import DigitPairs
from tfcourse.layers.image.rollout import attention_rollout
from tfcourse.models.fusion import FusionClassifier

# Qué llega al evaluar: las dos modalidades, o una sola.
BOTH, NO_SOUND, NO_IMAGE = (True, True), (True, False), (False, True)


@torch.no_grad()
def pair_logits(
    model: FusionClassifier, pairs: DigitPairs, present: tuple[bool, bool] = BOTH
) -> Float[Tensor, "N K"]:
    """Lo que contesta el modelo a cada pareja, con las modalidades que llegan."""
    model.eval()
    device = next(model.parameters()).device
    flags = torch.tensor(present).expand(len(pairs), 2)
    parts = zip(*(x.split(250) for x in (pairs.images, pairs.waves, flags)), strict=True)
    return torch.cat([model(*(x.to(device) for x in part)).cpu() for part in parts])


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


def image_share(model: FusionClassifier, pairs: DigitPairs) -> Float[Tensor, " N"]:
    """Qué parte de lo que resume cada pareja sale de los tokens de la imagen, según la atención.

    Con el despliegue de la atención de todas las capas. Errores: `ValueError` si la variante solo
    deja una secuencia, en la que no se distinguen.
    """
    n_image, n_sound = model.config.lengths
    maps = model.attention_maps(pairs.images, pairs.waves)
    if maps[0].shape[-1] != n_image + n_sound:
        raise ValueError(
            f"{model.config.variant!r} no tiene tokens de las dos modalidades por separado: usa "
            "una variante que las concatene o las cruce"
        )
    return attention_rollout(maps)[:, :, :n_image].sum(dim=-1).mean(dim=-1)
