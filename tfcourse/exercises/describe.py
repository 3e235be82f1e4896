"""Descripciones cortas de cualquier valor, sin fiarse de lo que el valor haga al mirarlo."""

import numpy as np
import torch
from torch import Tensor

MAX_NUMBERS = 6
# Una cuenta se lee entera; más allá, ya es solo un tamaño.
MAX_WHOLE = 1e12
MAX_TEXT = 80

TYPE_NAMES = {
    type(None): "None",
    type(...): "los puntos suspensivos (…)",
    str: "un texto",
    bool: "un valor lógico",
    int: "un entero",
    float: "un número",
    list: "una lista",
    tuple: "una tupla",
    dict: "un diccionario",
    set: "un conjunto",
    np.ndarray: "un array de NumPy",
}


def describe(value: object) -> str:
    """Qué es un valor, en una línea: su tipo, su forma y unos pocos números."""
    try:
        return _describe(value)
    except Exception:  # la respuesta es código ajeno: su __repr__ o su forma pueden fallar
        return f"un objeto de tipo {type(value).__name__} que no se puede mostrar"


def _describe(value: object) -> str:
    if isinstance(value, Tensor):
        return f"tensor de forma {shape_text(value)} y tipo {dtype_text(value)}, {_peek(value)}"
    if type(value) is np.ndarray:
        return f"array de NumPy de forma {tuple(value.shape)}"
    if type(value) in (int, float, bool):
        return number_text(value)
    if type(value) in (list, tuple) and len(value) <= MAX_NUMBERS:
        items = "; ".join(_describe(item) for item in value)
        return f"{TYPE_NAMES[type(value)]} con {len(value)} elementos ({items})"
    if type(value) in (list, tuple, set, dict):
        return f"{TYPE_NAMES[type(value)]} con {len(value)} elementos"
    if type(value) is str:
        return f"el texto {shorten(value)!r}"
    return TYPE_NAMES.get(type(value)) or f"un objeto de tipo {type(value).__name__}"


def _peek(tensor: Tensor) -> str:
    """Los primeros números de la primera fila: basta para reconocer un tensor."""
    if tensor.numel() == 0:
        return "vacío"
    row = tensor.detach()[(0,) * max(0, tensor.ndim - 1)]
    if row.ndim == 0:
        return f"que vale {number_text(row.item())}"
    numbers = [number_text(number) for number in row[:MAX_NUMBERS].tolist()]
    dots = ", …" if len(row) > MAX_NUMBERS else ""
    return f"cuya primera fila es [{', '.join(numbers)}{dots}]"


def number_text(number: float | int | bool) -> str:
    """Un número con las cifras que caben en una frase."""
    if not isinstance(number, float):
        return str(number)
    whole = number.is_integer() and abs(number) < MAX_WHOLE
    return f"{number:.0f}" if whole else f"{number:.4g}"


def shape_text(tensor: Tensor) -> str:
    """Forma de un tensor, escrita como una tupla."""
    return str(tuple(tensor.shape))


def dtype_text(tensor: Tensor) -> str:
    """Tipo de los números de un tensor, sin el prefijo `torch.`."""
    return str(tensor.dtype).removeprefix("torch.")


def list_text(values: list) -> str:
    """Una lista corta tal cual; de una larga, el principio."""
    shown = ", ".join(
        number_text(v) if isinstance(v, (int, float)) else describe(v)
        for v in values[: 2 * MAX_NUMBERS]
    )
    return f"[{shown}{', …' if len(values) > 2 * MAX_NUMBERS else ''}]"


def shorten(text: str) -> str:
    """Recorta un texto para citarlo dentro de una frase."""
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def arguments_text(arguments: dict[str, object]) -> str:
    """Formas de los argumentos con los que se llamó: `alpha (3, 5), h (3, 5, 4)`."""
    return ", ".join(
        f"{name} {shape_text(value)}"
        for name, value in arguments.items()
        if isinstance(value, torch.Tensor)
    )
