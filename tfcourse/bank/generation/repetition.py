"""Ejercicio abierto: cuánto se repite lo que escribe un modelo."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _by_loops(ids, n):
    seen, repeated, total = [], 0, 0
    for start in range(len(ids) - n + 1):
        group = list(ids[start : start + n])
        repeated += group in seen
        seen.append(group)
        total += 1
    return repeated / total


def _groups(ids, n, step=1):
    return [tuple(ids[i : i + n]) for i in range(0, len(ids) - n + 1, step)]


def _distinct(ids, n):
    groups = _groups(ids, n)
    return len(set(groups)) / len(groups)


def _apart(ids, n):
    groups = _groups(ids, n, n)
    return 1 - len(set(groups)) / len(groups)


def _over_length(ids, n):
    groups = _groups(ids, n)
    return (len(groups) - len(set(groups))) / len(ids)


def _all_copies(ids, n):
    groups = _groups(ids, n)
    return sum(groups.count(group) > 1 for group in groups) / len(groups)


def _short(ids, n):
    groups = [tuple(ids[i : i + n]) for i in range(len(ids) - n)]
    return 1 - len(set(groups)) / len(groups)


def _case(text, n):
    return lambda: ([ord(char) for char in text], n)


def _random_case(n, seed):
    """Pocas letras, para que unos grupos vuelvan y otros no."""

    def make():
        draw = chance(seed)
        return draw.choices([ord(char) for char in "abcd"], k=draw.randint(25, 50)), n

    return make


REPETITION = Exercise(
    Card(
        id="cuanto-se-repite",
        title="¿Qué mando repite menos sin inventar más?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="medir un defecto y comparar mandos sin engañarse",
        hints=(
            "Recorre todas las posiciones en las que cabe un grupo de n: hay len(ids) − n + 1.",
            "Un grupo es repetido si ya salió antes: la primera vez no cuenta. Con un conjunto, "
            "1 − distintos / total.",
            "Experimento: un solo mando cada vez, varias semillas y el texto real al lado.",
        ),
    ),
    Task(
        function="repetition",
        cases=(
            Case("una frase que vuelve", _case("una casa y una casa y una casa", 4)),
            Case("nada se repite", _case("abcdefgh", 2)),
            Case("siempre lo mismo", _case("aaaaaaaa", 3)),
            Case("el final repite", _case("xyab0123ab", 2)),
            Case("letras al azar, de dos en dos", _random_case(2, seed=1)),
            Case("letras al azar, de tres en tres", _random_case(3, seed=2)),
            example([1, 2, 1, 2, 3], 2),
        ),
        reference=_by_loops,
        mistakes=(
            Mistake(
                "al-reves",
                "eso es la parte de grupos *distintos*: la repetición es lo que le falta para 1",
                (_distinct,),
            ),
            Mistake(
                "sin-solapar",
                "has cortado el texto en grupos seguidos: empieza uno en cada posición",
                (_apart,),
            ),
            Mistake(
                "sobre-la-longitud",
                "has dividido entre los tokens: divide entre los grupos, que son len(ids) − n + 1",
                (_over_length,),
            ),
            Mistake(
                "tambien-la-primera",
                "has contado también la primera vez que sale cada grupo: esa no repite nada",
                (_all_copies,),
            ),
            Mistake("falta-el-ultimo", "te dejas fuera el último grupo", (_short,)),
        ),
        differentiable=False,
    ),
)
