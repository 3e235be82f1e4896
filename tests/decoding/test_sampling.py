"""Elegir el token siguiente: temperatura, top-k, top-p y min-p."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.decoding import (
    continue_tokens,
    greedy,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    sampler,
    writing_layout,
)
from tfcourse.models.gpt import GPT, GPTConfig

LOGITS = torch.tensor([[0.5, 0.25, 0.15, 0.1]]).log()


def rows(seed, n=6, size=30):
    return 3 * torch.randn(n, size, generator=torch.Generator().manual_seed(seed))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 40))
def test_top_k_same_as_transformers(seed, k):
    transformers = pytest.importorskip("transformers")
    expected = transformers.TopKLogitsWarper(k)(None, rows(seed))
    torch.testing.assert_close(keep_top_k(rows(seed), k), expected)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(0.05, 0.99))
def test_top_p_same_as_transformers(seed, p):
    transformers = pytest.importorskip("transformers")
    expected = transformers.TopPLogitsWarper(p)(None, rows(seed))
    torch.testing.assert_close(keep_top_p(rows(seed), p), expected)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.floats(0.01, 0.99))
def test_min_p_same_as_transformers(seed, p):
    transformers = pytest.importorskip("transformers")
    expected = transformers.MinPLogitsWarper(p)(None, rows(seed).double())
    torch.testing.assert_close(keep_min_p(rows(seed).double(), p), expected)


def test_min_p_asks_for_a_share_of_the_best():
    kept = [int(keep_min_p(LOGITS, p).isfinite().sum()) for p in (0.15, 0.25, 0.4, 0.6, 1.0)]
    assert kept == [4, 3, 2, 1, 1]
    with pytest.raises(ValueError, match="p=0: es una parte"):
        keep_min_p(LOGITS, 0)


@pytest.mark.parametrize("p, kept", [(0.4, 1), (0.5, 1), (0.6, 2), (0.75, 2), (0.8, 3), (1.0, 4)])
def test_the_nucleus_is_the_smallest_that_adds_up(p, kept):
    # En doble precisión 0,5 + 0,25 es exacto; el borde no depende del redondeo.
    exact = torch.tensor([[0.5, 0.25, 0.125, 0.125]], dtype=torch.float64).log()
    logits = LOGITS.double() if p in (0.4, 0.6, 0.8, 1.0) else exact
    assert int(keep_top_p(logits - 1e-12, p).isfinite().sum()) == kept


def test_the_limits():
    x = rows(0)
    torch.testing.assert_close(keep_top_k(x, 99), x)
    torch.testing.assert_close(keep_top_p(x, 1.0), x)
    assert torch.equal(sampler(k=1)(x), greedy(x))
    assert torch.equal(sampler(p=1e-6)(x), greedy(x))
    assert torch.equal(sampler(temperature=1e-4)(x), greedy(x))


@pytest.mark.parametrize(
    "options, expected",
    [
        ({}, (0.5, 0.25, 0.15, 0.1)),
        ({"temperature": 0.5}, (0.7246, 0.1812, 0.0652, 0.0290)),
        ({"k": 2}, (2 / 3, 1 / 3, 0, 0)),
        ({"p": 0.8}, (0.5556, 0.2778, 0.1667, 0)),
        # La temperatura va antes: con τ = 0,5 el núcleo de 0,8 se queda con dos.
        ({"temperature": 0.5, "p": 0.8}, (0.8, 0.2, 0, 0)),
    ],
)
def test_the_frequencies_are_those_of_the_formula(options, expected):
    choose = sampler(**options, generator=torch.Generator().manual_seed(0))
    counts = choose(LOGITS.expand(20_000, -1)).bincount(minlength=4) / 20_000
    torch.testing.assert_close(counts, torch.tensor(expected), atol=0.012, rtol=0)
    assert all(float(count) == 0 for count, p in zip(counts, expected, strict=True) if p == 0)


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="k=0: hay que dejar al menos un token"):
        keep_top_k(LOGITS, 0)
    with pytest.raises(ValueError, match="p=1.5: es una probabilidad"):
        keep_top_p(LOGITS, 1.5)
    with pytest.raises(ValueError, match="temperature=0: debe ser positiva"):
        sampler(temperature=0)
    with pytest.raises(ValueError, match="el comienzo está vacío"):
        continue_tokens(torch.nn.Identity(), torch.zeros(1, 0, dtype=torch.long), max_length=3)


def test_the_layout_changes_no_number():
    torch.manual_seed(0)
    model = GPT(GPTConfig(30, d_model=16, n_layers=2, max_length=12)).double().eval()
    x = torch.randint(30, (2, 9))
    before = model(x)
    assert writing_layout(model) is model
    assert model.blocks[0].feed_forward.hidden.weight.stride() == (1, 64)
    torch.testing.assert_close(model(x), before)
