"""Costes de un modelo: sus parámetros y las multiplicaciones de sus atenciones y del modelo entero.

Se cuentan multiplicaciones con su suma (MAC); los artículos las llaman a menudo FLOPs.
"""

from torch import nn

from tfcourse.models.convnext import ConvNeXtConfig
from tfcourse.models.fusion import KNOWN, FusionConfig
from tfcourse.models.swin import SwinConfig
from tfcourse.models.vit import ViTConfig


def n_parameters(module: nn.Module) -> int:
    """Cuántos números aprende un módulo; los pesos compartidos cuentan una vez."""
    return sum(p.numel() for p in module.parameters())


def global_attention_macs(tokens: int, width: int) -> int:
    """Atención de todos con todos: 4·N·D² de las proyecciones y 2·N²·D de las parejas.

    Fuente: Liu et al. (2021), ec. 1, que no cuenta el softmax.
    """
    return 4 * tokens * width**2 + 2 * tokens**2 * width


def cross_attention_macs(queries: int, keys: int, width: int) -> int:
    """Atención de unas consultas a otras claves: 2·(Nq + Nk)·D² y 2·Nq·Nk·D de las parejas.

    Con las mismas claves que consultas es `global_attention_macs`.
    """
    return 2 * (queries + keys) * width**2 + 2 * queries * keys * width


def window_attention_macs(tokens: int, width: int, window: int) -> int:
    """Atención por ventanas de M × M: 4·N·D² + 2·M²·N·D. Fuente: Liu et al. (2021), ec. 2."""
    return 4 * tokens * width**2 + 2 * window**2 * tokens * width


def reduced_attention_macs(tokens: int, width: int, reduction: int) -> int:
    """Atención con reducción espacial: las parejas se dividen entre R².

    Consultas, salida y reducción, 3·N·D²; claves y valores de los N/R² que quedan, 2·N·D²/R²;
    parejas, 2·N²·D/R². Fuente: Wang et al. (2021), § 3.3, ec. 1–4.
    Errores: `ValueError` si los tokens no se reparten en cuadrados de R × R.
    """
    if reduction < 1 or tokens % reduction**2:
        raise ValueError(
            f"{tokens} tokens no se reparten en cuadrados de {reduction} × {reduction}: usa otra "
            "reducción"
        )
    kept = tokens // reduction**2
    reduce = tokens * width**2 if reduction > 1 else 0
    return 2 * tokens * width**2 + reduce + 2 * kept * width**2 + 2 * tokens * kept * width


def feed_forward_macs(tokens: int, width: int, hidden: int) -> int:
    """Red por posición: dos matrices de D × D_oculta por token."""
    return 2 * tokens * width * hidden


def vit_macs(config: ViTConfig) -> int:
    """Multiplicaciones de un ViT con parches al leer una imagen."""
    rows, columns = config.grid
    width, length = config.d_model, config.length
    patches = rows * columns * config.patch_size**2 * config.channels * width
    block = global_attention_macs(length, width) + feed_forward_macs(length, width, config.d_hidden)
    return patches + config.n_layers * block + width * config.n_classes


def swin_macs(config: SwinConfig, sides: tuple[int, int]) -> int:
    """Multiplicaciones de un Swin al leer una imagen de esos lados.

    Errores: `ValueError` si algún mapa no se reparte en ventanas enteras: habría que rellenarlo.
    """
    rows, columns = (side // config.patch_size for side in sides)
    total = rows * columns * config.patch_size**2 * config.channels * config.d_model
    for stage, width in enumerate(config.widths):
        if stage:
            rows, columns = rows // 2, columns // 2
            total += rows * columns * (2 * width) * width  # la fusión: de 4 · D/2 a D
        if rows % config.window or columns % config.window:
            raise ValueError(
                f"un mapa de {rows} × {columns} no se reparte en ventanas de {config.window}: usa "
                "una imagen de otro tamaño para contar"
            )
        tokens = rows * columns
        block = window_attention_macs(tokens, width, config.window)
        block += feed_forward_macs(tokens, width, config.expansion * width)
        total += config.n_layers[stage] * block
    return total + config.widths[-1] * config.n_classes


def convnext_macs(config: ConvNeXtConfig, sides: tuple[int, int]) -> int:
    """Multiplicaciones de un ConvNeXt al leer una imagen de esos lados.

    En cada bloque, k² por casilla y canal de la ventana, y la red por posición.
    """
    rows, columns = sides
    total, before, reduction = 0, config.channels, config.patch_size
    for width, depth in zip(config.widths, config.n_layers, strict=True):
        rows, columns = rows // reduction, columns // reduction
        total += rows * columns * before * reduction**2 * width  # el corte, o la reducción
        tokens = rows * columns
        block = tokens * width * config.kernel**2
        block += feed_forward_macs(tokens, width, config.expansion * width)
        total += depth * block
        before, reduction = width, 2
    return total + before * config.n_classes


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
    variant = KNOWN[config.variant]
    lengths = tuple(n if seen else 0 for n, seen in zip(config.lengths, variant.sees, strict=True))
    lengths = (lengths[0], 0) if variant.added else lengths
    return sum(
        stage_macs(look, lengths, config.d_model, config.d_hidden)
        for look in variant.looks(config.n_layers)
    )


def soft_split_side(side: int, kernel: int, stride: int, padding: int) -> int:
    """Cuántos cuadrados que se pisan caben en un lado: `⌊(side + 2·padding − kernel)/stride⌋ + 1`.

    Fuente: Yuan et al. (2021), ec. 3, donde la zancada es el núcleo menos lo que se pisan.
    Errores: `ValueError` si no cabe ninguno.
    """
    if stride < 1 or side + 2 * padding < kernel:
        raise ValueError(
            f"en un lado de {side} con relleno {padding} no cabe un cuadrado de {kernel} con "
            f"zancada {stride}: usa un cuadrado menor o una zancada positiva"
        )
    return (side + 2 * padding - kernel) // stride + 1
