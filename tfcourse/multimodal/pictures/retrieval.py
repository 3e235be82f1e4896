"""Buscar entre dos modalidades: qué lugar ocupa la pareja, y clasificar con frases."""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


def pair_ranks(scores: Float[Tensor, "N M"]) -> Int[Tensor, " N"]:
    """El puesto de la pareja de cada fila, la de su misma columna: 1 si es la primera.

    A igual puntuación, cuenta como detrás: un modelo que da lo mismo a todo queda el último.
    Errores: `ValueError` si la tabla no es cuadrada.
    """
    if scores.shape[0] != scores.shape[1]:
        raise ValueError(
            f"la tabla es de {scores.shape[0]} × {scores.shape[1]}: la pareja de la fila i es la "
            "columna i, así que hacen falta tantas filas como columnas"
        )
    own = scores.diagonal()[:, None]
    return (scores >= own).sum(dim=1)


def recall_at(scores: Float[Tensor, "N M"], k: int) -> float:
    """Parte de las filas cuya pareja está entre las `k` primeras. Al azar sería k / N.

    Errores: `ValueError` si `k` no está entre 1 y N, y los de `pair_ranks`.
    """
    if not 1 <= k <= len(scores):
        raise ValueError(f"k={k} con {len(scores)} candidatos: usa un número entre 1 y ese")
    return float((pair_ranks(scores) <= k).float().mean())


def photo_ranks(scores: Float[Tensor, "C N"], owners: Int[Tensor, " C"]) -> Int[Tensor, " C"]:
    """El puesto de la foto de cada frase: `owners[c]` es la columna de la foto de la frase c.

    A igual puntuación, cuenta como detrás.
    """
    own = scores.gather(1, owners[:, None])
    return (scores >= own).sum(dim=1)


def caption_ranks(scores: Float[Tensor, "C N"], owners: Int[Tensor, " C"]) -> Int[Tensor, " N"]:
    """El puesto de la mejor de sus frases para cada foto: las demás suyas no la adelantan.

    Es como se mide en COCO, donde cada foto tiene cinco frases y vale cualquiera.
    Fuente: Karpathy y Fei-Fei (2015), § 4.1. Errores: `ValueError` si alguna foto no tiene frase.
    """
    n_photos = scores.shape[1]
    if len(owners.unique()) < n_photos:
        raise ValueError(f"hay {n_photos} fotos y alguna no tiene ninguna frase: quítala")
    own = scores.gather(1, owners[:, None])[:, 0]
    best = scores.new_full((n_photos,), -torch.inf).scatter_reduce(0, owners, own, "amax")
    ties = torch.zeros(n_photos, dtype=torch.long, device=scores.device)
    ties.index_add_(0, owners, (own >= best[owners]).long())  # las suyas que empatan con la mejor
    return (scores >= best).sum(dim=0) - ties + 1


def recall_among(ranks: Int[Tensor, " N"], k: int) -> float:
    """Parte de las búsquedas cuya respuesta está entre las `k` primeras: R@k."""
    return float((ranks <= k).float().mean())


def class_vectors(
    read: Callable[[Sequence[str]], Tensor],
    classes: Sequence[Sequence[str]],
    templates: Sequence[str] = ("{}",),
) -> Float[Tensor, "K D"]:
    """Un vector por clase: la media de sus frases, cada una de longitud 1, otra vez a longitud 1.

    Una clase son una o varias maneras de decirla, y con cada una se rellenan todas las plantillas,
    que llevan `{}` donde va. `read(frases)` da un vector por frase.
    Fuente: Radford et al. (2021), § 3.1.4. Errores: `ValueError` si falta alguna clase o si una
    plantilla no lleva `{}`.
    """
    broken = [template for template in templates if "{}" not in template]
    if broken or not templates or not classes or not all(classes):
        raise ValueError(
            f"templates={list(templates)} con {len(classes)} clases: hace falta al menos una "
            "manera de decir cada clase, y que cada plantilla lleve «{}» donde va, p. ej. "
            "'un dibujo de {}'"
        )
    means = []
    for ways in classes:
        vectors = read([template.format(way) for way in ways for template in templates])
        means.append(F.normalize(vectors, dim=-1).mean(dim=0))
    return F.normalize(torch.stack(means), dim=-1)
