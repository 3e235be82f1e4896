"""Las pérdidas: lo que cuenta, lo que no, y cada una contra su definición."""

import math

import pytest
import torch
from torch.nn import functional as F

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.assistant.losses import (
    answer_log_probability,
    answer_loss,
    clipped_objective,
    dpo_loss,
    group_advantages,
    grpo_loss,
    kl_estimate,
    preference_loss,
)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return (
        GPT(GPTConfig(n_tokens=9, d_model=8, n_heads=2, n_layers=1, max_length=8)).double().eval()
    )


TOKENS = torch.tensor([[1, 2, 3, 4, 5, 6], [3, 1, 4, 2, 0, 0]])
ANSWER = torch.tensor([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 0]]).bool()


def randoms(*shapes):
    generator = torch.Generator().manual_seed(3)
    return [torch.randn(shape, generator=generator).double() for shape in shapes]


def test_only_the_answer_counts(model):
    by_hand = [
        -model(TOKENS[row : row + 1, :place]).log_softmax(-1)[0, -1, TOKENS[row, place]]
        for row, place in ANSWER.nonzero().tolist()
    ]
    torch.testing.assert_close(answer_loss(model, (TOKENS, ANSWER)), torch.stack(by_hand).mean())
    padded = TOKENS.clone()
    padded[1, 4:] = 7  # el relleno ni se lee ni se aprende
    assert answer_loss(model, (padded, ANSWER)).allclose(answer_loss(model, (TOKENS, ANSWER)))
    total = answer_log_probability(model, TOKENS, ANSWER).sum()
    torch.testing.assert_close(-total / ANSWER.sum(), answer_loss(model, (TOKENS, ANSWER)))


def test_equal_rewards_cost_log_two_and_shifts_do_not_matter():
    (r,) = randoms((5,))
    assert preference_loss(r, r).item() == pytest.approx(math.log(2))
    (a, b) = randoms((5,), (5,))
    torch.testing.assert_close(preference_loss(a + 3, b + 3), preference_loss(a, b))


def test_dpo_starts_at_log_two_and_its_gradient_is_the_closed_form():
    chosen, rejected, ref_chosen, ref_rejected = randoms(*[(6,)] * 4)
    assert dpo_loss(chosen, rejected, chosen, rejected, 0.3).item() == pytest.approx(math.log(2))
    chosen.requires_grad_(), rejected.requires_grad_()
    dpo_loss(chosen, rejected, ref_chosen, ref_rejected, 0.3).backward()
    gap = 0.3 * ((chosen - ref_chosen) - (rejected - ref_rejected)).detach()
    closed = -0.3 * torch.sigmoid(-gap) / 6
    torch.testing.assert_close(chosen.grad, closed)
    torch.testing.assert_close(rejected.grad, -closed)


def test_dpo_is_its_definition_with_bradley_terry():
    """La recompensa es β log(π/π_ref), y la pérdida, −log de la probabilidad de preferir."""
    given = randoms(*[(6,)] * 4)
    win, lose = 0.7 * (given[0] - given[2]), 0.7 * (given[1] - given[3])
    odds = win.exp() / (win.exp() + lose.exp())
    torch.testing.assert_close(dpo_loss(*given, 0.7), -odds.log().mean())
    with pytest.raises(ValueError, match="beta=0: debe ser positiva"):
        dpo_loss(*given, 0)


def test_advantages_are_of_each_group():
    rewards = torch.tensor([[1.0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 0, 4]]).double()
    found = group_advantages(rewards, epsilon=0.0 + 1e-12)
    assert found[1].equal(torch.zeros(4).double())
    torch.testing.assert_close(found[0], torch.tensor([1.0, -1, -1, 1]).double())
    torch.testing.assert_close(found.mean(1), torch.zeros(3).double(), atol=1e-9, rtol=0)
    torch.testing.assert_close(group_advantages(5 * rewards + 2, 1e-12)[2], found[2])


def test_the_clip_never_rewards_going_further():
    ratio = torch.linspace(0.2, 2, 19).double()[None].requires_grad_()
    clipped_objective(ratio, torch.ones(1, 1).double(), 0.2).sum().backward()
    assert ratio.grad[ratio > 1.21].eq(0).all() and ratio.grad[ratio < 1.19].eq(1).all()
    ratio.grad = None
    clipped_objective(ratio, -torch.ones(1, 1).double(), 0.2).sum().backward()
    assert ratio.grad[ratio < 0.79].eq(0).all() and ratio.grad[ratio > 0.81].eq(-1).all()


def test_the_estimate_is_never_negative_and_its_mean_is_the_divergence():
    p, q = (x.log_softmax(-1) for x in randoms((1, 7), (1, 7)))
    estimate = kl_estimate(p, q)
    assert (estimate >= 0).all() and kl_estimate(p, p).eq(0).all()
    exact = F.kl_div(q, p, log_target=True, reduction="sum")  # KL(p ‖ q)
    torch.testing.assert_close((p.exp() * estimate).sum(), exact)


def test_grpo_s_gradient_is_the_policy_gradient_where_it_was_written():
    """Con los pesos con que se escribió, es −A por token, entre los de cada respuesta."""
    (now,) = randoms((2, 6))
    now.requires_grad_()
    advantage = torch.tensor([1.5, -0.5]).double()
    before = now.detach()
    grpo_loss(now, before, before, advantage, ANSWER, beta=0.0).backward()
    counts = ANSWER.sum(1, keepdim=True)
    torch.testing.assert_close(now.grad, -advantage[:, None] * ANSWER / counts / 2)
