"""Optimizadores escritos a mano, Adam y dos variantes, y un registro de lo que mueven."""

import math
from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor


class Adam(torch.optim.Optimizer):
    """Adam: cada parámetro avanza según la media de su gradiente entre la de su tamaño.

    m ← β₁m + (1 − β₁)g;  v ← β₂v + (1 − β₂)g²;  θ ← θ − η · m̂ / (√v̂ + ε), con m̂ y v̂ corregidos
    por haber empezado en cero. Fuente: Kingma y Ba (2015), algoritmo 1.
    Errores: `ValueError` si una β no está entre 0 y 1.
    """

    def __init__(self, params: Iterable, lr: float = 1e-3, betas=(0.9, 0.999), eps: float = 1e-8):
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"betas={betas}: las dos tienen que estar entre 0 y 1, sin llegar a 1")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

    @torch.no_grad()
    def step(self, closure=None) -> None:
        """Un paso de todos los parámetros que tienen gradiente; `closure` no se usa."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self.update(parameter, self.state[parameter], group)

    def update(self, parameter: Tensor, state: dict, group: dict) -> None:
        """Mueve un parámetro."""
        mean, size, t = self.moments(parameter, state, group["betas"])
        corrected_size = (size / (1 - group["betas"][1] ** t)).sqrt()
        corrected_mean = mean / (1 - group["betas"][0] ** t)
        parameter -= group["lr"] * corrected_mean / (corrected_size + group["eps"])

    def moments(self, parameter: Tensor, state: dict, betas) -> tuple[Tensor, Tensor, int]:
        """Medias móviles del gradiente y de su cuadrado, al día, y cuántos pasos llevan."""
        if not state:
            state |= {"t": 0, "m": torch.zeros_like(parameter), "v": torch.zeros_like(parameter)}
        state["t"] += 1
        state["m"].lerp_(parameter.grad, 1 - betas[0])
        state["v"].mul_(betas[1]).addcmul_(parameter.grad, parameter.grad, value=1 - betas[1])
        return state["m"], state["v"], state["t"]


def rectification(t: int, beta2: float) -> float | None:
    """Factor de RAdam en el paso t (desde 1), o `None` si aún no hay muestras para fiarse de v.

    ρ cuenta las muestras que promedia v. El factor compara la dispersión de 1/√v con la que
    tendría al final, y la aproxima con la varianza de 1/v, que solo existe con ρ > 4; el umbral que
    se usa es 5, el del código de los autores y el de PyTorch. Fuente: Liu et al. (2020), ec. 5.
    """
    longest = 2 / (1 - beta2) - 1
    rho = longest - 2 * t * beta2**t / (1 - beta2**t)
    if rho <= 5:
        return None
    grown = (rho - 4) * (rho - 2) * longest
    return math.sqrt(grown / ((longest - 4) * (longest - 2) * rho))


class RAdam(Adam):
    """Adam rectificado: no divide entre √v hasta que v ha visto bastante, y después poco a poco.

    Fuente: Liu et al. (2020), algoritmo 2.
    """

    def update(self, parameter: Tensor, state: dict, group: dict) -> None:
        """Mueve un parámetro, con el avance de Adam por el factor de rectificación."""
        mean, size, t = self.moments(parameter, state, group["betas"])
        corrected_mean = mean / (1 - group["betas"][0] ** t)
        factor = rectification(t, group["betas"][1])
        if factor is None:
            parameter -= group["lr"] * corrected_mean  # como SGD con inercia
            return
        # ε, dentro de la corrección: el artículo no la lleva, y así lo hace PyTorch.
        correction = math.sqrt(1 - group["betas"][1] ** t)
        bounded = corrected_mean * correction / (size.sqrt() + group["eps"])
        parameter -= group["lr"] * factor * bounded


class AdamW(Adam):
    """Adam con el decaimiento aparte: antes de avanzar, cada peso pierde una parte η · λ.

    λ es `weight_decay`. Lo que se encoge no pasa por las medias ni se divide entre √v.
    Fuente: Loshchilov y Hutter (2019), algoritmo 2.
    """

    def __init__(
        self, params: Iterable, lr: float = 1e-3, betas=(0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 1e-2,
    ):  # fmt: skip
        super().__init__(params, lr, betas, eps)
        self.weight_decay = weight_decay

    def update(self, parameter: Tensor, state: dict, group: dict) -> None:
        """Encoge un parámetro y después lo mueve como Adam."""
        parameter.mul_(1 - group["lr"] * self.weight_decay)
        super().update(parameter, state, group)


class UpdateRecorder:
    """Registro de un optimizador: histogramas de log₁₀|gradiente| y log₁₀|avance| en cada paso.

    El avance es lo que se mueve un parámetro dividido entre el ritmo, Δθ/η: lo que decide Adam.
    Las listas `gradients` y `updates` guardan la fracción que cae en cada casilla de `edges`, sin
    los ceros exactos; `zeros` y `still`, qué parte de los gradientes y de los avances es cero.
    """

    def __init__(
        self, optimizer: torch.optim.Optimizer, parameters: Sequence[Tensor], edges: Tensor
    ):
        self.parameters, self.edges = list(parameters), edges
        self.gradients: list[Tensor] = []
        self.updates: list[Tensor] = []
        self.zeros: list[float] = []
        self.still: list[float] = []
        self.before: list[Tensor] = []
        optimizer.register_step_pre_hook(self._remember)
        optimizer.register_step_post_hook(self._measure)

    def _remember(self, *_) -> None:
        self.before = [p.detach().clone() for p in self.parameters]
        gradients = [p.grad for p in self.parameters]
        self.gradients.append(log_histogram(gradients, self.edges))
        self.zeros.append(share_of_zeros(gradients))

    def _measure(self, optimizer, *_) -> None:
        rate = optimizer.param_groups[0]["lr"]
        moved = [
            (p.detach() - old) / rate for p, old in zip(self.parameters, self.before, strict=True)
        ]
        self.updates.append(log_histogram(moved, self.edges))
        self.still.append(share_of_zeros(moved))


def log_histogram(tensors: Sequence[Tensor], edges: Float[Tensor, " E"]) -> Float[Tensor, " E-1"]:
    """Fracción de los números distintos de cero cuyo log₁₀ del valor absoluto cae en cada casilla.

    Lo que se sale por una punta cuenta en la casilla de esa punta. Un cero no tiene logaritmo: con
    los demás parecería solo pequeño. Si todos son cero, las casillas quedan vacías.
    """
    values = torch.cat([tensor.flatten() for tensor in tensors]).abs()
    logs = values[values > 0].log10()
    inside = logs.clamp(float(edges[0]), float(edges[-1]) - 1e-6)
    counts = torch.histogram(inside.cpu().float(), edges.float()).hist
    return counts / counts.sum().clamp(min=1)


def share_of_zeros(tensors: Sequence[Tensor]) -> float:
    """Qué parte de los números es exactamente cero."""
    zeros = sum(int((tensor == 0).sum()) for tensor in tensors)
    return zeros / sum(tensor.numel() for tensor in tensors)
