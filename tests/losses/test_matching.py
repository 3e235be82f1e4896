"""Emparejamiento: el algoritmo húngaro contra SciPy y contra probar todas las maneras."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

from tfcourse.losses.matching import brute_force, hungarian, match

sizes = st.tuples(st.integers(1, 5), st.integers(0, 2)).map(lambda s: (s[0], s[0] + s[1]))
# Enteros pequeños: abundan los empates, que es donde un emparejador se equivoca.
tables = sizes.flatmap(lambda s: arrays(np.int64, s, elements=st.integers(-4, 4)))


def total(cost, columns):
    return sum(cost[row][column] for row, column in enumerate(columns))


@given(cost=tables)
@settings(max_examples=150, deadline=None)
def test_hungarian_is_the_best_of_all(cost):
    ours, all_tried = hungarian(cost), brute_force(cost)
    rows, columns = linear_sum_assignment(cost)
    assert len(set(ours)) == len(cost)
    assert total(cost, ours) == total(cost, all_tried) == cost[rows, columns].sum()


def test_many_small_tables_with_ties():
    """Tablas cuadradas y anchas, siempre las mismas: un precio que no baja se nota en pocas."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        n = rng.integers(1, 6)
        cost = rng.integers(-4, 5, (n, n + rng.integers(0, 3)))
        assert total(cost, hungarian(cost)) == total(cost, brute_force(cost)), cost


def test_large_tables_match_scipy():
    cost = np.random.default_rng(0).normal(size=(60, 100))
    assert total(cost, hungarian(cost)) == pytest.approx(cost[linear_sum_assignment(cost)].sum())


def test_greedy_is_not_enough():
    """Dar a cada fila su mejor columna libre sale caro: por eso hace falta el algoritmo."""
    cost = [[1, 2], [2, 100]]
    assert hungarian(cost) == [1, 0] and total(cost, [0, 1]) > total(cost, [1, 0])


def test_prices_do_not_move_the_answer():
    cost = np.random.default_rng(1).integers(0, 50, (5, 5)).astype(float)
    moved = cost + np.arange(5)[:, None] * 3 - np.arange(5)[None] * 7
    assert hungarian(cost) == hungarian(moved)


def test_more_rows_than_columns_is_explained():
    with pytest.raises(ValueError, match="hay 3 filas y 2 columnas"):
        hungarian(np.zeros((3, 2)))


def test_match_goes_image_by_image_and_ignores_padding():
    costs = torch.rand(3, 6, 4, generator=torch.Generator().manual_seed(0))
    counts = torch.tensor([2, 0, 4])
    costs[0, :, 2:] = -100  # relleno tentador
    image, query, thing = match(costs, counts)
    assert image.bincount(minlength=3).tolist() == [2, 0, 4]
    for i, count in enumerate(counts.tolist()):
        if not count:
            continue
        mine = image == i
        assert sorted(thing[mine].tolist()) == list(range(count))
        assert query[mine].unique().numel() == count
        best = brute_force(costs[i, :, :count].T.numpy())
        ours = costs[i, query[mine], thing[mine]].sum()
        assert float(ours) == pytest.approx(float(total(costs[i, :, :count].T, best)))


def test_permuting_predictions_permutes_the_answer():
    costs = torch.rand(1, 5, 3, generator=torch.Generator().manual_seed(1))
    order = torch.tensor([4, 2, 0, 1, 3])
    pairs = [
        {(int(t), int(q)) for q, t in zip(*match(c, torch.tensor([3]))[1:], strict=True)}
        for c in (costs, costs[:, order])
    ]
    assert pairs[0] == {(t, int(order[q])) for t, q in pairs[1]}


def test_more_objects_than_queries_is_explained():
    with pytest.raises(ValueError, match=r"imagen con 4 objetos .* n_queries=4 o más"):
        match(torch.zeros(2, 3, 4), torch.tensor([1, 4]))


def test_costs_that_are_not_numbers_are_explained():
    with pytest.raises(ValueError, match="costes que no son números"):
        match(torch.full((1, 3, 2), float("nan")), torch.tensor([1]))
