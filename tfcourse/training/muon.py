"""Muon: avanzar con el momento ortogonalizado en las matrices, y con Adam en lo demás."""

from collections import defaultdict

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.training.optimizers import Adam

# Jordan et al. (2024): el polinomio que acerca más deprisa a 1 los valores singulares pequeños.
COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonalize(
    matrix: Float[Tensor, "..."], steps: int = 5, eps: float = 1e-7
) -> Float[Tensor, "..."]:
    """Matriz casi ortogonal más cercana, por Newton–Schulz: `U S Vᵀ → U D Vᵀ`, con D cerca de 1.

    Cada vuelta cambia todos los valores singulares a la vez, s ← a s + b s³ + c s⁵, sin calcular
    ninguno: solo productos de matrices. Con cinco acaban entre 0,7 y 1,2, más o menos.
    Fuente: Jordan et al. (2024). Errores: `ValueError` si no es una matriz.
    """
    if matrix.ndim < 2:
        raise ValueError(
            f"llegó un tensor de {matrix.ndim} eje: solo se ortogonalizan matrices; los vectores "
            "van con Adam"
        )
    a, b, c = COEFFICIENTS
    tall = matrix.shape[-2] > matrix.shape[-1]
    x = matrix.mT if tall else matrix  # así el producto x xᵀ es el pequeño
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + eps)  # valores singulares de 1 para abajo
    for _ in range(steps):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.mT if tall else x


class Muon(Adam):
    """Muon en las matrices y Adam en lo demás: un solo optimizador.

    En cada matriz: m ← μm + (1 − μ)g; u ← ortogonalizar((1 − μ)g + μm); θ ← θ − η √max(1, n/m) u.
    Todas las direcciones de la matriz avanzan lo mismo, también las que el gradiente apenas toca.
    Fuente: Jordan et al. (2024). `matrices` y `others` son listas de parámetros.
    Errores: `ValueError` si en `matrices` hay algo que no es una matriz.
    """

    def __init__(
        self,
        matrices: list[nn.Parameter],
        others: list[nn.Parameter],
        *,
        lr: float = 0.02,
        adam_lr: float = 3e-3,
        momentum: float = 0.95,
        betas: tuple[float, float] = (0.9, 0.95),
        weight_decay: float = 0.0,
    ):
        wrong = [tuple(p.shape) for p in matrices if p.ndim != 2]
        if wrong:
            raise ValueError(
                f"Muon solo mueve matrices y llegó un parámetro de forma {wrong[0]}: ponlo en "
                "others, que va con Adam"
            )
        groups = [
            {"params": matrices, "lr": lr, "orthogonal": True},
            {"params": others, "lr": adam_lr, "orthogonal": False},
        ]
        super().__init__([group for group in groups if group["params"]], betas=betas, eps=1e-10)
        self.momentum, self.weight_decay = momentum, weight_decay

    @torch.no_grad()
    def step(self, closure=None) -> None:
        """Un paso de todos los parámetros que tienen gradiente; `closure` no se usa."""
        for group in self.param_groups:
            moving = [p for p in group["params"] if p.grad is not None]
            if group["orthogonal"]:
                self.move_matrices(moving, group["lr"])
            else:
                for parameter in moving:
                    self.update(parameter, self.state[parameter], group)

    def move_matrices(self, parameters: list[nn.Parameter], lr: float) -> None:
        """Mueve las matrices; las de la misma forma se ortogonalizan juntas, que es más rápido."""
        alike = defaultdict(list)
        for parameter in parameters:
            alike[parameter.shape].append(parameter)
        for (rows, columns), group in alike.items():
            directions = orthogonalize(torch.stack([self.push(p) for p in group]))
            rate = lr * max(1.0, rows / columns) ** 0.5
            for parameter, direction in zip(group, directions, strict=True):
                parameter.mul_(1 - lr * self.weight_decay).sub_(direction, alpha=rate)

    def push(self, parameter: nn.Parameter) -> Tensor:
        """El momento de Nesterov: la media móvil, vista un paso por delante."""
        state = self.state[parameter]
        if not state:
            state["m"] = torch.zeros_like(parameter)
        state["m"].lerp_(parameter.grad, 1 - self.momentum)
        return parameter.grad.lerp(state["m"], self.momentum)


def split_parameters(model: nn.Module) -> tuple[list[nn.Parameter], list[nn.Parameter]]:
    """Las matrices de las capas lineales, para Muon; el resto (tablas, ganancias, sesgos), no.

    Una tabla de embeddings también tiene dos ejes, pero cada fila es de un token y en un lote solo
    se tocan unas cuantas: va con Adam.
    """
    tables = {
        id(p) for layer in model.modules() if isinstance(layer, nn.Embedding)
        for p in layer.parameters()
    }  # fmt: skip
    matrices, others = [], []
    for parameter in model.parameters():
        is_matrix = parameter.ndim == 2 and id(parameter) not in tables
        (matrices if is_matrix else others).append(parameter)
    return matrices, others
