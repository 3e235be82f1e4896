"""Lectores de los ejercicios de comprender de «Buscar con significado»."""

from tests.exercises.statement_readers import bullets, enumerated, integers, named_integers, only


def two_orders(statement):
    a, b = (
        enumerated(only(rf"^- \*\*{name}\*\* los deja en los puestos (.+?)\.?;?$", statement))
        for name in "AB"
    )
    assert bullets(statement) == ["recall_a", "recall_b", "inverso_a", "inverso_b"]
    example_a, example_b, listed = only(
        r"Por ejemplo, si fueran (.+?) en A y (.+?) en B, serían (.+)\.$", statement
    )
    assert _measured(enumerated(example_a), enumerated(example_b)) == integers(listed)
    return named_integers(statement, _measured(a, b))


def _measured(a, b):
    """Puesto a puesto: 25 puntos por cada uno de los cuatro entre los diez primeros."""
    recalls = [sum(25 for place in places if place <= 10) for places in (a, b)]
    return [*recalls, *(int(100 / sorted(places)[0]) for places in (a, b))]


def in_a_batch(statement):
    pairs = int(only(r"lleva \*\*(\d+)\*\* parejas de consulta y documento", statement))
    hard = int(only(r"además, (\d+) negativos? difícil(?:es)? por consulta", statement))
    assert bullets(statement) == ["negativos", "textos", "cosenos", "doble"]
    example, listed = only(r"Por ejemplo, con (.+?), serían (.+)\.$", statement)
    assert _counted(*integers(example)) == integers(listed)
    return named_integers(statement, _counted(pairs, hard))


def _counted(pairs, hard):
    """Documento a documento."""
    documents = sum(1 + hard for _ in range(pairs))
    twice = sum(1 + hard for _ in range(2 * pairs))
    return [documents - 1, pairs + documents, pairs * documents, 2 * pairs * twice]


READERS = {"dos-buenos-ordenes": two_orders, "lo-que-hay-en-un-lote": in_a_batch}
