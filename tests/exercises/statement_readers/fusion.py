"""Lectores de los ejercicios de comprender sobre juntar modalidades."""

import re
from itertools import product

from tests.exercises.statement_readers import amounts, blocks, enumerated, in_order, only


def token_counts(statement):
    """Los tokens de cada modalidad, que se corta en bloques justos."""
    things = amounts(r"Un modelo va a leer (\w+) cosas a la vez:$", statement)
    assert things == [len(re.findall("^- una? ", statement, re.MULTILINE))]
    (text,) = amounts(r"^- un \*\*texto\*\* de (\d+) tokens;$", statement)
    *image, down, right = amounts(
        r"^- una \*\*imagen\*\* de (\d+) × (\d+) píxeles, en parches de (\d+) × (\d+);$", statement
    )
    *video, frames, high, wide = amounts(
        r"^- un \*\*vídeo\*\* de (\d+) fotogramas de (\d+) × (\d+), en tubos de (\w+) fotogramas "
        r"por (\d+) × (\d+) que no se pisan;$",
        statement,
    )
    sound, stride = amounts(
        r"^- un \*\*sonido\*\* cuyo log-mel tiene (\d+) columnas, con el tallo de dos "
        r"convoluciones, la segunda con zancada (\d+)\.$",
        statement,
    )
    cuts = [(down, right), (frames, high, wide), (stride,)]
    small = amounts(
        r"Por ejemplo, con una imagen de (\d+) × (\d+), un vídeo de (\d+) fotogramas de "
        r"(\d+) × (\d+) y (\d+) columnas serían `",
        statement,
    )
    listed = only("columnas serían `(.+)`", statement)
    # El ejemplo no dice cuánto texto hay: es el mismo.
    assert enumerated(listed) == _tokens(text, [small[:2], small[2:5], small[5:]], cuts)
    return in_order(statement, _tokens(text, [image, video, [sound]], cuts))


def _tokens(text, inputs, cuts):
    """Los de cada modalidad y los de todo junto, texto incluido."""
    parts = [blocks(sides, block) for sides, block in zip(inputs, cuts, strict=True)]
    return [*parts, text + sum(parts)]


def visible_pairs(statement):
    """Los pares, uno por uno."""
    image, sound = amounts(r"Hay \*\*(\d+) tokens de imagen y (\d+) de sonido\*\*", statement)
    summed, *unequal = amounts(
        r"si ahora las dos secuencias son de \*\*(\d+) tokens\*\* \(con (\d+) y (\d+) no se "
        r"pueden sumar\)\.$",
        statement,
    )
    assert unequal == [image, sound] and image != sound
    assert "la cruzada, en los dos sentidos;" in statement
    *example, second, third = amounts(
        r"con (\d+) tokens y (\d+), y la suma de (\d+) y (\d+), serían `", statement
    )
    assert second == third
    assert enumerated(only("serían `(.+)`", statement)) == _looks(*example, second)
    return in_order(statement, _looks(image, sound, summed))


def _looks(image, sound, summed):
    """Concatenación, por separado, cruzada y suma."""
    tokens = ["imagen"] * image + ["sonido"] * sound
    own = [asks == answers for asks, answers in product(tokens, repeat=2)]
    added = list(product(range(summed), repeat=2))
    return [len(own), own.count(True), own.count(False), len(added)]


READERS = {"contar-los-tokens": token_counts, "pares-que-se-miran": visible_pairs}
