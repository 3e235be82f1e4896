"""Lectores de los ejercicios de comprender sobre la atención rápida y la caché."""

from tests.exercises.statement_readers import bullets, integers, named_integers, only


def cache_per_token(statement):
    layers, heads, d_head = map(
        int, only(r"^Un modelo tiene \*\*(\d+)\*\* capas de (\d+) cabezas de (\d+)", statement)
    )
    groups = int(only(r"GQA, con (\d+) juegos de claves y valores;$", statement))
    latent, rotary = map(
        int,
        only(r"con un latente de (\d+) números y una clave rotatoria de (\d+)\.$", statement),
    )
    assert bullets(statement) == ["mha", "gqa", "mqa", "mla"] and heads % groups == 0
    example, listed = only(r"con una capa de (.+), serían (.+) bytes\.$", statement)
    assert _bytes(1, *integers(example)) == integers(listed)
    return named_integers(statement, _bytes(layers, heads, d_head, groups, latent, rotary))


def _bytes(layers, heads, d_head, groups, latent, rotary):
    """Un número detrás de otro: cada juego, una clave y un valor."""
    numbers = [sum(d_head for _ in range(sets) for _ in "kv") for sets in (heads, groups, 1)]
    return [16 // 8 * layers * n for n in (*numbers, latent + rotary)]


def tiles_computed(statement):
    length, tile, again = map(
        int,
        only(r"^Una secuencia mide \$L = (\d+)\$ y las teselas son de (\d+) × (\d+)\.", statement),
    )
    assert tile == again and length % tile == 0
    assert bullets(statement) == ["completa", "causal", "con_mascara", "puntajes"]
    example, sides, listed = only(
        r"con \$L = (\d+)\$ y teselas de (\d+) × \d+ serían (.+)\.$", statement
    )
    assert _tiles(int(example), int(sides)) == integers(listed)
    return named_integers(statement, _tiles(length, tile))


def _tiles(length, tile):
    """Las teselas, una por una: de dónde a dónde van sus consultas y sus claves."""
    starts = range(0, length, tile)
    pairs = [(row, column) for row in starts for column in starts]
    causal = [(row, column) for row, column in pairs if column <= row + tile - 1]
    masked = [(row, column) for row, column in causal if column + tile - 1 > row]
    return [len(pairs), len(causal), len(masked), len(causal) * tile**2]


READERS = {"cache-en-bytes": cache_per_token, "teselas-que-se-calculan": tiles_computed}
