"""Carpetas de VOC y COCO, diminutas y hechas aquí: las cajas llegan donde deben."""

import json

import pytest
import torch
from PIL import Image

from tfcourse.datasets.detection_folders import (
    VOC_CLASSES,
    boxed_batches,
    coco_images,
    padded,
    voc_images,
)
from tfcourse.detection_losses import DETR_LOSS
from tfcourse.models.detr import DETR, DETRConfig

OBJECT = """<object><name>{name}</name><difficult>{difficult}</difficult><bndbox>
<xmin>{box[0]}</xmin><ymin>{box[1]}</ymin><xmax>{box[2]}</xmax><ymax>{box[3]}</ymax></bndbox></object>"""


def write_voc(folder, pictures):
    """Una carpeta de VOC: `pictures` es una lista de objetos por imagen, de 80 × 40."""
    root = folder / "VOCdevkit" / "VOC2012"
    for name in ("JPEGImages", "Annotations", "ImageSets/Main"):
        (root / name).mkdir(parents=True)
    for number, things in enumerate(pictures):
        Image.new("RGB", (80, 40), (200, 10, 10)).save(root / "JPEGImages" / f"{number}.jpg")
        text = "".join(
            OBJECT.format(name=name, box=box, difficult=difficult)
            for name, box, difficult in things
        )
        (root / "Annotations" / f"{number}.xml").write_text(
            f"<annotation><filename>{number}.jpg</filename>{text}</annotation>"
        )
    (root / "ImageSets/Main/train.txt").write_text("\n".join(map(str, range(len(pictures)))))
    return folder


VOC = [
    [("dog", (1, 1, 40, 40), 0), ("cat", (41, 21, 80, 40), 0), ("cow", (2, 2, 9, 9), 1)],
    [],
    [("sofa", (21, 11, 60, 30), 0)],
]


def test_voc_boxes(tmp_path):
    data = voc_images(write_voc(tmp_path, VOC), 32)
    image, boxes, classes = data[0]
    assert image.shape == (3, 32, 32) and 0.7 < image[0].mean() < 0.85
    # Contados desde 1 y con el último incluido: de 1 a 40 es media imagen, entera de alto.
    assert boxes.tolist() == [[0.25, 0.5, 0.5, 1.0], [0.75, 0.75, 0.5, 0.5]]
    assert [VOC_CLASSES[c] for c in classes] == ["dog", "cat"]
    assert data[1][1].shape == (0, 4) and len(data) == 3


def write_coco(folder):
    (folder / "fotos").mkdir()
    for number in (7, 9):
        Image.new("RGB", (50, 100), (0, 0, 255)).save(folder / "fotos" / f"{number}.jpg")
    thing = {"image_id": 7, "iscrowd": 0, "area": 1}
    notes = {
        "images": [{"id": n, "file_name": f"{n}.jpg", "width": 50, "height": 100} for n in (7, 9)],
        "categories": [{"id": 3, "name": "silla"}, {"id": 90, "name": "bol"}],
        "annotations": [
            thing | {"id": 1, "category_id": 90, "bbox": [0, 0, 25, 50]},
            thing | {"id": 2, "category_id": 3, "bbox": [10, 20, 20, 40]},
            thing | {"id": 3, "category_id": 3, "bbox": [0, 0, 50, 100], "iscrowd": 1},
        ],
    }
    (folder / "notas.json").write_text(json.dumps(notes))
    return folder / "fotos", folder / "notas.json"


def test_coco_boxes(tmp_path):
    data = coco_images(*write_coco(tmp_path), 16)
    _, boxes, classes = data[0]
    assert data.classes == ("silla", "bol") and classes.tolist() == [1, 0]
    torch.testing.assert_close(boxes, torch.tensor([[0.25, 0.25, 0.5, 0.5], [0.4, 0.4, 0.4, 0.4]]))
    assert len(data[1][1]) == 0


def test_batches_train_a_detector(tmp_path):
    data = voc_images(write_voc(tmp_path, VOC), 32)
    batch = next(boxed_batches(data, 3, 0, max_objects=2))
    images, boxes, classes, counts = batch
    assert images.shape == (3, 3, 32, 32) and boxes.shape == (3, 2, 4)
    assert sorted(counts.tolist()) == [0, 1, 2]
    sizes = {"d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1, "d_hidden": 16}
    model = DETR(DETRConfig(len(data.classes), n_queries=3, **sizes))
    loss = DETR_LOSS(model, batch)
    loss.backward()
    assert torch.isfinite(loss)


def test_largest_objects_are_kept():
    boxes = torch.tensor([[0.5, 0.5, 0.1, 0.1], [0.5, 0.5, 0.4, 0.4], [0.5, 0.5, 0.2, 0.2]])
    row = (torch.zeros(3, 4, 4), boxes, torch.tensor([5, 6, 7]))
    _, kept, classes, counts = padded([row], 2)
    assert classes.tolist() == [[6, 7]] and counts.tolist() == [2]
    assert torch.equal(kept[0], boxes[[1, 2]])


def test_problems_are_explained(tmp_path):
    with pytest.raises(
        FileNotFoundError, match="no encuentro VOCdevkit/VOC2012 en .* perfil rapido"
    ):
        voc_images(tmp_path, 32)
    with pytest.raises(FileNotFoundError, match="no encuentro nada"):
        coco_images(tmp_path / "nada", tmp_path / "n.json", 32)
    data = voc_images(write_voc(tmp_path, VOC), 32)
    with pytest.raises(ValueError, match="hay 3 imágenes y el lote es de 8"):
        next(boxed_batches(data, 8, 0, 2))
