"""Lo que cuesta cada fusión: parámetros y multiplicaciones, para comparar con justicia."""

from torch import nn

from tfcourse.models.fusion import UNIMODAL, VARIANTS, FusionConfig
from tfcourse.vision_costs import feed_forward_macs, global_attention_macs


def cross_attention_macs(queries: int, keys: int, width: int) -> int:
    """Atención de unas consultas a otras claves: 2·(Nq + Nk)·D² y 2·Nq·Nk·D de las parejas.

    Con las mismas claves que consultas es `global_attention_macs`.
    """
    return 2 * (queries + keys) * width**2 + 2 * queries * keys * width


def stage_macs(look: str, lengths: tuple[int, int], width: int, hidden: int) -> int:
    """Multiplicaciones de una capa que mira a todas las modalidades, a la propia o a la otra."""
    first, second = lengths
    if look == "todas":
        attention = global_attention_macs(first + second, width)
    elif look == "propia":
        attention = sum(global_attention_macs(n, width) for n in lengths)
    else:
        attention = cross_attention_macs(first, second, width)
        attention += cross_attention_macs(second, first, width)
    return attention + feed_forward_macs(first + second, width, hidden)


def fusion_macs(config: FusionConfig) -> int:
    """Multiplicaciones de las capas de una variante al leer una pareja; los tokens van aparte."""
    variant = (VARIANTS | UNIMODAL)[config.variant]
    lengths = tuple(n if seen else 0 for n, seen in zip(config.lengths, variant.sees, strict=True))
    lengths = (lengths[0], 0) if variant.added else lengths
    return sum(
        stage_macs(look, lengths, config.d_model, config.d_hidden)
        for look in variant.looks(config.n_layers)
    )


def n_parameters(module: nn.Module) -> int:
    """Cuántos números aprende un módulo; los pesos compartidos cuentan una vez."""
    return sum(p.numel() for p in module.parameters())
