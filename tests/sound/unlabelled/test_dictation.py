"""Dictado: los clips en fila, la pérdida de todo lo dictado y lo que se lee."""

import torch

from tfcourse.losses.ctc import ctc_loss
from tfcourse.models.wav2vec2 import WaveTagger
from tfcourse.sound.unlabelled.dictation import (
    BLANK,
    Recipe,
    best_path,
    dictation_loss,
    dictations,
    train,
    word_errors,
)


def test_the_best_path_joins_and_drops():
    path = torch.nn.functional.one_hot(torch.tensor([0, 3, 3, 0, 3, 1, 1, 2, 0]), 4).float()
    assert best_path(path) == [3, 3, 1, 2]
    assert best_path(torch.tensor([[1.0, 0.0]])) == []


def test_every_dictated_word_counts_and_zero_is_the_blank():
    scores, symbols = torch.randn(2, 6, 3), torch.tensor([[1, 2], [2, 1]])
    found = dictation_loss(torch.nn.Identity(), (scores, symbols))
    wanted = ctc_loss(scores, symbols, torch.tensor([2, 2]), blank=0)
    assert BLANK == 0 and torch.equal(found, wanted)


def test_dictations_are_clips_in_a_row_and_the_model_writes_symbols(tones, start):
    waves, symbols = next(dictations(tones, 5, 2, seed=3))
    assert waves.shape == (5, 12_800) and symbols.min() >= 1 and symbols.max() <= 2
    for dictated, row in zip(waves.split(6_400, dim=1), symbols.T, strict=True):
        places = (dictated[:, None] == tones.waves).all(dim=2).int().argmax(dim=1)
        assert torch.equal(dictated, tones.waves[places])
        assert torch.equal(row, tones.labels[places] + 1)
    found = train(Recipe(steps=2, batch_size=4, n_words=2), 0, start=start, data=tones)
    assert isinstance(found.model, WaveTagger) and len(found.history.loss) == 2
    assert word_errors(found.model, waves, symbols) >= 0
