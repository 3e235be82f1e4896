"""Ejercicio de código: deducir adónde llega word2vec si nada se lo impide."""

import torch
import torch.nn.functional as F

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _by_bisection(counts, k, power):
    """El puntaje que anula cada derivada, buscado a medias, y la pérdida, pareja a pareja."""
    x = counts.double()
    weights = [float(column) ** power for column in x.sum(0)]
    noise = torch.tensor([weight / sum(weights) for weight in weights], dtype=x.dtype)
    low, high = torch.full_like(x, -80.0), torch.full_like(x, 80.0)
    for _ in range(90):
        middle = (low + high) / 2
        slope = k * x.sum(1)[:, None] * noise * middle.sigmoid() - x * (-middle).sigmoid()
        low, high = torch.where(slope < 0, middle, low), torch.where(slope < 0, high, middle)
    scores = torch.where(x > 0, low, -torch.inf)
    total = 0.0
    for row, score in zip(x, scores, strict=True):
        fooled = float(k * (noise * F.softplus(score)).sum())
        for count, own in zip(row.tolist(), score.tolist(), strict=True):
            if count:
                total += count * (float(F.softplus(torch.tensor(-own).double())) + fooled)
    found = scores.sigmoid(), scores, torch.tensor(total / float(x.sum()))
    return tuple(value.to(counts.dtype) for value in found)


def _ending(
    *,
    noise=lambda x, power: x.sum(0) ** power / (x.sum(0) ** power).sum(),
    times=lambda k: k,
    rows=True,
    score=lambda chance, ratio: ratio.log(),
    lost=lambda a, b, chance: -(torch.xlogy(a, chance) + b * (b / (a + b)).log()).sum(),
    swapped=False,
):
    """Adónde llega con alguna pieza cambiada: así se fabrican los errores típicos."""

    def where_it_ends(counts, k, power):
        together = counts / counts.sum()
        apart = times(k) * noise(counts, power)
        if rows:
            apart = apart * together.sum(1, keepdim=True)
        chance = together / (apart if swapped else together + apart)
        return chance, score(chance, together / apart), lost(together, apart, chance)

    return where_it_ends


def _of_the_rows(counts, power):
    """Las negativas, con la frecuencia de las filas; no cabe si no hay tantas como columnas."""
    often = counts.sum(1) ** power
    return often / often.sum()


def _case(n_words, n_neighbours, seed, *, k=5, power=0.75, top=30, dtype=torch.float32):
    """Recuentos con ceros, pero ni filas ni columnas vacías."""

    def make():
        generator = seeded(seed)
        counts = torch.randint(top, (n_words, n_neighbours), generator=generator)
        counts = counts * (torch.rand(counts.shape, generator=generator) < 0.7)
        for place in range(max(n_words, n_neighbours)):
            counts[place % n_words, place % n_neighbours] += 1 + place % 4
        return counts.to(dtype), k, power

    return make


def _never_zero(seed):
    def make():
        counts = torch.randint(1, 9, (3, 4), generator=seeded(seed)).double()
        return counts, 1, 1.0

    return make


def _extreme():
    """Una pareja que sale dos millones de veces, y otras que salen una."""
    counts = torch.tensor([[2e6, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 3.0]])
    return counts.double(), 20, 0.75


