"""Comparación de una respuesta con lo esperado, y qué decir cuando no coinciden."""

import numpy as np
import torch
from torch import Tensor

from tfcourse.exercises.describe import describe, dtype_text, list_text, number_text
from tfcourse.exercises.diagnosis import Diagnosis

RELATIVE = 1e-4
MANY = 8  # de un diccionario con más claves solo se citan las que no coinciden


def difference(expected, received, tolerance: float, names: tuple[str, ...] = ()):
    """Primera diferencia entre lo esperado y lo recibido, como `Diagnosis`; `None` si coinciden.

    `names` nombra las salidas cuando lo esperado es una tupla.
    """
    if received is None:
        likely = "tu función no devuelve nada (None): seguramente has olvidado `return`"
        return Diagnosis("sin-return", likely, expected=describe(expected), received="None")
    if received is ...:
        likely = "todavía no has escrito tu respuesta: hay puntos suspensivos en su lugar"
        return Diagnosis("sin-escribir", likely, expected=describe(expected))
    for kind, compare in _COMPARISONS.items():
        if isinstance(expected, kind):
            return compare(expected, received, tolerance, names)
    raise TypeError(f"no se sabe comparar un valor esperado de tipo {type(expected).__name__}")


def same(first, second, tolerance: float) -> bool:
    """Dice si dos respuestas son la misma, salvo el tipo de los números; NaN es igual a NaN."""
    if isinstance(first, Tensor):
        return (
            isinstance(second, Tensor)
            and first.shape == second.shape
            and not second.is_complex()
            and _close(first, second, tolerance)
        )
    if isinstance(first, (tuple, list)):
        return (
            isinstance(second, (tuple, list))
            and len(first) == len(second)
            and all(same(a, b, tolerance) for a, b in zip(first, second, strict=True))
        )
    if isinstance(first, dict):
        return (
            isinstance(second, dict)
            and first.keys() == second.keys()
            and all(same(first[name], second[name], tolerance) for name in first)
        )
    return difference(first, second, tolerance) is None


def _close(first: Tensor, second: Tensor, tolerance: float) -> bool:
    first, second = (t.detach().to("cpu", torch.float64) for t in (first, second))
    return torch.allclose(first, second, rtol=RELATIVE, atol=tolerance, equal_nan=True)


def _compare_tensor(expected: Tensor, received, tolerance: float, names=()):
    texts = {"expected": describe(expected), "received": describe(received)}
    if not isinstance(received, Tensor) or received.is_complex():
        return Diagnosis(*_not_a_tensor(received), **texts)
    if received.shape != expected.shape:
        return Diagnosis(*_wrong_shape(expected, received), **texts)
    if received.is_floating_point() and bool(received.isnan().any()):
        likely = (
            "tu resultado contiene NaN («no es un número»): busca una división 0/0, un infinito "
            "menos otro o un softmax sobre una fila entera de −∞"
        )
        return Diagnosis("nan", likely, **texts)
    if not _close(expected, received, tolerance):
        likely = _first_difference(expected, received, tolerance)
        if texts["expected"] == texts["received"]:  # la fila que se enseña no es la que falla
            index = _where(expected, received, tolerance)
            place = f"; en la posición [{', '.join(map(str, index))}], "
            texts = {
                name: f"{texts[name]}{place}{_element(tensor, index)}"
                for name, tensor in (("expected", expected), ("received", received))
            }
        return Diagnosis("valores", likely, **texts)
    if received.dtype != expected.dtype:
        return Diagnosis("tipo-de-dato", _wrong_type(expected, received), **texts)
    return None


def _wrong_type(expected: Tensor, received: Tensor) -> str:
    came = f"los valores son correctos, pero su tipo es {dtype_text(received)} y se esperaba"
    if expected.dtype is torch.bool:
        return (
            f"{came} `bool`: devuelve verdadero o falso, lo que da una comparación (`x > 0`) o "
            "`.bool()`"
        )
    if not expected.is_floating_point():
        return f"{came}n enteros: conviértelos con `.long()`"
    return (
        f"{came} {dtype_text(expected)}, el de los datos: conserva el tipo de las entradas (p. ej. "
        "con `torch.zeros_like(...)` o `x.new_zeros(...)`)"
    )


