"""Las pérdidas sin etiquetas, con números hechos a mano."""

import math

import pytest
import torch

from tfcourse.models.self_distillation import Seen
from tfcourse.vision.self_supervision.losses import (
    agreement_loss,
    balanced_shares,
    distillation_terms,
    entropy,
    patch_targets,
    reconstruction_loss,
    spread,
    teacher_shares,
)


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.double)


def test_targets_are_pixels_or_have_no_mean_and_unit_scale():
    images = random(2, 3, 4, 4)
    raw = patch_targets(images, 2, normed=False)
    torch.testing.assert_close(raw[0, 1], images[0, :, :2, 2:].flatten())
    normed = patch_targets(images, 2)
    assert normed.mean(-1).abs().max() < 1e-9
    torch.testing.assert_close(normed.var(-1), torch.ones(2, 4).double(), atol=1e-4, rtol=0)
    torch.testing.assert_close(patch_targets(5 * images + 2, 2), normed, atol=1e-4, rtol=0)
    assert not patch_targets(
        torch.ones(1, 1, 4, 4), 2
    ).any()  # de un parche liso no hay que pintar nada


def test_only_hidden_patches_count():
    painted, targets = random(2, 4, 3, seed=1), random(2, 4, 3, seed=2)
    hidden = torch.tensor([[True, False, False, True], [False, True, True, False]])
    by_hand = [
        ((painted[b, n] - targets[b, n]) ** 2).mean() for b, n in ((0, 0), (0, 3), (1, 1), (1, 2))
    ]
    loss = reconstruction_loss(painted, targets, hidden)
    torch.testing.assert_close(loss, sum(by_hand) / 4)
    other = painted.clone()
    other[~hidden] += 9
    torch.testing.assert_close(reconstruction_loss(other, targets, hidden), loss)
    painted.requires_grad_()
    reconstruction_loss(painted, targets, hidden).backward()
    assert not painted.grad[~hidden].any() and painted.grad[hidden].all()
    with pytest.raises(ValueError, match="no hay ningún parche tapado"):
        reconstruction_loss(painted, targets, torch.zeros_like(hidden))


def test_the_teacher_is_centred_and_sharpened():
    logits, center = random(3, 4), random(4, seed=3)
    found = teacher_shares(logits, center, 0.5)
    wanted = ((logits - center) * 2).exp()
    torch.testing.assert_close(found, wanted / wanted.sum(-1, keepdim=True))
    assert entropy(teacher_shares(logits, center, 0.1)).mean() < entropy(found).mean()
    same = teacher_shares(center.expand(3, -1), center, 0.04)
    torch.testing.assert_close(same, torch.full((3, 4), 0.25).double())


def test_each_view_is_told_what_the_teacher_says_of_the_other():
    student, shares = random(3, 2, 5), random(3, 2, 5, seed=4).softmax(-1)
    logs = (student / 0.1).log_softmax(-1)
    by_hand = [-(shares[b, v] * logs[b, w]).sum() for b in range(3) for v, w in ((0, 1), (1, 0))]
    torch.testing.assert_close(agreement_loss(student, shares, 0.1), sum(by_hand) / 6)
    three = agreement_loss(random(2, 3, 5), random(2, 3, 5, seed=5).softmax(-1), 1.0)
    logs = random(2, 3, 5).log_softmax(-1)
    shares = random(2, 3, 5, seed=5).softmax(-1)
    pairs = [
        -(shares[b, v] * logs[b, w]).sum()
        for b in range(2) for v in range(3) for w in range(3) if v != w
    ]  # fmt: skip
    torch.testing.assert_close(three, sum(pairs) / len(pairs))
    with pytest.raises(ValueError, match="una sola vista"):
        agreement_loss(student[:, :1], student[:, :1].softmax(-1), 0.1)


def test_saying_nothing_costs_ln_k_and_a_constant_certainty_nothing():
    """Los dos colapsos: el reparto por igual vale ln K, y el que va siempre a uno, cero."""
    flat = torch.zeros(4, 2, 8)
    assert float(agreement_loss(flat, flat.softmax(-1), 0.1)) == pytest.approx(math.log(8))
    one = torch.zeros(4, 2, 8)
    one[..., 3] = 100.0
    assert float(agreement_loss(one, one.softmax(-1), 1.0)) == pytest.approx(0, abs=1e-6)


def test_the_two_entropies():
    assert float(entropy(torch.full((8,), 1 / 8))) == pytest.approx(math.log(8))
    assert float(entropy(torch.tensor([1.0, 0.0, 0.0]))) == 0
    certain = torch.eye(4).repeat(3, 1)
    found = spread(certain)
    assert float(found.mean) == 0 and float(found.of_mean) == pytest.approx(math.log(4))
    assert float(found.information) == pytest.approx(math.log(4))
    same = spread(random(6).softmax(-1).expand(5, 2, -1))
    assert float(same.information) == pytest.approx(0, abs=1e-9)
    some = spread(random(7, 2, 6).softmax(-1))
    assert some.information > 0


def test_balanced_shares_are_balanced():
    logits = random(40, 2, 6)
    logits[..., 0] += 3  # todas dicen lo mismo, si se las deja
    found = balanced_shares(logits, 0.5, 50)
    torch.testing.assert_close(found.sum(-1), torch.ones(40, 2).double())
    torch.testing.assert_close(found.flatten(0, 1).mean(0), torch.full((6,), 1 / 6).double())
    assert teacher_shares(logits, torch.zeros(6), 0.5)[..., 0].mean() > 0.8
    one = balanced_shares(logits, 0.5, 1)
    by_hand = (logits.flatten(0, 1) / 0.5).softmax(-1)
    by_hand = by_hand / by_hand.sum(0, keepdim=True)
    by_hand = by_hand / by_hand.sum(1, keepdim=True)
    torch.testing.assert_close(one.flatten(0, 1), by_hand)
    with pytest.raises(ValueError, match="n_rounds=0"):
        balanced_shares(logits, 0.5, 0)


def test_without_centre_it_is_not_subtracted():
    seen = Seen(random(3, 2, 4), random(3, 2, 4, seed=6), random(4, seed=7))
    with_it, terms = distillation_terms(seen, 0.1, 0.04)
    without, _ = distillation_terms(seen, 0.1, 0.04, "nada")
    wanted = agreement_loss(seen.student, teacher_shares(seen.teacher, seen.center, 0.04), 0.1)
    torch.testing.assert_close(with_it, wanted)
    assert not torch.isclose(with_it, without)
    balanced, _ = distillation_terms(seen, 0.1, 0.04, "sinkhorn")
    torch.testing.assert_close(
        balanced, agreement_loss(seen.student, balanced_shares(seen.teacher, 0.04), 0.1)
    )
    with pytest.raises(ValueError, match="balance='otro': usa centro, sinkhorn, nada"):
        distillation_terms(seen, 0.1, 0.04, "otro")
    shares = teacher_shares(seen.teacher, seen.center, 0.04)
    torch.testing.assert_close(terms["media de las entropías"], entropy(shares).mean())
    torch.testing.assert_close(terms["entropía de la media"], entropy(shares.flatten(0, 1).mean(0)))
