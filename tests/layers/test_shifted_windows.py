"""Ventanas: reparto, desplazamiento, máscara y sesgo, contra bucles y contra la geometría."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.layers.image.shifted_windows import (
    WindowAttention,
    join_windows,
    relative_places,
    shift_mask,
    split_windows,
    window_regions,
)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3))
def test_splitting_is_undone_by_joining(size, rows, columns):
    x = torch.rand(2, size * rows, size * columns, 3)
    windows = split_windows(x, size)
    assert windows.shape == (2, rows * columns, size * size, 3)
    assert torch.equal(join_windows(windows, tuple(x.shape[1:3])), x)
    by_loops = [
        x[:, r * size : (r + 1) * size, c * size : (c + 1) * size].flatten(1, 2)
        for r, c in itertools.product(range(rows), range(columns))
    ]
    assert torch.equal(windows, torch.stack(by_loops, dim=1))


@pytest.mark.parametrize("grid", [(9, 9), (6, 9), (3, 9), (9, 3)])
@pytest.mark.parametrize("shift", [1, 2])
def test_the_mask_lets_see_exactly_the_neighbours_before_rolling(grid, shift):
    """Dos casillas de una ventana se ven si en el mapa sin rodar están a menos de una ventana."""
    rows, columns = torch.meshgrid(*map(torch.arange, grid), indexing="ij")
    place = torch.stack([rows, columns], dim=-1)[None]
    rolled = [shift if side > 3 else 0 for side in grid]
    cells = split_windows(place.roll([-s for s in rolled], dims=(1, 2)), 3)[0]
    distance = (cells[:, :, None] - cells[:, None, :]).abs().amax(-1)
    assert torch.equal(shift_mask(grid, 3, shift)[:, 0], distance < 3)


def test_without_shift_everything_in_the_window_is_seen():
    assert shift_mask((6, 6), 3, 0).all()
    assert window_regions((6, 6), 3, 1).unique().tolist() == list(range(9))
    assert len(window_regions((3, 6), 3, 1).unique()) == 3


def test_places_depend_only_on_the_offset():
    size = 3
    places = relative_places(size)
    cells = list(itertools.product(range(size), repeat=2))
    seen = {}
    for (i, a), (j, b) in itertools.product(enumerate(cells), repeat=2):
        seen.setdefault((a[0] - b[0], a[1] - b[1]), set()).add(int(places[i, j]))
    assert all(len(rows) == 1 for rows in seen.values())
    assert {row for rows in seen.values() for row in rows} == set(range((2 * size - 1) ** 2))


@pytest.mark.parametrize(("shift", "inside", "outside"), [(0, (1, 1), (2, 2)), (1, (2, 2), (0, 0))])
def test_a_change_is_noticed_only_inside_its_window(shift, inside, outside):
    torch.manual_seed(0)
    layer = WindowAttention(4, 2, size=2, shift=shift).double()
    x = torch.randn(1, 4, 4, 4, dtype=torch.double)
    other = x.clone()
    # Con ventanas quietas, la casilla (0, 0) va con (1, 1); desplazadas, la (1, 1) va con la (2, 2)
    other[0, shift, shift] += 1
    moved = (layer(other) - layer(x)).abs().amax(-1)[0]
    assert moved[inside] > 1e-6 and moved[outside] == 0
    assert int((moved > 0).sum()) == 4


def test_rolled_neighbours_from_the_other_side_do_not_look():
    torch.manual_seed(0)
    layer = WindowAttention(4, 2, size=2, shift=1).double()
    x = torch.randn(1, 4, 4, 4, dtype=torch.double)
    other = x.clone()
    other[0, 0, 0] += 1  # al rodar, acaba junto a las otras tres esquinas
    moved = (layer(other) - layer(x)).abs().amax(-1)[0]
    assert int((moved > 0).sum()) == 1 and moved[0, 0] > 0


def test_bad_input_is_explained():
    with pytest.raises(ValueError, match="un mapa de 5 × 4 no se reparte en ventanas de 2 × 2"):
        split_windows(torch.rand(1, 5, 4, 3), 2)
    for shift in (-1, 4):
        with pytest.raises(ValueError, match=f"shift={shift} con ventanas de 4"):
            WindowAttention(8, 2, size=4, shift=shift)