def _not_a_tensor(received) -> tuple[str, str]:
    if _is_pair_of_extremes(received):
        return "valores-e-indices", (
            "devuelves la pareja que da `.max(dim)`, `.min(dim)` o `.sort(dim)`: los valores y sus "
            "índices; quédate con `.values` o usa `.amax(dim)`, que da solo los valores"
        )
    if isinstance(received, (np.ndarray, np.generic)):
        return "numpy", (
            "devuelves un array de NumPy y se esperaba un tensor de PyTorch: sin tensores no hay "
            "gradiente, así que haz toda la cuenta con `torch`"
        )
    if isinstance(received, (list, tuple)) and received:
        join = (
            "calcula el lote entero a la vez o une las piezas con `torch.stack`"
            if any(isinstance(item, Tensor) for item in received)
            else "calcula con tensores, sin pasar por números de Python, que no dejan gradiente"
        )
        return "lista-en-vez-de-tensor", (
            f"devuelves {describe(received)} y se esperaba un solo tensor: {join}"
        )
    return (
        "tipo-equivocado",
        f"se esperaba un tensor de números reales y devuelves {describe(received)}",
    )


def _is_pair_of_extremes(received) -> bool:
    return (
        isinstance(received, tuple)
        and len(received) == 2
        and all(isinstance(item, Tensor) for item in received)
        and received[0].shape == received[1].shape
        and received[1].dtype is torch.int64
    )


def _wrong_shape(expected: Tensor, received: Tensor) -> tuple[str, str]:
    wanted, got = tuple(expected.shape), tuple(received.shape)
    if got == ():
        return "un-solo-numero", (
            f"has reducido todo a un solo número y se esperaba la forma {wanted}: di en qué eje, "
            "p. ej. `.sum(dim=-1)`; sin `dim`, la cuenta recorre el tensor entero"
        )
    if got == tuple(size for size in wanted if size != 1):
        lost = len(wanted) - len(got)
        return "eje-perdido", (
            f"{'te falta un eje' if lost == 1 else f'te faltan {lost} ejes'} de tamaño 1: salió "
            f"{got} y se esperaba {wanted}. Se añaden con `None`, p. ej. `x[:, None]`; y si usas "
            "`squeeze()`, di qué eje quitas, `squeeze(-1)`: sin argumento los quita todos, también "
            "el del lote cuando hay un solo ejemplo"
        )
    if tuple(size for size in got if size != 1) == tuple(size for size in wanted if size != 1):
        return "eje-sobrante", (
            f"te sobra un eje de tamaño 1: salió {got} y se esperaba {wanted}. Quítalo con "
            "`squeeze(eje)` o con un índice"
        )
    if len(got) == len(wanted) and sorted(got) == sorted(wanted):
        return "ejes-cambiados", (f"has intercambiado ejes: salió {got} y se esperaba {wanted}")
    return "forma", f"la forma no es la pedida: salió {got} y se esperaba {wanted}"


def _first_difference(expected: Tensor, received: Tensor, tolerance: float) -> str:
    wrong, index = _wrong(expected, received, tolerance), _where(expected, received, tolerance)
    place = f" en la posición [{', '.join(map(str, index))}]" if index else ""
    return (
        f"la forma es la pedida, pero {_share(wrong)} números no coinciden; el primero{place}: se "
        f"esperaba {_element(expected, index)} y ha llegado {_element(received, index)}"
    )


def _wrong(expected: Tensor, received: Tensor, tolerance: float) -> Tensor:
    a, b = (t.detach().to("cpu", torch.float64) for t in (expected, received))
    return ~torch.isclose(a, b, rtol=RELATIVE, atol=tolerance)


def _where(expected: Tensor, received: Tensor, tolerance: float) -> tuple[int, ...]:
    """La posición del primer número que no coincide."""
    return tuple(_wrong(expected, received, tolerance).nonzero()[0].tolist())


def _element(tensor: Tensor, index: tuple[int, ...]) -> str:
    return number_text(tensor.detach()[index].item())


def _share(wrong: Tensor) -> str:
    return f"{int(wrong.sum())} de {wrong.numel()}"


