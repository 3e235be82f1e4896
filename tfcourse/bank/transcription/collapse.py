"""Ejercicio de código: de un símbolo por instante a una frase, como en la CTC."""

from itertools import groupby

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _reference(path, blank):
    """Con los grupos de la biblioteca de Python."""
    return [symbol for symbol, _ in groupby(path) if symbol != blank]


def _blanks_first(path, blank):
    return [symbol for symbol, _ in groupby([s for s in path if s != blank])]


def _only_blanks(path, blank):
    return [s for s in path if s != blank]


def _only_repeats(path, blank):
    return [symbol for symbol, _ in groupby(path)]


def _unique(path, blank):
    return list(dict.fromkeys(s for s in path if s != blank))


def _zero(path, blank):
    return [symbol for symbol, _ in groupby(path) if symbol != 0]


def _case(*path, blank=0):
    return lambda: (list(path), blank)


def _random_case(n_runs, seed, blanks=(0,)):
    """Un camino hecho de tramos de un solo símbolo: el blanco o una de tres palabras."""

    def make():
        random = chance(seed)
        blank = random.choice(blanks)
        words = random.sample([symbol for symbol in range(10) if symbol != blank], 3)
        runs = random.choices([blank, *words], k=n_runs)
        return [symbol for symbol in runs for _ in range(random.randint(1, 3))], blank

    return make


COLLAPSED = Exercise(
    Card(
        id="de-instantes-a-palabras",
        title="De instantes a palabras",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="juntar lo que oye el codificador en cada instante, como en la CTC",
        hints=(
            "Recorre el camino recordando el símbolo anterior.",
            "Un símbolo se escribe si no es el blanco y si no es igual al anterior.",
            "El anterior es el del instante de antes, aunque fuera el blanco: así dos palabras "
            "iguales se separan.",
        ),
    ),
    Task(
        function="collapse",
        cases=(
            Case("una palabra larga", _case(0, 5, 5, 5, 0)),
            Case("dos distintas y pegadas", _case(5, 5, 7, 7)),
            Case("dos iguales, con un blanco en medio", _case(0, 5, 0, 5, 5, 0)),
            Case("una que vuelve más tarde", _case(3, 0, 8, 8, 0, 3)),
            Case("otro blanco", _case(9, 9, 0, 0, 9, 0, blank=9)),
            Case("solo blancos", _case(0, 0, 0)),
            Case("nada", _case()),
            Case("un camino al azar", _random_case(8, seed=1)),
            Case("un camino y un blanco al azar", _random_case(12, seed=2, blanks=range(1, 10))),
            example([0, 7, 7, 0, 7, 4, 4, 0], 0),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "blancos-primero",
                "has quitado los blancos antes de juntar: dos palabras iguales seguidas se "
                "convierten en una",
                (_blanks_first,),
            ),
            Mistake(
                "sin-juntar",
                "has quitado los blancos, pero no has juntado los símbolos repetidos",
                (_only_blanks,),
            ),
            Mistake(
                "con-blancos",
                "has juntado los repetidos, pero queda algún blanco",
                (_only_repeats,),
            ),
            Mistake(
                "sin-volver",
                "has quitado todas las repeticiones, también las de palabras que se dicen dos "
                "veces",
                (_unique,),
            ),
            Mistake(
                "blanco-fijo",
                "has dado por hecho que el blanco es el 0: es el que llega en `blank`",
                (_zero,),
            ),
        ),
        differentiable=False,
    ),
)
