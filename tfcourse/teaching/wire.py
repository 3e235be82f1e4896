"""Mensajes entre el corrector y el recinto: solo datos, nunca objetos que se puedan ejecutar.

Un mensaje es una cabecera con dos longitudes, un árbol en JSON y los números de sus tensores.
Quien lo lee no se fía de nada: cada forma, tipo y tamaño se comprueba antes de usarse. No se usa
`pickle`.
"""

import json
import math
import struct
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

HEADER = struct.Struct("<II")
MAX_TREE, MAX_NUMBERS = 4_000_000, 64_000_000  # bytes
MAX_DEPTH, MAX_ITEMS, MAX_TEXT = 20, 20_000, 200_000
MAX_TENSORS, MAX_VALUES = 2_000, 300_000  # por mensaje

DTYPES = {
    name: getattr(torch, name)
    for name in (
        "float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8",
        "bool", "complex64", "complex128",
    )
}  # fmt: skip
ARRAYS = ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool")
SPECIAL_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class WireError(ValueError):
    """Un mensaje que no cumple el formato: quien lo envía no es de fiar."""


class Opaque:
    """Lugar de un valor que no viaja: solo se sabe cómo se llamaba su tipo."""


def opaque(type_name: str) -> Opaque:
    """Un valor sin contenido cuyo tipo se llama como el que no ha viajado."""
    clean = "".join(c for c in type_name if c.isidentifier() or c.isdigit())[:60]
    return type(clean or "objeto", (Opaque,), {})()


