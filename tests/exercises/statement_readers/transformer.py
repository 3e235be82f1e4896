"""Lectores de los ejercicios de comprender sobre el Transformer completo."""

import math

from tests.exercises.statement_readers import bullets, count, integers, only

ASKED = ["leer", "empate", "releer", "limite"]


def rereading(statement):
    width, heads, hidden = only(
        r"que tiene \$d = (\d+)\$, \$H = (\d+)\$ cabezas y una capa oculta de (\d+) en la red, y "
        r"cuenta solo las multiplicaciones de los productos de matrices\.",
        statement,
    )
    length = only(r"^- `leer`: las de leer (\d+) posiciones a la vez \(un entero\);$", statement)
    assert only(r"^- `releer`: las de escribir (\d+) símbolos, releyendo", statement) == length
    assert bullets(statement) == ASKED
    *example, listed = only(
        r"con \$d = (\d+)\$, una cabeza, una capa oculta de (\d+) y (\d+) símbolos serían (.+)\.$",
        statement,
    )
    assert _work(1, *map(int, example))[:3] == integers(listed)[:3] and listed.endswith(" 1/3")
    found = _work(int(heads), int(width), int(hidden), int(length))
    return dict(zip(ASKED, found, strict=True))


def _products(heads, width, hidden, n):
    """Los productos de matrices de un bloque: (filas, comunes, columnas), los de parejas aparte."""
    each = [(n, width, width)] * 4 + [(n, width, hidden), (n, hidden, width)]
    return each, heads * [(n, width // heads, n), (n, n, width // heads)]


def _work(heads, width, hidden, length):
    def costs(n):
        return [sum(map(math.prod, products)) for products in _products(heads, width, hidden, n)]

    def reading(n):
        return sum(costs(n))

    alone, in_pairs = costs(1)
    tie = alone // in_pairs
    assert len({*costs(tie)}) == 1
    # Solo quedan las parejas; con diez mil, la suma de los cuadrados ya no cambia cuatro cifras.
    many = 10_000
    limit = sum(n * n for n in range(1, many + 1)) / many**3
    return [reading(length), tie, sum(map(reading, range(1, length + 1))), limit]


def shifted(statement):
    """Una pareja por símbolo que se lee: él y el que viene después."""
    words = only(r"^Se entrena con la frase «(.+)» \(sin el punto\) y forzado", statement).split()
    numbers = _numbers(statement, words)
    first, *example = only(r"para la frase «(\w+)» sola serían `\[(.+)\], \[(.+)\]`\.$", statement)
    assert first == words[0]
    assert _pairs([numbers[first]], numbers) == tuple(map(integers, example))
    assert count(only(r"^Devuelve (\w+) listas de la misma longitud: ", statement)) == len(example)
    return _pairs([numbers[word] for word in words], numbers)


def _numbers(statement, words):
    """El número de cada símbolo de la tabla: los dos de los extremos y las palabras, en orden."""
    symbols = only(r"^\| símbolo \| (.+) \|$", statement).split(" | ")
    assert symbols == ["`<inicio>`", "`<fin>`", *words]
    row = integers(only(r"^\| número \| (\d+(?: \| \d+)+) \|$", statement))
    assert len(set(row)) == len(row) and len(set(words)) == len(words)
    return dict(zip(symbols, row, strict=True))


def _pairs(sentence, numbers):
    read, guessed = [], []
    last = numbers["`<inicio>`"]
    for symbol in (*sentence, numbers["`<fin>`"]):
        read.append(last)
        guessed.append(symbol)
        last = symbol
    return read, guessed


READERS = {"lo-que-cuesta-releer": rereading, "desplazar-la-salida": shifted}
