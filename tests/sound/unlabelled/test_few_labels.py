"""Con pocas etiquetas: los clips que se eligen, lo que se ajusta y las sondas."""

import pytest
import torch

from tfcourse.sound.unlabelled.few_labels import (
    Recipe,
    few_clips,
    log_mel_vectors,
    probe_accuracy,
    segment_means,
    train,
    untrained,
    wav2vec_vectors,
)


def test_few_clips_are_as_many_of_each_word_and_depend_on_the_seed(tones):
    few = few_clips(tones, 3, 0)
    assert few.labels.bincount().tolist() == [3, 3]
    assert torch.equal(few.waves, few_clips(tones, 3, 0).waves)
    assert not torch.equal(few.waves, few_clips(tones, 3, 1).waves)
    with pytest.raises(ValueError, match="de «grave» hay 12 clips y se piden 13"):
        few_clips(tones, 13, 0)


def test_fine_tuning_leaves_the_start_alone(tones, start):
    before = {name: value.clone() for name, value in start.state_dict().items()}
    model = train(Recipe(steps=2, batch_size=4), 0, start=start, data=tones).model
    assert model(tones.waves[:2]).shape == (2, 2)
    for name, value in start.state_dict().items():
        assert torch.equal(value, before[name])
    assert not torch.equal(model.wav2vec2.projection.weight, before["projection.weight"])


def test_a_probe_tells_two_tones_apart(tones, start):
    blank = untrained(start)
    assert blank.config == start.config
    assert not torch.equal(blank.projection.weight, start.projection.weight)
    for vectors in (wav2vec_vectors(blank), log_mel_vectors()):
        assert probe_accuracy(vectors, tones, tones) == 1.0
    means = segment_means(lambda waves: waves[:, None, :8], tones, 2)
    torch.testing.assert_close(means[:, 1], tones.waves[:, 4:8].mean(1))
