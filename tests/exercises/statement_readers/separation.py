"""Lectores de los ejercicios de comprender sobre separar voces."""

import re
from ast import literal_eval
from itertools import permutations

from tests.exercises.statement_readers import count, enumerated, only, tabled


def path_pairs(statement):
    """Los trozos, cortados de verdad, y las parejas de cada uno."""
    length, size = only(
        r"Una secuencia de \*\*(\d+) vectores\*\* se parte en trozos de \*\*(\d+)\*\* que se "
        "solapan la mitad, con medio trozo de ceros a cada lado",
        statement,
    )
    *example, listed, comment = only(
        r"también consigo mismo\. Por ejemplo, con (\d+) vectores y trozos de (\d+) saldrían "
        r"(.+): (.+)\.$",
        statement,
    )
    shown = _pairs(*map(int, example))
    assert enumerated(listed) == shown
    answer = _pairs(int(length), int(size))
    assert comment == "con tan pocos, partir no compensa"
    assert _pays(answer) and not _pays(shown)
    assert "Devuelve un diccionario con enteros:" in statement
    return dict(zip(tabled(statement), answer, strict=True))


def _pairs(length, size):
    """Trozos, parejas dentro, parejas entre trozos y parejas de la secuencia entera."""
    half, odd = divmod(size, 2)
    places = range(length + 2 * half)
    chunks = [places[first : first + size] for first in places[::half]]
    whole = [chunk for chunk in chunks if len(chunk) == size]
    assert not odd and whole[-1][-1] == places[-1]  # los trozos acaban justo donde los ceros
    across = list(zip(*whole, strict=True))
    inside, between = (sum(len(one) ** 2 for one in sequences) for sequences in (whole, across))
    return [len(whole), inside, between, length**2]


def _pays(pairs):
    _, inside, between, entire = pairs
    return inside + between < entire


def who_is_who(statement):
    """Los órdenes, probados todos, y la elección voraz, casilla a casilla."""
    table = _table(statement)
    voices = only(r"Una red separa \*\*(\w+)\*\* voces\.", statement)
    three, people = only(r"lista de (\w+) enteros: qué salida le toca a la (.+) en", statement)
    people = [int(person) for person in re.findall(r"\d", people)]
    assert people == list(range(len(table)))
    assert len(table) == count(voices) == count(three)
    side, other, small, order, listed = only(
        r"con la tabla de (\w+) por (\w+) `(.+)` saldrían `(.+)`, (.+)\.$", statement
    )
    small = literal_eval(small)
    assert _shape(small) == (count(side), count(other))
    assert _assigned(small) == [literal_eval(order), *enumerated(listed)]
    return dict(zip(tabled(statement), _assigned(table), strict=True))


def _table(statement):
    """Una fila por salida, con los números de fila y de columna comprobados."""
    heads = re.findall(r"persona (\d) (?=\|)", statement)
    found = re.findall(r"^\| \*\*salida (\d)\*\* \| (.+) \|$", statement, re.MULTILINE)
    names, rows = zip(*found, strict=True)
    assert [*map(int, names)] == [*map(int, heads)] == list(range(len(rows)))
    table = [[int(cell.replace("−", "-")) for cell in row.split(" | ")] for row in rows]
    assert _shape(table) == (len(names), len(heads))
    return table


def _shape(table):
    (columns,) = set(map(len, table))
    return len(table), columns


def _assigned(table):
    """Orden, media, media de la elección voraz y número de órdenes."""
    orders = list(permutations(range(len(table))))
    means = [_mean(table[output][person] for person, output in enumerate(o)) for o in orders]
    assert means.count(max(means)) == 1  # si empatan, no se sabe cuál se pide
    best = orders[means.index(max(means))]
    return [list(best), max(means), _mean(_greedy(table)), len(orders)]


def _greedy(table):
    """Las casillas de quien toma la más alta, tacha su fila y su columna y vuelve a empezar."""
    while table:
        cells = [cell for row in table for cell in row]
        top = max(cells)
        assert cells.count(top) == 1
        yield top
        (column,) = (row.index(top) for row in table if top in row)
        table = [row[:column] + row[column + 1 :] for row in table if top not in row]


def _mean(cells):
    cells = list(cells)
    return sum(cells) / len(cells)


READERS = {"trozos-y-parejas": path_pairs, "quien-es-quien": who_is_who}
