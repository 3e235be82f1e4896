"""Carpetas de VOC y COCO, diminutas y hechas aquí: las cajas llegan donde deben."""

import json
from functools import partial

import pytest
import torch
from PIL import Image
from torch.utils.data import Dataset

from tfcourse.datasets.folders.detection_folders import (
    VOC_CLASSES,
    BoxedImages,
    WrittenPhotos,
    coco_images,
    padded,
    voc_images,
)
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.photo_folders import photo_moves
from tfcourse.datasets.scenes.box_sequences import Writing
from tfcourse.geometry.boxes import to_corners
from tfcourse.models.detr import DETR, DETRConfig
from tfcourse.tokenizers.boxes import BoxVocabulary
from tfcourse.vision.detection.losses import DETR_LOSS

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
    collate = partial(padded, max_objects=2)
    batch = next(iter(EndlessLoader(data, 3, seed=0, collate=collate, workers=0)))
    images, boxes, classes, counts = batch
    assert images.shape == (3, 3, 32, 32) and boxes.shape == (3, 2, 4)
    assert sorted(counts.tolist()) == [0, 1, 2]
    sizes = {"d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1, "d_hidden": 16}
    model = DETR(DETRConfig(len(data.classes), n_queries=3, **sizes))
    loss = DETR_LOSS(model, batch)
    loss.backward()
    assert torch.isfinite(loss)


class OneSquare(Dataset):
    """Una foto negra de 60 × 40 con un cuadrado blanco y, pegada al borde, una raya de nada."""

    boxes = (([10, 5, 30, 25], 4), ([59.5, 0, 60, 40], 7))

    def __len__(self):
        return 1

    def __getitem__(self, _):
        picture = Image.new("RGB", (60, 40))
        picture.paste((255, 255, 255), (10, 5, 30, 25))
        return picture, self.boxes


def test_what_does_not_fill_a_pixel_is_not_there():
    _, boxes, classes = BoxedImages(OneSquare(), list, "abcdefgh", 32)[0]
    assert classes.tolist() == [4]
    torch.testing.assert_close(boxes, torch.tensor([[20 / 60, 15 / 40, 20 / 60, 20 / 40]]))


def test_boxes_move_with_their_photo():
    """Se mueva como se mueva, dentro de la caja está el cuadrado, y fuera, casi nada."""
    data = BoxedImages(OneSquare(), list, "abcdefgh", 64, photo_moves(64))
    seen = set()
    for seed in range(20):
        torch.manual_seed(seed)
        image, boxes, classes = data[0]
        bright = image.mean(0) > 0.5
        if not len(classes):
            assert bright.sum() < 64
            continue
        x1, y1, x2, y2 = (to_corners(boxes[0]) * 64).round().int().tolist()
        inside = torch.zeros(64, 64, dtype=torch.bool)
        inside[y1:y2, x1:x2] = True
        assert (bright & inside).sum() / (bright | inside).sum() > 0.85
        seen.add((x1, y1, x2, y2))
    assert len(seen) > 5


def test_a_moved_photo_is_another_each_time(tmp_path):
    files = write_coco(tmp_path)
    still, moving = (coco_images(*files, 16, moved=moved) for moved in (False, True))
    assert torch.equal(still[0][1], still[0][1])
    boxes = set()
    for seed in range(8):
        torch.manual_seed(seed)
        boxes.add(str(moving[0][1].tolist()))
    assert len(boxes) > 2


def test_photos_are_written_as_words(tmp_path):
    """Sin ruido: los objetos, en el orden que toque, y FIN; los mayores, si no caben."""
    data = voc_images(write_voc(tmp_path, VOC), 32)
    words = BoxVocabulary(9, len(data.classes))
    image, inputs, targets, weights = WrittenPhotos(data, words, Writing(), 2)[0]
    assert image.shape == (3, 32, 32) and inputs.shape == targets.shape == weights.shape == (1, 11)
    dog = [0, 0, 8, 4, words.n_bins + VOC_CLASSES.index("dog")]
    cat = [4, 4, 8, 8, words.n_bins + VOC_CLASSES.index("cat")]
    orders = set()
    for seed in range(8):
        torch.manual_seed(seed)
        orders.add(tuple(WrittenPhotos(data, words, Writing(), 2)[0][2][0].tolist()))
    assert orders == {(*dog, *cat, words.stop_id), (*cat, *dog, words.stop_id)}
    _, _, only, _ = WrittenPhotos(data, words, Writing(), 1)[0]
    assert only[0].tolist() == [*dog, words.stop_id]  # media foto; el gato, un cuarto


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
