"""De la onda a los coeficientes: las convoluciones de PyTorch, y la STFT que se invierte."""

import math

import pytest
import torch
import torch.nn.functional as F

from tfcourse.layers.sound.wave_fronts import LearnedFront, STFTFront, make_front


@pytest.mark.parametrize("samples", [1, 7, 24, 61])
def test_the_learned_front_is_a_convolution_and_its_transpose(samples):
    torch.manual_seed(0)
    front = LearnedFront(5, 8, 2).double()
    waves = torch.randn(3, samples, dtype=torch.float64)
    edge = 6
    padded = F.pad(waves, (edge, edge + (-(samples + edge) % 2)))
    expected = F.relu(F.conv1d(padded[:, None], front.encoder.weight[:, None], stride=2))
    found = front.analyze(waves)
    torch.testing.assert_close(found, expected.mT)
    kernels = front.decoder.weight.T[:, None]
    whole = F.conv_transpose1d(expected, kernels, stride=2)[:, 0]
    back = front.synthesize(found[:, None], samples)[:, 0]
    torch.testing.assert_close(back, whole[:, edge : edge + samples])


def test_the_learned_front_can_be_exact():
    """Con un filtro por muestra y su contrario, y media en el decodificador, sale la onda."""
    front = LearnedFront(16, 8, 4).double()
    one = torch.eye(8, dtype=torch.float64)
    with torch.no_grad():
        front.encoder.weight.copy_(torch.cat([one, -one]))
        front.decoder.weight.copy_(torch.cat([one, -one]).T / 2)
    waves = torch.randn(2, 37, dtype=torch.float64)
    back = front.synthesize(front.analyze(waves)[:, None], 37)[:, 0]
    torch.testing.assert_close(back, waves)


def test_the_stft_front_is_exact_and_does_not_hear_the_volume():
    front = STFTFront(16, 4)
    waves = torch.randn(2, 100, dtype=torch.float64)
    coefficients = front.analyze(waves)
    assert coefficients.shape == (2, 26, front.n_coefficients)
    torch.testing.assert_close(front.synthesize(coefficients[:, None], 100)[:, 0], waves)
    read = front.features(coefficients)
    for volume in (7.0, 1e-6):
        torch.testing.assert_close(front.features(volume * coefficients), read)
    torch.testing.assert_close(read.mean((1, 2)), torch.zeros(2, dtype=torch.float64))
    torch.testing.assert_close(read.square().mean((1, 2)), torch.ones(2, dtype=torch.float64))
    silence = front.features(torch.zeros_like(coefficients))
    torch.testing.assert_close(silence, torch.zeros_like(read))


def test_silence_stays_eighty_decibels_below_the_peak():
    """Tres módulos: el pico, uno a 80 dB y el silencio; el suelo se suma antes del logaritmo."""
    loudness = torch.tensor([1.0, 1e-4, 0.0], dtype=torch.float64)
    read = STFTFront(4, 2).features(loudness.to(torch.complex128)[None, None])
    levels = torch.tensor([math.log(1 + 1e-4), math.log(2e-4), math.log(1e-4)]).double()
    expected = (levels - levels.mean()) / levels.std(unbiased=False)
    torch.testing.assert_close(read[0, 0], expected, atol=1e-6, rtol=0)


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="front='mel': usa 'aprendido' o 'stft'"):
        make_front("mel", 8, 16, 8)
    with pytest.raises(ValueError, match=r"kernel=16 y stride=12: la zancada tiene que dividir"):
        make_front("stft", 0, 16, 12)
    with pytest.raises(ValueError, match="p. ej. stride=8"):
        make_front("aprendido", 8, 16, 5)
