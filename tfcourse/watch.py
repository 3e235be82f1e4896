"""Reglas sobre cómo se llega a un resultado: lo que el enunciado prohíbe y lo que puede costar.

El coste se cuenta en operaciones, en líneas ejecutadas y en números de un tensor, nunca en
segundos: dan lo mismo en cualquier equipo. Está fuera de `tfcourse.exercises` porque también hace
falta en el recinto donde corren las entregas, que no ve los correctores.
"""

import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import no_type_check

import torch
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode, resolve_name

AUTOGRAD, COURSE = "autograd", "tfcourse."
NOT_TAUGHT = (
    "tfcourse.exercises", "tfcourse.bank", "tfcourse.projects.steps", "tfcourse.teaching",
    "tfcourse.watch",
)  # fmt: skip
# Lo que se mira sin calcular nada: no cuenta como operación.
FREE = {"shape", "dtype", "device", "ndim", "dim", "size", "requires_grad", "__len__", "numel"}


@dataclass(frozen=True)
class Rules:
    """Qué no se puede hacer para llegar al resultado.

    `banned`: funciones de PyTorch que el enunciado prohíbe, por su nombre (`layer_norm`) o por el
    del módulo, con su punto (`torch.fft.`); `autograd` es cualquier marcha atrás y
    `tfcourse.`, lo que enseña el paquete. `largest`: los números del mayor tensor que se puede
    construir. `operations`: cuántas operaciones de PyTorch se pueden hacer en una llamada, que
    con bucles crecen con los datos. `lines`: cuántas líneas de Python se pueden ejecutar.
    `complex_numbers`: si se admiten.
    """

    banned: tuple[str, ...] = ()
    largest: int | None = None
    operations: int | None = None
    lines: int | None = None
    complex_numbers: bool = True

    def watched(self, function: Callable) -> Callable:
        """La misma función, vigilada: se detiene en cuanto se sale de las reglas."""

        @functools.wraps(function)
        def call(*arguments):
            with _Watch(self), _no_backward(AUTOGRAD in self.banned), _LineCount(self.lines):
                return function(*arguments)

        return call

    def described(self) -> dict:
        """Las reglas, como datos que pueden cruzar a otro proceso."""
        return asdict(self)


FREELY = Rules()


class BrokenRule(BaseException):
    """La respuesta se ha salido de las reglas.

    No hereda de `Exception` para que un `except Exception` de la respuesta no se la trague. El
    mensaje lleva la clave delante: es lo único que llega cuando la respuesta corre en otro proceso.
    """

    def __init__(self, key: str, reason: str):
        super().__init__(f"regla {key}: {reason}")


class _Watch(TorchFunctionMode):
    """Ve pasar cada operación de PyTorch."""

    def __init__(self, rules: Rules):
        super().__init__()
        self.rules, self.done = rules, 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = _name(function)
        if name.rpartition(".")[2] not in FREE and not name.endswith("__get__"):
            self._count(name)
        result = function(*args, **(kwargs or {}))
        self._measure(result)
        return result

    def _count(self, name: str):
        self.done += 1
        for banned in self.rules.banned:
            if banned in name if banned.endswith(".") else name.rpartition(".")[2] == banned:
                raise _forbidden(name)
        if COURSE in self.rules.banned:
            used = _course_function()
            if used:
                raise _forbidden(used)
        limit = self.rules.operations
        if limit is not None and self.done > limit:
            raise BrokenRule(
                "con-bucles",
                f"haces más de {limit} operaciones con tensores: eso es un bucle, aunque no se "
                "vea, y se pide la cuenta de una vez, para todos los datos",
            )

    def _measure(self, result: object):
        if not isinstance(result, torch.Tensor):
            return
        if result.is_complex() and not self.rules.complex_numbers:
            raise BrokenRule("prohibido", "usas números complejos, y el enunciado pide no usarlos")
        limit = self.rules.largest
        if limit is not None and result.numel() > limit:
            raise BrokenRule(
                "demasiado-grande",
                f"construyes un tensor de forma {tuple(result.shape)}, de {result.numel()} "
                f"números, y con estos datos basta con {limit}: sobra alguna cuenta",
            )


def _forbidden(name: str) -> BrokenRule:
    return BrokenRule("prohibido", f"usas `{name}`, y el enunciado pide hacerlo sin esa función")


def _course_function() -> str | None:
    """La función del paquete desde la que se está calculando, si hay alguna."""
    frame = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(COURSE) and not module.startswith(NOT_TAUGHT):
            return f"{module}.{frame.f_code.co_name}"
        frame = frame.f_back
    return None


@contextlib.contextmanager
def _no_backward(forbidden: bool) -> Iterator[None]:
    """Por aquí pasan `backward`, `torch.autograd.grad` y lo que se hace con ellos.

    También lo que deriva hacia delante, como `torch.func.jvp`.
    """
    if not forbidden:
        yield
        return

    def refuse(*_, **__):
        raise BrokenRule("prohibido", "usas `autograd`, y el enunciado pide hacerlo sin esa ayuda")

    doors = (torch.autograd, "_engine_run_backward"), (forward_ad, "make_dual")
    before = [getattr(module, name) for module, name in doors]
    for module, name in doors:
        setattr(module, name, refuse)
    try:
        yield
    finally:
        for (module, name), own in zip(doors, before, strict=True):
            setattr(module, name, own)


def _name(function: Callable) -> str:
    try:
        name = resolve_name(function)
    except Exception:  # no todas dicen cómo se llaman
        name = None
    return name or getattr(function, "__name__", "")


@no_type_check  # se la llama en cada línea: con los tipos comprobados, el reloj cortaría antes
class _LineCount:
    """Cuenta las líneas de Python que se ejecutan dentro, y deja a quien ya contaba como estaba."""

    def __init__(self, limit: int | None):
        self.limit, self.done = limit, 0

    def __enter__(self):
        if self.limit is not None and threading.current_thread() is threading.main_thread():
            self.before = sys.gettrace()
            sys.settrace(self._trace)
        return self

    def __exit__(self, *_):
        if hasattr(self, "before"):
            sys.settrace(self.before)

    def _trace(self, frame, event, _):
        if event == "line":
            self.done += 1
            if self.done > self.limit:
                raise BrokenRule(
                    "demasiadas-cuentas",
                    f"has ejecutado más de {self.limit} líneas: el trabajo crece mucho más "
                    "deprisa que los datos, como al probar todas las combinaciones",
                )
        return self._trace
