"""El gradiente que llega a una consulta: cuánto mueve a sus pesos, con el divisor √d_k y sin él."""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def query_gradient(
    q: Float[Tensor, "*B D"], k: Float[Tensor, "*B Lk D"], *, scaled: bool = True
) -> Float[Tensor, "*B Lk D"]:
    """Gradiente de cada peso respecto de su consulta: αᵢ (kᵢ − Σⱼ αⱼ kⱼ) / c.

    El divisor c es √d_k, o 1 si no se escala. Es la regla de la cadena: la derivada del softmax
    por las claves, que son la derivada de los puntajes.
    """
    divisor = math.sqrt(q.shape[-1]) if scaled else 1.0
    weights = ((k @ q[..., None])[..., 0] / divisor).softmax(dim=-1)
    mean_key = weights[..., None, :] @ k
    return weights[..., None] * (k - mean_key) / divisor


def query_gradient_norms(
    q: Float[Tensor, "*B D"], k: Float[Tensor, "*B Lk D"], *, scaled: bool = True
) -> Float[Tensor, "*B"]:
    """Norma de ese gradiente, una por consulta: la de Frobenius de la matriz de Lk × D."""
    return query_gradient(q, k, scaled=scaled).flatten(-2).norm(dim=-1)


def nearly_tied(
    q: Float[Tensor, "*B D"], k: Float[Tensor, "*B Lk D"], *, margin: float = 1.0
) -> float:
    """Fracción de consultas cuyos dos puntajes mayores, sin dividir, distan menos de `margin`."""
    first, second = (k @ q[..., None])[..., 0].topk(2, dim=-1).values.unbind(dim=-1)
    return float((first - second < margin).float().mean())


def random_queries(
    d_k: int, *, n_queries: int, n_keys: int, generator: torch.Generator
) -> tuple[Float[Tensor, "N D"], Float[Tensor, "N Lk D"]]:
    """Consultas al azar, cada una con sus claves: componentes independientes, de varianza 1."""
    q = torch.randn(n_queries, d_k, generator=generator)
    return q, torch.randn(n_queries, n_keys, d_k, generator=generator)
