"""Lectores de los ejercicios de comprender sobre BERT y ALBERT."""

from fractions import Fraction
from math import prod

from tests.exercises.statement_readers import count, enumerated, named_integers, only, value


def token_fates(statement):
    """Los elegidos, uno por uno de los tres destinos; tienen que salir enteros."""
    windows, length = only(r"Un lote tiene (\d+) ventanas de (\d+) tokens\.", statement)
    special, separators = only(r"\*\*(\d+) especiales\*\* \(un \[CLS\] y (\w+) \[SEP\]", statement)
    assert int(special) == 1 + count(separators)
    rate, recipe = only(r"receta de BERT —(\d+) %; de ellos, (\S+)—", statement)
    assert recipe == only(r"por la receta (\S+)\.", statement)
    recipe = [Fraction(int(rate) * int(part), 10_000) for part in recipe.split("/")]
    assert 100 * sum(recipe) == int(rate)
    *sizes, listed = only(
        r"con (\d+) ventanas de (\d+) tokens y (\d+) especiales en cada una serían (.+)\.",
        statement,
    )
    assert enumerated(listed) == _fates(*sizes, recipe)
    return named_integers(statement, _fates(windows, length, special, recipe))


def _fates(windows, length, special, recipe):
    maskable = int(windows) * (int(length) - int(special))
    parts = [maskable * part for part in recipe]
    assert all(part.denominator == 1 for part in parts), parts
    return [*map(int, parts), int(sum(parts))]


def albert_savings(statement):
    """Los pesos, matriz a matriz."""
    v, h, times, layers, e = only(
        r"tiene \$V = (.+?)\$ tokens, \$H = (\d+)\$, una red por posición de \$(\d)H\$, (\d+) "
        r"capas y embeddings de anchura \$E = (\d+)\$\.",
        statement,
    )
    assert e == only(r"tabla de tokens con \$E = (\d+)\$ y lo que haga falta", statement)
    assert layers == only(r"los (\d+) bloques, cada uno", statement)
    *example, listed = only(
        r"Por ejemplo, con \$V = (\d+)\$, \$H = (\d+)\$, \$E = (\d+)\$ y (\d+) capas serían (.+)\.",
        statement,
    )
    assert enumerated(listed) == _weights(*map(int, example), int(times))
    sizes = (int(value(v)), int(h), int(e), int(layers))
    assert "ALBERT-large" not in statement or sizes == (30_000, 1024, 128, 24)
    return named_integers(statement, _weights(*sizes, int(times)))


def _weights(v, h, e, layers, times):
    attention = [(h, h)] * 4
    feed_forward = [(h, times * h), (times * h, h)]
    stored = [[(v, h)], [(v, e), (e, h)], (attention + feed_forward) * layers]
    return [sum(map(prod, matrices)) for matrices in (*stored, attention + feed_forward)]


READERS = {"que-le-pasa-a-cada-token": token_fates, "cuanto-ahorra-albert": albert_savings}
