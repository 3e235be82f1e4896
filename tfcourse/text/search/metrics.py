"""Medir un buscador: en qué puestos deja lo que se busca, y con cuánta incertidumbre."""

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from tfcourse.metrics.intervals import paired_bootstrap
from tfcourse.metrics.ranking import ndcg_at, ranked, recall_at, reciprocal_rank

MEASURES = ("recall@1", "recall@10", "MRR", "nDCG@10")


def right_places(scores: Float[Tensor, "Q N"], right: Bool[Tensor, "Q N"]) -> list[list[int]]:
    """De cada consulta, los puestos (desde 1) de los documentos que valen, de menor a mayor."""
    return [(1 + torch.where(row)[0]).tolist() for row in ranked(scores, right)]


def hits_at(places: Sequence[Sequence[int]], n_documents: int) -> Bool[Tensor, "Q N"]:
    """Lo contrario: de cada consulta, qué puestos ocupan los que valen."""
    hits = torch.zeros(len(places), n_documents, dtype=torch.bool)
    for row, own in enumerate(places):
        hits[row, torch.tensor(own) - 1] = True
    return hits


def measured(hits: Bool[Tensor, "Q N"]) -> dict[str, list[float]]:
    """Lo que saca cada consulta en cada medida."""
    found = (recall_at(hits, 1), recall_at(hits, 10), reciprocal_rank(hits), ndcg_at(hits, 10))
    return {name: values.tolist() for name, values in zip(MEASURES, found, strict=True)}


def scored(scores: Float[Tensor, "Q N"], right: Bool[Tensor, "Q N"]) -> dict[str, list[float]]:
    """Lo mismo, a partir de lo que puntúa cada documento."""
    return measured(ranked(scores, right))


def mean_with_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """Media, y el intervalo del 95 % si se sortearan otras consultas."""
    return paired_bootstrap(values, [0.0] * len(values))
