"""Ejercicio abierto: ¿por qué no basta con apilar atenciones?"""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(x):
    values = []
    for sentence in x:
        mean = sum(sentence) / len(sentence)
        apart = sum(((token - mean) ** 2).sum() for token in sentence)
        whole = sum((token**2).sum() for token in sentence)
        values.append((apart / whole) ** 0.5)
    return torch.stack(values)


def _variant(mean_dim=1, norm_dims=(1, 2), root=True, relative=True):
    def measure(x):
        apart = (x - x.mean(dim=mean_dim, keepdim=True)).square().sum(norm_dims)
        ratio = apart / x.square().sum(norm_dims) if relative else apart
        return ratio.sqrt() if root else ratio

    return measure


def _same_tokens():
    (token,) = random_tensors((2, 1, 4), seed=3)
    return (token.repeat(1, 5, 1),)


COLLAPSE = Exercise(
    Card(
        id="apilar-atenciones",
        title="¿Basta con apilar atenciones?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir cómo se pierde la diferencia entre posiciones, y qué lo evita",
        hints=(
            "Para la medida: la media se toma sobre las posiciones de cada frase, `dim=1`, y se "
            "resta a todas ellas.",
            "x.norm(dim=(1, 2)) da la raíz de la suma de cuadrados de toda una frase.",
            "Para el experimento: apila capas sin entrenar, mide tras cada una y repite con varias "
            "semillas. Cambia una sola cosa cada vez: el residuo, una red no lineal entre capas.",
        ),
    ),
    Task(
        function="spread",
        cases=(
            Case("3 frases de 5 tokens", lambda: (random_tensors((3, 5, 4), seed=0)[0],)),
            Case("una sola frase", lambda: (2 + random_tensors((1, 6, 3), seed=1)[0],)),
            Case("frases de dos tokens", lambda: (random_tensors((2, 2, 8), seed=2)[0],)),
            Case("tokens todos iguales", _same_tokens),
            example(torch.tensor([[[3.0, 0.0], [5.0, 0.0]]])),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "media-de-rasgos",
                "has tomado la media de las dimensiones de cada token: la que importa es la de los "
                "tokens de la frase, `dim=1`",
                (_variant(mean_dim=2),),
            ),
            Mistake(
                "media-del-lote",
                "has tomado la media entre las frases del lote: cada frase tiene la suya, `dim=1`",
                (_variant(mean_dim=0),),
            ),
            Mistake(
                "sin-raiz",
                "te falta la raíz cuadrada: es un cociente de normas, no de sus cuadrados",
                (_variant(root=False),),
            ),
            Mistake(
                "sin-dividir",
                "te falta dividir entre la norma de la frase: sin eso, la medida cambia si se "
                "multiplican todos los vectores por dos",
                (_variant(relative=False),),
            ),
            Mistake(
                "una-por-token",
                "has calculado un valor por token: es uno por frase, con las normas de toda la "
                "matriz",
                (_variant(norm_dims=(2,)),),
            ),
        ),
        tolerance=1e-4,
        differentiable=False,
    ),
)
