"""SI-SNR y permutaciones: las de torchmetrics, y las de probar todo a mano."""

from itertools import permutations

import pytest
import torch
from torchmetrics.functional.audio import (
    permutation_invariant_training,
    scale_invariant_signal_noise_ratio,
)

from tfcourse.losses.matching import hungarian
from tfcourse.sound.separation.ideal_masks import (
    binary_masks,
    ideal_ratio_masks,
    ideal_separation,
    phase_sensitive_masks,
    searched_separation,
    wiener_masks,
)
from tfcourse.sound.separation.metrics import (
    best_order,
    improvement,
    matched_scores,
    mean_gain,
    pair_scores,
    permutation_loss,
    reordered,
    si_snr,
)


def voices(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def test_si_snr_is_that_of_torchmetrics():
    estimate, target = voices(3, 4, 50), voices(3, 4, 50, seed=1)
    near = target + 0.1 * estimate + 2.0  # la media no cuenta
    for guess in (estimate, near, -target):
        found = scale_invariant_signal_noise_ratio(guess, target)
        torch.testing.assert_close(si_snr(guess, target), found)


def test_scale_does_not_count_and_the_closed_form():
    target = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64)
    noise = torch.tensor([1.0, 1.0, -1.0, -1.0], dtype=torch.float64)  # perpendicular
    for size in (1.0, 0.01, 30.0):
        found = si_snr(size * (target + 0.1 * noise), target)
        assert float(found) == pytest.approx(20.0, abs=1e-6)
    assert float(si_snr(target + noise, target)) == pytest.approx(0.0, abs=1e-9)


def test_silence_is_a_number():
    silence, target = torch.zeros(2, 20), torch.randn(2, 20)
    for pair in ((silence, target), (target, silence), (silence, silence)):
        assert si_snr(*pair).isfinite().all()
    guess = torch.zeros(1, 2, 20, requires_grad=True)
    permutation_loss(guess, torch.randn(1, 2, 20)).backward()
    assert guess.grad.isfinite().all()


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_order_is_that_of_trying_all_of_torchmetrics_and_of_the_hungarian(count):
    estimates, targets = voices(5, count, 30), voices(5, count, 30, seed=1)
    scores = pair_scores(estimates, targets)
    order, matched = best_order(scores), matched_scores(estimates, targets)
    best, theirs = permutation_invariant_training(
        estimates, targets, scale_invariant_signal_noise_ratio
    )
    torch.testing.assert_close(matched.mean(1), best)
    assert torch.equal(order, theirs)
    torch.testing.assert_close(permutation_loss(estimates, targets), -best.mean())
    for clip in range(5):
        tried = max(
            sum(float(scores[clip, guess, person]) for person, guess in enumerate(option))
            for option in permutations(range(count))
        )
        assert float(matched[clip].sum()) == pytest.approx(tried)
        assert hungarian((-scores[clip].T).numpy()) == order[clip].tolist()


def test_the_names_of_the_outputs_and_of_the_people_do_not_matter():
    estimates, targets = voices(4, 3, 30), voices(4, 3, 30, seed=1)
    moved, loss = torch.tensor([2, 0, 1]), permutation_loss(estimates, targets)
    torch.testing.assert_close(permutation_loss(estimates[:, moved], targets), loss)
    torch.testing.assert_close(permutation_loss(estimates, targets[:, moved]), loss)
    assert not torch.allclose(-si_snr(estimates[:, moved], targets).mean(), loss)


def test_the_outputs_are_put_in_their_place():
    targets = voices(4, 3, 30)
    mixed = targets[:, [1, 2, 0]] + 0.01 * voices(4, 3, 30, seed=1)
    back = reordered(mixed, best_order(pair_scores(mixed, targets)))
    torch.testing.assert_close(back, targets, atol=0.1, rtol=0)


