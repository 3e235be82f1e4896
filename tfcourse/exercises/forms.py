"""La forma de un resultado: qué se acepta en lugar de lo esperado, y si está bien formado."""

import numpy as np
import torch
from torch import Tensor


def accepted(expected, received, *, keeps_type: bool, only_tensors: bool):
    """Lo recibido, con el tipo de lo esperado donde el enunciado no pide ninguno.

    Los enteros valen de cualquier tamaño y, sin tensores de decimales en las entradas
    (`keeps_type`), también los decimales. Salvo que haga falta el gradiente (`only_tensors`),
    donde se espera un tensor vale un número o una lista.
    """
    options = {"keeps_type": keeps_type, "only_tensors": only_tensors}
    if isinstance(expected, Tensor):
        return _as_tensor(expected, received, **options)
    both_lists = isinstance(expected, (tuple, list)) and isinstance(received, (tuple, list))
    if both_lists and len(expected) == len(received):
        pairs = zip(expected, received, strict=True)
        return type(expected)(accepted(a, b, **options) for a, b in pairs)
    if isinstance(expected, dict) and isinstance(received, dict):
        return {
            name: accepted(expected[name], value, **options) if name in expected else value
            for name, value in received.items()
        }
    return received


def _as_tensor(expected: Tensor, received, *, keeps_type: bool, only_tensors: bool):
    if not isinstance(received, Tensor) and not only_tensors:
        received = _tensor_of_numbers(received)
        keeps_type = False
    if not isinstance(received, Tensor) or received.is_complex():
        return received
    both_float = received.is_floating_point() and expected.is_floating_point()
    if (both_float and not keeps_type) or (_is_integer(received) and _is_integer(expected)):
        return received.to(expected.dtype)
    return received


def _tensor_of_numbers(received):
    """Un número, una lista de números o un array, como tensor; lo demás, tal cual."""
    if isinstance(received, bool | int | float | list | tuple | np.ndarray | np.number):
        try:
            return torch.as_tensor(np.asarray(received))
        except (TypeError, ValueError, OverflowError):
            return received
    return received


def is_float(value: object) -> bool:
    """Si es un tensor de números con decimales."""
    return isinstance(value, Tensor) and value.is_floating_point()


def _is_integer(tensor: Tensor) -> bool:
    return not tensor.is_floating_point() and tensor.dtype is not torch.bool


def in_the_form_of(expected, received):
    """Lo esperado, con los números y los textos recibidos donde se espera uno: queda la forma.

    De una lista no se mira cuántos elementos tiene, que puede depender de los datos.
    """
    if isinstance(expected, dict) and isinstance(received, dict):
        return {
            key: in_the_form_of(value, received[key]) if key in received else value
            for key, value in expected.items()
        }
    if isinstance(expected, tuple) and isinstance(received, (tuple, list)):
        if len(expected) == len(received):
            return tuple(map(in_the_form_of, expected, received))
        return expected
    if isinstance(expected, list) and isinstance(received, (tuple, list)):
        return [in_the_form_of(expected[0] if expected else item, item) for item in received]
    if isinstance(expected, str) and isinstance(received, str):
        return received
    if _is_number(expected) and _is_number(received):
        return float(received)
    return expected


def _is_number(value) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
