"""Ejercicio de código: encontrar los tres fallos de quien cuenta las entradas en uso."""

import math

import torch

from tfcourse.exercises.data import chance, seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, combined, example


def _by_loops(shares, real):
    """Tabla a tabla, con los logaritmos de Python."""
    found = []
    for table in range(shares.shape[1]):
        rows = [shares[t, table].tolist() for t in range(len(shares)) if bool(real[t])]
        average = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        found.append(math.exp(-sum(p * math.log(p) for p in average if p > 0)))
    return torch.tensor(found, dtype=shares.dtype)


def _variant(each=False, padded=False, bare=False, *, exponent=True, sign=-1, base=math.e):
    """La perplejidad con alguna pieza cambiada; las tres primeras son los fallos del enunciado."""

    def used(shares, real):
        kept = shares if padded else shares[real]
        p = kept if each else kept.mean(0)
        log = (p.log() if bare else p.clamp_min(1e-30).log()) / math.log(base)
        entropy = sign * (p * log).sum(-1)
        found = entropy.exp() if exponent else entropy
        return found.mean(0) if each else found

    return used


def _mean_of_logs(shares, real):
    """La exponencial de la entropía media de los instantes."""
    p = shares[real]
    return (-torch.xlogy(p, p).sum(-1)).mean(0).exp()


def _most_chosen(shares, real):
    picked = shares[real].argmax(-1)
    return torch.stack([column.unique().numel() * shares.new_ones(()) for column in picked.T])


FAULTS = {
    "cada-una": "se hace la perplejidad de cada instante y después la media: si cada uno está "
    "seguro de su entrada sale 1, aunque entre todos las usen todas",
    "relleno": "el relleno cuenta: `real` dice qué instantes son del clip",
    "ceros": "0 · log 0 da NaN: lo que no se elige nunca no suma nada, `torch.xlogy`",
}


def _case(n_frames, n_groups, n_codes, n_real, seed, sure=False, dtype=torch.float32):
    """Repartos de cada instante, y el relleno al final; con `sure`, un 1 en una entrada."""

    def make():
        scores = torch.randn(n_frames, n_groups, n_codes, generator=seeded(seed), dtype=dtype)
        scores[n_real:, :, 0] += 6  # el relleno elige casi siempre la misma
        shares = (2 * scores).softmax(-1)
        if sure:
            shares = torch.nn.functional.one_hot(shares.argmax(-1), n_codes).to(dtype)
        return shares, torch.arange(n_frames) < n_real

    return make


def _one_each(seed):
    """Cada instante, seguro de su entrada, y entre todos las usan por igual."""

    def make():
        order = chance(seed).sample(range(4), 4)
        shares = torch.eye(4)[order][:, None]
        return torch.cat([shares, shares[:1]]), torch.tensor([True] * 4 + [False])

    return make


def _never_chosen():
    """Dos entradas que no elige ningún instante, ni siquiera los de relleno."""
    return torch.eye(4)[[0, 2, 2, 2, 0]][:, None], torch.tensor([True] * 4 + [False])


PERPLEXITY = Exercise(
    Card(
        id="fallos-al-contar-entradas",
        title="Una tabla que parece vacía",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="encontrar los fallos de una medida que parece decir que no se usa la tabla",
        hints=(
            "Prueba con cuatro instantes seguros, cada uno de una entrada distinta: ¿qué debería "
            "salir? Y con los mismos cuatro y diez de relleno.",
            "La perplejidad de un reparto seguro es 1. ¿De qué reparto interesa, del de cada "
            "instante o del que hacen entre todos?",
            "Quédate con los instantes que existen, promedia los repartos y después haz la "
            "entropía, con `torch.xlogy(p, p)`, que da 0 donde p es 0.",
        ),
    ),
    Task(
        function="codes_in_use",
        cases=(
            Case("dos tablas y relleno", _case(9, 2, 4, 6, 0)),
            Case("sin relleno", _case(6, 2, 5, 6, 1)),
            Case("elecciones seguras", _case(12, 2, 4, 9, 2, sure=True)),
            Case("una por cada instante", _one_each(3)),
            Case("dos que no elige nadie", _never_chosen),
            Case("un solo instante", _case(3, 3, 4, 1, 4)),
            Case("todos los ejes iguales", _case(4, 4, 4, 3, 5)),
            Case("64 bits", _case(7, 1, 6, 5, 6, dtype=torch.float64)),
            example(
                torch.tensor([[[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]]),
                torch.tensor([True, True, False]),
            ),
        ),
        reference=_by_loops,
        mistakes=(
            *combined(FAULTS, _variant),
            Mistake(
                "media-de-entropias",
                "has promediado las entropías de los instantes: se promedian antes los repartos",
                (_mean_of_logs,),
            ),
            Mistake(
                "sin-exponencial",
                "has devuelto la entropía: falta la exponencial",
                (_variant(exponent=False), _variant(exponent=False, base=2.0)),
            ),
            Mistake(
                "signo",
                "te falta el signo menos de la entropía",
                (_variant(sign=1),),
            ),
            Mistake(
                "vistas",
                "has contado las que se eligen alguna vez: una que sale una vez no cuenta como una "
                "que sale siempre",
                (_most_chosen,),
            ),
        ),
        tolerance=1e-4,
        differentiable=True,
    ),
)
