"""SepFormer: qué no cambia lo que separa, y que aprende un lote."""

import math

import pytest
import torch

from tfcourse.audio.resampling import resampled
from tfcourse.datasets.sounds import spoken_words
from tfcourse.models.sepformer import (
    SAMPLE_RATE,
    VARIANTS,
    MaskNet,
    SepFormer,
    SepFormerConfig,
    separate,
)
from tfcourse.sound.separation.metrics import permutation_loss

SMALL = {
    "kernel": 16, "stride": 8, "n_filters": 12, "d_model": 8, "n_heads": 2, "d_hidden": 12,
    "n_blocks": 1, "chunk": 4,
}  # fmt: skip


def model(front="stft", mask="softmax", n_speakers=2, **changes):
    torch.manual_seed(0)
    config = SepFormerConfig(n_speakers=n_speakers, front=front, mask=mask, **(SMALL | changes))
    return SepFormer(config).double()


def waves(count=2, samples=150):
    torch.manual_seed(1)
    return torch.randn(count, samples, dtype=torch.float64)


@pytest.mark.parametrize("front", ["stft", "aprendido"])
@pytest.mark.parametrize("samples", [1, 9, 150])
def test_there_is_a_wave_per_speaker_as_long_as_the_mixture(front, samples):
    assert model(front, n_speakers=3)(waves(samples=samples)).shape == (2, 3, samples)


def test_with_softmax_and_the_stft_nothing_is_lost():
    torch.testing.assert_close(model()(waves()).sum(1), waves())
    assert not torch.allclose(model(mask="sigmoide")(waves()).sum(1), waves(), atol=0.1)


@pytest.mark.parametrize("front", ["stft", "aprendido"])
def test_volume_goes_in_and_out(front):
    net = model(front)
    torch.testing.assert_close(net(0.01 * waves()), 0.01 * net(waves()))
    silence = net(torch.zeros(1, 150, dtype=torch.float64))
    assert not silence.any()


def test_renaming_the_speakers_renames_the_outputs():
    net, width = model(n_speakers=3), SMALL["d_model"]
    before = net(waves())
    order = torch.tensor([2, 0, 1])
    split = net.mask_net.split
    with torch.no_grad():
        rows = torch.arange(3 * width).view(3, width)[order].flatten()
        split.weight.copy_(split.weight[rows])
        split.bias.copy_(split.bias[rows])
    torch.testing.assert_close(net(waves()), before[:, order])


def test_the_model_step_by_step():
    net = model("aprendido", mask="relu")
    level = waves().square().mean(-1, keepdim=True).sqrt()
    coefficients = net.front.analyze(waves() / level)
    masks = net.mask_net(coefficients)
    parts = torch.stack([
        net.front.synthesize((masks[:, speaker] * coefficients)[:, None], 150)[:, 0]
        for speaker in range(2)
    ], dim=1)  # fmt: skip
    torch.testing.assert_close(net(waves()), parts * level[:, None])
    assert (masks >= 0).all()


def test_a_clip_does_not_depend_on_the_others():
    net = model()
    torch.testing.assert_close(net(waves())[1:], net(waves()[1:]))


def test_without_the_other_path_a_mask_does_not_see_far():
    torch.manual_seed(0)
    for n_inter, seen in ((0, False), (1, True)):
        net = MaskNet(SepFormerConfig(**(SMALL | {"n_inter": n_inter})), 9).double()
        features = torch.randn(1, 40, 9, dtype=torch.float64, requires_grad=True)
        net(features)[0, 0, 0].sum().backward()
        assert bool(features.grad[0, -1].abs().sum() > 0) == seen


@pytest.mark.lento
def test_it_learns_one_batch():
    torch.manual_seed(0)
    net = model().float()
    time = torch.arange(400) / 8_000
    hertz = torch.tensor([[[300.0], [1_500.0]], [[2_500.0], [600.0]]])
    sources = torch.sin(6.2832 * hertz * time)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    losses = []
    for _ in range(40):
        loss = permutation_loss(net(sources.sum(1)), sources)
        losses.append(float(loss.detach()))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert losses[-1] < losses[0] - 6


def test_one_wave_is_separated_and_the_mode_is_kept():
    net = model().train()
    parts = separate(net, waves()[0])
    assert parts.shape == (2, 150) and net.training and not parts.requires_grad


def test_it_is_trained_at_the_rate_of_the_data():
    assert SAMPLE_RATE == spoken_words.SAMPLE_RATE


def test_another_sample_rate_is_resampled_both_ways():
    """La misma mezcla a 16 kHz da las mismas voces que a 8 kHz, con el doble de muestras."""
    net, t = model(), torch.arange(2_000, dtype=torch.float64) / 8_000
    slow = torch.sin(2 * math.pi * 300 * t) + 0.5 * torch.sin(2 * math.pi * 700 * t)
    found = separate(net, resampled(slow, 8_000, 16_000), 16_000)
    wanted = separate(net, slow)
    assert found.shape == (2, 4_000)
    middle = slice(200, -200)
    torch.testing.assert_close(found[:, ::2][:, middle], wanted[:, middle], atol=0.02, rtol=0.02)
    assert separate(net, slow[:1_501], 11_025).shape == (2, 1_501)
    with pytest.raises(ValueError, match="sample_rate=0"):
        separate(net, slow, 0)


def test_the_sizes_of_the_paper():
    paper = VARIANTS["artículo"]
    assert paper["n_filters"] == 256 and paper["chunk"] == 250 and paper["n_intra"] == 8
    config = SepFormerConfig(**VARIANTS["aula, aprendido"])
    assert SepFormer(config)(torch.randn(1, 400)).shape == (1, 2, 400)


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="hacen falta al menos dos voces"):
        SepFormerConfig(n_speakers=1)
    with pytest.raises(ValueError, match="mask='tanh': usa 'softmax', 'sigmoide', 'relu'"):
        SepFormerConfig(mask="tanh")
    with pytest.raises(ValueError, match=r"forma \(2, 150\): se separa un solo canal"):
        separate(model(), waves())
    broken = waves().clone()
    broken[0, 3] = torch.nan
    with pytest.raises(ValueError, match="1 muestras que no son números"):
        model()(broken)
    with pytest.raises(TypeError, match="divide entre 32 768"):
        separate(model(), torch.ones(50, dtype=torch.int16))
