"""Papeles de las cabezas de un modelo entrenado, y el azar con el que hay que compararlos."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

PREVIOUS, FOLLOWING, SPECIAL = "la anterior", "la siguiente", "[CLS] y [SEP]"


def role_regions(
    tokens: Int[Tensor, "B L"], special: Sequence[int]
) -> dict[str, Bool[Tensor, "B L L"]]:
    """A quién mira una cabeza en cada papel: el token anterior, el siguiente o los especiales."""
    length = tokens.shape[1]
    ones = torch.ones(length - 1, dtype=torch.bool, device=tokens.device)
    is_special = torch.isin(tokens, torch.tensor(list(special), device=tokens.device))
    shape = (len(tokens), length, length)
    return {
        PREVIOUS: ones.diag(-1).expand(shape),
        FOLLOWING: ones.diag(1).expand(shape),
        SPECIAL: is_special[:, None].expand(shape),
    }


def head_masses(
    maps: Float[Tensor, "B H L L"], region: Bool[Tensor, "B L L"]
) -> Float[Tensor, " H"]:
    """Peso que pone cada cabeza en una región, en media sobre las consultas que la tienen."""
    asking = region.any(dim=-1)
    inside = (maps * region[:, None]).sum(dim=-1)
    return (inside * asking[:, None]).sum(dim=(0, 2)) / asking.sum()


def shuffled_keys(
    maps: Float[Tensor, "B H L L"], generator: torch.Generator
) -> Float[Tensor, "B H L L"]:
    """Los mismos mapas con las claves barajadas: igual de nítidos, pero sin saber dónde miran.

    Cada cabeza y cada ventana tienen su sorteo, el mismo para todas sus consultas: quien miraba
    siempre al mismo sitio sigue mirando siempre al mismo, a otro.
    """
    batch, heads, _, length = maps.shape
    order = torch.rand(batch, heads, 1, length, generator=generator).argsort(dim=-1)
    return maps.gather(-1, order.to(maps.device).expand_as(maps))


def chance_ceiling(
    maps: Float[Tensor, "B H L L"],
    region: Bool[Tensor, "B L L"],
    *,
    n_shuffles: int,
    generator: torch.Generator,
) -> float:
    """La mayor masa que saca alguna cabeza en alguno de esos sorteos."""
    return max(
        float(head_masses(shuffled_keys(maps, generator), region).max()) for _ in range(n_shuffles)
    )
