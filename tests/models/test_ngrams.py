"""Modelo de n-gramas: suma 1, coincide con contar en diccionarios, y suaviza como dice."""

from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.models.ngrams import CountModel

N = 5


def by_dictionary(ids, window, order, strength):
    """La fórmula, con diccionarios de Python."""
    padded = [0] * (order - 1) + ids
    probability = 1 / N
    for n in range(1, order + 1):
        grams = [tuple(padded[i - n + 1 : i + 1]) for i in range(order - 1, len(padded))]
        counts, contexts = Counter(grams), Counter(gram[:-1] for gram in grams)
        gram = tuple(window[len(window) - n :])
        probability = (counts[gram] + strength * probability) / (contexts[gram[:-1]] + strength)
    return probability


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(0, N - 1), min_size=1, max_size=40),
    st.integers(1, 4),
    st.floats(0.1, 30),
    st.data(),
)
def test_equals_counting_in_dictionaries(ids, order, strength, data):
    window = data.draw(st.lists(st.integers(0, N - 1), min_size=order, max_size=order))
    model = CountModel(order, N, strength).fit(torch.tensor(ids))
    ours = model.probability(torch.tensor([window])).item()
    assert ours == pytest.approx(by_dictionary(ids, window, order, strength), rel=1e-4)


def test_every_context_sums_one():
    ids = torch.randint(N, (200,), generator=torch.Generator().manual_seed(0))
    for order in (1, 2, 4):
        model = CountModel(order, N).fit(ids)
        for context in torch.randint(N, (10, order - 1)):
            rows = torch.cat([context.expand(N, -1), torch.arange(N)[:, None]], dim=1)
            assert model.probability(rows).sum().item() == pytest.approx(1, abs=1e-5)


def test_a_lower_order_is_its_own_model():
    ids = torch.randint(N, (100,), generator=torch.Generator().manual_seed(1))
    big, small = CountModel(4, N).fit(ids), CountModel(2, N).fit(ids)
    new = torch.randint(N, (50,), generator=torch.Generator().manual_seed(2))
    torch.testing.assert_close(
        big.probability(big.windows(new), order=2), small.probability(small.windows(new))
    )


def test_what_always_follows_is_almost_certain():
    model = CountModel(3, N, strength=0.01).fit(torch.arange(N).repeat(50))
    assert model.probability(torch.tensor([[1, 2, 3]])).item() > 0.99
    assert model.probability(torch.tensor([[1, 2, 4]])).item() < 0.01


def test_writing_gives_the_same_probabilities():
    ids = torch.randint(N, (300,), generator=torch.Generator().manual_seed(3))
    for order in (1, 3):
        model = CountModel(order, N).fit(ids)
        state = torch.zeros(2, order, dtype=torch.long)
        logits, state = model.step(torch.tensor([[2], [4]]), state)
        logits, state = model.step(torch.tensor([[3], [1]]), state)
        assert state[:, -1].tolist() == [3, 1]
        window = torch.tensor([[2, 3, 0], [4, 1, 0]])[:, 3 - order :]
        torch.testing.assert_close(logits[:, 0].exp(), model.probability(window))
        torch.testing.assert_close(logits.exp().sum(1), torch.ones(2))


def test_the_mixture_pays_for_every_order():
    """Salen 1, 2 y 3, y las parejas 01, 12, 21 y 23."""
    model = CountModel(2, N).fit(torch.tensor([1, 2, 1, 2, 3]))
    assert model.n_counts(1) == 3
    assert model.n_counts() == model.n_counts(2) == 3 + 4


def test_impossible_sizes_are_refused():
    with pytest.raises(ValueError, match="los tres deben ser positivos"):
        CountModel(0, N)
    with pytest.raises(ValueError, match="usa un orden menor"):
        CountModel(10, 101)
