"""Lo que se castiga sin etiquetas: pintar mal lo tapado, o no decir lo mismo de dos vistas."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.layers.image.patches import split_patches
from tfcourse.models.self_distillation import Seen

EPS = 1e-6
BALANCES = ("centro", "sinkhorn", "nada")


def patch_targets(
    images: Float[Tensor, "B C H W"], size: int, *, normed: bool = True
) -> Float[Tensor, "B N P"]:
    """Lo que hay que pintar: los píxeles de cada parche; con `normed`, sin su media ni su escala.

    Fuente: He et al. (2022), § 3; la varianza divide entre P − 1, como en su código.
    """
    patches = split_patches(images, size)
    if not normed:
        return patches
    mean, variance = patches.mean(-1, keepdim=True), patches.var(-1, keepdim=True)
    return (patches - mean) / (variance + EPS).sqrt()


def reconstruction_loss(
    painted: Float[Tensor, "B N P"],
    targets: Float[Tensor, "B N P"],
    hidden: Bool[Tensor, "B N"],
) -> Float[Tensor, ""]:
    """Error cuadrático medio de los parches tapados; lo que se pinte en los demás no cuenta.

    Fuente: He et al. (2022), § 3. Errores: `ValueError` si no hay ninguno tapado.
    """
    if not hidden.any():
        raise ValueError("no hay ningún parche tapado: sube la parte que se tapa")
    return (painted - targets).square().mean(-1)[hidden].mean()


def teacher_shares(
    logits: Float[Tensor, "*B K"], center: Float[Tensor, " K"], temperature: float
) -> Float[Tensor, "*B K"]:
    """El reparto del maestro: se le resta su centro, y se divide entre su temperatura.

    Restar el centro quita lo que dice de todas las imágenes; una temperatura baja afila el reparto.
    Fuente: Caron et al. (2021), § 3.1, «Avoiding collapse».
    """
    return ((logits - center) / temperature).softmax(-1)


def balanced_shares(
    logits: Float[Tensor, "*B K"], temperature: float, n_rounds: int = 3
) -> Float[Tensor, "*B K"]:
    """Repartos afilados y equilibrados: en el lote, a todos los prototipos les toca casi lo mismo.

    Sinkhorn y Knopp: por turnos, que cada columna sume lo mismo y que cada fila sume 1.
    Fuente: Caron et al. (2020), § 3.1; la usa DINOv2 en lugar del centro: Oquab et al. (2024), § 4.
    Errores: `ValueError` si no hay ninguna vuelta.
    """
    if n_rounds < 1:
        raise ValueError(f"n_rounds={n_rounds}: hace falta al menos una vuelta")
    rows = logits.flatten(0, -2) / temperature
    logs = rows - rows.logsumexp(-1, keepdim=True)
    for _ in range(n_rounds):
        logs = logs - logs.logsumexp(0, keepdim=True)
        logs = logs - logs.logsumexp(1, keepdim=True)
    return logs.exp().unflatten(0, logits.shape[:-1])


def agreement_loss(
    student: Float[Tensor, "B V K"], shares: Float[Tensor, "B V K"], temperature: float
) -> Float[Tensor, ""]:
    """Entropía cruzada del alumno con el maestro, cada uno con una vista distinta de la imagen.

    Es la media de todas las parejas de vistas que no son la misma.
    Fuente: Caron et al. (2021), ec. 3. Errores: `ValueError` si hay una sola vista.
    """
    n_views = student.shape[1]
    if n_views < 2:
        raise ValueError("hay una sola vista: hacen falta dos o más para comparar")
    logs = (student / temperature).log_softmax(-1)
    pairs = -torch.einsum("bvk,bwk->vwb", shares, logs).mean(-1)
    others = ~torch.eye(n_views, dtype=torch.bool, device=pairs.device)
    return pairs[others].mean()


def entropy(shares: Float[Tensor, "*B K"]) -> Float[Tensor, "*B"]:
    """Entropía de cada reparto, en nats: 0 si todo va a uno y ln K si va por igual a todos."""
    return torch.special.entr(shares).sum(-1)


class Spread(NamedTuple):
    """Cuánto dice un reparto de la imagen: la entropía de la media, y la media de las entropías.

    Las dos valen lo mismo cuando de todas las imágenes se dice lo mismo.
    """

    of_mean: Float[Tensor, ""]
    mean: Float[Tensor, ""]

    @property
    def information(self) -> Float[Tensor, ""]:
        """Lo que un reparto dice de su imagen, en nats: la diferencia, que no es negativa."""
        return self.of_mean - self.mean


def spread(shares: Float[Tensor, "*B K"]) -> Spread:
    """Las dos entropías de los repartos de muchas imágenes.

    Fuente: Caron et al. (2021), § 5.3 y figura 7, donde se mira la media de las entropías.
    """
    rows = shares.flatten(0, -2)
    return Spread(entropy(rows.mean(0)), entropy(rows).mean())


def distillation_terms(
    seen: Seen, student_temperature: float, teacher_temperature: float, balance: str = "centro"
) -> tuple[Float[Tensor, ""], dict[str, Tensor]]:
    """La pérdida de un lote y, por su nombre, las dos entropías de lo que dice el maestro.

    `balance` es una de `BALANCES`: restar el centro, Sinkhorn y Knopp, o nada.
    Errores: `ValueError` si no se conoce.
    """
    if balance not in BALANCES:
        raise ValueError(f"balance={balance!r}: usa {', '.join(BALANCES)}")
    if balance == "sinkhorn":
        shares = balanced_shares(seen.teacher, teacher_temperature)
    else:
        center = seen.center if balance == "centro" else torch.zeros_like(seen.center)
        shares = teacher_shares(seen.teacher, center, teacher_temperature)
    found = spread(shares)
    loss = agreement_loss(seen.student, shares, student_temperature)
    return loss, {"entropía de la media": found.of_mean, "media de las entropías": found.mean}
