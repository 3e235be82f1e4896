"""Escenas como frases: cada orden es el que dice, y el ruido no enseña a inventar."""

import pytest
import torch

from tfcourse.datasets.scenes.box_sequences import (
    ORDERS,
    Writing,
    noise_objects,
    sequence_batches,
    write_scenes,
)
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, make_scenes
from tfcourse.tokenizers.boxes import BoxVocabulary

VOCABULARY = BoxVocabulary(65, 4)
SCENES = make_scenes(40, torch.Generator().manual_seed(0), SHAPE_SCENES)


def write(writing, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return write_scenes(SCENES.boxes, SCENES.classes, SCENES.counts, VOCABULARY, generator, writing)


def objects(targets, count):
    return [tuple(words) for words in targets[: 5 * count].unflatten(0, (-1, 5)).tolist()]


@pytest.mark.parametrize("order", ORDERS)
def test_every_copy_tells_the_same_objects(order):
    written = write(Writing(order, copies=3))
    words = VOCABULARY.encode(SCENES.boxes, SCENES.classes)
    for i, count in enumerate(SCENES.counts.tolist()):
        wanted = sorted(tuple(row) for row in words[i, :count].tolist())
        for k in range(3):
            assert sorted(objects(written.targets[i, k], count)) == wanted


def test_the_text_is_shifted_by_one_and_ends():
    written = write(Writing())
    assert (written.inputs[..., 0] == VOCABULARY.start_id).all()
    assert (written.inputs[..., 1:] == written.targets[..., :-1]).all()
    for i, count in enumerate(SCENES.counts.tolist()):
        assert written.targets[i, 0, 5 * count] == VOCABULARY.stop_id
        assert (written.targets[i, 0, 5 * count + 1 :] == VOCABULARY.pad_id).all()
        assert written.weights[i, 0].sum() == 5 * count + 1


def test_the_orders_are_what_they_say():
    by_size, by_place = write(Writing("tamaño")).targets, write(Writing("sitio")).targets
    for i, count in enumerate(SCENES.counts.tolist()):
        boxes = VOCABULARY.decode_boxes(by_size[i, 0, : 5 * count].unflatten(0, (-1, 5)))
        areas = boxes[:, 2:].prod(1)
        assert (areas[1:] <= areas[:-1] + 1e-6).all()
        boxes = VOCABULARY.decode_boxes(by_place[i, 0, : 5 * count].unflatten(0, (-1, 5)))
        distances = boxes[:, :2].square().sum(1)
        assert (distances[1:] >= distances[:-1] - 1e-6).all()


def test_shuffling_shuffles():
    first = write(Writing(copies=2)).targets
    busy = SCENES.counts >= 3
    assert (first[busy, 0] != first[busy, 1]).any()
    assert (first[busy] != write(Writing(copies=2), seed=1).targets[busy]).any()
    assert (write(Writing("tamaño"), seed=1).targets == write(Writing("tamaño")).targets).all()


def test_noise_is_read_but_never_imitated():
    written = write(Writing(n_noise=3, copies=2))
    read = torch.cat([written.inputs[..., 1:], written.targets[..., -1:]], -1)
    read, targets = (part.unflatten(-1, (7, 5)) for part in (read, written.targets))
    weights = written.weights.unflatten(-1, (7, 5))
    for i, count in enumerate(SCENES.counts.tolist()):
        assert (weights[i, :, :count] == 1).all() and (
            read[i, :, :count] == targets[i, :, :count]
        ).all()
        assert (weights[i, :, count:, :4] == 0).all() and (weights[i, :, count:, 4] == 1).all()
        assert (targets[i, :, count:, 4] == VOCABULARY.noise_id).all()
        kinds = read[i, :, count:6, 4]
        assert ((kinds >= 65) & (kinds < 69)).all()  # lee una clase de verdad
    assert (written.targets != VOCABULARY.stop_id).all()
    assert (written.inputs[..., 0] == VOCABULARY.start_id).all()


def test_half_of_the_noise_copies_a_real_object():
    words = VOCABULARY.encode(SCENES.boxes, SCENES.classes)
    fake = noise_objects(words, SCENES.present, VOCABULARY, torch.Generator().manual_seed(0), 50)
    apart = (fake[:, :, None, :4] - words[:, None, :, :4]).abs().amax(-1)
    near = (apart.masked_fill(~SCENES.present[:, None], 99).amin(-1) <= 7).float().mean()
    assert 0.45 < float(near) < 0.65
    assert int(fake[..., :4].min()) >= 0 and int(fake[..., :4].max()) <= 64
    assert (fake[..., 2:4] >= fake[..., :2] - 14).all()


def test_copies_move_both_ways_and_forget_the_class():
    """Un objeto grande y siempre de la clase 0: las copias van a ambos lados y de clase al azar."""
    words = torch.tensor([[[8, 8, 56, 56, 65]]])
    present = torch.ones(1, 1, dtype=torch.bool)
    fake = noise_objects(words, present, VOCABULARY, torch.Generator().manual_seed(0), 4000)[0]
    moved = (fake - words[0])[:, :4]
    near = moved.abs().amax(1) <= 7  # una décima de 64 marcas; una caja al azar no llega a tanto
    assert 0.45 < float(near.float().mean()) < 0.55
    assert (moved[near].min(0).values < -5).all() and (moved[near].max(0).values > 5).all()
    kinds = (fake[near][:, 4] - 65).bincount(minlength=4) / near.sum()
    torch.testing.assert_close(kinds, torch.full((4,), 0.25), atol=0.05, rtol=0)


def test_without_objects_the_noise_is_boxes_that_fit():
    """Sin nada que copiar, todas son al azar: enteras dentro de la imagen, de 0,1 a 0,5 de lado."""
    words, nothing = torch.zeros(1, 2, 5, dtype=torch.long), torch.zeros(1, 2, dtype=torch.bool)
    fake = noise_objects(words, nothing, VOCABULARY, torch.Generator().manual_seed(0), 2000)[0]
    sides = fake[:, 2:4] - fake[:, :2]
    assert sides.min() >= 0.1 * 64 - 1 and sides.max() <= 0.5 * 64 + 1
    assert fake[:, 2:4].max() >= 62 and fake[:, :2].min() <= 2  # y llegan a todos los bordes


def test_batches_never_repeat_and_carry_the_map():
    stream = sequence_batches(4, 0, VOCABULARY, Writing(copies=2))
    first, second = next(stream), next(stream)
    assert [part.shape[0] for part in first] == [4] * 5 and first[1].shape == (4, 2, 21)
    assert not torch.equal(first[0], second[0])
    again = next(sequence_batches(4, 0, VOCABULARY, Writing(copies=2)))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [({"order": "color"}, "orden desconocido"), ({"copies": 0}, "al menos una vez")],
)
def test_misuse_is_explained(options, message):
    with pytest.raises(ValueError, match=message):
        Writing(**options)