ENDING = Exercise(
    Card(
        id="adonde-llega-word2vec",
        title="Adónde llega word2vec",
        kind="codigo",
        difficulty=3,
        minutes=30,
        points=4,
        objective="deducir el mínimo de la pérdida de word2vec y qué sabe cada puntaje al llegar",
        hints=(
            "Junta por casillas: s(w, c) aparece X(w, c) veces como pareja de verdad, y como "
            "negativa, k veces por cada pareja de w, las veces que toque sortear c.",
            "Divide entre N: a = X(w, c) / N y b = k · (X(w, ·) / N) · P(c). Queda −a ln σ(s) − "
            "b ln σ(−s), que es una entropía cruzada: en el mínimo, σ(s) = a / (a + b).",
            "Del logit sale s = ln a − ln b. En la pérdida hay casillas con a = 0, y 0 · ln 0 da "
            "NaN: `torch.xlogy(a, p)` da 0.",
        ),
    ),
    Task(
        function="where_it_ends",
        cases=(
            Case("tres palabras y cuatro vecinas, sin ceros", _never_zero(0)),
            Case("con parejas que no salen nunca", _case(4, 3, 1)),
            Case("la frecuencia tal cual", _case(5, 5, 2, k=2, power=1.0)),
            Case("negativas a partes iguales", _case(3, 5, 3, k=3, power=0.0)),
            Case("una sola negativa", _case(4, 6, 4, k=1, dtype=torch.float64)),
            Case("una sola palabra", _case(1, 4, 5)),
            Case("una pareja que sale millones de veces", _extreme),
            Case(
                "40 palabras, sin bucles y sin autograd",
                _case(40, 40, 6, dtype=torch.float64),
                Rules(banned=("autograd",), operations=40),
            ),
            example(torch.tensor([[3.0, 1.0], [1.0, 5.0]]), 2, 1.0),
        ),
        reference=_by_bisection,
        outputs=("la probabilidad", "el puntaje", "la pérdida"),
        mistakes=(
            Mistake(
                "sin-las-k",
                "cada pareja trae k negativas, y has contado una",
                (_ending(times=lambda k: 1),),
            ),
            Mistake(
                "k-al-reves",
                "con más negativas se dice que no más a menudo: la k va con ellas y baja el "
                "puntaje",
                (_ending(times=lambda k: 1 / k),),
            ),
            Mistake(
                "sin-exponente",
                "las negativas se sortean con la frecuencia elevada a `power`",
                (_ending(noise=lambda x, power: x.sum(0) / x.sum()),),
            ),
            Mistake(
                "ruido-sin-repartir",
                "las probabilidades de las negativas suman 1: tras elevar hay que volver a dividir",
                (
                    _ending(noise=lambda x, power: (x.sum(0) / x.sum()) ** power),
                    _ending(noise=lambda x, power: x.sum(0) ** power / x.sum()),
                ),
            ),
            Mistake(
                "ruido-de-los-centros",
                "las negativas hacen de vecinas: su frecuencia es la de las columnas",
                (_ending(noise=_of_the_rows),),
            ),
            Mistake(
                "sin-la-del-centro",
                "una palabra que sale más como centro trae más negativas: falta su frecuencia",
                (_ending(rows=False),),
            ),
            Mistake(
                "cociente-sin-sumar",
                "a / b es cuántas veces más salen juntas que sorteadas; la probabilidad es "
                "a / (a + b)",
                (_ending(swapped=True),),
            ),
            Mistake(
                "logaritmo-de-la-probabilidad",
                "el puntaje es el logit de la probabilidad, ln p − ln(1 − p), y no su logaritmo",
                (_ending(score=lambda chance, ratio: chance.log()),),
            ),
            Mistake(
                "ceros-recortados",
                "con las parejas que no salen nunca la pérdida baja siempre que baja el puntaje: "
                "el mínimo está en −∞",
                (
                    _ending(score=lambda chance, ratio: ratio.log().clamp(min=0)),
                    _ending(score=lambda chance, ratio: ratio.log().nan_to_num(neginf=0.0)),
                ),
            ),
            Mistake(
                "cero-por-infinito",
                "0 · ln 0 te da NaN, y la pérdida de esa casilla es la que se acerca a 0: usa "
                "`torch.xlogy`",
                (_ending(lost=lambda a, b, p: -(a * p.log() + b * (b / (a + b)).log()).sum()),),
            ),
            Mistake(
                "perdida-sin-negativas",
                "a la pérdida le faltan las negativas",
                (_ending(lost=lambda a, b, p: -torch.xlogy(a, p).sum()),),
            ),
            Mistake(
                "perdida-por-casilla",
                "has hecho la media de las casillas: la pérdida es la media de las parejas, y cada "
                "casilla ya lleva su peso",
                (
                    _ending(
                        lost=lambda a, b, p: -(torch.xlogy(a, p) + b * (b / (a + b)).log()).mean()
                    ),
                ),
            ),
        ),
        differentiable=False,
    ),
)
