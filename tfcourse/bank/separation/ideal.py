"""Ejercicio de código: la máscara ideal."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(real, imag):
    """Punto a punto, con los módulos de Python."""
    count, bins, frames = real.shape
    found = torch.zeros(count, bins, frames)
    for place in range(bins):
        for instant in range(frames):
            spot = (slice(None), place, instant)
            pairs = zip(real[spot].tolist(), imag[spot].tolist(), strict=True)
            sizes = [abs(complex(a, b)) for a, b in pairs]
            total = sum(sizes)
            for k, size in enumerate(sizes):
                found[k, place, instant] = size / total if total > 0 else 1 / count
    return found


def _variant(kind="abs", axis=0, mixture=False, binary=False, empty=None):
    def masks(real, imag):
        spectra = torch.complex(real, imag)
        size = {"abs": spectra.abs(), "power": spectra.abs() ** 2, "real": spectra.real}[kind]
        if binary:
            return (size == size.amax(0, keepdim=True)).float()
        total = spectra.sum(0, keepdim=True).abs() if mixture else size.sum(axis, keepdim=True)
        value = size / total
        if empty is not None:
            return torch.where(total > 0, value, empty)
        return torch.where(total == 0, 1 / len(spectra), value)

    return masks


def _nan(real, imag):
    size = torch.hypot(real, imag)
    return size / size.sum(0)


def _softmax(real, imag):
    return torch.hypot(real, imag).softmax(0)


def _case(count, bins, frames, seed=0, silent=True):
    def make():
        generator = seeded(seed)
        parts = torch.randn((2, count, bins, frames), generator=generator)
        if silent:
            parts[:, :, 0, 0] = 0
        return parts[0], parts[1]

    return make


IDEAL = Exercise(
    Card(
        id="mascara-ideal",
        title="La máscara ideal",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="calcular la máscara de razón ideal, también donde no suena nadie",
        hints=(
            "El módulo es la raíz de la suma de los cuadrados: torch.hypot(real, imag).",
            "Divide entre la suma de los módulos de todas las voces, en el primer eje.",
            "Donde la suma es cero, torch.where pone 1/S; y clamp_min evita dividir entre cero.",
        ),
    ),
    Task(
        function="share_of_each",
        cases=(
            Case("dos voces", _case(2, 3, 4, silent=False)),
            Case("con un punto en silencio", _case(2, 3, 4, seed=1)),
            Case("tres voces", _case(3, 4, 5, seed=2)),
            Case("todo en silencio", lambda: (torch.zeros(2, 2, 2), torch.zeros(2, 2, 2))),
            example(torch.tensor([[[1.0, 0.0]], [[3.0, 0.0]]]), torch.zeros(2, 1, 2)),
            Case(
                "el otro ejemplo del enunciado",
                lambda: (torch.zeros(2, 1, 2), torch.zeros(2, 1, 2)),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-silencio",
                "donde no suena nadie te sale NaN: ahí se reparte por igual",
                (_nan,),
            ),
            Mistake(
                "cero-en-silencio",
                "donde no suena nadie has puesto un 0 o un 1: ahí se reparte por igual, y las "
                "máscaras siguen sumando 1",
                (_variant(empty=0.0), _variant(empty=1.0)),
            ),
            Mistake(
                "potencias",
                "has usado los módulos al cuadrado: esa es otra máscara, la de Wiener",
                (_variant(kind="power"), _variant(kind="power", empty=0.0)),
            ),
            Mistake(
                "modulo-de-la-suma",
                "has dividido entre el módulo de la mezcla: las ondas se cancelan en parte, y la "
                "máscara pasaría de 1",
                (_variant(mixture=True), _variant(mixture=True, empty=0.0)),
            ),
            Mistake(
                "todo-o-nada",
                "le has dado cada punto entero a la más fuerte: esa es la máscara binaria",
                (_variant(binary=True),),
            ),
            Mistake(
                "otro-eje",
                "has sumado en el eje de las frecuencias o de los instantes: se suma sobre las "
                "voces, que es el primero",
                (_variant(axis=1), _variant(axis=2)),
            ),
            Mistake(
                "softmax",
                "has hecho un softmax de los módulos: aquí cada uno se divide entre la suma, sin "
                "exponenciales",
                (_softmax,),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
