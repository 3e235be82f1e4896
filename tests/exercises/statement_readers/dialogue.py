"""Lectores de los ejercicios de comprender de «Conversar sobre una imagen»."""

from fractions import Fraction

from tests.exercises.statement_readers import bullets, integers, named_integers, only, value


def sizes(statement):
    side, patch = map(
        int, only(r"de \*\*(\d+)\*\* × \d+ píxeles en parches de (\d+) × \d+", statement)
    )
    seen = int(only(r"un vector de (\d+) números por parche", statement))
    factor = int(only(r"cuadrados de (\d+) × \d+ parches", statement))
    read = int(only(r"vectores de (\d+) números, el ancho", statement))
    words = int(only(r"una pregunta de (\d+) tokens", statement))
    assert bullets(statement) == ["parches", "tokens", "ancho", "proyector", "parejas"]
    example, listed = only(r"Por ejemplo, con (.+), serían (.+)\.$", statement)
    assert _sizes(*integers(example)) == integers(listed)
    return named_integers(statement, _sizes(side, patch, seen, factor, read, words))


def _sizes(side, patch, seen, factor, read, words):
    """Contando parches, pesos y parejas de uno en uno."""
    places = [(y, x) for y in range(0, side, patch) for x in range(0, side, patch)]
    groups = {(y // (patch * factor), x // (patch * factor)) for y, x in places}
    width = sum(seen for y, x in places if y < patch * factor and x < patch * factor)
    numbers = sum(width + 1 for _ in range(read)) + sum(read + 1 for _ in range(read))
    pairs = sum(k for k in range(1, len(groups) + words + 1))
    return [len(places), len(groups), width, numbers, pairs]


def counted(statement):
    present, absent = map(
        int,
        only(r"\*\*(\d+)\*\* son de una figura que está y (\d+), de una que no", statement),
    )
    yes, invented = map(
        int, only(r"dice «sí» en (\d+) de las primeras y en (\d+) de las segundas", statement)
    )
    assert bullets(statement) == ["acierto", "se_inventa", "precision", "dice_si", "sin_mirar"]
    *given, listed = only(
        r"Por ejemplo, con (\d+) y (\d+), y síes en (\d+) y en (\d+), serían (.+)\.$", statement
    )
    wanted = [value(text) for text in listed.replace(" y ", "; ").split("; ")]
    assert list(_counted(*map(int, given)).values()) == wanted
    return _counted(present, absent, yes, invented)


def _counted(present, absent, yes, invented):
    """Pregunta a pregunta: si está y lo que dice."""
    rows = [(True, k < yes) for k in range(present)]
    rows += [(False, k < invented) for k in range(absent)]

    def part(some, among):
        return float(Fraction(sum(map(some, among)), len(among)))

    there = [row for row in rows if row[0]]
    away = [row for row in rows if not row[0]]
    said = [row for row in rows if row[1]]
    return {
        "acierto": part(lambda row: row[0] == row[1], rows),
        "se_inventa": part(lambda row: row[1], away),
        "precision": part(lambda row: row[0], said),
        "dice_si": part(lambda row: row[1], rows),
        "sin_mirar": len(max(there, away, key=len)) / len(rows),
    }


READERS = {"lo-que-ocupa-una-imagen": sizes, "quien-dice-que-si": counted}
