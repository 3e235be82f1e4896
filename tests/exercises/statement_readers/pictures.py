"""Lector del ejercicio de comprender sobre las parejas de imagen y texto."""

from math import exp, log

from tests.exercises.statement_readers import amounts, enumerated, in_order, only


def batch_matches(statement):
    """El lote, con su tabla de logits iguales, y los puestos en los que se acierta."""
    batch, drawings = amounts(
        r"con lotes de \*\*(\d+) parejas\*\* de imagen y texto\. Después se usa para buscar, con "
        r"un texto, entre \*\*(\d+) dibujos\*\*, uno de los cuales es el suyo\.",
        statement,
    )
    (digits,) = amounts(r"todos los logits son iguales \(con (\w+) decimales\);$", statement)
    (first,) = amounts(r"su dibujo entre los \*\*(\w+)\*\* primeros", statement)
    example = amounts(r"con lotes de (\d+) parejas y (\d+) dibujos serían `", statement)
    listed = only("dibujos serían `(.+)`", statement)
    assert enumerated(listed) == _matches(*example, first, digits)
    return in_order(statement, _matches(batch, drawings, first, digits))


def _matches(batch, drawings, first, digits):
    """Cosenos, negativos de una imagen, pérdida sin saber nada y acierto al azar."""
    logits = [[0.0] * batch for _ in range(batch)]
    negatives = [text for text in range(batch) if text != 0]
    loss = (_entropy(logits) + _entropy(list(zip(*logits, strict=True)))) / 2
    assert first <= drawings
    return [sum(map(len, logits)), len(negatives), round(loss, digits), first / drawings]


def _entropy(table):
    """La entropía cruzada media, si en cada fila lo correcto está en la diagonal."""
    surprises = [log(sum(map(exp, row))) - row[own] for own, row in enumerate(table)]
    return sum(surprises) / len(surprises)


def starting_losses(statement):
    """Una fila de casillas: todas las filas son iguales, y la pérdida es la media de sus sumas."""
    (batch,) = amounts(r"un lote de \*\*(\d+) parejas\*\*", statement)
    bias = float(only(r"parte de \$b = (-\d+)\$", statement))
    row = [text == 0 for text in range(batch)]

    def loss(value):
        yes = 1 / (1 + exp(-value))
        return -sum(log(yes if together else 1 - yes) for together in row)

    return [round(loss(0.0), 2), round(loss(bias), 2), round(100 * sum(row) / len(row), 3)]


READERS = {"parejas-de-un-lote": batch_matches, "sesgo-de-partida": starting_losses}
