"""Lector de ficheros: formas, orden de las fichas y aprendizaje de un lote."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.datasets.puzzles.lookup import make_lookups
from tfcourse.layers.attention import attention
from tfcourse.models.lookup import LookupConfig, LookupReader


def some_lookups(n_examples=16):
    return make_lookups(n_examples, generator=torch.Generator().manual_seed(0))


def reader(**options):
    torch.manual_seed(0)
    return LookupReader(LookupConfig(**options))


def test_shapes_and_weights():
    model, lookups = reader(n_heads=4), some_lookups()
    assert model(*lookups.inputs).shape == (16, 2, 10)
    (weights,) = model.attention_maps(*lookups.inputs)
    assert weights.shape == (16, 4, 1, 8)


def test_order_of_the_cards_does_not_matter():
    model, lookups = reader().double(), some_lookups()
    order = torch.randperm(8)
    letters, digits, asked = lookups.inputs
    shuffled = (letters[:, order], digits[:, order], asked)
    torch.testing.assert_close(model(*shuffled), model(*lookups.inputs))
    (before,), (after,) = model.attention_maps(*lookups.inputs), model.attention_maps(*shuffled)
    torch.testing.assert_close(after, before[..., order])


def test_kernel_and_hidden_layer_are_used():
    calls = []

    def spy(*args, **kwargs):
        calls.append(1)
        return attention(*args, **kwargs)

    model = reader(kernel=spy, d_hidden=12)
    model(*some_lookups().inputs)
    assert calls == [1]
    assert model.output[0].out_features == 12


@pytest.mark.lento
def test_one_batch_is_learned():
    model, lookups = reader(), some_lookups()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(300):
        loss = F.cross_entropy(model(*lookups.inputs).flatten(0, 1), lookups.answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.05


def test_both_asked_letters_and_their_order_matter():
    model, lookups = reader(), some_lookups()
    letters, digits, asked = lookups.inputs
    answers = [model(letters, digits, a) for a in (asked, asked.flip(1), asked[:, [0, 0]])]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert (answers[one] - answers[other]).abs().amax(dim=(1, 2)).min() > 1e-4
