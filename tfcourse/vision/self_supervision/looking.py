"""A dónde mira un codificador que nadie ha enseñado a mirar, y si algún parche se le dispara."""

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.models.vit_published import RegisteredEncoder


@torch.no_grad()
def class_looks(
    encoder: RegisteredEncoder, images: Float[Tensor, "B C H W"]
) -> Float[Tensor, "B rows columns"]:
    """Cuánto mira el token de clase a cada parche en la última capa: la media de las cabezas.

    Es la parte de la mirada que se lleva cada parche; lo que falta hasta 1 se lo llevan él mismo y
    los registros.
    """
    last = encoder.eval().attention_maps(images)[-1].mean(1)[:, 0]
    return encoder.patches_of(last[..., None])[..., 0].unflatten(1, encoder.config.grid)


@torch.no_grad()
def largest_norm(encoder: RegisteredEncoder, images: Float[Tensor, "B C H W"]) -> float:
    """Cuántas veces la norma mediana tiene el vector de parche más largo, antes de normalizar.

    Fuente: Darcet et al. (2024), § 2.1, donde unos pocos parches llegan a unas diez veces.
    """
    x = encoder.eval().tokens(images)
    for block in encoder.blocks:
        x = block(x)
    norms = encoder.patches_of(x).norm(dim=-1)
    return float(norms.max() / norms.median())
