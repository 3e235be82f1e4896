"""Lo que comparten las pruebas del habla sin etiquetas: unos clips y un modelo diminuto."""

import pytest
import torch

from tests.sound.unlabelled.test_recipe import TINY
from tfcourse.datasets.sounds.spoken_words import SpokenWords
from tfcourse.models.wav2vec2 import Wav2Vec2
from tfcourse.sound.unlabelled.recipe import train


@pytest.fixture(scope="session")
def tones() -> SpokenWords:
    """Dos «palabras» que no hace falta sintetizar: un tono grave y otro agudo, con ruido."""
    torch.manual_seed(0)
    time = torch.arange(6_400) / 8_000
    labels = torch.arange(24) % 2
    hertz = torch.where(labels == 0, 200.0, 1500.0)[:, None]
    waves = 0.3 * torch.sin(6.2832 * hertz * time) + 0.02 * torch.randn(24, 6_400)
    return SpokenWords(waves, labels, ("a",) * 24, ("grave", "agudo"), 8_000)


@pytest.fixture
def start(tones) -> Wav2Vec2:
    """Un wav2vec 2.0 apenas preentrenado con ellos."""
    return train(TINY, 0, data=tones).model.wav2vec2
