"""Recetas de la separación: dos veces lo mismo, las medidas y lo que viene guardado."""

from dataclasses import replace

import pytest
import torch

from tests.datasets.test_voice_mixtures import PEOPLE
from tests.sound.cards import assert_card_is_of
from tfcourse.datasets.sounds.voice_mixtures import (
    STEADY,
    MixtureChanges,
    draw_mixtures,
    mixture_batches,
)
from tfcourse.models.sepformer import VARIANTS
from tfcourse.sound.separation.metrics import gains, ideal_gains
from tfcourse.sound.separation.recipe import (
    CLASSROOM,
    LONG,
    WEIGHTS,
    batches,
    build,
    fixed_order_loss,
    load,
    polished,
    separation_loss,
    train,
)
from tfcourse.weights.shipped import weights_card

SIZE = VARIANTS["aula"] | {
    "kernel": 64, "stride": 32, "d_model": 8, "n_heads": 2, "d_hidden": 8, "n_blocks": 1,
    "chunk": 8,
}  # fmt: skip
SHORT = MixtureChanges(seconds=0.25)
TINY = replace(CLASSROOM, size=SIZE, steps=2, easy_steps=0, batch_size=2, changes=SHORT)


def hums(seed=0):
    return mixture_batches(PEOPLE, 2, SHORT, seed)


@pytest.mark.parametrize("muon", [True, False])
def test_two_runs_with_one_seed_agree(muon):
    recipe = replace(TINY, muon=muon)
    first, second = (train(recipe, 1, data=hums()) for _ in range(2))
    assert first.history.loss == second.history.loss and len(first.history.loss) == 2
    assert not first.model.training


def test_the_gains_are_of_each_mixture_and_do_not_depend_on_the_batch():
    model = train(TINY, 0, data=hums()).model
    mixtures = draw_mixtures(PEOPLE, 5, STEADY, seed=0)
    found = gains(model, mixtures, batch_size=2)
    assert found.shape == (5,)
    torch.testing.assert_close(found, gains(model, mixtures, batch_size=5), atol=1e-3, rtol=1e-3)
    assert ideal_gains(mixtures).mean() > found.mean()


def test_with_a_fixed_order_the_loss_is_never_lower():
    model = train(TINY, 0, data=hums()).model
    waves, sources = next(hums())
    batch = waves, sources.flip(1)
    pairs = batch, (waves, sources)
    fixed = [float(fixed_order_loss(model, pair).detach()) for pair in pairs]
    best = float(separation_loss(model, batch).detach())
    assert best <= min(fixed) + 1e-4 and fixed[0] != fixed[1]


def test_the_first_steps_are_of_voices_far_apart(monkeypatch):
    asked = []

    def spy(people, batch_size, changes, seed, n_speakers):
        while True:
            asked.append(changes.gap)
            yield batch_size, n_speakers

    monkeypatch.setattr("tfcourse.sound.separation.recipe.mixture_batches", spy)
    monkeypatch.setattr("tfcourse.sound.separation.recipe.train_speakers", lambda takes: PEOPLE)
    stream = batches(replace(TINY, easy_steps=2, easy_gap=5.0), seed=0)
    assert [next(stream) for _ in range(4)] == [(2, 2)] * 4
    assert asked == [5.0, 5.0, 0.0, 0.0]


def test_the_second_round_goes_on_from_the_first(monkeypatch):
    """Los mismos pesos, unos pasos más allá: ni se empieza de cero ni se quedan donde estaban."""
    monkeypatch.setattr("tfcourse.sound.separation.recipe.POLISH", replace(TINY, muon_lr=1e-4))
    monkeypatch.setattr("tfcourse.sound.separation.recipe.train_speakers", lambda takes: PEOPLE)
    first = train(TINY, 0, data=hums()).model
    before = first.mask_net.input.weight.detach().clone()
    moved = polished(first).mask_net.input.weight.detach() - before
    assert 0 < float(moved.abs().max()) < 0.1 * float(before.abs().max())


def test_the_card_is_of_this_recipe(monkeypatch):
    some = draw_mixtures(PEOPLE, 2, STEADY, seed=0)
    monkeypatch.setattr("tfcourse.sound.separation.recipe.reserved_mixtures", lambda: some)
    assert_card_is_of("sepformer_cifras", WEIGHTS["sepformer_cifras"], build(LONG), LONG)


def test_the_shipped_model_separates():
    assert weights_card("sepformer_cifras").quality["mejora de SI-SNR, en dB"] > 7
    with torch.no_grad():
        assert load("sepformer_cifras")(torch.randn(1, 4_000)).isfinite().all()
