"""Decodificadores con los ojos de otro: ellos aprenden y los ojos no se mueven."""

from dataclasses import replace

import pytest
import torch

from tests.vision.box_language.plain_loss import plain_cross_entropy
from tfcourse.datasets.scenes.box_sequences import Writing
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.models.pix2seq import Pix2Seq
from tfcourse.training import seed_everything
from tfcourse.training.budget import Steps
from tfcourse.vision.box_language.decoders import batches, read_once, train
from tfcourse.vision.box_language.recipe import Recipe, load, vocabulary


def test_a_decoder_learns_and_its_eyes_do_not_move():
    eyes = load("pix2seq_figuras")
    read = read_once(eyes, 40, 0)
    with_noise = Recipe(writing=Writing(n_noise=4))
    writer = train(with_noise, 0, Steps(3), eyes=eyes, read=read)
    before = eyes.model.encoder.state_dict()  # con las medias de BatchNorm
    for name, value in writer.model.encoder.state_dict().items():
        assert torch.equal(value, before[name])
    changed = writer.model.decoder[0].cross_attention.q_proj.weight
    assert not torch.equal(changed, eyes.model.decoder[0].cross_attention.q_proj.weight)
    again = train(with_noise, 0, Steps(1), eyes=eyes, read=read, start=eyes)
    near = again.model.head.weight - eyes.model.head.weight
    assert near.abs().max() < 0.2 < (writer.model.head.weight - eyes.model.head.weight).abs().max()
    found = writer.detect(torch.rand(2, 3, 64, 64))
    assert found.boxes.shape == (2, 8, 4) and (found.scores > 0).all()


def test_a_decoder_is_trained_with_its_own_recipe():
    eyes = load("pix2seq_figuras")
    read = read_once(eyes, 20, 0)
    recipe = Recipe(Writing("sitio"), width=0.0, n_bins=17)
    writer = train(recipe, 0, Steps(1), eyes=eyes, read=read)
    assert writer.model.vocabulary.n_bins == 17
    seed_everything(0)
    fresh = Pix2Seq(replace(eyes.model.config, n_bins=17))
    memory, inputs, targets, weights = next(batches(recipe, 0, *read, fresh.vocabulary))
    wanted = plain_cross_entropy(fresh.decode(inputs, memory), targets, weights)
    assert writer.history.loss[0] == pytest.approx(wanted, rel=1e-4)
    assert not any(p.requires_grad for p in writer.model.encoder.parameters())


def test_each_memory_goes_with_its_own_words():
    """La memoria es aquí el número de la escena: lo escrito tiene que ser lo de esa escena."""
    scenes = reserved_scenes(30, SHAPE_SCENES)
    numbers = torch.arange(30.0)[:, None, None]
    told = vocabulary(Recipe()).encode(scenes.boxes, scenes.classes)
    stream = batches(Recipe(), 0, scenes, numbers, vocabulary(Recipe()))
    met = set()
    for memory, _, targets, _ in (next(stream) for _ in range(3)):
        for row, number in enumerate(memory.flatten().long().tolist()):
            count = int(scenes.counts[number])
            written = targets[row, 0, : 5 * count].unflatten(0, (-1, 5)).tolist()
            assert sorted(written) == sorted(told[number, :count].tolist())
            met.add(number)
    assert len(met) > 20
