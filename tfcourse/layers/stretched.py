"""Estirar las posiciones rotatorias: leer más lejos de lo que se entrenó, cambiando los giros."""

import copy
import math
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.layers.rotary import RotaryPositions, rotary_angles

BASE = 10_000.0
STRETCHES = ("nada", "interpolar", "ntk", "yarn")
FAST, SLOW = 32.0, 1.0  # vueltas que separan lo que no se toca de lo que se interpola


def stretched_frequencies(
    kind: str, d_head: int, factor: float, trained_length: int, base: float = BASE
) -> Float[Tensor, "half"]:
    """Radianes por posición de cada pareja para leer `factor` veces más lejos.

    Con `interpolar` se dividen todas entre `factor`. Con `ntk` cambia la base: la última pareja se
    divide entre `factor` y la primera no se toca. Con `yarn` se interpolan solo las parejas que dan
    menos de una vuelta en `trained_length`; las que dan más de 32 se dejan, y las demás se mezclan.

    Fuente: Chen et al. (2023), § 2.3; bloc97 (2023); Peng et al. (2024), § 3.1 y 3.2.

    Errores: `ValueError` si `kind` no se conoce o `factor` es menor que 1.
    """
    if kind not in STRETCHES or factor < 1:
        raise ValueError(
            f"kind={kind!r}, factor={factor}: usa {', '.join(STRETCHES)} y un factor de 1 o más"
        )
    if kind == "ntk":
        base = base * factor ** (d_head / (d_head - 2))
    frequency = rotary_angles(2, d_head, base)[1]
    if kind == "interpolar":
        return frequency / factor
    if kind == "yarn":
        kept = kept_share(d_head, trained_length, base)
        return frequency * kept + frequency / factor * (1 - kept)
    return frequency


def kept_share(d_head: int, trained_length: int, base: float = BASE) -> Float[Tensor, "half"]:
    """Cuánto conserva YaRN de cada frecuencia: 1 si gira deprisa, 0 si no da ni una vuelta.

    La rampa va entre los índices de las parejas que dan 32 vueltas y una, redondeados hacia fuera.
    """

    def place(turns: float) -> float:
        return d_head * math.log(trained_length / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(math.floor(place(FAST)), 0), min(math.ceil(place(SLOW)), d_head - 1)
    ramp = (torch.arange(d_head // 2, dtype=torch.float64) - low) / max(high - low, 1e-3)
    return 1 - ramp.clamp(0, 1)


def attention_scale(kind: str, factor: float) -> float:
    """Cuánto alarga YaRN consultas y claves, para afilar un softmax con más candidatos.

    Fuente: Peng et al. (2024), § 3.4: √(1/t) = 0,1 ln(factor) + 1.
    """
    return 0.1 * math.log(factor) + 1 if kind == "yarn" else 1.0


class StretchedRotary(RotaryPositions):
    """Posiciones rotatorias estiradas: las de un modelo entrenado hasta `trained_length`.

    Con `factor` 1, o `kind` «nada», son las de siempre, con sitio para `max_length` posiciones.
    """

    def __init__(
        self,
        max_length: int,
        d_head: int,
        *,
        kind: str = "nada",
        factor: float = 1.0,
        trained_length: int | None = None,
        base: float = BASE,
    ):
        super().__init__(max_length, d_head, base)
        trained_length = trained_length or max_length
        frequency = stretched_frequencies(kind, d_head, factor, trained_length, base)
        angles = torch.arange(max_length, dtype=torch.float64)[:, None] * frequency
        scale = attention_scale(kind, factor)
        self.cos = (scale * angles.cos()).to(self.cos.dtype)
        self.sin = (scale * angles.sin()).to(self.sin.dtype)


def stretched_copy(
    model: nn.Module, kind: str, factor: float, max_length: int, trained_length: int
) -> nn.Module:
    """Una copia de un modelo ya entrenado que lee hasta `max_length` posiciones, estiradas.

    Cambian los giros, que no son parámetros, y el `max_length` de su configuración.
    """
    model = copy.deepcopy(model)
    if hasattr(model, "config"):
        model.config = replace(model.config, max_length=max_length)
    for layer in model.modules():
        old = getattr(layer, "rotary", None)
        if isinstance(old, RotaryPositions):
            layer.rotary = StretchedRotary(
                max_length, 2 * old.cos.shape[1], kind=kind, factor=factor,
                trained_length=trained_length,
            ).to(old.cos.device, old.cos.dtype)  # fmt: skip
    return model
