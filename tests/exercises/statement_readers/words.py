"""Lectores de los ejercicios de comprender sobre los embeddings."""

import torch

from tests.exercises.statement_readers import amounts, count, enumerated, integers, only, value


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


def frequent_and_rare(statement):
    """Las probabilidades, con las cuentas del enunciado y con las de su ejemplo."""
    often, rare = map(int, only(r"salen «de», (\d+) veces, y «poeta», (\d+)\.", statement))
    threshold = value(only(r"con \$t = (.+?)\$", statement))
    assert only("En un corpus de un (millón) de palabras", statement)
    one, other, listed = only(
        r"con una palabra que sale (\d+) veces y otra que sale (\d+), serían (.+)\.$", statement
    )
    assert _kept(int(one), int(other), threshold) == enumerated(listed)
    names = ("p_frecuente", "p_rara", "quedan", "veces_mas")
    assert amounts(r"Devuelve los (\w+) números en un", statement) == [len(names)]
    return dict(zip(names, _kept(often, rare, threshold), strict=True))


def _kept(often, rare, threshold, total=10**6):
    first, second = (min(1.0, (threshold * total / n) ** 0.5) for n in (often, rare))
    return [first, second, often * first, ((often / total) / (rare / total)) ** 0.75]


READERS = {"tabla": table_sizes, "submuestreo": frequent_and_rare}