def test_doing_nothing_gains_nothing_and_the_mask_that_cheats_gains():
    sources = voices(2, 2, 2_000)
    sources[:, 0] = torch.sin(torch.arange(2_000) * 0.3)
    mixture = sources.sum(1)
    nothing = mixture[:, None].expand_as(sources)
    torch.testing.assert_close(improvement(nothing, sources, mixture), torch.zeros(2).double())
    ideal = ideal_separation(sources, 64, 16)
    assert (improvement(ideal, sources, mixture) > 5).all()
    torch.testing.assert_close(ideal.sum(1), mixture)  # las máscaras suman 1
    assert (improvement(sources, sources, mixture) > 60).all()


def test_the_ideal_masks_by_hand():
    spectra = torch.tensor([[[[3.0 + 4.0j, 0.0]], [[0.0 - 5.0j, 0.0]], [[10.0, 0.0]]]])
    found = ideal_ratio_masks(spectra)[0, :, 0]
    expected = torch.tensor([[0.25, 1 / 3], [0.25, 1 / 3], [0.5, 1 / 3]])
    torch.testing.assert_close(found, expected)


def test_no_other_mask_between_zero_and_one_is_closer_than_the_phase_sensitive():
    spectra = torch.complex(voices(1, 2, 5, 7), voices(1, 2, 5, 7, seed=1))
    mixture, best = spectra.sum(1, keepdim=True), phase_sensitive_masks(spectra)
    error = (best * mixture - spectra).abs().square()
    for value in torch.linspace(0, 1, 21).tolist():
        assert (error <= (value * mixture - spectra).abs().square() + 1e-12).all()
    torch.testing.assert_close(best.sum(1), torch.ones(1, 5, 7).double())  # las dos suman 1
    for other in (ideal_ratio_masks, wiener_masks, binary_masks):
        assert (error <= (other(spectra) * mixture - spectra).abs().square() + 1e-12).all()


def test_the_other_masks_by_hand():
    spectra = torch.tensor([[[[3.0 + 0.0j]], [[0.0 + 1.0j]]]])
    for masks, share in ((ideal_ratio_masks, 0.75), (wiener_masks, 0.9), (binary_masks, 1.0),
                         (phase_sensitive_masks, 0.9)):  # fmt: skip
        found = masks(spectra)[0, :, 0, 0].tolist()
        assert found == pytest.approx([share, 1 - share])


def test_a_searched_mask_goes_beyond_the_best_of_each_bin():
    sources = voices(2, 2, 600)
    best = ideal_separation(sources, 64, 16, phase_sensitive_masks)
    found = searched_separation(sources, si_snr, 60, 64, 16)
    assert (si_snr(found, sources).mean(1) > si_snr(best, sources).mean(1)).all()
    torch.testing.assert_close(found.sum(1), sources.sum(1))
    with pytest.raises(ValueError, match="hay 3 voces: la búsqueda es para mezclas de dos"):
        searched_separation(voices(1, 3, 600), si_snr, 1)


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="la estimación tiene 3 muestras y la voz, 4"):
        si_snr(torch.ones(3), torch.ones(4))
    with pytest.raises(ValueError, match="con 7 hablantes hay demasiados órdenes"):
        best_order(torch.zeros(1, 7, 7))


def test_the_mean_gain_is_of_whole_mixtures_of_any_length():
    mixtures = [voices(2, length, seed=length) for length in (40, 64, 90)]
    assert mean_gain(lambda v: v.sum(dim=1, keepdim=True).expand_as(v), mixtures) == 0.0
    found = mean_gain(lambda v: v + 0.1, mixtures[:2])  # la media no cuenta: voces perfectas
    each = [improvement(v[None] + 0.1, v[None], v.sum(dim=0, keepdim=True)) for v in mixtures[:2]]
    assert found == pytest.approx(float(torch.cat(each).mean())) and found > 100
    with pytest.raises(ValueError, match="no hay ninguna mezcla que medir"):
        mean_gain(lambda v: v, [])
