"""Ejercicio abierto: ¿qué cambia en los vectores si se mira más lejos?"""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example

LETTERS = "abcdefghij"


def _by_counting(neighbours, group):
    found = asked = 0
    for word in group:
        for other in neighbours[word]:
            asked += 1
            found += other in group
    return found / asked


def _any_word(neighbours, group):
    every = [other for found in neighbours.values() for other in found]
    return sum(other in group for other in every) / len(every)


def _at_least_one(neighbours, group):
    return sum(any(o in group for o in neighbours[word]) for word in group) / len(group)


def _without_dividing(neighbours, group):
    return float(sum(other in group for word in group for other in neighbours[word]))


def _different(neighbours, group):
    found = {other for word in group for other in neighbours[word]}
    return len(found & set(group)) / len(found)


def _mean_by_size(neighbours, group):
    return sum(o in group for word in group for o in neighbours[word]) / len(group)


def _case(n_group, k, seed):
    def make():
        random = chance(seed)
        words = random.sample(LETTERS, len(LETTERS))
        neighbours = {w: random.sample([o for o in words if o != w], k) for w in words}
        return neighbours, words[:n_group]

    return make


WINDOW = Exercise(
    Card(
        id="ventana",
        title="¿Qué se aprende mirando más lejos?",
        kind="abierto",
        difficulty=3,
        minutes=60,
        points=2,
        manual_points=8,
        objective="cambiar una sola cosa de word2vec y medir qué cambia en lo que sabe",
        hints=(
            "Para `group_precision`: solo cuentan las vecinas de las palabras del grupo.",
            "Suma las vecinas que están en el grupo y divide entre todas las que has mirado.",
            "Para el experimento: con una ventana ancha salen más parejas de cada palabra, y los "
            "pasos son los mismos. ¿Qué semillas harían falta para fiarse de una diferencia?",
        ),
    ),
    Task(
        function="group_precision",
        cases=(
            Case("un grupo de tres palabras", _case(3, 2, seed=0)),
            Case("un grupo de cinco palabras", _case(5, 4, seed=1)),
            Case("un grupo de dos palabras y tres vecinas", _case(2, 3, seed=2)),
            Case("casi todas las palabras", _case(8, 3, seed=3)),
            example(
                {"uno": ["dos", "mesa"], "dos": ["uno", "tres"], "mesa": ["silla", "uno"]},
                ["uno", "dos"],
            ),
        ),
        reference=_by_counting,
        mistakes=(
            Mistake(
                "todas-las-palabras",
                "has mirado las vecinas de todas las palabras: solo cuentan las de las del grupo",
                (_any_word,),
            ),
            Mistake(
                "alguna",
                "has contado en cuántas palabras acierta alguna vecina: cuenta cada vecina",
                (_at_least_one,),
            ),
            Mistake(
                "sin-dividir",
                "has dado cuántas vecinas aciertan: divide entre todas las que has mirado",
                (_without_dividing,),
            ),
            Mistake(
                "vecinas-distintas",
                "has contado cada vecina una sola vez: si lo es de dos palabras, cuenta dos",
                (_different,),
            ),
            Mistake(
                "entre-las-palabras",
                "has dividido entre las palabras del grupo: divide entre las vecinas",
                (_mean_by_size,),
            ),
        ),
        differentiable=False,
    ),
)
