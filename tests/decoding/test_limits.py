"""Los límites de la decodificación: lo último que se admite, con su valor, y lo primero que no."""

import pytest
import torch

from tfcourse.decoding.beam import beam_search
from tfcourse.decoding.steps import (
    greedy_decode,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    temperature_sampler,
)

LOGITS = torch.tensor([[2.0, 1.0, 0.0, -1.0]])


def step(tokens, state):
    """Siempre prefiere el token 1."""
    return torch.tensor([0.0, 2.0, 1.0]).log_softmax(-1).expand(len(tokens), -1), state


def beam(**options):
    sizes = {"max_length": 3, "beam_size": 2} | options
    return beam_search(step, None, lambda state, _: state, first=0, stop_id=2, **sizes)


LIMITS = {
    "un haz": (lambda n: beam(beam_size=n), 1, 0),
    "un token del haz": (lambda n: beam(max_length=n), 1, 0),
    "un token": (
        lambda n: greedy_decode(step, None, torch.tensor([0]), stop_id=2, max_length=n), 1, 0,
    ),
    "temperatura": (temperature_sampler, 1e-3, 0.0),
    "dejar uno": (lambda k: keep_top_k(LOGITS, k), 1, 0),
    "dejar algo": (lambda p: keep_top_p(LOGITS, p), 1e-6, 0.0),
    "dejarlo todo": (lambda p: keep_top_p(LOGITS, p), 1.0, 1.01),
    "una parte del mejor": (lambda p: keep_min_p(LOGITS, p), 1e-6, 0.0),
    "solo el mejor": (lambda p: keep_min_p(LOGITS, p), 1.0, 1.01),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name):
    build, last, first = LIMITS[name]
    build(last)
    with pytest.raises(ValueError):
        build(first)


def test_what_the_limits_are_worth():
    for one in (keep_top_k(LOGITS, 1), keep_top_p(LOGITS, 1e-6)):
        assert one.isfinite().tolist() == [[True, False, False, False]]
    for everything in (keep_top_k(LOGITS, 9), keep_top_p(LOGITS, 1.0)):
        assert torch.equal(everything, LOGITS)
    written = greedy_decode(step, None, torch.tensor([0, 2]), stop_id=2, max_length=1)
    assert written.tolist() == [[1], [1]]
    choose = temperature_sampler(1e-3, torch.Generator().manual_seed(0))
    assert all(choose(LOGITS).item() == 0 for _ in range(20))
