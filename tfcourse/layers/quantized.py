"""Pesos de pocos bits: enteros de 8 o de 4, y una escala por fila o por grupo."""

import copy

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int8, UInt8
from torch import Tensor, nn

BITS = (8, 4)


def quantize(
    weight: Float[Tensor, "O I"], bits: int, group: int | None = None
) -> tuple[Int8[Tensor, "O I"], Float[Tensor, "O G"]]:
    """Enteros y escalas de una matriz: `peso ≈ entero · escala`, con el mayor de cada grupo exacto.

    Los enteros van de −(2^(bits−1) − 1) a lo mismo en positivo: simétricos, el cero es el cero.
    Sin `group`, una escala por fila; con él, una cada tantos pesos de la fila. Fuentes: Dettmers
    et al. (2022), § 2.1; Frantar et al. (2023), § 4. Errores: `ValueError` si los bits no son 8 o 4
    o el grupo no divide la fila.
    """
    n_columns = weight.shape[1]
    group = group or n_columns
    if bits not in BITS or n_columns % group:
        raise ValueError(
            f"bits={bits}, group={group} con filas de {n_columns}: usa 8 o 4 bits y un divisor de "
            "la fila"
        )
    most = 2 ** (bits - 1) - 1
    grouped = weight.unflatten(1, (-1, group))
    scales = (grouped.abs().amax(-1) / most).clamp(min=torch.finfo(weight.dtype).tiny)
    codes = (grouped / scales[..., None]).round().clamp(-most, most)
    return codes.flatten(1).to(torch.int8), scales


def dequantize(codes: Int8[Tensor, "O I"], scales: Float[Tensor, "O G"]) -> Float[Tensor, "O I"]:
    """Los pesos que representan los enteros: cada uno, por la escala de su grupo."""
    return (codes.to(scales.dtype).unflatten(1, (scales.shape[1], -1)) * scales[..., None]).flatten(
        1
    )


def pack_nibbles(codes: Int8[Tensor, "O I"]) -> UInt8[Tensor, "O half"]:
    """Dos enteros de 4 bits en cada byte: el primero, en la mitad baja.

    Errores: `ValueError` si la fila es impar.
    """
    if codes.shape[1] % 2:
        raise ValueError(f"filas de {codes.shape[1]}: para ir de dos en dos han de ser pares")
    low, high = (codes + 8).to(torch.uint8).unflatten(1, (-1, 2)).unbind(-1)
    return low | (high << 4)


def unpack_nibbles(packed: UInt8[Tensor, "O half"]) -> Int8[Tensor, "O I"]:
    """Deshace `pack_nibbles`."""
    pairs = torch.stack([packed & 15, packed >> 4], dim=-1).flatten(1)
    return pairs.to(torch.int8) - 8


class QuantizedLinear(nn.Module):
    """Capa lineal con los pesos en 8 o 4 bits: se reconstruyen al usarlos.

    Guarda los enteros, empaquetados si son de 4 bits, y las escalas en 16 bits; el sesgo no cambia.
    """

    def __init__(self, linear: nn.Linear, bits: int, group: int | None = None):
        super().__init__()
        codes, scales = quantize(linear.weight.detach(), bits, group)
        self.bits = bits
        self.register_buffer("codes", pack_nibbles(codes) if bits == 4 else codes)
        self.register_buffer("scales", scales.half())
        self.bias = linear.bias

    @property
    def weight(self) -> Float[Tensor, "O I"]:
        """Los pesos reconstruidos."""
        codes = unpack_nibbles(self.codes) if self.bits == 4 else self.codes
        return dequantize(codes, self.scales.float())

    def forward(self, x: Float[Tensor, "*B I"]) -> Float[Tensor, "*B O"]:
        """La transformación de siempre, con los pesos reconstruidos."""
        return F.linear(x, self.weight.to(x.dtype), self.bias)


def quantize_model(model: nn.Module, bits: int, group: int | None = None) -> nn.Module:
    """Una copia con todas las capas lineales en `bits` bits; los embeddings se quedan."""
    model = copy.deepcopy(model)
    for owner in list(model.modules()):
        for name, layer in list(owner.named_children()):
            if isinstance(layer, nn.Linear):
                setattr(owner, name, QuantizedLinear(layer, bits, group))
    return model


def linear_bytes(model: nn.Module) -> int:
    """Bytes de las matrices de las capas lineales, con sus escalas y sin sesgos ni embeddings."""
    total = 0
    for layer in model.modules():
        if isinstance(layer, QuantizedLinear):
            total += layer.codes.nbytes + layer.scales.nbytes
        elif isinstance(layer, nn.Linear):
            total += layer.weight.nbytes
    return total
