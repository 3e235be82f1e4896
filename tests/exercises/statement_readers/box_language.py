"""Lectores de los enunciados de detección como lenguaje."""

import math
from collections import Counter
from fractions import Fraction
from itertools import product

from tests.exercises.statement_readers import count, only

STEPS = 4  # sitios en cada hueco donde se prueba a empezar la caja


def _fraction(text):
    """Un decimal como se escribe, `0,24` o `0.5`, sin redondear nada."""
    return Fraction(text.replace(",", "."))


def _nearest(edge):
    """Las marcas más cercanas, con los huecos de unidad: dos, si el borde cae en medio."""
    below = math.floor(edge)
    return {mark for mark in (below, below + 1) if abs(mark - edge) <= Fraction(1, 2)}


def _written(side, gaps):
    """Para cada sitio y cada redondeo, cuánto se pisan el lado y el escrito, y cuánto mide este."""
    side = side * gaps
    found = set()
    for step in range(math.floor((gaps - side) * STEPS) + 1):
        start = Fraction(step, STEPS)
        for low, high in product(_nearest(start), _nearest(start + side)):
            found.add((min(high, start + side) - max(low, start), high - low))
    return found


def _worst_iou(width, height, marks):
    """La peor de todas las cajas que se pueden escribir."""
    gaps, area = marks - 1, width * height * (marks - 1) ** 2
    return min(
        across * down / (area + wide * high - across * down)
        for (across, wide), (down, high) in product(_written(width, gaps), _written(height, gaps))
    )


def _words(objects):
    return len(["INICIO", *["y1", "x1", "y2", "x2", "clase"] * objects, "FIN"])


def rounding_by_hand(text):
    width, height, marks, objects = only(
        r"^Una caja mide (\d,\d+) de ancho y (\d,\d+) de alto, en partes de la imagen, y se "
        r"escribe con \*\*(\d+) marcas\*\*\. Lo peor que puede pasar es que cada borde se "
        r"corra medio hueco hacia dentro: ¿qué IoU quedaría con la verdadera\? Y una escena con "
        r"\*\*(\w+) objetos\*\*, ¿cuántas palabras tiene, con la que abre la frase y la que la "
        r"cierra\?$",
        text,
    )
    decimals = only(
        "^Contesta con dos números: la IoU, con (.+) decimales o como una cuenta, y las palabras",
        text,
    )
    *sides, few, single, across, down, words = only(
        r"una caja de (\d,\d+) × (\d,\d+) con (\d+) marcas, en una escena de (\w+) objeto, "
        r"daría `(\d\.\d+) \* (\d\.\d+), (\d+)`\.$",
        text,
    )
    assert _worst_iou(*map(_fraction, sides), int(few)) == _fraction(across) * _fraction(down)
    assert _words(count(single)) == int(words)
    worst = _worst_iou(_fraction(width), _fraction(height), int(marks))
    return round(float(worst), count(decimals)), _words(count(objects))


def _price(shuffled, marks):
    """Los nats de ir eligiendo entre los que quedan y la parte de la marca más repetida."""
    nats = sum(math.log(left) for left in range(1, shuffled + 1))
    return nats, max(Counter(marks).values()) / len(marks)


def _marks(edges, together):
    """Las marcas de los bordes: algunos, en la 0; los demás, en una cada uno."""
    return [0] * together + list(range(1, edges - together + 1))


def price_of_order(text):
    objects = count(only(
        r"^Una escena tiene \*\*(\w+) objetos\*\* bien distintos y el modelo, que es perfecto, se "
        r"ha entrenado barajándolos\. ¿Cuántos nats pierde en esa escena por no saber el orden\?",
        text,
    ))  # fmt: skip
    others, together, edges, where = only(
        r"Y al escribir la \*\*primera\*\* palabra(?: de otra escena, de (\w+) objetos)?, ¿qué "
        r"probabilidad da, como mucho, a una marca, si (?:(\w+) de )?los (\w+) bordes de arriba "
        r"caen en (la misma marca y los demás, en )?marcas distintas\?$",
        text,
    )
    assert bool(others) == bool(together) == bool(where)  # la publicada habla de una sola escena
    assert count(edges) == (count(others) if others else objects)
    single, nats, chance = only(
        r"^Contesta con dos números\. Por ejemplo, con (\w+) solo objeto serían "
        r"`(\d\.\d), (\d\.\d)`\. Las coordenadas son duras: de cada objeto sabe su marca\.$",
        text,
    )
    assert _price(count(single), _marks(count(single), 1)) == (float(nats), float(chance))
    return _price(objects, _marks(count(edges), count(together) if together else 1))


READERS = {"redondear-una-caja": rounding_by_hand, "precio-del-azar": price_of_order}
