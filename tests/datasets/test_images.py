"""Imágenes: cifras reales, aumento de datos y CIFAR-10 en un archivo diminuto hecho aquí."""

import hashlib
import io
import pickle
import sys
import tarfile

import numpy as np
import pytest
import torch

from tfcourse.datasets.download import RemoteFile
from tfcourse.datasets.folders import cifar
from tfcourse.datasets.pictures.augmentation import Augmentation, image_batches, move_images
from tfcourse.datasets.pictures.digits import (
    LabelledImages,
    few_per_class,
    handwritten_digits,
    split_digits,
)

STILL = Augmentation(0, 0, 0)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_digits_are_whole_and_between_zero_and_one():
    digits = handwritten_digits()
    assert digits.images.shape == (1797, 1, 8, 8) and digits.labels.unique().tolist() == [
        *range(10)
    ]
    assert digits.images.min() == 0 and digits.images.max() == 1


def test_the_split_repeats_and_does_not_overlap():
    train, test = split_digits()
    again, _ = split_digits()
    assert len(train) == 1400 and len(test) == 397
    assert torch.equal(train.images, again.images)
    assert not torch.equal(train.labels, split_digits(seed=1)[0].labels)
    rows = {bytes(i.numpy()) for i in handwritten_digits().images}
    seen = [{bytes(i.numpy()) for i in part.images} for part in (train, test)]
    assert len(seen[0] & seen[1]) == sum(map(len, seen)) - len(rows)  # solo cifras idénticas


def test_by_order_keeps_the_last_ones():
    train, test = split_digits(100, by_order=True)
    digits = handwritten_digits()
    assert torch.equal(test.images, digits.images[-100:].flip(0)) and len(train) == 1697


def test_few_per_class_is_balanced_and_drawn_from_the_train():
    train, _ = split_digits()
    few = few_per_class(train, 7, seed=3)
    assert few.labels.bincount().tolist() == [7] * 10
    assert not torch.equal(few.images, few_per_class(train, 7, seed=4).images)
    known = {bytes(image.numpy()) for image in train.images}
    assert all(bytes(image.numpy()) in known for image in few.images)


def test_no_move_leaves_the_image():
    images = torch.rand(4, 3, 8, 6)
    torch.testing.assert_close(move_images(images, STILL, generator()), images, atol=1e-5, rtol=0)


def test_a_shift_is_a_shift():
    images = torch.zeros(1, 1, 5, 5)
    images[0, 0, 2, 2] = 1
    seen = torch.zeros(5, 5)
    for seed in range(60):
        moved = move_images(images, Augmentation(1.0, 0, 0), generator(seed))
        seen += moved[0, 0]
        rows, columns = moved[0, 0].sum(1), moved[0, 0].sum(0)
        places = torch.arange(5.0)
        assert abs(rows @ places - 2) <= 1.001 and abs(columns @ places - 2) <= 1.001
        torch.testing.assert_close(moved.sum(), torch.tensor(1.0))
    assert seen[1:4, 1:4].min() > 0 and seen[0].sum() == 0


def test_a_turn_keeps_the_centre_and_turns_both_ways():
    images = torch.zeros(1, 1, 9, 9)
    images[0, 0, 4, 4:] = 1
    ends = []
    for seed in range(40):
        moved = move_images(images, Augmentation(0, 30, 0), generator(seed))[0, 0]
        assert moved[4, 4] > 0.6
        ends.append(float((moved[:, 7] @ torch.arange(9.0)) / moved[:, 7].sum()) - 4)
    assert min(ends) < -0.5 and max(ends) > 0.5 and max(map(abs, ends)) < 3.2


def test_a_turn_keeps_right_angles_and_lengths():
    def place(row, column, seed):
        """Adónde va un punto, visto desde el centro, con el giro de esa semilla."""
        images = torch.zeros(1, 1, 9, 9)
        images[0, 0, row, column] = 1
        moved = move_images(images, Augmentation(0, 40, 0), generator(seed))[0, 0]
        steps = torch.arange(9.0) - 4
        return torch.stack([moved.sum(1) @ steps, moved.sum(0) @ steps]) / moved.sum()

    for seed in range(8):
        right, up = place(4, 7, seed), place(1, 4, seed)
        assert abs(float(right @ up)) < 0.6
        assert abs(float(right.norm()) - 3) < 0.3 and abs(float(up.norm()) - 3) < 0.3


