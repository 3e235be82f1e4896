"""Alineamiento: el camino más barato, comprobado con fuerza bruta, y los límites verdaderos."""

import itertools

import pytest
import torch

from tfcourse.audio.speech_mel import speech_mel
from tfcourse.datasets.sounds.spoken_phrases import Phrase
from tfcourse.datasets.sounds.synthesizer import WordTime
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.transcription.word_timing import (
    attention_to_words,
    even_centers,
    mean_distance,
    time_warping,
    true_centers,
    word_centers,
    word_starts,
)
from tfcourse.tokenizers.speech import SpeechVocabulary


def _every_path(n, t):
    """Todos los caminos, por fuerza bruta: sucesiones de pasos que acaban en la otra esquina."""
    moves = [(1, 0), (0, 1), (1, 1)]
    for length in range(max(n, t), n + t):
        for steps in itertools.product(moves, repeat=length - 1):
            path = [(0, 0)]
            for a, b in steps:
                path.append((path[-1][0] + a, path[-1][1] + b))
            if path[-1] == (n - 1, t - 1) and all(i < n and j < t for i, j in path):
                yield path


@pytest.mark.parametrize("seed", range(4))
def test_the_path_is_the_cheapest_of_all(seed):
    cost = torch.randn(3, 4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    path = time_warping(cost)
    price = sum(float(cost[place]) for place in path)
    best = min(sum(float(cost[place]) for place in other) for other in _every_path(3, 4))
    assert price == pytest.approx(best)
    assert path[0] == (0, 0) and path[-1] == (2, 3)


def test_sharp_attention_gives_its_own_limits():
    weights = torch.full((3, 9), 0.01)
    for word, (start, end) in enumerate([(0, 2), (2, 6), (6, 9)]):
        weights[word, start:end] = 1
    assert word_starts(weights, 0.05) == pytest.approx([0.0, 0.1, 0.3])
    sharp = torch.zeros(2, 4)
    sharp[0, 1] = sharp[1, 3] = 2.0
    assert word_centers(sharp, 0.1) == pytest.approx([0.15, 0.35])


@pytest.mark.parametrize("seed", range(6))
def test_each_column_counts_the_same_whatever_its_volume(seed):
    generator = torch.Generator().manual_seed(seed)
    weights = torch.rand(3, 4, generator=generator, dtype=torch.float64)
    weights[:, seed % 4] *= 30  # un instante al que miran mucho todas las palabras
    columns = [[float(x) for x in column] for column in weights.T]
    for column in columns:
        mean = sum(column) / 3
        spread = (sum((x - mean) ** 2 for x in column) / 3) ** 0.5
        column[:] = [(x - mean) / spread for x in column]
    best = max(_every_path(3, 4), key=lambda path: sum(columns[j][i] for i, j in path))
    wanted = [min(j for i, j in best if i == word) for word in range(3)]
    assert word_starts(weights, 0.5) == pytest.approx([0.5 * place for place in wanted])


def test_the_even_split_and_the_distance():
    words = (WordTime("uno", 0.0, 0.4), WordTime("dos", 0.6, 1.0))
    phrase = Phrase(torch.zeros(8_000), (1, 2), words, "nadie")
    assert even_centers(phrase) == pytest.approx([0.25, 0.75])
    assert true_centers(words) == pytest.approx([0.2, 0.8])
    assert mean_distance([even_centers(phrase)], [true_centers(words)]) == pytest.approx(0.05)


def test_there_is_one_row_per_word_and_heads_can_be_chosen():
    torch.manual_seed(0)
    vocabulary = SpeechVocabulary()
    model = Whisper(WhisperConfig(len(vocabulary), d_model=16, d_hidden=16)).eval()
    phrase = Phrase(torch.randn(8_000), (1, 2, 5), (), "nadie")
    weights = attention_to_words(model, phrase, vocabulary)
    assert weights.shape == (3, 20)
    torch.testing.assert_close(weights.sum(1), torch.ones(3))
    every = [(i, j) for i in range(2) for j in range(4)]
    torch.testing.assert_close(attention_to_words(model, phrase, vocabulary, heads=every), weights)
    one = attention_to_words(model, phrase, vocabulary, heads=[(1, 2)])
    assert not torch.allclose(one, weights)
    # Quien elige la primera palabra es el último símbolo del comienzo, que está en el lugar 3.
    written = torch.tensor([vocabulary.encode(phrase.labels)])
    maps = torch.cat(model.attention_maps(speech_mel(phrase.wave[None]), written).cross)
    torch.testing.assert_close(one, maps[1, 2, 3:6])


def test_an_empty_table_is_rejected():
    with pytest.raises(ValueError, match="no hay nada que unir"):
        time_warping(torch.zeros(0, 3))
