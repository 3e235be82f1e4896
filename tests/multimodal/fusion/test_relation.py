"""La relación: con los mismos parámetros, y lo que no puede saber quien solo suma."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.datasets.sounds.digit_pairs import CLEAN, doubtful_pairs, split_pools
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.fusion import UNIMODAL
from tfcourse.multimodal.fusion.relation import (
    ADDED,
    ANSWERS,
    RIVALS,
    Recipe,
    build,
    relation_loss,
    split_answers,
    train,
)
from tfcourse.training.budget import Steps


@pytest.fixture(scope="module")
def pairs():
    return doubtful_pairs(split_pools()[0], 40, CLEAN, torch.Generator().manual_seed(0))


def test_all_have_the_same_parameters():
    sizes = [n_parameters(build(Recipe(), name)) for name in RIVALS]
    assert max(sizes) < 1.01 * min(sizes)


def test_an_unknown_one_is_told():
    with pytest.raises(ValueError, match="name='tardía': usa solo imagen"):
        build(Recipe(), "tardía")


def test_half_agree_and_the_others_are_any_other_digit():
    many = doubtful_pairs(split_pools()[0], 4_000, CLEAN, torch.Generator().manual_seed(0))
    assert abs(float(many.agree.float().mean()) - 0.5) < 0.03
    steps = (many.heard - many.seen)[~many.agree] % 10
    assert steps.bincount(minlength=10)[0] == 0
    assert steps.bincount(minlength=10)[1:].min() > 0.08 * len(steps)
    # Saber la cifra que se ve no dice si la que se oye es la misma.
    by_digit = [float(many.agree[many.seen == digit].float().mean()) for digit in range(10)]
    assert max(by_digit) - min(by_digit) < 0.2
    with pytest.raises(ValueError, match="n=0: pide al menos una pareja"):
        doubtful_pairs(split_pools()[0], 0, CLEAN, torch.Generator())


def test_the_loss_is_the_three_answers(pairs):
    model = build(Recipe(), "suma temprana").eval()
    logits = model(pairs.images, pairs.waves)
    assert logits.shape == (40, sum(ANSWERS))
    seen, heard, agree = split_answers(logits)
    relation = F.cross_entropy(agree, pairs.agree.long())
    digits = F.cross_entropy(seen, pairs.seen) + F.cross_entropy(heard, pairs.heard)
    batch = pairs.images, pairs.waves, pairs.seen, pairs.heard
    torch.testing.assert_close(relation_loss(model, batch), relation + digits)
    torch.testing.assert_close(relation_loss(model, batch, digits=0.0), relation)


def test_one_sense_does_not_notice_the_other(pairs):
    for name, hidden in zip(UNIMODAL, (pairs.waves, pairs.images), strict=True):
        model = build(Recipe(), name).eval()
        first = model(pairs.images, pairs.waves)
        other = hidden.flip(0)
        again = model(pairs.images, other) if name == "solo imagen" else model(other, pairs.waves)
        assert torch.equal(first, again)


def test_whoever_adds_cannot_do_better_than_chance():
    """Con diez cifras y la tabla exacta: la mejor suma de logits es no decir nada."""
    joint = torch.full((10, 10), 0.5 / 90, dtype=torch.float64).fill_diagonal_(0.5 / 10)
    agree = torch.eye(10, dtype=torch.float64)
    torch.manual_seed(0)
    seen, heard = (torch.randn(10, dtype=torch.float64, requires_grad=True) for _ in range(2))
    optimizer = torch.optim.LBFGS([seen, heard], max_iter=200)

    def loss():
        optimizer.zero_grad()
        logits = seen[:, None] + heard
        total = F.binary_cross_entropy_with_logits(logits, agree, weight=joint, reduction="sum")
        total.backward()
        return total

    optimizer.step(loss)
    assert loss().item() == pytest.approx(0.693147, abs=1e-5)
    assert float((seen[:, None] + heard).detach().abs().max()) < 1e-2


def test_same_seed_same_model():
    quick = Recipe(steps=2, batch_size=4)
    first, again, other = (train(quick, seed, name=ADDED) for seed in (0, 0, 1))
    assert len(first.history.loss) == 2 and first.history.loss == again.history.loss
    assert first.history.loss != other.history.loss
    assert len(train(quick, 0, Steps(1), name="suma temprana").history.loss) == 1
