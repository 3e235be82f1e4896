"""Máscaras de atención: booleanas, y `True` significa «puede mirar».

Es el convenio de `torch.nn.functional.scaled_dot_product_attention` y el contrario del de
`torch.nn.MultiheadAttention`, donde `True` significa «no mires». Todas se pueden extender a la
forma `(B, H, Lq, Lk)`: lote, cabezas, consultas y claves.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

# A qué modalidades puede mirar un token: a todas, a la suya o a las demás.
LOOKS = ("todas", "propia", "otra")


def padding_mask(lengths: Int[Tensor, "B"], max_length: int) -> Bool[Tensor, "B 1 1 Lk"]:
    """Máscara de relleno: cada secuencia puede mirar sus `lengths[b]` primeras posiciones.

    Errores: `ValueError` si alguna longitud es negativa o no cabe en `max_length`.
    """
    if lengths.numel() and (int(lengths.min()) < 0 or int(lengths.max()) > max_length):
        raise ValueError(
            f"hay longitudes entre {int(lengths.min())} y {int(lengths.max())}, pero deben estar "
            f"entre 0 y max_length={max_length}: revisa el relleno del lote"
        )
    positions = torch.arange(max_length, device=lengths.device)
    return (positions < lengths[:, None])[:, None, None, :]


def causal_mask(
    n_queries: int, n_keys: int | None = None, *, device: torch.device | str | None = None
) -> Bool[Tensor, "1 1 Lq Lk"]:
    """Máscara causal: cada consulta mira su posición y las anteriores, nunca el futuro.

    Si hay más claves que consultas, las consultas son las últimas posiciones de la secuencia
    (así se decodifica con claves guardadas).

    Errores: `ValueError` si hay menos claves que consultas.
    """
    n_keys = n_queries if n_keys is None else n_keys
    if n_keys < n_queries:
        raise ValueError(
            f"n_keys={n_keys} es menor que n_queries={n_queries}: en una máscara causal cada "
            "consulta necesita al menos su propia clave"
        )
    allowed = torch.ones(n_queries, n_keys, dtype=torch.bool, device=device)
    return allowed.tril(diagonal=n_keys - n_queries)[None, None]


def prefix_mask(
    n_prefix: int, length: int, *, device: torch.device | str | None = None
) -> Bool[Tensor, "1 1 L L"]:
    """Máscara causal con prefijo: las `n_prefix` primeras se miran entre sí; las demás, causal.

    Con prefijo 0 o 1 es la causal; con `length`, todas miran a todas.
    Fuente: Liu et al. (2018); Raffel et al. (2020), § 3.2.1 y figuras 3 y 4.
    Errores: `ValueError` si el prefijo no cabe.
    """
    if not 0 <= n_prefix <= length:
        raise ValueError(
            f"n_prefix={n_prefix} con length={length}: el prefijo mide entre 0 y toda la secuencia"
        )
    mask = causal_mask(length, device=device)
    mask[..., :n_prefix] = True
    return mask


def permutation_mask(
    order: Int[Tensor, "B L"], *, see_itself: bool = True
) -> Bool[Tensor, "B 1 L L"]:
    """Máscara de permutación: cada posición mira a las que se leen antes en un orden cualquiera.

    `order[b, t]` es el turno de la posición t. Con `see_itself` mira también a la suya; sin ello,
    solo a las de turno menor, y la primera de todas no ve a nadie. Si los turnos son 0, 1, …,
    L − 1 es la máscara causal. Fuente: Yang et al. (2019), § 2.2 y figura 1.
    Errores: `ValueError` si los turnos de una fila no son una permutación de 0 a L − 1.
    """
    turns = torch.arange(order.shape[-1], device=order.device)
    if not (order.sort(dim=-1).values == turns).all():
        raise ValueError(
            f"los turnos no son una permutación de 0 a {order.shape[-1] - 1}: sortéalos, p. ej. "
            "con torch.rand(lote, longitud).argsort(dim=-1)"
        )
    asking, asked = order[:, None, :, None], order[:, None, None, :]
    return asked <= asking if see_itself else asked < asking


def foreground_mask(
    logits: Float[Tensor, "B N y x"], grid: tuple[int, int]
) -> Bool[Tensor, "B 1 N L"]:
    """Máscara de la atención enmascarada: cada consulta mira donde su máscara dice que sí.

    `logits` son las máscaras de la capa anterior y `grid`, las filas y columnas del mapa que se va
    a mirar. La consulta que no señala ninguna casilla las mira todas.
    Fuente: Cheng et al. (2022), ec. 2 y 3.
    """
    small = F.interpolate(logits.detach(), size=grid, mode="bilinear", align_corners=False)
    inside = small.flatten(2) > 0  # probabilidad de más de la mitad
    return (inside | ~inside.any(dim=-1, keepdim=True))[:, None]


def modality_mask(modalities: Int[Tensor, " L"], look: str) -> Bool[Tensor, "1 1 L L"]:
    """Máscara entre modalidades: de qué tokens puede leer cada uno según de dónde viene.

    `modalities[t]` es el número de la modalidad del token t, vayan como vayan ordenados. `look` es
    un nombre de `LOOKS`: cada token mira a todas las modalidades, solo a la propia o solo a las
    otras. Fuente: Xu et al. (2023), § 3. Errores: `ValueError` si el nombre no se conoce.
    """
    if look not in LOOKS:
        raise ValueError(f"look={look!r}: usa {', '.join(LOOKS)}")
    same = modalities[:, None] == modalities[None, :]
    allowed = {"todas": torch.ones_like(same), "propia": same, "otra": ~same}[look]
    return allowed[None, None]


def combine_masks(*masks: Tensor | None) -> Bool[Tensor, "..."] | None:
    """Combina máscaras: se puede mirar donde todas lo permiten; `None` no restringe nada.

    Errores: `TypeError` si alguna máscara no es booleana.
    """
    combined = None
    for mask in masks:
        if mask is None:
            continue
        check_mask(mask)
        combined = mask if combined is None else combined & mask
    return combined


def check_mask(mask: Tensor) -> None:
    """Comprueba que una máscara es booleana: los términos que se suman van en `bias`.

    Errores: `TypeError` en cualquier otro caso.
    """
    if mask.dtype != torch.bool:
        raise TypeError(
            f"la máscara es de tipo {mask.dtype} y debe ser torch.bool, con True = «puede mirar»: "
            "conviértela con mask.bool() o, si son términos que se suman, pásalos en bias="
        )
