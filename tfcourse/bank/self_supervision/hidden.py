"""Ejercicio de código: tapar con un sorteo y castigar solo lo tapado."""

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(painted, patches, noise, n_kept):
    """Imagen a imagen y parche a parche."""
    errors = []
    for drawn, real, draws in zip(painted, patches, noise, strict=True):
        order = sorted(range(len(draws)), key=lambda n: int(draws[n]))
        for n in order[n_kept:]:
            mean = real[n].sum() / len(real[n])
            variance = ((real[n] - mean) ** 2).sum() / (len(real[n]) - 1)
            target = (real[n] - mean) / (variance + 1e-6).sqrt()
            errors.append(((drawn[n] - target) ** 2).sum() / len(target))
    return torch.stack(errors).sum() / len(errors)


def _normed(patches, correction=1):
    variance = patches.var(-1, keepdim=True, correction=correction)
    return (patches - patches.mean(-1, keepdim=True)) / (variance + 1e-6).sqrt()


def _variant(target=_normed, choose=lambda hidden: hidden, largest=False, whole=False, total=False):
    """La pérdida, con alguna pieza cambiada."""

    def masked_error(painted, patches, noise, n_kept):
        kept = noise.argsort(dim=1, descending=largest)[:, :n_kept]
        hidden = torch.ones_like(noise, dtype=torch.bool).scatter(1, kept, False)
        error = (painted - target(patches)).square().mean(-1)
        chosen = error[choose(hidden)]
        if whole:
            return (error * hidden).mean()
        return chosen.sum() / len(noise) if total else chosen.mean()

    return masked_error


def _case(n, n_patches, width, n_kept, seed, dtype=torch.float64):
    def make():
        painted, patches = random_tensors(
            (n, n_patches, width), (n, n_patches, width), seed=seed, dtype=dtype
        )
        noise = torch.rand(n, n_patches, generator=seeded(seed + 50)).argsort(1)
        return painted, patches, noise, n_kept

    return make


HIDDEN = Exercise(
    Card(
        id="castigar-lo-tapado",
        title="Castigar lo tapado",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=2,
        objective="tapar parches con un sorteo y calcular la pérdida de MAE",
        hints=(
            "`noise.argsort(dim=1)[:, :n_kept]` son los números de los parches que se ven; con "
            "`scatter` sale de ahí una tabla de síes y noes.",
            "La media y la varianza son las de cada parche; `var` ya divide entre uno menos.",
            "Primero el error medio de cada parche, `(B, N)`, y de esos números, la media de los "
            "que están tapados.",
        ),
    ),
    Task(
        function="masked_error",
        cases=(
            Case("3 imágenes de 6 parches", _case(3, 6, 4, 2, 0)),
            Case("se ve uno solo", _case(2, 9, 12, 1, 1)),
            Case("se tapa uno solo", _case(2, 4, 3, 3, 2)),
            Case("de 32 bits", _case(4, 8, 4, 4, 3, dtype=torch.float32)),
            example(
                torch.tensor([[[0.0, 0.0], [1.0, -1.0]]], dtype=torch.float64),
                torch.tensor([[[5.0, 7.0], [3.0, 3.0]]], dtype=torch.float64),
                torch.tensor([[2, 7]]),
                1,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "los-que-se-ven",
                "has castigado los parches que se ven: cuentan los tapados",
                (_variant(choose=lambda hidden: ~hidden),),
            ),
            Mistake(
                "todos",
                "has castigado todos los parches: cuentan solo los tapados",
                (_variant(choose=torch.ones_like),),
            ),
            Mistake(
                "los-mayores",
                "se ven los que sacan los números menores, y no los mayores",
                (_variant(largest=True),),
            ),
            Mistake(
                "entre-todos",
                "has dividido entre todos los parches: la media es la de los tapados",
                (_variant(whole=True),),
            ),
            Mistake(
                "pixeles",
                "falta quitar a cada parche su media y su escala",
                (_variant(target=lambda patches: patches),),
            ),
            Mistake(
                "sin-la-escala",
                "falta dividir entre la desviación del parche",
                (_variant(target=lambda patches: patches - patches.mean(-1, keepdim=True)),),
            ),
            Mistake(
                "entre-p",
                "esa varianza divide entre cuántos hay: se pide entre uno menos",
                (_variant(target=lambda patches: _normed(patches, 0)),),
            ),
            Mistake(
                "por-imagen",
                "has sumado los parches de cada imagen: se pide la media",
                (_variant(total=True),),
            ),
        ),
    ),
)
