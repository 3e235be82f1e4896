"""Atribuciones: exactas donde hay fórmula, y completas donde no la hay."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from tests.models.test_readers import readers
from tfcourse.text.sentiment.attributions import (
    class_score,
    erasure_drops,
    gradient_times_input,
    integrated_gradients,
    reading,
    received_attention,
    word_attributions,
    word_table,
)


def vectors(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@settings(deadline=None)
@given(st.integers(0, 20))
def test_linear_model_is_exact(seed):
    """En f(x) = w·x + b las dos coinciden: cada entrada pone w·x, y con base, w·(x − x₀)."""
    w, x, base = vectors(3, 5, seed=seed)

    def score(batch):
        return batch @ w + 0.7

    torch.testing.assert_close(gradient_times_input(score, x), w * x)
    torch.testing.assert_close(integrated_gradients(score, x, base, 1), w * (x - base))


def test_quadratic_closed_form():
    """f(x) = Σ x²: el gradiente por entrada da 2x², el doble de lo que hay; la integral, x²."""
    x = vectors(6)

    def score(batch):
        return (batch**2).sum(-1)

    torch.testing.assert_close(gradient_times_input(score, x), 2 * x**2)
    torch.testing.assert_close(integrated_gradients(score, x, torch.zeros_like(x), 8), x**2)


def test_saturated_input():
    """f(x) = 1 − ReLU(1 − x) en x = 2: no hay gradiente, pero la entrada lo puso todo."""
    x = torch.tensor([2.0], dtype=torch.float64)

    def score(batch):
        return 1 - torch.relu(1 - batch[:, 0])

    assert gradient_times_input(score, x).item() == 0
    assert integrated_gradients(score, x, torch.zeros_like(x), 100).item() == pytest.approx(1)


@pytest.mark.parametrize("name", ["recurrente", "convolución", "atención"])
def test_completeness(name):
    """La suma es la diferencia entre la salida con el texto y con la base."""
    model = readers()[name].double().eval()
    tokens = torch.tensor([5, 6, 7, 8])
    x = word_table(model).weight[tokens].detach()
    score = class_score(model, 4, label=2)
    parts = integrated_gradients(score, x, torch.zeros_like(x), 400)
    gap = score(torch.stack([x, torch.zeros_like(x)])).detach()
    torch.testing.assert_close(parts.sum(), gap[0] - gap[1], atol=2e-3, rtol=1e-2)
    torch.testing.assert_close(word_attributions(model, tokens, 2, 400)[1], parts.sum(-1))


def test_score_is_the_logit_of_the_model():
    model = readers()["atención"].double().eval()
    tokens = torch.tensor([5, 6, 7, 8])
    x = word_table(model).weight[tokens].detach()
    expected = model(tokens[None], torch.tensor([4]))[0, 1]
    torch.testing.assert_close(class_score(model, 4, 1)(x[None])[0], expected)


def test_a_word_that_is_not_read_gets_nothing():
    """Si la salida no mira una posición, esa posición no pone nada."""
    x = vectors(4, 3)

    def score(batch):
        return torch.tanh(batch[:, [0, 1, 3]]).sum((1, 2))

    assert integrated_gradients(score, x, torch.zeros_like(x))[2].abs().sum() == 0


def test_the_table_is_left_as_it_was():
    table = nn.Embedding(5, 2)
    with reading(table, torch.zeros(1, 3, 2)):
        assert table(torch.tensor([[1, 2, 3]])).abs().sum() == 0
    assert table(torch.tensor([[1, 2, 3]])).abs().sum() > 0


def test_model_without_words():
    with pytest.raises(ValueError, match="no tiene ninguna tabla de palabras"):
        word_table(nn.Linear(2, 2))


def test_bad_path():
    x = vectors(3)
    with pytest.raises(ValueError, match="hace falta al menos un paso"):
        integrated_gradients(lambda b: b.sum(-1), x, x, 0)
    with pytest.raises(ValueError, match="base tenga la forma"):
        integrated_gradients(lambda b: b.sum(-1), x, x[:2])


@pytest.mark.parametrize("name", ["recurrente", "convolución", "atención"])
def test_erasing_one_by_one_is_erasing_all_at_once(name):
    """Cada sitio se tapa por separado: lo mismo que tapar uno, leer y volver a destaparlo."""
    model, tokens = readers()[name].double().eval(), torch.tensor([5, 6, 7, 8])
    lengths, label = torch.tensor([4]), 2
    before = model(tokens[None], lengths).softmax(-1)[0, label]
    drops, flips = erasure_drops(model, tokens, label, [3, 0], unknown_id=3)
    for place, drop, flip in zip((3, 0), drops, flips, strict=True):
        erased = tokens.clone()
        erased[place] = 3
        after = model(erased[None], lengths).softmax(-1)[0]
        torch.testing.assert_close(drop, before - after[label])
        assert bool(flip) == (int(after.argmax()) != label)
    assert tokens.tolist() == [5, 6, 7, 8]


def test_the_attention_received_adds_up_to_one():
    model, tokens = readers()["atención"].double().eval(), torch.tensor([5, 6, 7, 8])
    found = received_attention(model, tokens)
    (maps,) = model.encoder.attention_maps(tokens[None], torch.tensor([4]))
    torch.testing.assert_close(found, maps[0].sum(dim=(0, 1)) / (maps.shape[1] * 4))
    assert float(found.sum()) == pytest.approx(1)
