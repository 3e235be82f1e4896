"""Ejercicio de código: tapar tramos, con tres fallos plantados."""

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


def _variant(round_trip=False, only_if_any=False, once=False, per_token=False, final=True):
    """El paso, con cada fallo arreglado o sin arreglar: `round_trip`, `only_if_any` y `once`."""

    def corrupt(tokens, hidden, sentinels):
        source, target, used = [], [], 0
        for place, (token, covered) in enumerate(zip(tokens, hidden, strict=True)):
            before = hidden[place - 1] if place or round_trip else 0
            if covered:
                if per_token or not before:
                    source.append(sentinels[used])
                    target.append(sentinels[used])
                    used += 1
                target.append(token)
            elif not once or token not in source:
                source.append(token)
        if final and (used or not only_if_any):
            target.append(sentinels[used])
        return source, target

    return corrupt


ROUND, EMPTY, ONCE = {"round_trip": True}, {"only_if_any": True}, {"once": True}


def _case(tokens, hidden):
    return lambda: (list(tokens), [int(mark == "x") for mark in hidden], list(range(100, 112)))


def _random_case(seed):
    """Tapado al principio y al final, con tokens que se repiten y centinelas hacia atrás."""

    def make():
        draw = chance(seed)
        hidden = [mark for _ in range(3) for mark in (1, 0) for _ in range(draw.randint(1, 3))]
        hidden += [1] * draw.randint(1, 2)
        first = draw.randint(200, 900)
        return (
            draw.choices(range(30, 34), k=len(hidden)),
            hidden,
            list(range(first, first - 12, -1)),
        )

    return make


SPANS = Exercise(
    Card(
        id="tramos-con-fallos",
        title="Tres fallos al tapar",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="encontrar fallos que los tramos que sortea T5 casi nunca enseñan",
        hints=(
            "Uno por síntoma. Para el primero: en la posición 0, ¿a qué elemento de la lista mira "
            "`hidden[place - 1]`?",
            "Para el segundo, ejecútalo con `hidden` todo ceros y cuenta los centinelas del "
            "objetivo: ¿cómo sabría el modelo que no hay ningún tramo?",
            "Para el tercero, lee en voz alta la condición del `elif` con una frase en la que «la» "
            "salga dos veces.",
        ),
    ),
    Task(
        function="corrupt_spans",
        cases=(
            Case("dos tramos de dos", _case(range(11, 20), "..xx.xx..")),
            Case("tapado al principio y al final", _case((5, 6, 7, 8), "x..x")),
            Case("nada tapado", _case((5, 6), "..")),
            Case("un token que se repite a la vista", _case((5, 6, 5, 7), ".." + ".x")),
            Case("todo tapado", _case((5, 6, 7), "xxx")),
            Case("tres o cuatro tramos al azar, con otros centinelas", _random_case(seed=1)),
        ),
        reference=_reference,
        outputs=("entrada", "objetivo"),
        mistakes=(
            Mistake(
                "dos-o-mas",
                "quedan al menos dos fallos: vuelve a los síntomas, uno a uno",
                (
                    _variant(**ROUND, **EMPTY, **ONCE),
                    _variant(**ROUND, **EMPTY),
                    _variant(**ROUND, **ONCE),
                    _variant(**EMPTY, **ONCE),
                ),
            ),
            Mistake(
                "mira-al-final",
                "queda el fallo del principio: en la posición 0, `hidden[-1]` es la última, y si "
                "está tapada el primer tramo se queda sin centinela",
                (_variant(**ROUND),),
            ),
            Mistake(
                "sin-cierre-si-no-hay",
                "queda el fallo del cierre: sin nada tapado el objetivo es un solo centinela, el "
                "que dice que no hay tramos",
                (_variant(**EMPTY),),
            ),
            Mistake(
                "pierde-repetidos",
                "queda el fallo de los repetidos: un token a la vista se lee todas las veces que "
                "sale",
                (_variant(**ONCE),),
            ),
            Mistake(
                "sin-centinela-final",
                "al objetivo le falta siempre el centinela que lo cierra",
                (_variant(final=False),),
            ),
            Mistake(
                "uno-por-token",
                "pones un centinela por token tapado: es uno por tramo",
                (_variant(per_token=True),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