def _compare_outputs(expected: tuple, received, tolerance: float, names: tuple[str, ...] = ()):
    names = names or tuple(f"salida {i}" for i in range(1, len(expected) + 1))
    if not isinstance(received, (tuple, list)) or len(received) != len(expected):
        likely = (
            f"se esperaban {len(expected)} resultados, en este orden: {', '.join(names)}; "
            f"devuelves {describe(received)}"
        )
        return Diagnosis("numero-de-salidas", likely)
    for name, wanted, got in zip(names, expected, received, strict=True):
        found = difference(wanted, got, tolerance)
        if found:
            return Diagnosis(
                found.key, f"en `{name}`: {found.likely}", None, found.expected, found.received
            )
    return None


def _compare_dict(expected: dict, received, tolerance: float, names=()):
    if not isinstance(received, dict):
        likely = f"se esperaba un diccionario y devuelves {describe(received)}"
        return Diagnosis("tipo-equivocado", likely)
    if received.keys() != expected.keys():
        missing = {name: value for name, value in expected.items() if name not in received}
        extra = {name: value for name, value in received.items() if name not in expected}
        told = [f"falta {_some(missing)}"] * bool(missing) + [f"sobra {_some(extra)}"] * bool(extra)
        likely = (
            f"las claves del diccionario no son las pedidas: {' y '.join(told)}; cópialas del "
            "enunciado"
        )
        if len(expected) > MANY:
            return Diagnosis("claves", likely)
        return Diagnosis("claves", likely, None, list_keys(expected), list_keys(received))
    for name, wanted in expected.items():
        found = difference(wanted, received[name], tolerance)
        if found:
            likely = f"en {name!r}: {found.likely}"
            return Diagnosis(found.key, likely, None, found.expected, found.received)
    return None


def _some(mapping: dict) -> str:
    """Las primeras claves, y cuántas más hay."""
    first = list_keys(dict(list(mapping.items())[:2]))
    rest = len(mapping) - 2
    return f"{first} y {rest} más" if rest > 0 else first.replace(", ", " y ")


def list_keys(mapping: dict) -> str:
    """Claves de un diccionario, para citarlas."""
    return ", ".join(describe(key).removeprefix("el texto ") for key in mapping) or "ninguna"


def _compare_list(expected: list, received, tolerance: float, names=()):
    if isinstance(received, (Tensor, np.ndarray)) and received.ndim == 1:
        received = received.tolist()
    if not isinstance(received, (list, tuple)):
        likely = f"se esperaba una lista y devuelves {describe(received)}"
        return Diagnosis("tipo-equivocado", likely, expected=list_text(expected))
    if any(isinstance(item, Tensor) for item in received):
        likely = (
            "tu lista contiene tensores y se esperaban números de Python: convierte cada elemento "
            "con `int(...)` o `.item()`"
        )
        return Diagnosis("elementos-tensor", likely, expected=list_text(expected))
    texts = {"expected": list_text(expected), "received": list_text(list(received))}
    if len(received) != len(expected):
        likely = f"se esperaban {len(expected)} elementos y hay {len(received)}"
        return Diagnosis("longitud", likely, **texts)
    for position, (wanted, got) in enumerate(zip(expected, received, strict=True)):
        found = difference(wanted, got, tolerance)
        if found:
            likely = f"en la posición {position}: {found.likely}"
            return Diagnosis(found.key, likely, **texts)
    return None


def _compare_number(expected: float, received, tolerance: float, names=()):
    if isinstance(received, bool) or not isinstance(received, (int, float, np.number, Tensor)):
        likely = f"se esperaba un número y ha llegado {describe(received)}"
        return Diagnosis("tipo-equivocado", likely)
    if isinstance(received, Tensor) and received.numel() != 1:
        likely = f"se esperaba un solo número y ha llegado {describe(received)}"
        return Diagnosis("tipo-equivocado", likely)
    value = float(received)
    if abs(value - expected) <= tolerance:
        return None
    wanted, got = number_text(expected), number_text(value)
    return Diagnosis("valores", "el número no es el correcto", None, wanted, got)


def _compare_text(expected: str, received, tolerance: float, names=()):
    if not isinstance(received, str):
        likely = f"se esperaba un texto y ha llegado {describe(received)}"
        return Diagnosis("tipo-equivocado", likely)
    if received == expected:
        return None
    wrong = "el texto no es el correcto"
    return Diagnosis("valores", wrong, None, describe(expected), describe(received))


_COMPARISONS = {
    Tensor: _compare_tensor,
    str: _compare_text,
    tuple: _compare_outputs,
    dict: _compare_dict,
    list: _compare_list,
    (int, float): _compare_number,
}
