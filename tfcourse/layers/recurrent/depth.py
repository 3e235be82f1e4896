"""El gradiente a través de la profundidad: cuánto le llega a cada bloque."""

from collections.abc import Iterable

import torch
from jaxtyping import Float
from torch import Tensor, nn


def block_gradient_norms(
    loss: Float[Tensor, ""], blocks: Iterable[nn.Module]
) -> Float[Tensor, " N"]:
    """Norma de ∂pérdida/∂W₂ en cada bloque, con W₂ la última matriz de su red por posición.

    Es la medida de Xiong et al. (2020), figura 3. No toca los gradientes acumulados.
    """
    matrices = [block.feed_forward.output.weight for block in blocks]
    gradients = torch.autograd.grad(loss, matrices, retain_graph=True)
    return torch.stack([gradient.norm() for gradient in gradients])


def power_law(x: Iterable[float], y: Iterable[float]) -> float:
    """Exponente a de la ley y ≈ c · xᵃ que mejor se ajusta, por mínimos cuadrados en logaritmos.

    Errores: `ValueError` con menos de dos puntos, o si alguno no es positivo.
    """
    points = torch.tensor([list(x), list(y)], dtype=torch.float64)
    if points.shape[1] < 2 or points.min() <= 0:
        raise ValueError("para ajustar una potencia hacen falta dos puntos o más, y positivos")
    log_x, log_y = points.log() - points.log().mean(dim=1, keepdim=True)
    return float(log_x @ log_y / (log_x @ log_x))
