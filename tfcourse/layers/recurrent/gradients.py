"""El gradiente a través del tiempo: medirlo paso a paso, predecir su ritmo y recortarlo."""

import math
from collections.abc import Callable, Iterable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn


def states_through_time(cell: nn.Module, x: Float[Tensor, "B T Dx"]) -> list:
    """Estados de una celda tras cada paso, cada uno calculado con el anterior."""
    states, state = [], cell.initial_state(x)
    for x_t in x.unbind(dim=1):
        state = cell(x_t, state)
        states.append(state)
    return states


def gradient_norms(
    cell: nn.Module, x: Float[Tensor, "B T Dx"], loss_fn: Callable[[Tensor], Tensor]
) -> tuple[Float[Tensor, " T"], ...]:
    """Norma de ∂pérdida/∂estado en cada paso; la pérdida se lee en el último estado.

    Un tensor de T normas para h y, si la celda lleva además una memoria c, otro para
    ella, que cuenta también lo que de c pasa por el h del mismo paso.
    """
    states = states_through_time(cell, x)
    paired = isinstance(states[-1], tuple)
    streams = list(zip(*states, strict=True)) if paired else [states]
    loss = loss_fn(streams[0][-1])
    gradients = torch.autograd.grad(loss, [s for stream in streams for s in stream])
    norms = torch.stack([gradient.norm() for gradient in gradients])
    return norms.chunk(len(streams))


def spectral_radius(matrix: Float[Tensor, "D D"]) -> float:
    """Radio espectral: el mayor módulo de los valores propios."""
    return float(torch.linalg.eigvals(matrix.detach()).abs().max())


def with_spectral_radius(matrix: Float[Tensor, "D D"], radius: float) -> Float[Tensor, "D D"]:
    """La misma matriz, multiplicada por lo que deja su radio espectral en `radius`.

    Errores: `ValueError` si todos sus valores propios son cero.
    """
    current = spectral_radius(matrix)
    if current == 0:
        raise ValueError(
            "la matriz tiene radio espectral 0 y ningún factor lo cambia: parte de una al azar"
        )
    return matrix * (radius / current)


def power_method(
    matrix: Float[Tensor, "D D"], vector: Float[Tensor, " D"], steps: int
) -> tuple[Float[Tensor, " S"], Float[Tensor, " D"]]:
    """Método de la potencia: multiplica por la matriz sin dejar crecer el vector.

    Devuelve por cuánto se estiró en cada paso, que tiende al radio espectral cuando el
    valor propio dominante es único y real, y la dirección final.
    Fuente: Goodfellow, Bengio y Courville (2016), § 10.7.
    """
    vector, stretches = vector / vector.norm(), []
    for _ in range(steps):
        vector = matrix @ vector
        stretches.append(vector.norm())
        vector = vector / stretches[-1]
    return torch.stack(stretches), vector


def growth_rate(norms: Float[Tensor, " T"] | Sequence[float]) -> float:
    """Ritmo medio por paso: el factor r con el que norma_T = r^(T − 1) · norma_1.

    Errores: `ValueError` con menos de dos normas, o si una de las puntas no es positiva.
    """
    first, last = float(norms[0]), float(norms[-1])
    if len(norms) < 2 or first <= 0 or last <= 0:
        raise ValueError(
            f"no hay ritmo que medir en {len(norms)} normas que van de {first:g} a {last:g}: "
            "hacen falta dos, y positivas; si se han anulado, usa float64 o menos pasos"
        )
    return math.exp(math.log(last / first) / (len(norms) - 1))


@torch.no_grad()
def clip_by_norm(parameters: Iterable[Tensor], max_norm: float) -> float:
    """Recorte por norma: si el gradiente entero pasa de `max_norm`, se encoge.

    Cambia los gradientes en su sitio, conserva su dirección y devuelve cuánto medían.
    Errores: `ValueError` si `max_norm` no es positivo.
    Fuente: Pascanu, Mikolov y Bengio (2013), algoritmo 1.
    """
    if max_norm <= 0:
        raise ValueError(f"max_norm={max_norm}: la norma máxima tiene que ser positiva")
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = math.sqrt(sum(float(g.square().sum()) for g in gradients))
    if norm > max_norm:
        for gradient in gradients:
            gradient.mul_(max_norm / norm)
    return norm
