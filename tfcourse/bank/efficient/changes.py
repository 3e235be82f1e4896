"""Ejercicio de código: los cambios de la regla delta, de una vez."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_loops(k, v, write):
    """Cada cambio mira lo que los anteriores dejaron escrito bajo su clave."""
    changes = []
    for t in range(len(k)):
        found = torch.zeros_like(v[t])
        for key, change in zip(k[:t], changes, strict=True):
            found = found + (key @ k[t]) * change
        changes.append(write[t] * (v[t] - found))
    return torch.stack(changes)


def _variant(part=lambda x: x.tril(-1), sign=1.0, on_system=True, on_values=True):
    def solve(k, v, write):
        matrix = k @ k.T
        if on_system:
            matrix = write[:, None] * matrix
        system = torch.eye(len(k)) + sign * part(matrix)
        return torch.linalg.solve(system, write[:, None] * v if on_values else v)

    return solve


def _multiplied(k, v, write):
    """El producto, en vez de la inversa."""
    return (torch.eye(len(k)) + (write[:, None] * (k @ k.T)).tril(-1)) @ (write[:, None] * v)


def _case(n, d, dv, seed):
    def make():
        generator = seeded(seed)
        k = torch.nn.functional.normalize(torch.randn(n, d, generator=generator), dim=-1)
        v = torch.randn(n, dv, generator=generator)
        return k, v, 0.2 + 0.7 * torch.rand(n, generator=generator)

    return make


CHANGES = Exercise(
    Card(
        id="cambios-de-la-delta",
        title="Todos los cambios de una vez",
        kind="codigo",
        difficulty=3,
        minutes=20,
        points=3,
        objective="deducir el sistema triangular que calcula un trozo de la regla delta",
        hints=(
            "Antes de la posición t, la memoria es la suma de los cambios anteriores: "
            "S = Σ kⱼ uⱼᵀ. Lo que se lee bajo kₜ es Σ (kₜ·kⱼ) uⱼ, con j < t.",
            "Pasa las u a un lado: uₜ + βₜ Σ (kₜ·kⱼ) uⱼ = βₜ vₜ. Es un sistema con una matriz "
            "triangular de unos en la diagonal.",
            "torch.linalg.solve(I + tril(β ∘ K Kᵀ, −1), β ∘ V), con β como una columna; tril(…, "
            "−1) se queda con lo que hay bajo la diagonal.",
        ),
    ),
    Task(
        function="delta_changes",
        cases=(
            Case("4 claves de 3 dimensiones", _case(4, 3, 2, 0)),
            Case("una sola clave", _case(1, 3, 2, 1)),
            Case("más claves que dimensiones", _case(9, 4, 3, 2)),
            Case("12 claves", _case(12, 8, 1, 3)),
            Case("30 claves, sin recorrerlas", _case(30, 8, 1, 4), Rules(operations=50)),
            example(*map(torch.tensor, ([[1.0, 0.0], [1.0, 0.0]], [[3.0], [5.0]], [1.0, 0.5]))),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-leer",
                "has escrito sin leer antes: a cada valor se le resta lo que los anteriores "
                "dejaron bajo su clave",
                (_variant(part=torch.zeros_like), _variant(part=torch.zeros_like, on_values=False)),
            ),
            Mistake(
                "con-la-diagonal",
                "has metido la diagonal en el sistema: un cambio no se lee a sí mismo",
                (_variant(part=torch.tril),),
            ),
            Mistake(
                "al-reves",
                "cada cambio mira a los siguientes en vez de a los anteriores",
                (_variant(part=lambda x: x.triu(1)),),
            ),
            Mistake(
                "signo",
                "has sumado lo que ya había en vez de restarlo",
                (_variant(sign=-1.0),),
            ),
            Mistake(
                "una-sola-pasada",
                "has multiplicado por la matriz: hay que resolver el sistema",
                (_multiplied,),
            ),
        ),
    ),
)
