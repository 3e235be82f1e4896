"""Buscar una pieza prestada en el código de quien la envuelve, sin ejecutarlo."""

import functools
from collections.abc import Iterator
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType

MOST, MANY = 2_000, 100  # cuántas cosas se miran, como mucho, y cuántas de una misma lista


class Search:
    """Recorre una respuesta y lo que usa: funciones, clases, cierres y lo que guardan.

    Encuentra la pieza de `folder` que se llama `name`, y a quien la pide prestada por uno de sus
    `steps`. Las demás piezas prestadas valen: en ellas se apoya un paso que sí se ha escrito.
    """

    def __init__(self, folder: str, name: str, steps: set[str]):
        self.folder, self.name, self.steps = folder, name, steps

    def finds(self, answer: object) -> bool:
        """Si la pieza aparece en algún sitio."""
        pending, seen = [answer], set()
        while pending and len(seen) < MOST:
            value = pending.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            if self._is_it(value):
                return True
            pending += self._inside(value)
        return False

    def _is_it(self, value: object) -> bool:
        """Si es la pieza, un objeto de su clase, el módulo que la presta o código que la pide."""
        if isinstance(value, CodeType):
            wanted = any(step in value.co_consts for step in self.steps)
            straight = any(name.startswith(self.folder) for name in value.co_names)
            return straight or (wanted and "prestada" in value.co_names)
        if isinstance(value, ModuleType):
            return value.__name__.startswith(self.folder)
        own = value if isinstance(value, (type, FunctionType)) else type(value)
        return own.__module__.startswith(self.folder) and own.__name__ == self.name

    def _inside(self, value: object) -> Iterator[object]:
        """Lo que hay dentro de algo, si lo ha escrito quien responde."""
        if isinstance(value, functools.partial):
            yield from (value.func, *value.args, *value.keywords.values())
        elif isinstance(value, (staticmethod, classmethod, MethodType)):
            yield value.__func__
        elif isinstance(value, property):
            yield from filter(None, (value.fget, value.fset))
        elif isinstance(value, FunctionType):
            yield from self._inside_function(value)
        elif isinstance(value, CodeType):
            yield from (own for own in value.co_consts if isinstance(own, CodeType))
        elif isinstance(value, (list, tuple, set)):
            yield from islice(value, MANY)
        elif isinstance(value, dict):
            yield from islice(value.values(), MANY)
        elif isinstance(value, type):
            if not _installed(value.__module__):
                yield from (*vars(value).values(), *value.__bases__)
        elif hasattr(value, "__dict__") and not isinstance(value, ModuleType):
            yield from (type(value), *vars(value).values())

    def _inside_function(self, function: FunctionType) -> Iterator[object]:
        if _installed(function.__module__ or ""):
            return
        yield function.__code__
        yield from (function.__defaults__ or ())
        yield from (function.__kwdefaults__ or {}).values()
        for cell in function.__closure__ or ():
            try:
                yield cell.cell_contents
            except ValueError:  # todavía sin nada dentro
                continue
        names, codes = set(), [function.__code__]
        while codes:
            code = codes.pop()
            names.update(code.co_names)
            codes += [own for own in code.co_consts if isinstance(own, CodeType)]
        known = function.__globals__
        yield from (known[name] for name in names if name in known)


def _installed(module: str) -> bool:
    """Si es de una biblioteca, y no de quien responde."""
    return module.partition(".")[0] in ("torch", "numpy", "builtins", "functools", "tfcourse")
