"""Ejercicios para comprender: lo que se pierde al redondear y lo que cuesta el orden al azar."""

import math
from dataclasses import replace
from random import Random

from tfcourse.datasets.tasks.numbers import spell_number
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, Variant
from tfcourse.exercises.spanish import comma

BOX, MARKS, OBJECTS = (0.2, 0.5), 21, 3  # ancho y alto de la caja, en partes de la imagen
SHUFFLED = EDGES = 3  # objetos que se barajan y bordes de arriba entre los que se empieza
SIZES = range(4, 11)  # los objetos de las otras escenas


def _pair(first, second):
    return lambda: (first, second)


def _rounding_hints(marks) -> tuple[str, ...]:
    return (
        f"Con {marks} marcas hay {marks - 1} huecos: entre dos marcas, 1/{marks - 1}. Cada borde "
        "se mueve, como mucho, la mitad.",
        "En lo peor, los cuatro bordes van hacia dentro: cada lado encoge un hueco entero.",
        "Cada objeto son cinco palabras. No olvides las que abren y cierran la frase.",
    )


ROUNDING_CARD = Card(
    id="redondear-una-caja",
    title="Lo que cuesta redondear",
    kind="comprender",
    difficulty=1,
    minutes=8,
    points=1,
    objective="acotar el error de escribir una caja y contar las palabras de una escena",
    hints=_rounding_hints(MARKS),
)


def _shrunk(box, by):
    """La IoU de una caja con ella misma tras encoger cada lado lo mismo."""
    return math.prod(1 - by / side for side in box)


def _rounding_task(box, marks, objects) -> Task:
    gap, inside = 1 / (marks - 1), 5 * objects
    worst, words = _shrunk(box, gap), inside + 2
    half, miscounted = _shrunk(box, gap / 2), _shrunk(box, 1 / marks)
    return Task(
        function="rounding_by_hand",
        cases=(Case("la caja y la escena del enunciado", lambda: ()),),
        reference=_pair(worst, words),
        outputs=("la peor IoU", "las palabras"),
        mistakes=(
            Mistake(
                "solo-un-borde",
                "en lo peor se mueven los dos bordes de cada eje: el lado encoge un hueco entero, "
                "no medio",
                (_pair(half, words), _pair(half, inside)),
            ),
            Mistake(
                "marcas-por-huecos",
                f"con {marks} marcas hay {marks - 1} huecos, no {marks}",
                (_pair(miscounted, words), _pair(miscounted, inside)),
            ),
            Mistake(
                "sin-inicio-ni-fin",
                "a las palabras de los objetos les faltan la que abre la frase y la que la cierra",
                (_pair(worst, inside), _pair(worst, inside + 1)),
            ),
            Mistake(
                "cuatro-por-objeto",
                "cada objeto son cinco palabras: las coordenadas y la clase",
                (_pair(worst, 4 * objects + 2), _pair(worst, 4 * objects)),
            ),
        ),
        tolerance=2e-3,
        differentiable=False,
        reveals=False,
    )


def _draw_rounding(random: Random) -> Variant:
    """Otra caja, otra regla y otra escena.

    Los lados miden huecos enteros, o lo peor no sería que los bordes encojan uno entero. Y son más
    de tres objetos: con dos, olvidar la clase y olvidar el principio y el fin daría lo mismo.
    """
    gaps, objects = random.choice((10, 20, 25)), random.randint(4, 7)
    box = tuple(round(count / gaps, 2) for count in random.sample(range(3, 8), 2))
    marks = gaps + 1
    width, height = map(comma, box)
    changes = (
        ("mide 0,2 de ancho y 0,5 de alto", f"mide {width} de ancho y {height} de alto"),
        ("**21 marcas**", f"**{marks} marcas**"),
        ("**tres objetos**", f"**{spell_number(objects)} objetos**"),
    )
    card = replace(ROUNDING_CARD, hints=_rounding_hints(marks))
    return Variant(Exercise(card, _rounding_task(box, marks, objects)), changes)


