"""Posiciones rotatorias: girar consultas y claves para que su producto dependa de la distancia."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


def rotary_angles(
    length: int, d_head: int, base: float = 10_000.0, *, start: int = 0
) -> Float[Tensor, "L half"]:
    """Ángulo de cada pareja en cada posición: `m · base^(−2i/Dh)`, en radianes.

    La primera pareja gira un radián por posición; la última apenas se mueve.
    Fuente: Su et al. (2024), § 3.2.2. Errores: `ValueError` si `d_head` es impar.
    """
    if d_head % 2:
        raise ValueError(
            f"d_head={d_head} es impar: se gira por parejas de componentes; usa un número par de "
            f"componentes por cabeza, p. ej. {d_head + 1}"
        )
    frequency = base ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    return torch.arange(start, start + length, dtype=torch.float64)[:, None] * frequency


def rotate(
    x: Float[Tensor, "*B L Dh"], cos: Float[Tensor, "L half"], sin: Float[Tensor, "L half"]
) -> Float[Tensor, "*B L Dh"]:
    """Gira cada pareja de componentes `(i, i + Dh/2)` el ángulo de su posición.

    El artículo empareja vecinas, (2i, 2i + 1); aquí, como en GPT-NeoX y Llama, una de cada mitad:
    es el mismo giro con las componentes en otro orden.
    """
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


class RotaryPositions(nn.Module):
    """Posiciones rotatorias (RoPE): giran q y k; v se queda como está. No tiene parámetros.

    Fuente: Su et al. (2024), ec. 34. Errores: `ValueError` si `d_head` es impar o si se pide una
    posición a partir de `max_length`.
    """

    def __init__(self, max_length: int, d_head: int, base: float = 10_000.0):
        super().__init__()
        angles = rotary_angles(max_length, d_head, base)
        dtype = torch.get_default_dtype()
        self.register_buffer("cos", angles.cos().to(dtype), persistent=False)
        self.register_buffer("sin", angles.sin().to(dtype), persistent=False)

    def forward(self, x: Float[Tensor, "B H L Dh"], start: int = 0) -> Float[Tensor, "B H L Dh"]:
        """Gira los vectores de las posiciones que empiezan en `start`."""
        end = start + x.shape[-2]
        if end > len(self.cos):
            raise ValueError(
                f"se pide la posición {end - 1} y solo hay {len(self.cos)}: crea el modelo con un "
                "max_length mayor"
            )
        return rotate(x, self.cos[start:end].to(x.dtype), self.sin[start:end].to(x.dtype))
