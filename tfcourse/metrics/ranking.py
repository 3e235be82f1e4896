"""Medir un orden: si lo que se busca queda por delante de lo demás."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def area_under_roc(scores: Float[Tensor, " N"], labels: Int[Tensor, " N"]) -> float:
    """AUROC: la probabilidad de que un caso puntúe más que un no caso; los empates, la mitad.

    Errores: `ValueError` si falta alguna de las dos clases.
    """
    cases, others = scores[labels == 1], scores[labels == 0]
    if not len(cases) or not len(others):
        raise ValueError(
            f"hay {len(cases)} casos y {len(others)} no casos: hacen falta de los dos para comparar"
        )
    others = others.sort().values
    below = torch.searchsorted(others, cases)
    not_above = torch.searchsorted(others, cases, right=True)
    return float((below + not_above).double().mean() / 2 / len(others))


def ranked(scores: Float[Tensor, "Q N"], right: Bool[Tensor, "Q N"]) -> Bool[Tensor, "Q N"]:
    """De cada consulta, qué puestos ocupan los que valen: los documentos, de mayor a menor.

    Los empates se quedan en el orden en que estaban los documentos.
    """
    order = scores.argsort(dim=1, descending=True, stable=True)
    return right.gather(1, order)


def recall_at(hits: Bool[Tensor, "Q N"], k: int) -> Float[Tensor, "Q"]:
    """De los que valen, qué parte está en los `k` primeros puestos.

    Errores: `ValueError` si `k` no es positivo o alguna consulta no tiene nada que encontrar.
    """
    check_search(hits, k)
    return hits[:, :k].sum(dim=1) / hits.sum(dim=1)


def reciprocal_rank(hits: Bool[Tensor, "Q N"]) -> Float[Tensor, "Q"]:
    """Uno entre el puesto del primero que vale; su media es el MRR.

    Errores: los de `recall_at`.
    """
    check_search(hits, 1)
    return 1 / (hits.int().argmax(dim=1) + 1).float()


def ndcg_at(hits: Bool[Tensor, "Q N"], k: int) -> Float[Tensor, "Q"]:
    """nDCG: cada acierto vale 1/log₂(1 + puesto), y 1 es tenerlos todos delante.

    Fuente: Järvelin y Kekäläinen (2002), con ganancias de cero o uno. Errores: los de `recall_at`.
    """
    check_search(hits, k)
    places = torch.arange(hits.shape[1], device=hits.device)
    gains = 1 / torch.log2(places + 2.0) * (places < k)
    best = (places < hits.sum(dim=1, keepdim=True)).float() @ gains
    return (hits.float() @ gains) / best


def check_search(hits: Bool[Tensor, "Q N"], k: int) -> None:
    """Que haya algo que medir. Errores: `ValueError` si no lo hay o `k` no es positivo."""
    if k < 1 or not bool(hits.any(dim=1).all()):
        raise ValueError(
            f"k={k} y {int((~hits.any(dim=1)).sum())} consultas sin nada que encontrar: k es 1 o "
            "más y cada consulta tiene algún documento que vale"
        )
