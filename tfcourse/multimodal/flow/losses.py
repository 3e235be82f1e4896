"""Lo que se aprende: la velocidad de la recta que va de un ruido a un dato."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

Velocity = Callable[[Tensor, Tensor], Tensor]
"""Un campo de velocidades: de los puntos `(B, …)` y sus instantes `(B,)`, hacia dónde van."""


class Journey(NamedTuple):
    """Un lote de viajes: el dato, el ruido del que sale, el instante en que se mira y la clase."""

    images: Float[Tensor, "B C H W"]
    noise: Float[Tensor, "B C H W"]
    times: Float[Tensor, " B"]
    classes: Int[Tensor, " B"]


def along(
    noise: Float[Tensor, "B *S"], data: Float[Tensor, "B *S"], times: Float[Tensor, " B"]
) -> Float[Tensor, "B *S"]:
    """El punto de la recta: (1 − t) · ruido + t · dato, cada ejemplo en su instante.

    Fuente: Liu, Gong y Liu (2023), § 2; Lipman et al. (2023), § 4.1, sin ruido al llegar.
    """
    times = times.view(-1, *[1] * (data.ndim - 1))
    return (1 - times) * noise + times * data


def flow_matching_loss(
    velocity: Velocity,
    noise: Float[Tensor, "B *S"],
    data: Float[Tensor, "B *S"],
    times: Float[Tensor, " B"],
) -> Float[Tensor, ""]:
    """Pérdida de emparejamiento de flujos: error cuadrático medio de la velocidad de la recta.

    La velocidad de la recta es dato − ruido, la misma en todos sus instantes.
    Fuente: Liu, Gong y Liu (2023), ec. 1; Lipman et al. (2023), § 4.1.
    """
    told = velocity(along(noise, data, times), times)
    return (told - (data - noise)).square().mean()


def image_flow_loss(model: torch.nn.Module, batch: Journey) -> Float[Tensor, ""]:
    """La pérdida de un lote de imágenes, con la clase como condición."""
    images, noise, times, classes = batch
    return flow_matching_loss(lambda x, t: model(x, t, classes), noise, images, times)
