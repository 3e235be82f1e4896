"""Lectores de los ejercicios de comprender sobre los tokens."""

import math
import re
from collections import Counter

from tests.exercises.statement_readers import count, integers, only, value


def first_pairs(statement):
    """Los pares, contados en el corpus escrito entero; el que más sale es uno solo."""
    words = only(r"^\| ([a-z]+(?: \| [a-z]+)+) \|$", statement).split(" | ")
    times = integers(only(r"^\| (\d+(?: \| \d+)+) \|$", statement))
    assert len(set(words)) == len(words)
    counts = _pair_counts(zip(words, times, strict=True))
    listed = only("de estos pares de letras vecinas: (.+?)[?]", statement)
    pairs = [one + two for one, two in re.findall(r"«(\w)·(\w)»", listed)]
    assert count(only(r"Devuelve los (\w+) números en un", statement)) == len(pairs)
    _check_pairs_example(statement)
    (first, most), (_, next_most) = counts.most_common(2)
    assert most > next_most and first in pairs
    return {f"{one}_{two}": counts[one + two] for one, two in pairs}


def _check_pairs_example(statement):
    word, times, one, two, found = only(
        r"si el corpus fuera solo «(\w+)», (\w+) veces, el par «(\w)·(\w)» aparecería (\d+) veces",
        statement,
    )
    assert _pair_counts([(word, count(times))])[one + two] == int(found)


def _pair_counts(corpus):
    text = " ".join(word for word, times in corpus for _ in range(times))
    pairs = (text[place : place + 2] for place in range(len(text) - 1))
    return Counter(pair for pair in pairs if " " not in pair)


def merge_gain(statement):
    """La verosimilitud de un texto escrito entero, antes y después de fusionar."""
    total = int(only(r"Un texto tiene \$N = (\d+)\$ símbolos", statement))
    left, right = map(int, only(r"aparecen \$c_a = (\d+)\$ y \$c_b = (\d+)\$ veces", statement))
    pair = int(only(r"el par \$ab\$, \$c = (\d+)\$ veces", statement))
    *example, linked, first, exact, least = only(
        r"con \$N = (\d+)\$, \$c_a = (\d+)\$, \$c_b = (\d+)\$ y \$c = (\d+)\$, la asociación sería "
        r".+ = (.+?)\$; la ganancia a primer orden, \$(.+?)\$; la exacta, \$(.+?)\$; y el menor "
        r"número de veces, (\d+)\.",
        statement,
    )
    n, a, b, c = map(int, example)
    wanted = [value(text) for text in (linked, first, exact, least)]
    assert [round(x, 3) for x in _gains(n, a, b, c)] == wanted
    assert count(only(r"Devuelve los (\w+) números en un", statement)) == 4
    names = ("asociacion", "primer_orden", "exacta", "minimo")
    return dict(zip(names, _gains(total, left, right, pair), strict=True))


def _gains(total, left, right, pair):
    def likelihood(*counts):
        whole = sum(counts)
        return sum(n * math.log(n / whole) for n in counts if n)

    rest = total - left - right
    before = likelihood(left, right, rest)
    after = likelihood(left - pair, right - pair, pair, rest)
    linked = pair * math.log(pair * total / (left * right))
    least = next(c for c in range(1, total) if math.log(c * total / (left * right)) > 1)
    return [linked, linked - pair, after - before, least]


READERS = {"pares-bpe": first_pairs, "ganancia": merge_gain}
