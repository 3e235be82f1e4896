"""COCO en sus carpetas: lo que se lee de cada foto, lo que falta y lo que se quedó a medias."""

import json

import numpy as np
import pytest

from tfcourse.datasets.folders.coco import (
    COCO_SOURCE,
    CocoPhotos,
    coco_files,
    coco_mask,
)
from workshop.rehearsal.coco import HEIGHT, N_PHOTOS, WIDTH, make_coco

KEEP = ("bbox", "category_id")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Un COCO diminuto, y la variable que dice dónde está."""
    make_coco(tmp_path)
    monkeypatch.setenv(COCO_SOURCE.variable, str(tmp_path))
    return tmp_path


def test_photos_come_in_the_order_of_their_number(folder):
    pictures, notes = coco_files("train")
    photos = CocoPhotos(pictures, notes, KEEP)
    assert len(photos) == N_PHOTOS["train2017"] and photos.ids == sorted(photos.ids)
    assert photos.kinds == [1, 3, 90] and photos.names == ["person", "car", "toothbrush"]
    assert set(photos.sizes) == {(HEIGHT, WIDTH)}
    by_hand = json.loads(notes.read_text())["annotations"]
    for row, number in enumerate(photos.ids):
        picture, things = photos[row]
        assert picture.size == (WIDTH, HEIGHT) and picture.mode == "RGB"
        assert things == photos.rows(row) == [
            {field: thing[field] for field in KEEP}
            for thing in by_hand
            if thing["image_id"] == number and not thing["iscrowd"]
        ]  # fmt: skip
    assert any(thing["iscrowd"] for thing in by_hand)


@pytest.mark.parametrize("kind", ["instances", "person_keypoints"])
def test_it_is_the_official_format(folder, kind):
    """`pycocotools` lee lo mismo, máscara a máscara y también las que van por rachas."""
    from pycocotools.coco import COCO

    _, notes = coco_files("val", kind)
    official = COCO(str(notes))
    assert len(official.imgs) == N_PHOTOS["val2017"] and official.anns
    for thing in official.anns.values():
        ours = coco_mask(thing["segmentation"], (HEIGHT, WIDTH))
        assert np.array_equal(ours, official.annToMask(thing))
        assert ours.sum() == thing["area"]


def test_a_wrong_or_half_folder_is_explained(folder, tmp_path, monkeypatch):
    pictures, notes = coco_files("val")
    missing = sorted(pictures.iterdir())[0]
    missing.unlink()
    with pytest.raises(FileNotFoundError, match=f"faltan 1 de las 4 fotos en .*{missing.name}"):
        CocoPhotos(pictures, notes, KEEP)
    whole = notes.read_text()
    notes.write_text(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="no está entero .* la descarga se quedó a medias"):
        CocoPhotos(pictures, notes, KEEP)
    notes.write_text("{}")
    with pytest.raises(ValueError, match="no es un archivo de notas de COCO"):
        CocoPhotos(pictures, notes, KEEP)
    notes.unlink()
    with pytest.raises(FileNotFoundError, match="falta annotations/instances_val2017.json"):
        coco_files("val")
    monkeypatch.delenv(COCO_SOURCE.variable)
    with pytest.raises(FileNotFoundError, match="falta COCO 2017 .* TFCOURSE_COCO=…"):
        coco_files("val")
