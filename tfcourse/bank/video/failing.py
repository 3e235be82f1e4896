"""Ejercicio abierto: cuántas palabras visuales hacen falta."""

import torch

from tfcourse.exercises.data import seeded
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _count(scores, words, ties=True, by_column=False, itself=False, any_word=False):
    """Búsqueda a búsqueda: las que fallan y, de ellas, las que tienen otro clip igual."""
    n = len(scores)
    failed = twins = 0
    for i in range(n):
        own = scores[i, i]
        others = [j for j in range(n) if itself or j != i]
        rivals = [scores[j, i] if by_column else scores[i, j] for j in range(n) if j != i]
        fails = any(x > own or (ties and x == own) for x in rivals)
        alike = [words[i] == words[j] for j in others]
        twin = any(bool(x.any() if any_word else x.all()) for x in alike)
        failed += fails
        twins += fails and twin
    return failed, twins


def _by_loops(scores, words):
    return _count(scores, words)


def _variant(**change):
    return lambda scores, words: _count(scores, words, **change)


def _best_has_the_same(scores, words):
    """Solo mira el clip que sale el primero."""
    failed, twins = _count(scores, words)[0], 0
    for i, row in enumerate(scores):
        best = max((j for j in range(len(row)) if j != i), key=lambda j: row[j].item())
        twins += bool(row[best] >= row[i] and (words[i] == words[best]).all())
    return failed, twins


def _case(n, length, seed):
    """Clips con dos parejas iguales, a las que otro adelanta a veces."""

    def make():
        g = seeded(seed)
        words = torch.randint(1000, (n, length), generator=g)
        words[:, 0] = torch.arange(n)  # que no haya más iguales que los que se ponen
        words[: n // 2, 1] = 7  # y que la mitad comparta una
        scores = torch.randn(n, n, generator=g)
        scores += torch.where(torch.eye(n, dtype=torch.bool), 1.0, 0.0)
        # El quinto acierta, el sexto solo si se lee por columnas y el séptimo al revés.
        scores[4, 4], scores[5, 5], scores[6, 6] = 9.0, 7.0, 7.0
        scores[5, 0], scores[7, 6], scores[8, 6] = 8.0, 8.0, 8.5
        scores[7, 7], scores[7, 8] = 7.5, 7.0
        for a, b in ((0, 1), (2, 3)):
            words[b] = words[a]
            scores[:, b] = scores[:, a]  # las mismas palabras puntúan lo mismo
        scores[0, 0] = scores[0, 1] = 20.0  # solo empata con su igual
        scores[2, 5] = 15.0  # le adelanta otro distinto
        return scores, words

    return make


FAILING = Exercise(
    Card(
        id="cuantas-palabras-visuales",
        title="Cuántas palabras hacen falta",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="separar los fallos de una red de los que ya traen los datos que lee",
        hints=(
            "Una búsqueda falla si otro clip puntúa igual o más que el suyo, que está en la "
            "diagonal.",
            "Dos clips tienen las mismas palabras si coinciden en todos los sitios: "
            "`(words[:, None] == words[None]).all(-1)`.",
            "Quita la diagonal de las dos tablas antes de `any(dim=1)`: cada clip es igual a sí "
            "mismo.",
        ),
    ),
    Task(
        function="failures",
        cases=(
            Case("nueve clips", _case(9, 3, 0)),
            Case("doce clips", _case(12, 4, 1)),
            Case("veinte clips", _case(20, 2, 2)),
            example(
                torch.tensor([[2.0, 2.0, 0.0], [1.0, 1.0, 3.0], [0.0, 0.0, 5.0]]),
                torch.tensor([[4, 4], [4, 4], [4, 7]]),
            ),
        ),
        reference=_by_loops,
        outputs=("las que fallan", "las que tienen otro clip igual"),
        differentiable=False,
        mistakes=(
            Mistake(
                "empates-acertados",
                "un empate también es un fallo: si otro clip puntúa lo mismo, no hay quien elija",
                (_variant(ties=False),),
            ),
            Mistake(
                "por-columnas",
                "cada fila es una frase y cada columna, un clip: compara dentro de la fila",
                (_variant(by_column=True),),
            ),
            Mistake(
                "consigo-mismo",
                "cada clip tiene las mismas palabras que él mismo: quita la diagonal",
                (_variant(itself=True),),
            ),
            Mistake(
                "alguna-palabra",
                "no basta con que compartan alguna palabra: tienen que ser todas iguales",
                (_variant(any_word=True),),
            ),
            Mistake(
                "solo-el-primero",
                "has mirado solo el clip que sale el primero: si hay otro igual, la búsqueda no "
                "puede acertarse aunque lo adelante un tercero",
                (_best_has_the_same,),
            ),
        ),
    ),
)
