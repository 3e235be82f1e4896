"""Pesos para la página: los que vienen con el curso, en octetos, como los lee el navegador."""

import hashlib
from collections.abc import Mapping
from functools import cache

import torch
from safetensors.torch import save
from torch import Tensor

from tfcourse.weights.joining import joined_tensors

ROW_SCALE = "|escala"  # lo que se añade al nombre de una matriz guardada en octetos
LEVELS = 127  # de −127 a 127: un octeto con signo
MIN_NUMBERS = 4096  # las matrices menores se quedan en media precisión
# Lo que ninguna figura usa, y por eso no viaja.
UNUSED = {
    "bert_espanol": ("bert.pooler.",),
    "gato": ("look.", "listen."),
    "whisper_cifras": ("ctc.",),
    "pix2seq_figuras": ("patches.",),
    "dialogo": ("tower.head.",),
}
COUNTERS = "num_batches_tracked"


def pack(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Las matrices grandes, en octetos con una escala por fila; lo demás, como está.

    Cada fila se parte por su mayor valor absoluto, así que ningún número se mueve más de media
    centésima, escasa, de ese valor.
    """
    packed = {}
    for name, tensor in tensors.items():
        if tensor.ndim != 2 or tensor.numel() < MIN_NUMBERS:
            packed[name] = tensor
            continue
        rows = tensor.float()
        scale = rows.abs().amax(dim=1).clamp(min=1e-12) / LEVELS
        packed[name] = (rows / scale[:, None]).round().to(torch.int8)
        packed[name + ROW_SCALE] = scale
    return packed


def unpack(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Deshace `pack`, en 32 bits: los pesos con los que calcula la página."""
    return {
        name: tensor * packed[name + ROW_SCALE][:, None]
        if name + ROW_SCALE in packed
        else tensor.float()
        for name, tensor in packed.items()
        if not name.endswith(ROW_SCALE)
    }


@cache
def packed_tensors(name: str) -> dict[str, Tensor]:
    """Los tensores de unos pesos del curso que usa la página, enteros y ya empaquetados."""
    skipped = UNUSED.get(name, ())
    return pack(
        {
            key: value
            for key, value in joined_tensors(name).items()
            if not key.startswith(skipped) and not key.endswith(COUNTERS)
        }
    )


@cache
def packed_weights(name: str) -> bytes:
    """El archivo safetensors que pide la página al pulsar el botón."""
    return save(packed_tensors(name))


@cache
def packed_file(name: str) -> str:
    """El nombre de ese archivo: lleva su huella, y por eso el navegador puede guardarlo."""
    digest = hashlib.sha256()
    for key, tensor in sorted(packed_tensors(name).items()):
        digest.update(key.encode())
        digest.update(tensor.numpy().tobytes())
    return f"{name}-{digest.hexdigest()[:12]}.safetensors"
