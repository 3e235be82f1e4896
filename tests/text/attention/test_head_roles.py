"""Los papeles de las cabezas, con mapas hechos a mano, y el azar que los acompaña."""

import pytest
import torch

from tfcourse.text.attention.head_roles import (
    FOLLOWING,
    PREVIOUS,
    SPECIAL,
    chance_ceiling,
    head_masses,
    role_regions,
    shuffled_keys,
)

TOKENS = torch.tensor([[2, 7, 8, 9, 3], [2, 9, 3, 8, 7]])  # 2 y 3 son los especiales


def made_by_hand() -> torch.Tensor:
    """Una cabeza que mira al anterior, otra al siguiente, otra a los especiales y otra a todos."""
    before, after = torch.eye(5).roll(-1, dims=1), torch.eye(5).roll(1, dims=1)
    special = ((TOKENS == 2) | (TOKENS == 3)).float()[:, None] / 2
    heads = [
        before.expand(2, 5, 5), after.expand(2, 5, 5), special.expand(2, 5, 5),
        torch.full((2, 5, 5), 0.2),
    ]  # fmt: skip
    return torch.stack(heads, dim=1)


def test_each_head_plays_its_role():
    regions = role_regions(TOKENS, [2, 3])
    expected = {
        PREVIOUS: [1.0, 0.0, 0.1875, 0.2],
        FOLLOWING: [0.0, 1.0, 0.125, 0.2],
        SPECIAL: [0.4, 0.4, 1.0, 0.4],
    }
    for role, masses in expected.items():
        found = head_masses(made_by_hand(), regions[role])
        torch.testing.assert_close(found, torch.tensor(masses), msg=role)


def test_shuffling_keeps_the_weights_and_forgets_the_place():
    maps = torch.rand(6, 3, 40, 40).softmax(dim=-1)
    shuffled = shuffled_keys(maps, torch.Generator().manual_seed(0))
    torch.testing.assert_close(shuffled.sort(dim=-1).values, maps.sort(dim=-1).values)
    assert not torch.equal(shuffled, maps)
    same_column = torch.zeros(6, 3, 40, 40)
    same_column[..., 5] = 1.0  # quien miraba siempre al mismo sitio lo sigue haciendo
    moved = shuffled_keys(same_column, torch.Generator().manual_seed(0))
    assert torch.equal(moved, moved[:, :, :1].expand_as(moved))


def test_a_head_that_knows_where_it_looks_beats_chance():
    tokens = torch.randint(4, 50, (8, 40))
    region = role_regions(tokens, [2])[PREVIOUS]
    maps = torch.eye(40).roll(-1, dims=1).expand(8, 1, 40, 40)
    generator = torch.Generator().manual_seed(0)
    ceiling = chance_ceiling(maps, region, n_shuffles=20, generator=generator)
    assert head_masses(maps, region).item() == pytest.approx(1.0)
    assert 1 / 40 < ceiling < 0.2
