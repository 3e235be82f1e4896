"""Hacer creer al curso que tiene un acelerador, y que sus entrenamientos sean de unos pasos."""

import functools

import torch

from tests.accelerator.autocast import register_autocast
from tests.accelerator.simulated import simulated_device

READ = 5_000  # símbolos de un texto que se evalúa
CUT = 2  # pasos de cada entrenamiento: el segundo ya tiene estado en el optimizador


@functools.cache
def accelerator_device() -> torch.device:
    """La GPU, si hay una; si no, la de mentira."""
    if torch.cuda.is_available():
        return torch.device("cuda", 0)
    register_autocast()
    return simulated_device()


def use_device(patch, device: torch.device, precision: str = "no") -> None:
    """Los cuadernos y `fit` trabajan en `device`, con la precisión mixta que se diga.

    `patch(objeto, nombre, valor)` cambia un atributo: `monkeypatch.setattr` o `setattr`. Va antes
    de importar los cuartos, que se quedan con el `default_device` que encuentran.
    """
    from accelerate import Accelerator
    from accelerate.state import AcceleratorState, PartialState

    import tfcourse.training
    from tfcourse.training import loop

    def default_device() -> str:
        return device.type

    @functools.cache
    def default_accelerator() -> Accelerator:
        AcceleratorState._reset_state(reset_partial_state=True)
        return Accelerator(mixed_precision=precision, cpu=device.type == "cpu")

    patch(PartialState, "default_device", property(lambda state: device))
    for module in (tfcourse.training, loop):
        patch(module, "default_device", default_device)
        patch(module, "default_accelerator", default_accelerator)


def cut_trainings(patch) -> None:
    """Deja en unos pasos cada entrenamiento y cada lectura de un texto, que también va paso a paso.

    Va, como `use_device`, antes de los cuartos.
    """
    import tfcourse.training
    from tfcourse.datasets.text import streams
    from tfcourse.training import budget, loop

    fit = loop.fit

    @functools.wraps(fit)
    def short_fit(*arguments, **options):
        asked = getattr(options["budget"], "number", CUT)
        return fit(*arguments, **options | {"budget": budget.Steps(min(CUT, asked))})

    windows = streams.stream_windows

    @functools.wraps(windows)
    def short_windows(ids, **options):
        return windows(ids if options.get("repeat", True) else ids[:READ], **options)

    patch(streams, "stream_windows", short_windows)
    # Lo que queda de un presupuesto puede salir negativo si lo anterior duró dos pasos.
    patch(budget.CpuSeconds, "__post_init__", lambda self: None)
    for module in (tfcourse.training, loop):
        patch(module, "fit", short_fit)
