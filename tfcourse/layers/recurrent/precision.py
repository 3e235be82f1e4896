"""Precisión mixta y redes recurrentes: qué se queda en float32."""

from functools import partial
from typing import Any

import torch
from torch import nn


def keep_full_precision(model: nn.Module) -> nn.Module:
    """Las redes recurrentes de un modelo calculan en float32, aunque lo demás no.

    En una GPU, la precisión mixta las pasa a float16 también cuando se pide bfloat16, y sin escalar
    la pérdida sus gradientes más pequeños se quedan en cero. Cambia `model` y lo devuelve.
    """
    for layer in model.modules():
        if isinstance(layer, nn.RNNBase):
            layer.forward = partial(_in_float32, layer.forward)
    return model


def _in_float32(forward, inputs: Any, state: Any = None) -> Any:
    device = inputs.data.device.type  # lo tienen los tensores y las secuencias empaquetadas
    with torch.autocast(device, enabled=False):
        return forward(inputs.float(), _float32(state))


def _float32(state: Any) -> Any:
    if isinstance(state, tuple):
        return tuple(part.float() for part in state)
    return None if state is None else state.float()
