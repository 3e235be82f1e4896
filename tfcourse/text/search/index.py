"""Índice de celdas (IVF): buscar los vectores cercanos sin compararlos todos."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor


class Found(NamedTuple):
    """Lo que encuentra una consulta: qué vectores, con qué parecido, y cuántos se compararon."""

    documents: Int[Tensor, "K"]
    scores: Float[Tensor, "K"]
    compared: int


def spherical_kmeans(
    vectors: Float[Tensor, "N D"], n_cells: int, rounds: int = 10, seed: int = 0
) -> Float[Tensor, "C D"]:
    """Los centros de `n_cells` grupos de vectores de longitud 1, con longitud 1 también.

    Cada ronda lleva cada vector al centro que más se le parece y pone cada centro en la dirección
    media de los suyos; el que se queda sin ninguno no se mueve.
    Errores: `ValueError` si se piden más grupos que vectores.
    """
    if not 1 <= n_cells <= len(vectors):
        raise ValueError(f"n_cells={n_cells} con {len(vectors)} vectores: pide entre 1 y esos")
    generator = torch.Generator().manual_seed(seed)
    first = torch.randperm(len(vectors), generator=generator)[:n_cells].to(vectors.device)
    centres = vectors[first]
    for _ in range(rounds):
        cells = (vectors @ centres.T).argmax(dim=1)
        sums = torch.zeros_like(centres).index_add_(0, cells, vectors)
        alone = cells.bincount(minlength=n_cells) == 0
        centres = torch.where(alone[:, None], centres, F.normalize(sums, dim=1))
    return centres


class CellIndex:
    """Índice IVF: cada vector, en la celda de su centro; al buscar, solo se abren unas pocas.

    Fuente: Sivic y Zisserman (2003); Jégou, Douze y Schmid (2011), § IV.
    Errores: los de `spherical_kmeans`.
    """

    def __init__(self, vectors: Float[Tensor, "N D"], n_cells: int, seed: int = 0):
        self.vectors = vectors
        self.centres = spherical_kmeans(vectors, n_cells, seed=seed)
        owner = (vectors @ self.centres.T).argmax(dim=1)
        self.cells = [torch.where(owner == cell)[0] for cell in range(n_cells)]

    def search(self, query: Float[Tensor, "D"], k: int, n_probes: int) -> Found:
        """Los `k` más parecidos de las `n_probes` celdas más cercanas a la consulta.

        Cuenta también las comparaciones con los centros. Errores: `ValueError` si no se abre
        ninguna celda o se abren más de las que hay.
        """
        if not 1 <= n_probes <= len(self.cells):
            raise ValueError(
                f"n_probes={n_probes}: hay {len(self.cells)} celdas; abre al menos una"
            )
        opened = (self.centres @ query).topk(n_probes).indices.tolist()
        some = torch.cat([self.cells[cell] for cell in opened])
        scores = self.vectors[some] @ query
        best = scores.topk(min(k, len(some)))
        compared = len(self.centres) + len(some)
        return Found(some[best.indices], best.values, compared)
