"""Ejercicio abierto: medir lo que casi acierta."""

from difflib import SequenceMatcher
from functools import cache

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules

LETTERS = [ord(letter) for letter in "aeilnorst"]


def _distance(written, expected):
    """Por recursión: quitar, poner o cambiar el último símbolo."""

    @cache
    def left(i, j):
        if not i or not j:
            return i + j
        change = left(i - 1, j - 1) + (written[i - 1] != expected[j - 1])
        return min(left(i - 1, j) + 1, left(i, j - 1) + 1, change)

    return left(len(written), len(expected))


def _reference(written, expected):
    total = sum(_distance(w, e) for w, e in zip(written, expected, strict=True))
    return total / sum(map(len, expected))


def _by_place(written, expected):
    pairs = list(zip(written, expected, strict=True))
    wrong = sum(a != b for w, e in pairs for a, b in zip(w, e, strict=False))
    wrong += sum(abs(len(w) - len(e)) for w, e in pairs)
    return wrong / sum(map(len, expected))


def _mean(written, expected):
    rates = [_distance(w, e) / len(e) for w, e in zip(written, expected, strict=True)]
    return sum(rates) / len(rates)


def _over(total):
    def rate(written, expected):
        pairs = list(zip(written, expected, strict=True))
        return sum(_distance(w, e) for w, e in pairs) / sum(total(w, e) for w, e in pairs)

    return rate


def _case(*pairs):
    return lambda: ([list(map(ord, w)) for w, _ in pairs], [list(map(ord, e)) for _, e in pairs])


def _random_case(seed):
    """Cuatro respuestas, cada una con una letra cambiada y otra de más o de menos."""

    def make():
        draw = chance(seed)
        expected = [draw.choices(LETTERS, k=draw.randint(5, 10)) for _ in range(4)]
        return [_spoilt(answer, draw) for answer in expected], expected

    return make


def _long_case(seed):
    """Dos respuestas sin nada que ver: sin apuntar lo ya calculado no se acaba."""

    def make():
        draw = chance(seed)
        return [draw.choices(LETTERS, k=30)], [draw.choices(LETTERS, k=30)]

    return make


def _by_longest_match(written, expected):
    """Con `difflib`, que casa primero el tramo igual más largo."""
    changes = 0
    for w, e in zip(written, expected, strict=True):
        for tag, a, b, c, d in SequenceMatcher(None, w, e, autojunk=False).get_opcodes():
            changes += max(b - a, d - c) * (tag != "equal")
    return changes / sum(map(len, expected))


def _spoilt(answer, draw):
    written = list(answer)
    written[draw.randrange(len(written))] = draw.choice(LETTERS)
    place = draw.randrange(len(written))
    written[place : place + 1] = draw.choice(([], [written[place], draw.choice(LETTERS)]))
    return written


CHARACTERS = Exercise(
    Card(
        id="tasa-de-error",
        title="¿Cuánto falta para acertar?",
        kind="abierto",
        difficulty=3,
        minutes=70,
        points=2,
        manual_points=8,
        objective="medir lo que casi acierta, y averiguar qué tareas se ayudan",
        hints=(
            "Una tabla: la casilla (i, j) dice cuántos cambios hay de los i primeros símbolos "
            "escritos a los j primeros esperados.",
            "Cada casilla sale de tres: la de la izquierda más 1, la de arriba más 1 y la de la "
            "diagonal más 1 si los símbolos difieren.",
            "Suma las distancias de todas las respuestas y divide, al final, entre todos los "
            "símbolos esperados.",
        ),
    ),
    Task(
        function="character_error_rate",
        cases=(
            Case("un cambio", _case(("casa", "cosa"), ("sí", "sí"))),
            Case("falta una letra al principio", _case(("asa", "casa"))),
            Case("sobran letras al principio", _case(("desatar", "atar"))),
            Case("sobra una letra", _case(("lápices", "lápiz"), ("no", "no"))),
            Case("todas mal y de más", _case(("xxxxxx", "ab"))),
            Case("nada escrito", _case(("", "sol"), ("luna", "luna"))),
            Case("lo que coincide no está en el tramo más largo", _case(("abcaxbc", "axabcbc"))),
            Case("treinta letras", _long_case(seed=3), Rules(lines=15_000)),
            Case("cuatro respuestas con erratas al azar", _random_case(seed=1)),
            Case("otras cuatro", _random_case(seed=2)),
            example([[4, 7, 9]], [[4, 8, 9, 2]]),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "letra-a-letra",
                "comparas letra a letra: si falta la primera, todas las demás parecen mal; hace "
                "falta la distancia de edición",
                (_by_place,),
            ),
            Mistake(
                "tramo-mas-largo",
                "casas primero el tramo igual más largo, como `difflib`: no siempre da el menor "
                "número de cambios, que es lo que se pide",
                (_by_longest_match,),
            ),
            Mistake(
                "media-de-respuestas",
                "has hecho la media de las tasas: una respuesta corta pesaría como una larga",
                (_mean,),
            ),
            Mistake(
                "entre-lo-escrito",
                "has dividido entre lo escrito: se divide entre lo esperado, y por eso puede pasar "
                "de 1",
                (_over(lambda w, e: len(w)), _over(lambda w, e: max(len(w), len(e)))),
            ),
            Mistake(
                "sin-dividir",
                "has dado el número de cambios: falta dividirlo entre los símbolos esperados",
                (
                    lambda written, expected: sum(
                        _distance(w, e) for w, e in zip(written, expected, strict=True)
                    ),
                ),
            ),
            Mistake(
                "acierto-exacto",
                "has contado respuestas enteras: aquí se cuentan símbolos",
                (
                    lambda written, expected: (
                        sum(w != e for w, e in zip(written, expected, strict=True)) / len(expected)
                    ),
                ),
            ),
        ),
        differentiable=False,
    ),
)
