"""El traductor de fechas al que se le cambia la atención, y quienes compiten."""

import pytest
import torch
from torch import nn

from tfcourse.layers.alignment.aligned import AlignedAttention, DeAttention
from tfcourse.layers.alignment.functions import DotAlignment
from tfcourse.text.alignment.contenders import (
    ALIGNMENTS,
    DISTRIBUTIONS,
    VARIANTS,
    MeanAlignment,
    RescaledAlignment,
    RescaledDeAttention,
    with_softmax,
)
from tfcourse.text.alignment.recipe import (
    D,
    Recipe,
    build,
    date_weights,
    dates,
    initial_spread,
    known_and_new_dates,
    positions_used,
    train,
)
from tfcourse.training import seed_everything
from tfcourse.training.budget import Steps

DOT = Recipe(with_softmax(DotAlignment), dates)


def flat(model: nn.Module) -> torch.Tensor:
    """Los pesos de un modelo, en una fila."""
    return torch.cat([value.flatten().cpu() for value in model.state_dict().values()])


def test_the_budget_is_obeyed_and_the_model_moves():
    done = train(DOT, 0, Steps(2))
    seed_everything(0)
    assert len(done.history.loss) == 2 and not done.model.training
    assert not flat(done.model).equal(flat(build(DOT)))


def test_the_same_seed_gives_the_same_and_another_does_not():
    weights = [flat(train(DOT, seed, Steps(2)).model) for seed in (0, 0, 1)]
    assert weights[0].equal(weights[1]) and not weights[0].equal(weights[2])


def test_no_new_date_has_been_seen():
    known, new = ({pair.iso for pair in pairs} for pairs in known_and_new_dates())
    assert not known & new


@pytest.mark.parametrize("name", [*ALIGNMENTS, *VARIANTS])
def test_every_contender_fits_the_same_model(name):
    seed_everything(0)
    make = (ALIGNMENTS | VARIANTS)[name]
    others = {
        key: value.shape
        for key, value in build(Recipe(with_softmax(make), dates)).state_dict().items()
        if not key.startswith("decoder.attention.")
    }
    assert others == {key: value.shape for key, value in build(DOT).state_dict().items()}


def test_rescaling_multiplies_the_scores_and_the_spread():
    torch.manual_seed(0)
    q, k = torch.randn(2, 3, D, dtype=torch.float64), torch.randn(2, 5, D, dtype=torch.float64)
    inner = DotAlignment()
    outer = RescaledAlignment(inner, 2.5)
    torch.testing.assert_close(outer(q, outer.prepare_keys(k)), 2.5 * inner(q, k))
    wide = Recipe(with_softmax(lambda: RescaledAlignment(DotAlignment(), 3.0)), dates)
    assert initial_spread(wide) == pytest.approx(3 * initial_spread(DOT), rel=1e-4)
    assert initial_spread(Recipe(with_softmax(MeanAlignment), dates)) == 0


def test_the_rescaled_deattention_with_factor_one_is_the_deattention():
    torch.manual_seed(0)
    q, k, v = torch.randn(2, 3, 6), torch.randn(2, 5, 6), torch.randn(2, 5, 4)
    plain, rescaled = DeAttention(6, 6, 4), RescaledDeAttention(6, 6, 4, 1.0)
    rescaled.load_state_dict(plain.state_dict())
    expected, weights = plain(q, plain.prepare_keys(k), v)
    found, _ = rescaled(q, rescaled.prepare_keys(k), v)
    torch.testing.assert_close(found, expected)
    rescaled.factor = 4.0
    assert not torch.allclose(rescaled(q, rescaled.prepare_keys(k), v)[1], weights)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_every_distribution_takes_its_factor(name):
    torch.manual_seed(0)
    q, k, v = torch.randn(1, 3, D), torch.randn(1, 5, D), torch.randn(1, 5, 4)
    seen = []
    for factor in (0.25, 4.0):
        seed_everything(0)
        attention = DISTRIBUTIONS[name](factor)
        seen.append(attention(q, attention.prepare_keys(k), v)[1])
    assert not torch.allclose(*seen)


def test_positions_and_year_are_counted_by_hand():
    assert positions_used(torch.tensor([[0.5, 0.0, -0.5], [1.0, 1e-6, 0.0]])) == 1.5
    seed_everything(0)
    weights, region = date_weights(build(DOT).eval())
    assert weights.shape == region.shape
    for row, pair in enumerate(known_and_new_dates()[1][:5]):
        columns = region[row, 0].nonzero()[:, 0].tolist()
        assert "".join(pair.text[i] for i in columns) == pair.iso[:4]
    assert not region[:, 4:].any()


def test_attention_is_the_only_thing_that_softmax_wraps():
    attention = with_softmax(DotAlignment)()
    assert isinstance(attention, AlignedAttention)
    assert isinstance(attention.alignment, DotAlignment)
