"""Ejercicio de código: la cubeta de una distancia."""

import math

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task


def _by_edges(distance, n_buckets, max_distance):
    """Por los bordes de las cubetas: cuántos quedan por debajo."""
    n_exact = n_buckets // 2
    if distance < n_exact:
        return distance
    ratio = max_distance / n_exact
    edges = [n_exact * ratio ** (i / (n_buckets - n_exact)) for i in range(n_buckets - n_exact)]
    return n_exact - 1 + sum(distance >= edge - 1e-9 for edge in edges)


def _variant(exact=2, clip=True, rounded=math.floor, log=True, start=True):
    def bucket(distance, n_buckets, max_distance):
        n_exact = n_buckets // exact
        if distance < n_exact:
            return distance
        if log:
            fraction = math.log(distance / n_exact) / math.log(max_distance / n_exact)
        else:
            fraction = (distance - n_exact) / (max_distance - n_exact)
        found = (n_exact if start else 0) + rounded(fraction * (n_buckets - n_exact) + 1e-9)
        return min(found, n_buckets - 1) if clip else found

    return bucket


def _case(distance, n_buckets=16, max_distance=64):
    return lambda: (distance, n_buckets, max_distance)


def _random_case(seed):
    """Una distancia lejana que no cae junto al borde de una cubeta, donde decide el redondeo."""

    def make():
        draw = chance(seed)
        n_exact = draw.randint(8, 32)
        max_distance = n_exact * draw.randint(6, 12)
        per_bucket = math.log(max_distance / n_exact) / n_exact
        inside = [
            distance
            for distance in range(n_exact + 1, max_distance)
            if 0.1 < math.log(distance / n_exact) / per_bucket % 1 < 0.9
        ]
        return draw.choice(inside), 2 * n_exact, max_distance

    return make


BUCKET = Exercise(
    Card(
        id="cubeta-de-una-distancia",
        title="La cubeta de una distancia",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="repartir distancias en cubetas exactas y logarítmicas",
        hints=(
            "Hasta n_buckets // 2, sin incluirla, la cubeta es la propia distancia.",
            "Para las demás: log(distancia / exactas) entre log(máxima / exactas) va de 0 a 1; "
            "multiplícalo por las cubetas que quedan y quédate con la parte entera.",
            "Súmale las exactas y no pases de n_buckets − 1: lo más lejano va junto.",
        ),
    ),
    Task(
        function="distance_bucket",
        cases=(
            Case("la propia consulta", _case(0)),
            Case("la última exacta", _case(7)),
            Case("la primera que no lo es", _case(8)),
            Case("lejos", _case(23)),
            Case("más lejos", _case(47)),
            Case("más allá del máximo", _case(500)),
            Case("con menos cubetas", _case(9, 8, 20)),
            Case("una distancia al azar", _random_case(seed=1)),
            Case("otra distancia al azar", _random_case(seed=2)),
        ),
        reference=_by_edges,
        mistakes=(
            Mistake(
                "sin-tope",
                "las distancias muy grandes se salen de la última cubeta: ponles un tope",
                (_variant(clip=False),),
            ),
            Mistake(
                "en-linea-recta",
                "has repartido las lejanas por igual: crecen como un logaritmo",
                (_variant(log=False),),
            ),
            Mistake(
                "redondeo",
                "has redondeado: se toma la parte entera",
                (_variant(rounded=round), _variant(rounded=math.ceil)),
            ),
            Mistake(
                "sin-sumar-las-exactas",
                "a las lejanas les falta sumar las exactas: chocan con las cercanas",
                (_variant(start=False),),
            ),
            Mistake(
                "un-cuarto-exactas",
                "has dejado exactas una de cada cuatro cubetas: en una sola dirección son la mitad",
                (_variant(exact=4),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
