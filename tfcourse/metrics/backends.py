"""Qué núcleo de atención ejecuta PyTorch, y con qué tipo de número hay que medirlo."""

from collections.abc import Callable

import torch
from torch.utils._python_dispatch import TorchDispatchMode

SDPA = "aten::_scaled_dot_product_"
# Lo que lleva detrás, en su nombre, la operación de cada núcleo fusionado → cómo se llama.
FUSED = {
    "flash_attention": "FlashAttention",
    "efficient_attention": "atención eficiente en memoria",
    "cudnn_attention": "cuDNN",
    "attention_math_for_mps": "Metal",
    "fused_attention_overrideable": "el del acelerador",
}
UNFUSED = "sin fusionar"
AMPERE = (8, 0)  # desde estas GPU hay bfloat16, y FlashAttention


def attention_backend(run: Callable[[], object]) -> str:
    """Nombre del núcleo de atención que ejecuta `run`: el que PyTorch elige por dentro.

    `scaled_dot_product_attention` mira dónde están los tensores, de qué tipo son y si hay máscara;
    si ningún núcleo fusionado vale, hace la cuenta sin fusionar, y no avisa. Aquí se miran las
    operaciones que llegan a ejecutarse. Con varios núcleos, sus nombres, en orden.
    """
    with _Operations() as operations:
        run()
    forward = [name for name in operations.seen if "backward" not in name]
    found = [kernel for name in forward for part, kernel in FUSED.items() if SDPA + part in name]
    return " y ".join(dict.fromkeys(found)) or UNFUSED


def kernel_dtype(device: torch.device | str) -> torch.dtype:
    """Tipo de número con el que se mide un núcleo: el que admite el fusionado de ese dispositivo.

    Con `cuda`, FlashAttention solo trabaja con 16 bits; en el procesador se usan los 32 de
    siempre.
    """
    if torch.device(device).type != "cuda":
        return torch.float32
    return torch.bfloat16 if torch.cuda.get_device_capability(device) >= AMPERE else torch.float16


class _Operations(TorchDispatchMode):
    """Apunta el nombre de cada operación que llega a ejecutarse."""

    def __init__(self):
        super().__init__()
        self.seen: list[str] = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.seen.append(function.name())
        return function(*args, **(kwargs or {}))
