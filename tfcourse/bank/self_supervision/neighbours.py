"""Ejercicio abierto: medir unos rasgos por sus vecinos, y averiguar de qué depende."""

import math

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

COLD = 0.07


def _cosine(a, b):
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def _by_loops(known, labels, asked, answers, k):
    """Pregunta a pregunta."""
    hits = 0
    for row, answer in zip(asked.tolist(), answers.tolist(), strict=True):
        cosine = [_cosine(row, other) for other in known.tolist()]
        near = sorted(range(len(cosine)), key=lambda i: -cosine[i])[:k]
        votes = {}
        for i in near:
            label = int(labels[i])
            votes[label] = votes.get(label, 0.0) + math.exp(cosine[i] / COLD)
        hits += max(votes, key=lambda label: votes[label]) == answer
    return hits / len(asked)


def _unit(x):
    return x / x.norm(dim=-1, keepdim=True)


def _variant(
    likeness=lambda asked, known: _unit(asked) @ _unit(known).T,
    weight=lambda near: (near / COLD).exp(),
    far=False, number=lambda k: k, miss=False,
):  # fmt: skip
    def neighbour_hits(known, labels, asked, answers, k):
        near, which = likeness(asked, known).topk(number(k), largest=not far)
        votes = torch.zeros(len(asked), int(labels.max()) + 1, dtype=near.dtype)
        votes = votes.scatter_add(1, labels[which], weight(near))
        hits = votes.argmax(1) == answers
        return float((~hits if miss else hits).double().mean())

    return neighbour_hits


def _case(n, n_asked, width, k, seed, classes=4):
    """Nubes que se pisan, de distinta longitud."""

    def make():
        generator = seeded(seed)
        centres = torch.randn(classes, width, generator=generator, dtype=torch.float64)

        def cloud(number):
            labels = torch.randint(0, classes, (number,), generator=generator)
            places = centres[labels] + 0.9 * torch.randn(
                number, width, generator=generator, dtype=torch.float64
            )
            lengths = 0.2 + 3 * torch.rand(number, 1, generator=generator, dtype=torch.float64)
            return lengths * places, labels

        (known, labels), (asked, answers) = cloud(n), cloud(n_asked)
        return known, labels, asked, answers, k

    return make


NEIGHBOURS = Exercise(
    Card(
        id="rasgos-y-vecinos",
        title="¿Son buenos estos rasgos?",
        kind="abierto",
        difficulty=3,
        minutes=45,
        points=2,
        manual_points=8,
        objective="medir unos rasgos por sus vecinos, y qué hace que sean mejores o peores",
        hints=(
            "Normaliza las filas a longitud 1: el producto de dos es entonces su coseno.",
            "`topk` da los parecidos y sus lugares; con `scatter_add` se suman los votos de cada "
            "clase.",
            "Para el diseño: con pocos pasos basta para comparar. Cambia una sola cosa y repite "
            "con tres semillas.",
        ),
    ),
    Task(
        function="neighbour_hits",
        cases=(
            Case("80 conocidas y 60 preguntas", _case(80, 60, 3, 5, 0)),
            Case("un solo vecino", _case(40, 50, 4, 1, 1)),
            Case("muchos vecinos", _case(50, 60, 3, 20, 2)),
            Case("siete clases", _case(90, 70, 3, 7, 3, classes=7)),
            example(
                torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.6, -0.8]], dtype=torch.float64),
                torch.tensor([0, 1, 1]),
                torch.tensor([[5.0, 0.0], [0.0, 2.0]], dtype=torch.float64),
                torch.tensor([0, 0]),
                3,
            ),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-normalizar",
                "falta dividir cada vector entre su longitud: un producto no es un coseno",
                (
                    _variant(lambda asked, known: asked @ known.T, weight=torch.ones_like),
                    _variant(lambda asked, known: _unit(asked) @ known.T),
                ),
            ),
            Mistake(
                "distancia",
                "has usado la distancia, que depende de las longitudes: se pide el coseno",
                (_variant(lambda asked, known: -torch.cdist(asked, known)),),
            ),
            Mistake(
                "un-voto-cada-uno",
                "todos los vecinos pesan lo mismo: cada voto vale exp(coseno / 0,07)",
                (_variant(weight=torch.ones_like),),
            ),
            Mistake(
                "peso-del-coseno",
                "falta el exponencial: cada voto vale exp(coseno / 0,07)",
                (_variant(weight=lambda near: near),),
            ),
            Mistake(
                "los-mas-lejanos",
                "has preguntado a los menos parecidos",
                (_variant(far=True),),
            ),
            Mistake(
                "solo-el-primero",
                "has preguntado solo al más parecido: son `k`",
                (_variant(number=lambda k: 1),),
            ),
            Mistake("los-fallos", "has contado los fallos", (_variant(miss=True),)),
        ),
        differentiable=False,
    ),
)