ROUNDING = Exercise(ROUNDING_CARD, _rounding_task(BOX, MARKS, OBJECTS), _draw_rounding)


IGNORANCE_CARD = Card(
    id="precio-del-azar",
    title="El precio de barajar",
    kind="comprender",
    difficulty=2,
    minutes=8,
    points=1,
    objective="calcular la parte de la pérdida que ningún modelo puede bajar",
    hints=(
        "Al empezar faltan tres objetos, sin preferencias; después, dos; después, uno.",
        "Los nats se suman: log 3 + log 2 + log 1.",
        "La marca más probable de la primera palabra es la del borde de un objeto, y hay tres.",
    ),
)


def _ignorance_task(shuffled, edges, together) -> Task:
    """Con tantos objetos barajados y, de tantos bordes de arriba, algunos en la misma marca."""
    orders, chance = math.factorial(shuffled), together / edges
    lost, first = math.log(orders), math.log(shuffled)
    possible = spell_number(edges - together + 1)  # marcas por las que se puede empezar
    return Task(
        function="price_of_order",
        cases=(Case("la escena del enunciado", lambda: ()),),
        reference=_pair(lost, chance),
        outputs=("los nats", "la probabilidad"),
        mistakes=(
            Mistake(
                "solo-el-primero",
                "ese es el precio del primer objeto: después hay que elegir el segundo",
                (_pair(first, chance), _pair(first, 1.0)),
            ),
            Mistake(
                "una-vez-por-objeto",
                "cada vez quedan menos objetos entre los que elegir: no es "
                f"{spell_number(shuffled)} veces lo mismo",
                (_pair(shuffled * first, chance), _pair(shuffled * first, 1.0)),
            ),
            Mistake(
                "en-bits",
                "eso son bits: usa el logaritmo natural",
                (_pair(math.log2(orders), chance),),
            ),
            Mistake(
                "segura-de-si-misma",
                f"la primera palabra no puede salir segura: hay {possible} respuestas correctas",
                (_pair(lost, 1.0), _pair(lost, 0.5)),
            ),
        ),
        tolerance=3e-3,
        differentiable=False,
        reveals=False,
    )


def _scenes() -> list[tuple[int, int, int]]:
    """Los objetos de una escena, los de otra y cuántos de estos empiezan en la misma marca.

    Nunca la mitad: un medio es lo que contesta quien cree que solo quedan dos respuestas.
    """
    return [
        (shuffled, edges, together)
        for shuffled in SIZES
        for edges in SIZES
        for together in range(2, edges - 1)
        if shuffled != edges != 2 * together
    ]


def _draw_ignorance(random: Random) -> Variant:
    """Otra escena para los nats; para la probabilidad, una segunda con bordes que coinciden."""
    shuffled, edges, together = random.choice(_scenes())
    objects, others, same = spell_number(shuffled), spell_number(edges), spell_number(together)
    changes = (
        ("**tres objetos**", f"**{objects} objetos**"),
        ("la **primera** palabra", f"la **primera** palabra de otra escena, de {others} objetos"),
        ("los tres bordes de arriba caen en marcas distintas",
         f"{same} de los {others} bordes de arriba caen en la misma marca y los demás, en marcas "
         "distintas"),
    )  # fmt: skip
    logs = " + ".join(f"log {left}" for left in range(shuffled, 0, -1))
    hints = (
        f"Al empezar faltan {objects} objetos, sin preferencias; después, "
        f"{spell_number(shuffled - 1)}; y así hasta el último.",
        f"Los nats se suman: {logs}.",
        f"La marca más probable de la primera palabra es la de los bordes de {same} objetos, y "
        f"hay {others}.",
    )
    task = _ignorance_task(shuffled, edges, together)
    return Variant(Exercise(replace(IGNORANCE_CARD, hints=hints), task), changes)


IGNORANCE = Exercise(IGNORANCE_CARD, _ignorance_task(SHUFFLED, EDGES, 1), _draw_ignorance)