def test_batches_repeat_with_the_seed_and_move_only_if_asked():
    train, _ = split_digits()
    first, second = (next(image_batches(train, 8, moves=Augmentation(), seed=1)) for _ in range(2))
    assert torch.equal(first[0], second[0])
    plain = next(image_batches(train, 8, seed=1))
    assert torch.equal(plain[1], first[1]) and not torch.equal(plain[0], first[0])


def test_bad_input_is_explained(monkeypatch, sin_tipos):
    train, _ = split_digits()
    with pytest.raises(ValueError, match="hay 2 imágenes y 3 etiquetas"):
        LabelledImages(torch.zeros(2, 1, 8, 8), torch.zeros(3).long())
    with pytest.raises(ValueError, match="reserva entre 1 y 1796"):
        split_digits(1797)
    with pytest.raises(ValueError, match="la clase más pequeña tiene"):
        few_per_class(train, 500)
    with pytest.raises(ValueError, match="no pueden ser negativos"):
        Augmentation(degrees=-1)
    handwritten_digits.cache_clear()
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(ModuleNotFoundError, match="pip install scikit-learn"):
        handwritten_digits()


def tiny_cifar(folder, monkeypatch):
    """Un archivo como el de CIFAR-10: cinco lotes de dos fotos, uno de prueba y los nombres."""
    from torchvision.datasets import CIFAR10

    draw = np.random.default_rng(0)
    parts, photos = {}, []
    for name in [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]:
        data = draw.integers(0, 256, (2, 3 * 32 * 32), dtype=np.uint8)
        photos.append(data)
        parts[name] = pickle.dumps({"data": data, "labels": [1, 9]})
    parts["batches.meta"] = pickle.dumps({"label_names": ["a"] * 10})
    archive = folder / "cifar-10-python.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        for name, content in parts.items():
            info = tarfile.TarInfo(f"cifar-10-batches-py/{name}")
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    marks = {n: hashlib.md5(c).hexdigest() for n, c in parts.items()}
    monkeypatch.setattr(CIFAR10, "train_list", [[n, marks[n]] for n in list(parts)[:5]])
    monkeypatch.setattr(CIFAR10, "test_list", [["test_batch", marks["test_batch"]]])
    monkeypatch.setattr(
        CIFAR10, "meta",
        {"filename": "batches.meta", "key": "label_names", "md5": marks["batches.meta"]},
    )  # fmt: skip
    return archive, np.concatenate(photos)


def test_cifar_is_read_in_its_order(tmp_path, monkeypatch):
    archive, photos = tiny_cifar(tmp_path, monkeypatch)
    train = cifar.cifar10(True, archive, tmp_path / "datos")
    test = cifar.cifar10(False, archive, tmp_path / "datos")
    assert train.images.shape == (10, 3, 32, 32) and len(test) == 2
    expected = torch.from_numpy(photos[-1].reshape(3, 32, 32)).float() / 255
    assert torch.equal(test.images[1], expected) and test.labels.tolist() == [1, 9]


def test_cifar_is_downloaded_when_there_is_no_archive(tmp_path, monkeypatch):
    archive, _ = tiny_cifar(tmp_path, monkeypatch)
    file = RemoteFile(archive.name, (archive.as_uri(),), size=archive.stat().st_size)
    monkeypatch.setattr(cifar, "CIFAR10", file)
    assert len(cifar.cifar10(True, folder=tmp_path / "otros")) == 10


def test_a_broken_cifar_is_explained(tmp_path, monkeypatch):
    archive, _ = tiny_cifar(tmp_path, monkeypatch)
    folder = tmp_path / "datos"
    cifar.cifar10(True, archive, folder)
    (folder / "cifar-10-batches-py/test_batch").write_bytes(b"nada")
    with pytest.raises(ValueError, match="borra esa carpeta"):
        cifar.cifar10(False, archive, folder)
    broken = tmp_path / "roto.tar.gz"
    broken.write_bytes(archive.read_bytes()[:100])
    with pytest.raises(ValueError, match="no es un archivo .tar.gz entero"):
        cifar.cifar10(True, broken, tmp_path / "vacía")
