"""Ejercicio abierto: partir una grabación larga por sus silencios."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _reference(loud, gap):
    """Primero los tramos seguidos; después se unen los que están a menos de `gap`."""
    runs, start = [], None
    for place, on in enumerate([*loud, False]):
        if on and start is None:
            start = place
        elif not on and start is not None:
            runs.append((start, place))
            start = None
    joined = []
    for first, last in runs:
        if joined and first - joined[-1][1] < gap:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def _every_run(loud, gap):
    return _reference(loud, 1)


def _inclusive(loud, gap):
    return [(first, last - 1) for first, last in _reference(loud, gap)]


def _one_more(loud, gap):
    return _reference(loud, gap + 1)


def _lost_last(loud, gap):
    found = _reference(loud, gap)
    return found[:-1] if len(loud) and loud[-1] else found


def _silences(loud, gap):
    return _reference([not on for on in loud], 1)


def _whole(loud, gap):
    return [(0, len(loud))] if any(loud) else []


def _case(text, gap):
    return lambda: ([int(letter == "#") for letter in text], gap)


def _random_case(n_runs, gap, seed):
    """Tramos y silencios alternos, de uno a cuatro instantes; empieza cualquiera de los dos."""

    def make():
        random = chance(seed)
        first = random.randint(0, 1)
        runs = [[(first + place) % 2] * random.randint(1, 4) for place in range(n_runs)]
        return sum(runs, []), gap

    return make


PIECES = Exercise(
    Card(
        id="partir-por-los-silencios",
        title="Partir por los silencios",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="transcribir grabaciones más largas que las de entrenar",
        hints=(
            "Recorre la lista con el lugar donde empezó el tramo abierto, o None si no lo hay.",
            "No cierres un tramo en el primer instante de silencio: cuenta cuántos llevas.",
            "Al acabar la lista, el tramo que siga abierto también cuenta.",
        ),
    ),
    Task(
        function="loud_pieces",
        cases=(
            Case("un solo tramo", _case("..###..", 2)),
            Case("dos tramos y un silencio justo", _case("##..##", 2)),
            Case("un silencio demasiado corto", _case("##.##...#", 2)),
            Case("acaba en un silencio corto", _case("##...#..", 3)),
            Case("hasta el final", _case("#...####", 3)),
            Case("varios", _case(".#.#...##.#....#", 3)),
            Case("silencio", _case("....", 1)),
            Case("nada", _case("", 1)),
            Case("una grabación al azar", _random_case(8, gap=2, seed=1)),
            Case("otra, con más margen", _random_case(13, gap=3, seed=2)),
            example([0, 1, 1, 0, 1, 0, 0, 0, 1], 2),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "cada-silencio",
                "has partido en cada silencio: los de menos de `gap` instantes no cuentan",
                (_every_run,),
            ),
            Mistake(
                "incluido",
                "el segundo número es el primer instante que ya no está, como en un range",
                (_inclusive,),
            ),
            Mistake(
                "uno-de-mas",
                "con `gap` instantes de silencio ya se parte; tú pides uno más",
                (_one_more,),
            ),
            Mistake(
                "sin-el-ultimo",
                "falta el tramo que llega hasta el final",
                (_lost_last,),
            ),
            Mistake("al-reves", "has devuelto los silencios", (_silences,)),
            Mistake("sin-partir", "has devuelto la grabación entera", (_whole,)),
        ),
        differentiable=False,
    ),
)
