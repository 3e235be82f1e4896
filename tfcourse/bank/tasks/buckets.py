"""Ejercicio de código: qué distancias comparten una cubeta."""

import math

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _bucket(distance, n_buckets, max_distance):
    n_exact = n_buckets // 2
    if distance < n_exact:
        return distance
    fraction = math.log(distance / n_exact) / math.log(max_distance / n_exact)
    return min(n_buckets - 1, n_exact + math.floor(fraction * (n_buckets - n_exact) + 1e-9))


def _by_search(bucket, n_buckets, max_distance):
    """Probando todas las distancias."""
    inside = [d for d in range(max_distance) if _bucket(d, n_buckets, max_distance) == bucket]
    return inside[0], inside[-1]


def _variant(log=True, start=math.ceil, open_end=False, exact=True, shift=0):
    def distances(bucket, n_buckets, max_distance):
        n_exact = n_buckets // 2
        if exact and bucket < n_exact:
            return bucket, bucket

        def edge(place):
            part = (place + shift - n_exact) / (n_buckets - n_exact)
            if log:
                return n_exact * (max_distance / n_exact) ** part
            return n_exact + (max_distance - n_exact) * part

        first, after = (start(edge(place) - 1e-9) for place in (bucket, bucket + 1))
        return first, after if open_end else after - 1

    return distances


def _case(bucket, n_buckets=16, max_distance=100):
    return lambda: (bucket, n_buckets, max_distance)


def _random_case(seed):
    """Una cubeta lejana cuyos dos bordes no caen junto a un número entero."""

    def make():
        draw = chance(seed)
        while True:
            n_exact = draw.randint(6, 12)
            max_distance = n_exact * draw.randint(8, 14) + 1
            bucket = n_exact + draw.randint(n_exact // 2, n_exact - 2)
            edges = [
                n_exact * (max_distance / n_exact) ** ((place - n_exact) / n_exact)
                for place in (bucket, bucket + 1)
            ]
            if all(0.1 < edge % 1 < 0.9 for edge in edges):
                return bucket, 2 * n_exact, max_distance

    return make


BUCKET = Exercise(
    Card(
        id="distancias-de-una-cubeta",
        title="Qué distancias comparten cubeta",
        kind="codigo",
        difficulty=2,
        minutes=18,
        points=3,
        objective="invertir la fórmula de las cubetas",
        hints=(
            "Por debajo de n cada cubeta tiene una sola distancia. Para las demás, busca el borde: "
            "la distancia d, con decimales, en la que el cociente de logaritmos vale "
            "(cubeta − n) / (N − n).",
            "Despeja: d = n · (m / n) elevado a (cubeta − n) / (N − n). La primera distancia de la "
            "cubeta es el primer entero que no queda por debajo.",
            "La última es la anterior a la primera de la cubeta siguiente.",
        ),
    ),
    Task(
        function="bucket_distances",
        cases=(
            Case("la propia consulta", _case(0)),
            Case("la última exacta", _case(7)),
            Case("la primera que no lo es", _case(8)),
            Case("lejos", _case(11)),
            Case("más lejos", _case(13)),
            Case("la penúltima", _case(14)),
            Case("con menos cubetas", _case(6, 8, 30)),
            Case("una cubeta al azar", _random_case(seed=1)),
            Case("otra cubeta al azar", _random_case(seed=2)),
            example(8, 16, 128),
        ),
        reference=_by_search,
        outputs=("primera", "última"),
        mistakes=(
            Mistake(
                "extremo-abierto",
                "tu última distancia ya es de la cubeta siguiente: es la anterior",
                (_variant(open_end=True),),
            ),
            Mistake(
                "en-linea-recta",
                "has repartido las lejanas por igual: los bordes crecen como una potencia",
                (_variant(log=False),),
            ),
            Mistake(
                "redondeo",
                "has redondeado el borde: la primera distancia es el primer entero que no queda "
                "por debajo de él",
                (_variant(start=round), _variant(start=math.floor)),
            ),
            Mistake(
                "exactas-como-lejanas",
                "las primeras cubetas son exactas, de una sola distancia: la fórmula empieza en n",
                (_variant(exact=False),),
            ),
            Mistake(
                "una-cubeta-mas-alla",
                "son las distancias de la cubeta siguiente: el exponente de la cubeta n es 0",
                (_variant(shift=1),),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
