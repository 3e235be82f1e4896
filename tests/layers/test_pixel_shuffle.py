"""Juntar vecinos: contra un bucle, contra el de Idefics3, y que no se pierde nada."""

import pytest
import torch

from tfcourse.layers.image.pixel_shuffle import Projector, pixel_shuffle


def states(n=16, width=3):
    return torch.randn(2, n, width, generator=torch.Generator().manual_seed(0)).double()


@pytest.mark.parametrize(("side", "factor"), [(4, 2), (6, 3), (6, 2), (4, 4), (3, 1)])
def test_same_as_a_loop(side, factor):
    x, found = states(side * side), []
    for row in range(0, side, factor):
        for column in range(0, side, factor):
            near = [
                x[:, (row + i) * side + column + j] for i in range(factor) for j in range(factor)
            ]
            found.append(torch.cat(near, dim=-1))
    assert pixel_shuffle(x, factor).equal(torch.stack(found, dim=1))


def test_same_as_idefics3():
    module = pytest.importorskip("transformers.models.idefics3.modeling_idefics3")
    x = states(36, 5)
    for factor in (1, 2, 3):
        theirs = module.Idefics3Connector.pixel_shuffle(None, x, factor)
        assert pixel_shuffle(x, factor).equal(theirs)


def test_nothing_is_lost_and_one_is_nothing():
    x = states()
    assert pixel_shuffle(x, 1).equal(x)
    assert pixel_shuffle(x, 2).flatten().sort().values.equal(x.flatten().sort().values)
    assert pixel_shuffle(x, 4).shape == (2, 1, 48)


def test_the_projector_is_a_network_over_each_group():
    torch.manual_seed(0)
    projector = Projector(3, 8, factor=2, d_hidden=5).double()
    found, joined = projector(states()), pixel_shuffle(states(), 2)
    assert found.shape == (2, 4, 8) and projector.hidden.weight.shape == (5, 12)
    one = projector.output(torch.nn.functional.gelu(projector.hidden(joined[1, 2])))
    torch.testing.assert_close(found[1, 2], one)
    assert Projector(3, 8).hidden.weight.shape == (8, 3)


def test_what_does_not_fit_is_explained():
    with pytest.raises(ValueError, match="llegaron 17 tokens y no llenan una rejilla cuadrada"):
        pixel_shuffle(states(17), 2)
    for factor in (0, 3):
        with pytest.raises(ValueError, match=f"factor={factor}: una rejilla de 4 × 4"):
            pixel_shuffle(states(), factor)
