"""Ejercicio de código: la pérdida simétrica de CLIP."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _direction(logits):
    """Entropía cruzada de cada fila, con la respuesta en la diagonal, escrita entera."""
    losses = [row.logsumexp(0) - row[i] for i, row in enumerate(logits)]
    return torch.stack(losses).mean()


def _variant(normalize=(True, True), power=-1.0, rows=0.5, columns=0.5):
    def loss(images, texts, temperature):
        vectors = []
        for kind, use in zip((images, texts), normalize, strict=True):
            length = (kind * kind).sum(dim=1, keepdim=True).sqrt()
            vectors.append(kind / length if use else kind)
        logits = vectors[0] @ vectors[1].T * temperature**power
        return rows * _direction(logits) + columns * _direction(logits.T)

    return loss


def _normalized_over_the_batch(images, texts, temperature):
    a, b = (x / (x * x).sum(dim=0, keepdim=True).sqrt() for x in (images, texts))
    logits = a @ b.T / temperature
    return (_direction(logits) + _direction(logits.T)) / 2


def _as_given(images, texts, temperature):
    """El código del enunciado."""
    a, b = (x / (x * x).sum(dim=0, keepdim=True).sqrt() for x in (images, texts))
    logits = a @ b.T * temperature
    return (_direction(logits) + _direction(logits.T)) / 2


def _case(n, width, temperature, seed):
    def make():
        g = seeded(seed)
        images = torch.randn(n, width, generator=g) * (0.5 + torch.rand(n, 1, generator=g))
        texts = images + 0.8 * torch.randn(n, width, generator=g)
        return images, texts, temperature

    return make


PAIRING = Exercise(
    Card(
        id="perdida-de-parejas",
        title="Dos fallos en la pérdida de las parejas",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar los fallos de una pérdida que baja sin aprender",
        hints=(
            "Lleva cada vector a longitud 1 con `torch.nn.functional.normalize(x, dim=1)`.",
            "Los logits son todos los cosenos, `images @ texts.T`, divididos entre la temperatura.",
            "La pareja de la fila i es la columna i: `cross_entropy(logits, torch.arange(N))`, y "
            "lo mismo con `logits.T`; devuelve la media de las dos.",
        ),
    ),
    Task(
        function="pair_loss",
        cases=(
            Case("tres parejas", _case(3, 4, 0.5, 0)),
            Case("seis parejas, temperatura 0.07", _case(6, 8, 0.07, 1)),
            Case("temperatura 1", _case(5, 3, 1.0, 2)),
            Case("dos parejas", _case(2, 6, 0.2, 3)),
            example(
                torch.tensor([[2.0, 0.0], [0.0, 5.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]]), 0.5
            ),
        ),
        reference=_variant(),
        mistakes=(
            Mistake(
                "sin-tocar",
                "es lo que hace el código del enunciado: siguen los dos fallos",
                (_as_given,),
            ),
            Mistake(
                "sin-normalizar",
                "los vectores no miden 1: divide cada uno entre su longitud antes de multiplicar",
                (
                    _variant(normalize=(False, False)),
                    _variant(normalize=(True, False)),
                    _variant(normalize=(False, True)),
                ),
            ),
            Mistake(
                "normalizado-por-columnas",
                "has normalizado cada componente a lo largo del lote: es cada vector, `dim=1`",
                (_normalized_over_the_batch,),
            ),
            Mistake(
                "multiplica-la-temperatura",
                "has multiplicado por la temperatura: se divide, y por eso una pequeña exagera",
                (_variant(power=1.0),),
            ),
            Mistake(
                "sin-temperatura",
                "falta la temperatura: los cosenos, entre −1 y 1, apenas se distinguen",
                (_variant(power=0.0),),
            ),
            Mistake(
                "solo-por-filas",
                "has elegido el texto de cada imagen: falta elegir la imagen de cada texto",
                (_variant(rows=1.0, columns=0.0),),
            ),
            Mistake(
                "solo-por-columnas",
                "has elegido la imagen de cada texto: falta elegir el texto de cada imagen",
                (_variant(rows=0.0, columns=1.0),),
            ),
            Mistake(
                "suma-y-no-media",
                "has sumado los dos sentidos: se pide su media",
                (_variant(rows=1.0, columns=1.0),),
            ),
        ),
    ),
)
