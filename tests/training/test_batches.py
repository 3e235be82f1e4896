"""El lote camino del modelo: ni su tipo ni lo que no es un tensor cambian."""

from typing import NamedTuple

import pytest
import torch

from tfcourse.training.batches import every_other, map_batch, n_examples, prefetched


class Pair(NamedTuple):
    inputs: torch.Tensor
    names: list


def test_every_batch_keeps_its_type():
    x = torch.arange(4)
    pair = map_batch(lambda t: t + 1, Pair(x, ["a", "b"]))
    assert isinstance(pair, Pair) and pair.inputs.tolist() == [1, 2, 3, 4]
    assert pair.names == ["a", "b"]
    nested = map_batch(lambda t: t * 2, {"x": x, "más": (x, [x])})
    assert nested["x"].tolist() == nested["más"][1][0].tolist() == [0, 2, 4, 6]
    assert type(nested["más"]) is tuple and type(nested["más"][1]) is list


def test_examples_are_counted_and_dealt_in_turn():
    pair = Pair(torch.arange(7), [])
    assert n_examples(pair) == 7 == n_examples({"x": torch.zeros(7, 2)})
    assert n_examples([torch.tensor(3.0)]) == n_examples(["sin tensores"]) == 1
    shares = [every_other(pair, i, 3).inputs.tolist() for i in range(3)]
    assert shares == [[0, 3, 6], [1, 4], [2, 5]]
    halves = [every_other(pair, i, 2).inputs.tolist() for i in range(2)]
    assert halves == [[0, 2, 4, 6], [1, 3, 5]]


def test_prefetching_changes_nothing_and_reads_ahead():
    seen = []

    def numbers():
        for n in range(50):
            seen.append(n)
            yield n

    stream = prefetched(numbers(), ready=3)
    assert next(stream) == 0
    assert list(stream) == list(range(1, 50))
    short = prefetched(numbers(), ready=3)
    next(short)
    short.close()  # quien deja de pedir no espera al hilo
    assert len(seen) < 100


def test_an_error_while_preparing_is_raised_where_it_was_asked():
    def broken():
        yield 1
        raise ValueError("la tercera foto está dañada")

    stream = prefetched(broken())
    assert next(stream) == 1
    with pytest.raises(ValueError, match="la tercera foto"):
        next(stream)
