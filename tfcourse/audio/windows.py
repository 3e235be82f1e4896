"""Ventanas y tramos: cortar una señal en trozos que se solapan, y volver a juntarlos."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float, Shaped
from torch import Tensor


def hann_window(size: int, dtype: torch.dtype = torch.float32) -> Float[Tensor, " size"]:
    """Ventana de Hann periódica: (1 − cos(2π n / N)) / 2.

    Empieza en 0, llega a 1 en el centro y las copias desplazadas media ventana suman 1.
    """
    return cosine_window(size, (0.5, 0.5), dtype)


def hamming_window(size: int, dtype: torch.dtype = torch.float32) -> Float[Tensor, " size"]:
    """Ventana de Hamming periódica: 0,54 − 0,46 · cos(2π n / N); no llega a 0 en los bordes."""
    return cosine_window(size, (0.54, 0.46), dtype)


def cosine_window(
    size: int, coefficients: tuple[float, float], dtype: torch.dtype = torch.float32
) -> Float[Tensor, " size"]:
    """Ventana a − b · cos(2π n / N). Errores: `ValueError` si `size` no es positivo."""
    if size < 1:
        raise ValueError(f"size={size}: una ventana tiene al menos una muestra")
    angle = 2 * math.pi * torch.arange(size, dtype=torch.float64) / size
    constant, swing = coefficients
    return (constant - swing * torch.cos(angle)).to(dtype)


def split_frames(
    wave: Shaped[Tensor, "... T"], size: int, hop: int
) -> Shaped[Tensor, "... frames size"]:
    """Tramos de `size` muestras que empiezan cada `hop`; lo que no llena un tramo, se deja.

    Errores: `ValueError` si la señal no llega a un tramo o si `hop` no es positivo.
    """
    if hop < 1 or size < 1:
        raise ValueError(f"size={size} y hop={hop}: los dos tienen que ser positivos")
    if wave.shape[-1] < size:
        raise ValueError(
            f"la señal tiene {wave.shape[-1]} muestras y un tramo, {size}: rellénala o usa una "
            "ventana más corta"
        )
    return wave.unfold(-1, size, hop)


def overlap_add(frames: Shaped[Tensor, "... F S"], hop: int) -> Shaped[Tensor, "... T"]:
    """Coloca cada tramo en su sitio y suma lo que se solapa."""
    count, size = frames.shape[-2:]
    length = (count - 1) * hop + size
    columns = frames.reshape(-1, count, size).transpose(1, 2)
    total = F.fold(columns, (1, length), (1, size), stride=(1, hop))
    return total.view(*frames.shape[:-2], length)


def center_pad(wave: Float[Tensor, "... T"], size: int) -> Float[Tensor, "... padded"]:
    """Refleja media ventana por cada lado, para que el primer tramo quede centrado en t = 0.

    Si la señal es más corta que media ventana no hay bastante que reflejar: se rellena con
    silencio, y así una onda de una sola muestra también tiene espectro.
    """
    half = size // 2
    mode = "reflect" if wave.shape[-1] > half else "constant"
    rows = wave.reshape(1, -1, wave.shape[-1])
    return F.pad(rows, (half, half), mode=mode).view(*wave.shape[:-1], -1)
