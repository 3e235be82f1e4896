"""Lectores de los ejercicios de comprender sobre los tokens y sus embeddings."""

import re
from collections import Counter

import torch

from tests.exercises.statement_readers import count, enumerated, integers, only


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


def table_sizes(statement):
    """Los tamaños de los tensores, y las filas en las que de verdad hay gradiente."""
    vocabulary, width, length = only(
        r"un vocabulario de \$V = (\d+)\$ tokens y embeddings de \$D = (\d+)\$ números\. Lee una "
        r"frase de (\w+) tokens, cuyos números son$",
        statement,
    )
    ids = integers(only(r"^(\d+(?:,\\quad \d+)+)$", statement))
    assert len(ids) == count(length)
    *example, token, listed = only(
        r"con \$V = (\d+)\$, \$D = (\d+)\$ y la frase de un solo token \$(\d+)\$, serían (.+)\.",
        statement,
    )
    assert _sizes(*example, [int(token)]) == enumerated(listed)
    names = ("parametros", "numeros_one_hot", "numeros_embedding", "filas_con_gradiente")
    assert count(only(r"Devuelve los (\w+) números en un", statement)) == len(names)
    return dict(zip(names, _sizes(vocabulary, width, ids), strict=True))


def _sizes(vocabulary, width, ids):
    table = torch.zeros(int(vocabulary), int(width), requires_grad=True)
    one_hot = torch.nn.functional.one_hot(torch.tensor(ids), len(table))
    embedded = table[ids]
    embedded.sum().backward()
    learning = table.grad.any(dim=1)
    return [table.numel(), one_hot.numel(), embedded.numel(), int(learning.sum())]


READERS = {"pares-bpe": first_pairs, "tabla": table_sizes}
