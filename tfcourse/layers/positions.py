"""Posiciones: decir a la atención dónde está cada token."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


def sinusoidal_positions(length: int, d_model: int) -> Float[Tensor, "L D"]:
    """Posiciones sinusoidales: senos en las componentes pares y cosenos en las impares.

    La componente 2i oscila con periodo 2π · 10000^(2i/D).
    Fuente: Vaswani et al. (2017), § 3.5. Errores: `ValueError` si `d_model` es impar.
    """
    if d_model % 2:
        raise ValueError(
            f"d_model={d_model} es impar: cada frecuencia necesita un seno y un coseno; usa un "
            f"número par, p. ej. d_model={d_model + 1}"
        )
    position = torch.arange(length)[:, None]
    frequency = torch.exp(-math.log(10_000) * torch.arange(0, d_model, 2) / d_model)
    angles = position * frequency
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


class SinusoidalPositions(nn.Module):
    """Suma a cada token su posición sinusoidal: no tiene parámetros.

    Errores: `ValueError` si la secuencia mide más de `max_length`.
    """

    def __init__(self, max_length: int, d_model: int):
        super().__init__()
        self.register_buffer("table", sinusoidal_positions(max_length, d_model), persistent=False)

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Añade las posiciones 0, 1, …, L − 1."""
        check_length(x.shape[1], len(self.table))
        return x + self.table[: x.shape[1]].to(x.dtype)


class LearnedPositions(nn.Module):
    """Suma a cada token un vector aprendido para su posición.

    Fuente: Gehring et al. (2017); la usan BERT y GPT. Errores: `ValueError` si la secuencia mide
    más de `max_length`: para esas posiciones no se aprendió nada.
    """

    def __init__(self, max_length: int, d_model: int):
        super().__init__()
        self.table = nn.Embedding(max_length, d_model)
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, x: Float[Tensor, "B L D"]) -> Float[Tensor, "B L D"]:
        """Añade los vectores de las posiciones 0, 1, …, L − 1."""
        check_length(x.shape[1], self.table.num_embeddings)
        return x + self.table.weight[: x.shape[1]]


def check_length(length: int, max_length: int) -> None:
    """Comprueba que hay posiciones para toda la secuencia.

    Errores: `ValueError` si no las hay.
    """
    if length > max_length:
        raise ValueError(
            f"la secuencia mide {length} y el modelo solo tiene {max_length} posiciones: córtala "
            "o crea el modelo con un max_length mayor"
        )
