"""Ejercicio de código: la máscara entre modalidades."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(modalities, look):
    length = len(modalities)
    allowed = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        for j in range(length):
            same = bool(modalities[i] == modalities[j])
            allowed[i, j] = look == "todas" or same == (look == "propia")
    return allowed


def _forbidden(modalities, look):
    return ~_by_loops(modalities, look)


def _swapped(modalities, look):
    return _by_loops(modalities, {"propia": "otra", "otra": "propia"}.get(look, look))


def _with_itself(modalities, look):
    return _by_loops(modalities, look) | torch.eye(len(modalities), dtype=torch.bool)


def _contiguous(modalities, look):
    return _by_loops(modalities.sort().values, look)


def _never_all(modalities, look):
    return _by_loops(modalities, "otra" if look == "todas" else look)


def _as_given(modalities, look):
    """El código del enunciado."""
    kinds = torch.arange(len(modalities)) >= (modalities == 0).sum()
    same = kinds[:, None] == kinds[None]
    if look == "todas":
        return torch.ones_like(same)
    return same if look == "propia" else ~same | torch.eye(len(same), dtype=torch.bool)


def _case(modalities, look):
    return lambda: (torch.tensor(modalities), look)


def _random_case(look, seed):
    """Ocho tokens de tres modalidades, intercalados como salga."""

    def make():
        random = chance(seed)
        modalities = [0, 1, 2, *random.choices(range(3), k=5)]
        random.shuffle(modalities)
        return torch.tensor(modalities), look

    return make


LOOKING = Exercise(
    Card(
        id="mascara-de-modalidades",
        title="Dos fallos en una máscara",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="encontrar lo que una máscara da por supuesto",
        hints=(
            "Compara cada token con todos los demás: `modalities[:, None] == modalities[None, :]`.",
            "«propia» es esa comparación, y «otra», la contraria.",
            "«todas» deja mirar a cualquiera: `torch.ones_like` de la comparación.",
        ),
    ),
    Task(
        function="looking",
        cases=(
            Case("todas", _case([0, 0, 1], "todas")),
            Case("propia, una detrás de otra", _case([0, 0, 1, 1, 1], "propia")),
            Case("otra, una detrás de otra", _case([0, 0, 1, 1, 1], "otra")),
            Case("otra, intercaladas", _case([0, 1, 0, 1, 1], "otra")),
            Case("propia, tres modalidades", _case([2, 0, 1, 0, 2], "propia")),
            Case("propia, al azar", _random_case("propia", seed=0)),
            Case("otra, al azar", _random_case("otra", seed=1)),
            example(torch.tensor([0, 1]), "otra"),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "sin-tocar",
                "es lo que hace el código del enunciado: siguen los dos fallos",
                (_as_given,),
            ),
            Mistake(
                "al-reves",
                "está al revés: en el curso, `True` significa «puede mirar»",
                (_forbidden,),
            ),
            Mistake(
                "propia-por-otra",
                "has cambiado «propia» por «otra»: la propia es la misma modalidad",
                (_swapped,),
            ),
            Mistake(
                "a-si-mismo",
                "en «otra» cada token se mira a sí mismo, y él es de su propia modalidad",
                (_with_itself,),
            ),
            Mistake(
                "seguidas",
                "has supuesto que las modalidades van una detrás de otra: pueden ir intercaladas",
                (_contiguous,),
            ),
            Mistake(
                "todas-sin-la-propia",
                "«todas» incluye a la propia: nadie se queda fuera",
                (_never_all,),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
