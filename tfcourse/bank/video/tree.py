"""Ejercicio de código: hallar una palabra visual bajando por el árbol."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _nearest(point, centers):
    return int((centers - point).square().sum(dim=-1).argmin())


def _by_loops(points, groups, words):
    """El grupo más cercano y, dentro de él, la palabra más cercana."""
    found = []
    for point in points:
        group = _nearest(point, groups)
        found.append(group * words.shape[1] + _nearest(point, words[group]))
    return torch.tensor(found)


def _everywhere(points, groups, words):
    """Comparando con todas las palabras, sin bajar por el árbol."""
    return torch.tensor([_nearest(point, words.flatten(0, 1)) for point in points])


def _variant(number=None, group=None):
    def tree_words(points, groups, words):
        found = []
        for point in points:
            first = _nearest(point, groups) if group is None else group(point, groups)
            second = _nearest(point, words[first])
            size = words.shape[1]
            found.append(first * size + second if number is None else number(first, second, words))
        return torch.tensor(found)

    return tree_words


def _farthest(point, groups):
    return int((groups - point).square().sum(dim=-1).argmax())


def _case(n, n_groups, n_words, size, seed):
    """Grupos que se pisan: la palabra más cercana puede colgar de otro grupo."""

    def make():
        g = seeded(seed)
        groups = torch.randn(n_groups, size, generator=g)
        words = groups[:, None] + 1.5 * torch.randn(n_groups, n_words, size, generator=g)
        return 1.5 * torch.randn(n, size, generator=g), groups, words

    return make


TREE = Exercise(
    Card(
        id="palabra-del-arbol",
        title="Bajar por el árbol",
        kind="codigo",
        difficulty=2,
        minutes=15,
        points=3,
        objective="hallar una palabra con pocas distancias, y ver que no siempre es la más cercana",
        hints=(
            "Primero el grupo: el centro de `groups` más cercano a cada punto.",
            "Después, de las palabras de **ese** grupo, `words[grupo]`, la más cercana.",
            "Su número: las que cuelgan de los grupos de delante, `grupo * B`, y su puesto.",
        ),
    ),
    Task(
        function="tree_words",
        cases=(
            Case("dos grupos de tres", _case(12, 2, 3, 2, 0)),
            Case("cinco grupos de cinco", _case(30, 5, 5, 4, 1)),
            Case("tres grupos de dos", _case(20, 3, 2, 3, 2)),
            example(
                torch.tensor([[4.9], [5.1]]),
                torch.tensor([[0.0], [10.0]]),
                torch.tensor([[[0.0], [6.0]], [[9.0], [12.0]]]),
            ),
        ),
        reference=_by_loops,
        tolerance=0.0,
        differentiable=False,
        mistakes=(
            Mistake(
                "todas-las-palabras",
                "has comparado con todas las palabras: por el árbol solo se miran las del grupo "
                "más cercano, aunque otra caiga más cerca",
                (_everywhere,),
            ),
            Mistake(
                "numero-en-su-grupo",
                "has devuelto el puesto dentro del grupo: faltan las palabras de los grupos de "
                "delante",
                (_variant(number=lambda first, second, words: second),),
            ),
            Mistake(
                "solo-el-grupo",
                "has devuelto el grupo: falta bajar el segundo piso",
                (_variant(number=lambda first, second, words: first),),
            ),
            Mistake(
                "por-columnas",
                "has numerado cambiando los pisos: es el grupo por cuántas palabras tiene cada "
                "uno, más el puesto",
                (_variant(number=lambda first, second, words: second * len(words) + first),),
            ),
            Mistake(
                "el-grupo-mas-lejano",
                "has bajado por el grupo más lejano",
                (_variant(group=_farthest),),
            ),
        ),
    ),
)
