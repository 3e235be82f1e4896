"""Parejas de imagen y voz: la misma cifra en las dos, sin manos ni voces repetidas."""

import struct

import pytest
import torch

from tfcourse.datasets.folders.real_digit_pairs import mnist
from tfcourse.datasets.pictures.digits import LabelledImages, handwritten_digits
from tfcourse.datasets.sounds.digit_pairs import (
    CLEAN,
    Damage,
    DigitPools,
    damaged_images,
    draw_pairs,
    draw_present,
    pair_batches,
    reserved_pairs,
    split_pools,
)
from tfcourse.datasets.sounds.spoken_words import DIGITS, SoundChanges, SpokenWords

QUIET = SoundChanges(0.0, 0.0, None)


@pytest.fixture
def pools():
    """Tres ejemplos de cada cifra: el píxel y la muestra dicen cuál es."""
    labels = torch.arange(10).repeat(3)
    images = (labels.float() / 10).view(-1, 1, 1, 1).expand(-1, 1, 8, 8).contiguous()
    waves = labels.float().view(-1, 1).expand(-1, 100).contiguous() / 10
    return DigitPools(
        LabelledImages(images, labels), SpokenWords(waves, labels, ("x",) * 30, DIGITS, 8_000)
    )


def test_each_pair_has_the_digits_asked_for(pools):
    seen, heard = torch.tensor([3, 9, 0, 3]), torch.tensor([3, 1, 0, 7])
    pairs = draw_pairs(pools, seen, heard, CLEAN, torch.Generator().manual_seed(0))
    assert torch.equal((pairs.images[:, 0, 0, 0] * 10).round().long(), seen)
    assert torch.equal((pairs.waves[:, 50] * 10).round().long(), heard)
    with pytest.raises(ValueError, match="se contradicen"):
        _ = pairs.labels


def test_every_example_of_a_class_can_be_drawn(pools):
    marked = pools.images.images + 0.001 * torch.arange(30).view(-1, 1, 1, 1)
    pools = DigitPools(LabelledImages(marked, pools.images.labels), pools.sounds)
    threes = torch.full((200,), 3)
    pairs = draw_pairs(pools, threes, threes, CLEAN, torch.Generator().manual_seed(0))
    assert len(pairs.images[:, 0, 0, 0].unique()) == 3


def test_nobody_is_on_both_sides():
    train, test = split_pools()
    assert not set(train.sounds.voices) & set(test.sounds.voices)
    assert len(train.images) + len(test.images) == len(handwritten_digits())
    last = handwritten_digits().images[-len(test.images) :]
    assert torch.equal(test.images.images.flip(0), last)


def test_the_reserved_are_always_the_same_and_may_lie():
    first, again = reserved_pairs(20), reserved_pairs(20)
    assert torch.equal(first.images, again.images) and torch.equal(first.waves, again.waves)
    assert torch.equal(first.labels, first.seen)
    liars = reserved_pairs(20, lying=True)
    assert torch.equal(liars.seen, first.seen) and not (liars.seen == liars.heard).any()
    assert not torch.equal(reserved_pairs(20, seed=2).seen, first.seen)


def test_damage_covers_a_square_and_adds_noise():
    images = torch.ones(500, 1, 8, 8)
    generator = torch.Generator().manual_seed(0)
    covered = damaged_images(images, Damage(0.0, 0.375, QUIET), generator) == 0
    assert torch.equal(covered.flatten(1).sum(1), torch.full((500,), 9))
    rows, columns = covered[:, 0].any(2).sum(1), covered[:, 0].any(1).sum(1)
    assert (rows == 3).all() and (columns == 3).all()
    assert covered[:, 0].any(0).all()  # el cuadrado puede caer en cualquier parte
    noisy = damaged_images(images, Damage(0.5, 0.0, QUIET), generator)
    assert float((noisy - 1).std()) == pytest.approx(0.5, rel=0.05)
    assert torch.equal(damaged_images(images, CLEAN, generator), images)


def test_at_most_one_modality_is_missing():
    present = draw_present(4_000, 0.4, torch.Generator().manual_seed(0))
    assert present.any(dim=1).all()
    lost = (~present).float().mean(0)
    assert lost.tolist() == pytest.approx([0.2, 0.2], abs=0.02)
    assert draw_present(100, 0.0, torch.Generator().manual_seed(0)).all()


def test_batches_repeat_with_their_seed(pools):
    first = next(pair_batches(pools, 6, Damage(sound=QUIET), dropout=0.5, seed=3))
    again = next(pair_batches(pools, 6, Damage(sound=QUIET), dropout=0.5, seed=3))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    images, waves, present, labels = first
    assert len(images) == len(waves) == len(present) == len(labels) == 6


def test_errors(pools):
    some = torch.tensor([1])
    few = DigitPools(pools.images.take(torch.arange(3)), pools.sounds)
    with pytest.raises(ValueError, match="no hay ejemplos de la clase 7"):
        draw_pairs(few, torch.tensor([7]), some, CLEAN, torch.Generator())
    with pytest.raises(ValueError, match="n=0: pide al menos una pareja"):
        reserved_pairs(0)
    with pytest.raises(ValueError, match="batch_size=0"):
        next(pair_batches(pools, 0, CLEAN))
    with pytest.raises(ValueError, match="dropout=1.5: es una probabilidad"):
        draw_present(4, 1.5, torch.Generator())


def test_mnist_is_read_from_its_files(tmp_path):
    raw = tmp_path / "MNIST" / "raw"
    raw.mkdir(parents=True)
    pixels, labels = bytes(range(256)) * 8, bytes([4, 2])
    for part in ("train", "t10k"):
        shape = struct.pack(">4i", 0x803, 2, 28, 28)
        (raw / f"{part}-images-idx3-ubyte").write_bytes(shape + pixels[: 2 * 28 * 28])
        (raw / f"{part}-labels-idx1-ubyte").write_bytes(struct.pack(">2i", 0x801, 2) + labels)
    digits = mnist(True, tmp_path)
    assert digits.images.shape == (2, 1, 28, 28) and digits.labels.tolist() == [4, 2]
    assert float(digits.images[0, 0, 0, 5]) == pytest.approx(5 / 255)
    images = raw / "train-images-idx3-ubyte"
    images.write_bytes(images.read_bytes()[:-100])
    with pytest.raises(ValueError, match="archivos a medias o que no son de MNIST"):
        mnist(True, tmp_path)
    images.unlink()
    with pytest.raises(ConnectionError, match="sigue con el perfil rapido"):
        mnist(True, tmp_path)
