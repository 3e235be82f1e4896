"""Ejercicio de código: tapar tramos con centinelas."""

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _reference(tokens, hidden, sentinels):
    """Por tramos: se recorre la secuencia de tramo en tramo."""
    source, target, place, used = [], [], 0, 0
    while place < len(tokens):
        end = place
        while end < len(tokens) and hidden[end] == hidden[place]:
            end += 1
        if hidden[place]:
            source.append(sentinels[used])
            target += [sentinels[used], *tokens[place:end]]
            used += 1
        else:
            source += tokens[place:end]
        place = end
    return source, [*target, sentinels[used]]


def _variant(final=True, per_token=False, same=False, marks=True, swap=False):
    def corrupt(tokens, hidden, sentinels):
        source, target, used = [], [], 0
        for place, (token, covered) in enumerate(zip(tokens, hidden, strict=True)):
            if not covered:
                source.append(token)
                continue
            if per_token or place == 0 or not hidden[place - 1]:
                mark = sentinels[0 if same else min(used, len(sentinels) - 1)]
                source.append(mark)
                target += [mark] if marks else []
                used += 1
            target.append(token)
        if final:
            target.append(sentinels[0 if same else min(used, len(sentinels) - 1)])
        return (target, source) if swap else (source, target)

    return corrupt


def _case(tokens, hidden):
    return lambda: (list(tokens), [int(mark == "x") for mark in hidden], list(range(100, 112)))


def _random_case(seed):
    """Tres tramos tapados entre trozos a la vista; los centinelas, hacia atrás como los de T5."""

    def make():
        draw = chance(seed)
        hidden = [mark for _ in range(3) for mark in (0, 1) for _ in range(draw.randint(1, 3))]
        hidden += [0] * draw.randint(0, 2)
        first = draw.randint(200, 900)
        return draw.sample(range(30, 100), len(hidden)), hidden, list(range(first, first - 12, -1))

    return make


SPANS = Exercise(
    Card(
        id="corromper-tramos",
        title="Corromper un texto",
        kind="codigo",
        difficulty=2,
        minutes=20,
        points=3,
        objective="separar un texto en lo que se lee y lo que se escribe",
        hints=(
            "Un tramo empieza donde hay algo tapado y lo anterior no lo estaba.",
            "Al empezar un tramo, el centinela va a las dos listas; el token tapado, solo al "
            "objetivo.",
            "Lleva la cuenta de los centinelas usados: el siguiente es el que cierra el objetivo.",
        ),
    ),
    Task(
        function="corrupt_spans",
        cases=(
            Case("dos tramos de dos", _case(range(11, 20), "..xx.xx..")),
            Case("un tramo al final", _case((5, 6, 7), "..x")),
            Case("un tramo al principio", _case((5, 6, 7), "xx.")),
            Case("nada tapado", _case((5, 6), "..")),
            Case("tramos de un token", _case(range(20, 27), ".x.x.x.")),
            Case("todo tapado", _case((5, 6, 7), "xxx")),
            Case("tres tramos al azar, con otros centinelas", _random_case(seed=1)),
        ),
        reference=_reference,
        outputs=("entrada", "objetivo"),
        mistakes=(
            Mistake(
                "sin-centinela-final",
                "al objetivo le falta el centinela que lo cierra",
                (_variant(final=False),),
            ),
            Mistake(
                "uno-por-token",
                "pones un centinela por token tapado: es uno por tramo",
                (_variant(per_token=True),),
            ),
            Mistake(
                "mismo-centinela",
                "usas siempre el primer centinela: cada tramo lleva el suyo, en orden",
                (_variant(same=True),),
            ),
            Mistake(
                "objetivo-sin-centinelas",
                "en el objetivo faltan los centinelas: sin ellos no se sabe de qué hueco es cada "
                "token",
                (_variant(marks=False), _variant(marks=False, final=False)),
            ),
            Mistake(
                "al-reves",
                "devuelves primero el objetivo y después la entrada: es al revés",
                (_variant(swap=True),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