class Encoder:
    """Convierte un valor en un árbol de JSON y una ristra de bytes.

    `remember` recibe cada función que aparece y devuelve el número por el que se la podrá llamar.
    """

    def __init__(self, remember: Callable[[Callable], int] | None = None):
        self.remember = remember
        self.blob = bytearray()
        self.tensors: list[Tensor] = []

    def encode(self, value: object, depth: int = 0) -> object:
        """Árbol de JSON de un valor; lo que no sabe llevar se queda en el nombre de su tipo."""
        if value is None or type(value) in (bool, str, int):
            return _plain(value)
        if type(value) is float:
            return value if math.isfinite(value) else {"t": "float", "v": str(value)}
        if value is ...:
            return {"t": "puntos"}
        if depth < MAX_DEPTH and type(value) in (list, tuple, dict):
            return self._container(value, depth)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, np.ndarray | np.generic) and str(value.dtype) in ARRAYS:
            return self._numbers("array", str(value.dtype), value.shape, value.tobytes())
        if callable(value) and self.remember and not isinstance(value, type):
            return {"t": "funcion", "n": self.remember(value)}
        return {"t": "opaco", "v": type(value).__name__[:60]}

    def _container(self, value, depth: int) -> dict:
        if len(value) > MAX_ITEMS:
            return {"t": "opaco", "v": type(value).__name__}
        if type(value) is dict:
            pairs = [
                [self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items()
            ]
            return {"t": "dict", "v": pairs}
        return {"t": type(value).__name__, "v": [self.encode(item, depth + 1) for item in value]}

    def _tensor(self, value: Tensor) -> dict:
        name = str(value.dtype).removeprefix("torch.")
        if name not in DTYPES or value.layout != torch.strided or value.device.type == "meta":
            return {"t": "opaco", "v": "Tensor"}
        if value.numel() * value.element_size() > MAX_NUMBERS:
            return {"t": "opaco", "v": "Tensor"}
        plain = value.detach().cpu().resolve_conj().resolve_neg()
        # Un elemento repetido (paso 0) pasa por contiguo sin serlo: solo una copia lo allana.
        flat = plain.reshape(-1).clone(memory_format=torch.contiguous_format)
        tree = self._numbers("tensor", name, value.shape, flat.view(torch.uint8).numpy().tobytes())
        self.tensors.append(value)
        return tree | {"g": bool(value.requires_grad), "i": len(self.tensors) - 1}

    def _numbers(self, kind: str, dtype: str, shape, data: bytes) -> dict:
        tree = {"t": kind, "d": dtype, "s": [int(n) for n in shape], "at": len(self.blob)}
        self.blob += data
        return tree


def _plain(value: object) -> object:
    if type(value) is str:
        return {"t": "str", "v": value[:MAX_TEXT].encode("utf-8", "replace").decode()}
    if type(value) is int and value.bit_length() > 62:
        return (
            {"t": "int", "v": hex(value)}
            if value.bit_length() < 10_000
            else {"t": "opaco", "v": "int"}
        )
    return value


class Decoder:
    """Reconstruye un valor a partir de su árbol y sus bytes, sin fiarse de ellos.

    `call` fabrica, a partir de su número, la función que llama a la del otro lado.
    """

    def __init__(self, blob: bytes, call: Callable[[int], Callable] | None = None):
        self.blob, self.call = blob, call
        self.tensors: list[Tensor] = []
        self.arrays = 0
        self.bytes = self.values = 0

    def decode(self, tree: object, depth: int = 0) -> object:
        """El valor de un árbol. Errores: `WireError` si no cumple el formato."""
        self.values += 1
        if self.values > MAX_VALUES:
            raise WireError("hay demasiados valores")
        if tree is None or type(tree) in (bool, int, float):
            return tree
        if type(tree) is not dict or depth > MAX_DEPTH + 1:
            raise WireError("un valor no es lo que debía")
        try:
            return self._tagged(tree, depth)
        except WireError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, RuntimeError) as error:
            raise WireError("un valor está mal escrito") from error

    def _tagged(self, tree: dict, depth: int) -> object:
        kind = tree["t"]
        if kind == "str" and type(tree["v"]) is str:
            return tree["v"]
        if kind in ("list", "tuple"):
            items = [self.decode(item, depth + 1) for item in tree["v"]]
            return items if kind == "list" else tuple(items)
        if kind == "dict":
            return {self.decode(k, depth + 1): self.decode(v, depth + 1) for k, v in tree["v"]}
        if kind in ("tensor", "array"):
            return self._numbers(tree)
        if kind == "float":
            return SPECIAL_FLOATS[tree["v"]]
        if kind == "int":
            return int(tree["v"], 16)
        if kind == "puntos":
            return ...
        if kind == "funcion" and self.call and type(tree["n"]) is int:
            return self.call(tree["n"])
        if kind == "opaco":
            return opaque(str(tree["v"]))
        raise WireError("no se conoce el tipo de un valor")

    def _numbers(self, tree: dict) -> object:
        shape, start, name = tree["s"], tree["at"], tree["d"]
        if not all(type(n) is int and 0 <= n <= MAX_NUMBERS for n in [*shape, start]):
            raise WireError("la forma de un tensor no vale")
        if name not in (DTYPES if tree["t"] == "tensor" else ARRAYS) or len(shape) > MAX_DEPTH:
            raise WireError("el tipo de un tensor no vale")
        size = math.prod(shape) * DTYPES[name].itemsize
        # Muchos tensores sobre los mismos bytes ocuparían lo que no ha llegado.
        self.arrays, self.bytes = self.arrays + 1, self.bytes + size
        if self.arrays > MAX_TENSORS or self.bytes > MAX_NUMBERS:
            raise WireError("los tensores ocupan más que el mensaje")
        data = bytearray(self.blob[start : start + size])
        if len(data) != size:
            raise WireError("a un tensor le faltan números")
        if tree["t"] == "array":
            return np.frombuffer(data, dtype=name).reshape(shape).copy()
        flat = (
            torch.frombuffer(data, dtype=torch.uint8) if size else torch.empty(0, dtype=torch.uint8)
        )
        value = flat.clone().view(DTYPES[name]).reshape(shape)
        if DTYPES[name] is torch.bool:  # un byte que no es 0 ni 1 no es un valor lógico
            value = flat.ne(0).reshape(shape)
        self.tensors.append(value)
        return value


def pack(message: dict, blob: bytes = b"") -> bytes:
    """Un mensaje listo para enviar. Errores: `WireError` si no cabe."""
    text = json.dumps(message, allow_nan=False).encode()
    if len(text) > MAX_TREE or len(blob) > MAX_NUMBERS:
        raise WireError("el mensaje es demasiado grande")
    return HEADER.pack(len(text), len(blob)) + text + bytes(blob)


def unpack(read: Callable[[int], bytes]) -> tuple[dict, bytes]:
    """Lee un mensaje con `read(n)`, que devuelve justo n bytes.

    Errores: `WireError` si lo que llega no es un mensaje o pasa de lo permitido.
    """
    tree_size, blob_size = HEADER.unpack(read(HEADER.size))
    if tree_size > MAX_TREE or blob_size > MAX_NUMBERS:
        raise WireError("el mensaje es demasiado grande")
    text, blob = read(tree_size), read(blob_size)
    try:
        message = json.loads(text)
        if b"\\u" in text:  # un sustituto suelto no se podría ni guardar
            json.dumps(message, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise WireError("el mensaje no es JSON") from error
    if type(message) is not dict:
        raise WireError("el mensaje no es un objeto")
    return message, blob
