"""Lectores de los ejercicios de comprender sobre la autoatención multicabeza."""

from ast import literal_eval

import torch
from torch import nn

from tests.exercises.statement_readers import bullets, count, integers, named_integers, only

NAMES = ["dimension_de_cabeza", "parametros", "pesos_de_atencion"]
ORDINALS = ("quinta", "sexta", "séptima", "octava", "novena")


def layer_sizes(statement):
    sizes = only(
        r"autoatención multicabeza sin sesgos tiene ancho \$d = (\d+)\$ y \$H = (\d+)\$ cabezas\. "
        r"Lee un lote de \$B = (\d+)\$ frases de \$L = (\d+)\$ tokens\.",
        statement,
    )
    *example, listed = only(
        r"con \$d = (\d+)\$, \$H = (\d+)\$, \$B = (\d+)\$ y \$L = (\d+)\$ serían (.+)\.$", statement
    )
    assert bullets(statement) == NAMES
    assert _sizes(*map(int, example)) == integers(listed)
    return named_integers(statement, _sizes(*map(int, sizes)))


def _sizes(width, heads, batch, length):
    """Los de la capa de PyTorch, que no llega a ocupar memoria."""
    layer = nn.MultiheadAttention(width, heads, bias=False, device="meta")
    weights = torch.empty(batch, heads, length, length, device="meta")
    return [layer.head_dim, sum(each.numel() for each in layer.parameters()), weights.numel()]


def visible(statement):
    length, ordinal = only(
        r"rellenado hasta (\w+) posiciones y en esta frase la (\w+) es \*\*relleno\*\*\. Se "
        r"combinan la máscara causal y la de relleno\.",
        statement,
    )
    padded = 5 + ORDINALS.index(ordinal)
    assert padded == count(length)  # se rellena por el final
    shown = only(r"contando desde 1 y en orden\.\n\n.* con (\w+) posiciones y sin", statement)
    example = literal_eval(only(r"la máscara causal sola daría `(.+)`\.$", statement))
    assert example == _seen(count(shown), range(1, count(shown) + 1))
    return _seen(count(length), _queries(statement, count(length)), padded)


def _queries(statement, length):
    """Las consultas por las que se pregunta: todas o algunas, pero siempre la del relleno."""
    every, some = only(
        r"Para (?:cada consulta, de la (1 a la \d+)|las consultas (\d(?:, \d)+ y \d)), escribe la "
        r"lista de claves a las que puede mirar(?: cada una)?,",
        statement,
    )
    assert bool(some) == ("puede mirar cada una" in statement)
    queries = integers(some) if some else range(1, integers(every)[-1] + 1)
    assert sorted(set(queries)) == list(queries) and queries[-1] == length
    return queries


def _seen(length, queries, padded=None):
    """Las columnas que quedan en cada fila de la máscara, que se escribe entera."""
    mask = torch.ones(length, length).tril()
    if padded:
        mask[:, padded - 1] = 0
    return [(1 + mask[query - 1].nonzero().flatten()).tolist() for query in queries]


READERS = {"tamanos-multicabeza": layer_sizes, "quien-mira-a-quien": visible}
