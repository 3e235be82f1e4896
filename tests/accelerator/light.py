"""Casos ligeros: cada función y clase pública de unos estantes, usada una vez en un dispositivo.

Un caso dice qué nombres usa, y al ejecutarlo se comprueba que los usó con tensores del dispositivo:
así la lista de lo que falta sale de lo que se dice y no se puede decir de más.
"""

import dataclasses
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from types import CodeType

import torch
from torch import Tensor, nn

import tfcourse


@dataclasses.dataclass(frozen=True)
class Case:
    """Un uso ligero: lo que prueba y la función que lo hace, que recibe el dispositivo.

    Lo que devuelve tiene que estar en el dispositivo. Con `mixed`, también corre en precisión
    mixta: es lo que va dentro de un modelo que `fit` entrena en `completo`.
    """

    name: str
    uses: tuple
    run: Callable[[torch.device], object]
    mixed: bool


def case(cases: list[Case], *uses, mixed: bool = False):
    """Apunta una función como caso de lo que usa."""

    def note(run):
        cases.append(Case(run.__name__, uses, run, mixed))
        return run

    return note


def public(shelf: str) -> dict[str, object]:
    """Funciones y clases públicas que define un estante, con su nombre entero."""
    root = importlib.import_module(f"tfcourse.{shelf}")
    modules = [root.__name__]
    modules += [m.name for m in pkgutil.walk_packages(root.__path__, f"{root.__name__}.")]
    found = {}
    for name in modules:
        module = importlib.import_module(name)
        for key, value in vars(module).items():
            kind = inspect.isclass(value) or inspect.isfunction(inspect.unwrap(value))
            if kind and not key.startswith("_") and getattr(value, "__module__", "") == name:
                found[f"{name.removeprefix(tfcourse.__name__ + '.')}.{key}"] = value
    return found


class Uses:
    """Mira, mientras dura, cuáles de unos objetos se llaman con tensores del dispositivo."""

    def __init__(self, objects: tuple, device: torch.device):
        self.device, self.seen = device, set()
        self.classes = [x for x in objects if inspect.isclass(x)]
        self.codes: dict[CodeType, object] = {}
        for one in objects:
            for function in vars(one).values() if inspect.isclass(one) else [one]:
                function = inspect.unwrap(getattr(function, "__func__", function))
                if inspect.isfunction(function):
                    self.codes[function.__code__] = one

    def __enter__(self):
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)

    def _look(self, frame, event, _):
        if event != "call":
            return
        owner, mine = self.codes.get(frame.f_code), frame.f_locals.get("self")
        wanted = [] if owner is None else [owner]
        wanted += [kind for kind in self.classes if isinstance(mine, kind)]
        if wanted and any(on_device(x, self.device) for x in frame.f_locals.values()):
            self.seen.update(wanted)

    def missing(self, result: object) -> list[str]:
        """Nombres que no se usaron; los de lo que solo guarda tensores se buscan en `result`."""
        kinds = {type(x) for x in _parts(result)}
        unseen = [x for x in [*self.codes.values(), *self.classes] if x not in self.seen]
        return sorted({x.__qualname__ for x in unseen if x not in kinds})


def on_device(x: object, device: torch.device) -> bool:
    """Si hay en `x` algún tensor del dispositivo."""
    return any(t.device.type == device.type for t in tensors(x))


def tensors(x: object) -> Iterator[Tensor]:
    """Los tensores que hay en un valor, también en los parámetros de un módulo."""
    for part in _parts(x):
        if isinstance(part, Tensor):
            yield part


def _parts(x: object, depth: int = 4) -> Iterator[object]:
    yield x
    if not depth:
        return
    if isinstance(x, nn.Module):
        if not vars(x).keys() >= {"_parameters", "_buffers", "_modules"}:
            return  # se está construyendo
        yield from x.parameters()
        yield from x.buffers()
        x = [value for name, value in vars(x).items() if not name.startswith("_")]
    elif _has_fields(x):
        x = list(vars(x).values())
    elif isinstance(x, dict):
        x = list(x.values())
    if isinstance(x, (tuple, list)):
        for part in x:
            yield from _parts(part, depth - 1)


def _has_fields(x: object) -> bool:
    ours = type(x).__module__.startswith((tfcourse.__name__, "tests."))
    return ours and not isinstance(x, (Tensor, tuple)) and hasattr(x, "__dict__")


def backward(result: object) -> None:
    """La vuelta de todo lo que la tenga."""
    total = [
        t.float().sum() for t in tensors(result) if t.grad_fn is not None and not t.is_complex()
    ]
    if total:
        torch.stack(total).sum().backward()
