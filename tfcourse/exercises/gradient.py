"""Comprobación de que el gradiente atraviesa la respuesta y llega a todas las entradas."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.exercises.forms import is_float
from tfcourse.exercises.python_errors import diagnose_error
from tfcourse.exercises.student import run_student


def check_gradient(answer: Callable, make: Callable[[], dict[str, object]]) -> Diagnosis | None:
    """Diagnóstico si alguna salida o alguna entrada se queda sin gradiente.

    Se llama cuando los valores ya son correctos: con ellos bastaría para pasar las pruebas, pero
    un modelo con esa pieza no aprendería.
    """
    arguments = _with_gradient(make())
    outcome = run_student(answer, lambda: arguments)
    if outcome.error is not None:
        return diagnose_error(outcome, answer)
    values = outcome.value if isinstance(outcome.value, (tuple, list)) else (outcome.value,)
    if all(value.requires_grad for value in values):
        lost = _without_gradient(values, arguments)
        if not lost:
            return None
        where = " y ".join(f"`{name}`" for name in lost)
    else:
        where = "ninguna entrada" if len(values) == 1 else "las entradas desde todas tus salidas"
    likely = (
        f"los números son correctos, pero el gradiente no llega hasta {where}: quita `.detach()`, "
        "`.data`, `.item()`, `.tolist()`, `torch.tensor(...)` o `torch.no_grad()`"
    )
    return Diagnosis("sin-gradiente", likely)


def _with_gradient(arguments: dict[str, object]) -> dict[str, object]:
    return {
        name: value.requires_grad_() if is_float(value) else value
        for name, value in arguments.items()
    }


def _without_gradient(values: tuple[Tensor, ...], arguments: dict[str, object]) -> list[str]:
    inputs = {name: value for name, value in arguments.items() if is_float(value)}
    total = sum(value.sum() for value in values)
    gradients = torch.autograd.grad(total, [*inputs.values()], allow_unused=True)
    return [name for name, grad in zip(inputs, gradients, strict=True) if grad is None]
