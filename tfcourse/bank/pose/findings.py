"""Ejercicio de código: medir un clasificador de varias etiquetas."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_pairs(scores, findings):
    each = []
    for c in range(scores.shape[1]):
        sick = [float(s) for s, y in zip(scores[:, c], findings[:, c], strict=True) if y == 1]
        healthy = [float(s) for s, y in zip(scores[:, c], findings[:, c], strict=True) if y == 0]
        if sick and healthy:
            wins = sum((a > b) + 0.5 * (a == b) for a in sick for b in healthy)
            each.append(wins / (len(sick) * len(healthy)))
    return sum(each) / len(each)


def _area(scores, marks, tie=0.5):
    sick, healthy = scores[marks == 1], scores[marks == 0]
    above = (sick[:, None] > healthy[None]).float() + tie * (sick[:, None] == healthy[None]).float()
    return float(above.mean())


def _variant(tie=0.5, missing=None, together=False, flipped=False, accuracy=False, weighted=False):
    def area(scores, findings):
        if accuracy:
            return float(((scores > 0.5) == (findings == 1)).float().mean())
        if together:
            return _area(scores.flatten(), findings.flatten())
        each, weights = [], []
        for c in range(scores.shape[1]):
            if findings[:, c].min() == findings[:, c].max():
                if missing is not None:
                    each.append(missing)
                    weights.append(float(findings[:, c].sum()))
                continue
            value = _area(scores[:, c], findings[:, c], tie)
            each.append(1 - value if flipped else value)
            weights.append(float(findings[:, c].sum()))
        if weighted:
            return sum(a * w for a, w in zip(each, weights, strict=True)) / sum(weights)
        return sum(each) / len(each)

    return area


def _case(n, c, seed, empty=None):
    def make():
        g = seeded(seed)
        rates = 0.15 + 0.5 * torch.rand(c, generator=g)
        findings = (torch.rand(n, c, generator=g) < rates).float()
        findings[0], findings[1] = 0.0, 1.0
        if empty is not None:
            findings[:, empty] = 0.0
        scores = 0.5 * torch.rand(n, c, generator=g) + 0.3 * findings + 0.15 * torch.arange(c) / c
        return (10 * scores).round() / 10, findings

    return make


FINDINGS = Exercise(
    Card(
        id="auc-por-etiqueta",
        title="Varias etiquetas en una radiografía",
        kind="codigo",
        difficulty=2,
        minutes=25,
        points=3,
        objective="medir etiqueta a etiqueta un clasificador que puede decir varias",
        hints=(
            "Empieza por una etiqueta: separa lo que puntúan las que tienen el hallazgo y las que "
            "no, y compáralas todas con todas, `a[:, None]` con `b`.",
            "En la tabla de diferencias, las positivas valen 1 y los ceros, ½; su media es el "
            "área.",
            "Antes de dividir, mira si hay de los dos tipos: esa etiqueta ni suma ni cuenta.",
        ),
    ),
    Task(
        function="mean_area",
        cases=(
            Case("doce radiografías y tres etiquetas", _case(12, 3, 0)),
            Case("treinta y cinco", _case(30, 5, 1)),
            Case("una etiqueta que nadie tiene", _case(20, 4, 2, empty=2)),
            Case("veinticinco y seis, otra sin nadie", _case(25, 6, 3, empty=0)),
            example(torch.tensor([[0.9], [0.2], [0.4]]), torch.tensor([[1.0], [0.0], [1.0]])),
        ),
        reference=_by_pairs,
        mistakes=(
            Mistake(
                "todas-juntas",
                "has juntado todas las etiquetas en una: se mide cada una y se hace la media",
                (_variant(together=True),),
            ),
            Mistake(
                "empates-perdidos",
                "has dado los empates por perdidos: valen medio punto",
                (_variant(tie=0.0),),
            ),
            Mistake(
                "empates-ganados",
                "has dado los empates por ganados: valen medio punto",
                (_variant(tie=1.0),),
            ),
            Mistake(
                "etiqueta-vacia",
                "has contado una etiqueta que no tiene de los dos tipos: no se puede medir, así "
                "que no "
                "entra en la media",
                (_variant(missing=0.0), _variant(missing=0.5), _variant(missing=1.0)),
            ),
            Mistake(
                "al-reves",
                "has contado las parejas en las que gana la que no tiene el hallazgo",
                (_variant(flipped=True),),
            ),
            Mistake(
                "acierto",
                "eso es el acierto con el umbral en 0,5: con hallazgos raros, decir siempre que no "
                "acierta mucho",
                (_variant(accuracy=True),),
            ),
            Mistake(
                "media-con-pesos",
                "has dado más peso a las etiquetas frecuentes: todas cuentan igual",
                (_variant(weighted=True),),
            ),
        ),
        differentiable=False,
    ),
)
