"""Ejercicio de código: deducir qué marca conviene decir según cómo se cuente el error."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_searching(probabilities, marks):
    """Prueba todas las marcas con cada error; el cuadrático es una parábola."""
    found = []
    for row in probabilities.double().tolist():
        places = marks.double().tolist()

        def cost(answer, error, row=row, places=places):
            return sum(p * error(answer - x) for p, x in zip(row, places, strict=True))

        hit = min(places, key=lambda u: (round(cost(u, lambda d: d != 0), 9), u))
        near = min(places, key=lambda u: (round(cost(u, abs), 9), u))
        below, middle, above = (cost(u, lambda d: d * d) for u in (-1.0, 0.0, 1.0))
        found.append([hit, near, (below - above) / (2 * (below + above - 2 * middle))])
    return torch.tensor(found).to(probabilities.dtype)


def _cumulative(probabilities, marks, strictly=False):
    total = probabilities.cumsum(-1)
    # Un margen, porque la suma de unas fracciones que suman un medio puede no llegar.
    reached = total > 0.5 + 1e-6 if strictly else total >= 0.5 - 1e-6
    return marks[reached.float().argmax(-1)]


def _answers(hit=None, near=None, mean=None, order=(0, 1, 2), places=False):
    """Las tres respuestas con alguna pieza cambiada: así se fabrican los errores típicos."""

    def best_answers(probabilities, marks):
        given = torch.arange(len(marks)).to(marks.dtype) if places else marks
        three = (
            (hit or (lambda p, m: m[p.argmax(-1)]))(probabilities, given),
            (near or _cumulative)(probabilities, given),
            (mean or (lambda p, m: p @ m))(probabilities, given),
        )
        return torch.stack([three[i] for i in order], dim=-1)

    return best_answers


def _mean(p, m):
    return p @ m


def _rounded_mean(p, m):
    return m[((p @ m)[:, None] - m).abs().argmin(-1)]


def _middle_mark(p, m):
    """La marca de en medio de las que tienen probabilidad, sin pesarlas."""
    return torch.stack([m[row > 0][(int((row > 0).sum()) - 1) // 2] for row in p])


def _case(n_rows, n_marks, seed, sharp=2.0, dtype=torch.float32):
    """Marcas a distancias desiguales y probabilidades sin dos iguales ni mitades justas."""

    def make():
        generator = seeded(seed)
        logits = sharp * torch.randn(n_rows, n_marks, generator=generator, dtype=dtype)
        gaps = 0.1 + torch.rand(n_marks, generator=generator, dtype=dtype)
        return logits.softmax(-1), gaps.cumsum(0) / gaps.sum()

    return make


def _two_peaks():
    """Dos objetos posibles: dos picos lejos el uno del otro y nada en medio."""
    marks = torch.arange(9) / 8
    first = torch.tensor([0.1, 0.42, 0.0, 0.0, 0.0, 0.0, 0.0, 0.43, 0.05])
    return torch.stack([first, first.flip(0)]), marks


def _halves():
    """La mitad justa a cada lado: cualquier número de en medio da el mismo error absoluto."""
    marks = torch.tensor([0.0, 0.25, 0.5, 1.0])
    return torch.tensor([[0.5, 0.0, 0.25, 0.25], [0.25, 0.25, 0.0, 0.5]]), marks


ONE_ANSWER = Exercise(
    Card(
        id="una-marca-y-tres-perdidas",
        title="Una marca y tres maneras de fallar",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="deducir qué respuesta conviene según el error con que se cuente",
        hints=(
            "Escribe el error esperado, Σ p_k · coste(u − x_k), y mira qué le pasa al mover u un "
            "poco hacia la derecha.",
            "El de acertar o fallar es 1 − p(u). El absoluto crece con lo que queda a la izquierda "
            "y baja con lo que queda a la derecha: se para cuando se igualan. El cuadrático se "
            "deriva.",
            "La moda, la mediana y la media. La mediana pesada es la primera marca en que "
            "`cumsum` llega a un medio.",
        ),
    ),
    Task(
        function="best_answers",
        cases=(
            Case("cinco coordenadas, siete marcas", _case(5, 7, 0)),
            Case("tantas coordenadas como marcas", _case(4, 4, 1)),
            Case("muy repartidas", _case(3, 12, 2, sharp=0.3)),
            Case("dos picos y nada en medio", _two_peaks),
            Case("la mitad justa a cada lado", _halves),
            Case("una sola coordenada", _case(1, 5, 3)),
            Case("64 bits", _case(2, 6, 4, dtype=torch.float64)),
            example(torch.tensor([[0.4, 0.15, 0.45]]), torch.tensor([0.0, 0.5, 1.0])),
        ),
        reference=_by_searching,
        mistakes=(
            Mistake(
                "siempre-la-moda",
                "has dicho la marca más probable las tres veces: con el error absoluto y con el "
                "cuadrático hay otra mejor",
                (
                    _answers(near=lambda p, m: m[p.argmax(-1)], mean=lambda p, m: m[p.argmax(-1)]),
                    _answers(mean=lambda p, m: m[p.argmax(-1)]),
                    _answers(near=lambda p, m: m[p.argmax(-1)]),
                ),
            ),
            Mistake(
                "siempre-la-media",
                "has dicho la media con el error absoluto: una cola larga la arrastra, y a la "
                "mediana, no",
                (_answers(near=_mean), _answers(hit=_mean, near=_mean)),
            ),
            Mistake(
                "mediana-sin-pesos",
                "has tomado la marca de en medio sin mirar las probabilidades: la mediana deja la "
                "mitad de la probabilidad a cada lado",
                (
                    _answers(near=_middle_mark),
                    _answers(near=lambda p, m: m.median().expand(len(p))),
                    _answers(near=lambda p, m: m[len(m) // 2].expand(len(p))),
                ),
            ),
            Mistake(
                "justo-en-la-mitad",
                "cuando la probabilidad acumulada llega justo a un medio ya vale esa marca, que es "
                "la menor de las que empatan",
                (_answers(near=lambda p, m: _cumulative(p, m, strictly=True)),),
            ),
            Mistake(
                "media-redondeada",
                "has llevado la media a la marca más cercana: se pide un número, que puede caer "
                "entre dos marcas",
                (_answers(mean=_rounded_mean),),
            ),
            Mistake(
                "numeros-de-marca",
                "has dado el número de orden de las marcas: se pide dónde están, `marks`",
                (
                    _answers(places=True),
                    _answers(lambda p, m: p.argmax(-1).to(m.dtype)),
                ),
            ),
            Mistake(
                "cambiadas",
                "las tres respuestas son buenas, pero en otro orden: acertar o fallar, absoluto y "
                "cuadrático",
                (
                    _answers(order=(0, 2, 1)),
                    _answers(order=(2, 1, 0)),
                    _answers(order=(1, 0, 2)),
                    _answers(order=(1, 2, 0)),
                    _answers(order=(2, 0, 1)),
                ),
            ),
        ),
        differentiable=False,
    ),
)
