"""LoRA: se deja quieta cada matriz y se aprende, al lado, una corrección de rango bajo."""

import math
from collections.abc import Iterator

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LoRALinear(nn.Module):
    """Capa lineal con LoRA: W x + b + (α/r)·B A x; solo se entrenan A, de r × D, y B, de D₂ × r.

    B empieza en cero, así que al principio la capa es la de antes. `strength` multiplica la
    corrección sin entrenar nada: con 0 se apaga. Fuente: Hu et al. (2022), § 4.1.
    Errores: `ValueError` si el rango no es positivo.
    """

    def __init__(self, linear: nn.Linear, rank: int, alpha: float = 16.0):
        super().__init__()
        if rank < 1:
            raise ValueError(f"rank={rank}: debe ser al menos 1")
        self.linear, self.scale, self.strength = linear, alpha / rank, 1.0
        weight = linear.weight
        self.down = nn.Parameter(weight.new_empty(rank, linear.in_features))
        self.up = nn.Parameter(weight.new_zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.down, a=math.sqrt(5))
        for parameter in linear.parameters():
            parameter.requires_grad_(False)

    def forward(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D2"]:
        """La salida de siempre más la corrección."""
        return self.linear(x) + (self.strength * self.scale) * ((x @ self.down.T) @ self.up.T)

    def update(self) -> Float[Tensor, "D2 D"]:
        """La corrección como matriz, ΔW = (α/r)·B A: su rango no pasa de r."""
        return (self.strength * self.scale) * (self.up @ self.down)

    @torch.no_grad()
    def merged(self) -> nn.Linear:
        """Una capa lineal corriente con W + ΔW: calcula lo mismo y no cuesta nada más."""
        linear = self.linear
        plain = nn.Linear(
            linear.in_features, linear.out_features, linear.bias is not None,
            device=linear.weight.device, dtype=linear.weight.dtype,
        )  # fmt: skip
        plain.weight.copy_(linear.weight + self.update())
        if linear.bias is not None:
            plain.bias.copy_(linear.bias)
        return plain


def add_lora(model: nn.Module, rank: int, alpha: float = 16.0) -> nn.Module:
    """Pone LoRA en todas las capas lineales de los bloques de un modelo y congela lo demás.

    Cambia `model` y lo devuelve. Errores: los de `LoRALinear`.
    """
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    for parent, name, layer in list(_children(model.blocks, nn.Linear)):
        setattr(parent, name, LoRALinear(layer, rank, alpha))
    return model


def merge_lora(model: nn.Module) -> nn.Module:
    """Suma cada corrección a su matriz y quita LoRA. Cambia `model` y lo devuelve."""
    for parent, name, layer in list(_children(model, LoRALinear)):
        setattr(parent, name, layer.merged())
    return model


def set_strength(model: nn.Module, strength: float) -> nn.Module:
    """Cuánta corrección se suma: 0, ninguna; 1, la aprendida. Cambia `model` y lo devuelve."""
    for _, _, layer in _children(model, LoRALinear):
        layer.strength = strength
    return model


def trainable(model: nn.Module) -> list[nn.Parameter]:
    """Los parámetros que se entrenan."""
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def _children(model: nn.Module, kind: type) -> Iterator[tuple[nn.Module, str, nn.Module]]:
    for parent in model.modules():
        if isinstance(parent, LoRALinear) and kind is nn.Linear:
            continue
        for name, child in parent.named_children():
            if isinstance(child, kind):
                yield parent, name, child
