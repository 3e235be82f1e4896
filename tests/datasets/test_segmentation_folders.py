"""Carpetas de VOC y COCO para segmentar, diminutas y hechas aquí."""

import json
from functools import partial

import numpy as np
import pytest
import torch
from PIL import Image
from torch.utils.data import Subset

from tfcourse.datasets.folders.detection_folders import VOC_CLASSES
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.photo_folders import photo_moves
from tfcourse.datasets.folders.segmentation_folders import (
    SegmentedFolder,
    coco_segments,
    stacked,
    voc_segments,
)
from tfcourse.models.segmentation import Mask2Former, MaskFormerConfig
from tfcourse.vision.segmentation.losses import MaskLoss

SMALL = {"n_queries": 4, "d_model": 16, "n_heads": 2, "n_encoder": 1, "n_decoder": 1,
         "d_hidden": 16, "d_pixel": 8}  # fmt: skip


def write_voc(folder, count=2):
    """Media imagen de perro, con su borde sin decidir, y la otra media de fondo; de 80 × 40."""
    root = folder / "VOCdevkit" / "VOC2012"
    for name in ("JPEGImages", "SegmentationClass", "ImageSets/Segmentation"):
        (root / name).mkdir(parents=True)
    kinds = np.zeros((40, 80), dtype=np.uint8)
    kinds[:, :40] = VOC_CLASSES.index("dog") + 1
    kinds[:, 38:42] = 255
    notes = Image.fromarray(kinds)
    notes.putpalette([value for value in range(256) for _ in "rgb"])  # VOC guarda una paleta
    for number in range(count):
        Image.new("RGB", (80, 40), (200, 10, 10)).save(root / "JPEGImages" / f"{number}.jpg")
        notes.save(root / "SegmentationClass" / f"{number}.png")
    (root / "ImageSets/Segmentation/train.txt").write_text("\n".join(map(str, range(count))))
    return folder


def test_voc_gives_one_segment_per_class(tmp_path):
    data = voc_segments(write_voc(tmp_path), 32)
    image, masks, classes = data[0]
    assert image.shape == (3, 32, 32) and masks.shape == (2, 32, 32)
    assert [data.classes[c] for c in classes] == ["fondo", "dog"]
    assert torch.equal(masks.sum(0), torch.ones(32, 32, dtype=torch.long))
    color = torch.tensor([200, 10, 10]) / 255
    torch.testing.assert_close(image.mean((1, 2)), color, atol=0.02, rtol=0)
    # El perro llega hasta la columna 38 de 80: la 15 de 32; el borde va con el fondo.
    assert masks[1, :, :15].all() and not masks[1, :, 16:].any()


def write_coco(folder):
    (folder / "fotos").mkdir()
    for number in (7, 9):
        Image.new("RGB", (50, 100), (0, 0, 255)).save(folder / "fotos" / f"{number}.jpg")

    def square(x, y, w, h):
        corners = [x, y, x + w, y, x + w, y + h, x, y + h]
        return {"segmentation": [corners], "area": w * h, "bbox": [x, y, w, h]}

    thing = {"image_id": 7, "iscrowd": 0}
    notes = {
        "images": [{"id": n, "file_name": f"{n}.jpg", "width": 50, "height": 100} for n in (7, 9)],
        "categories": [{"id": 3, "name": "silla"}, {"id": 90, "name": "bol"}],
        "annotations": [
            thing | {"id": 1, "category_id": 90} | square(0, 0, 50, 50),
            thing | {"id": 2, "category_id": 3} | square(0, 0, 25, 25),
            thing | {"id": 3, "category_id": 3} | square(0, 0, 50, 100) | {"iscrowd": 1},
        ],
    }
    (folder / "notas.json").write_text(json.dumps(notes))
    return folder / "fotos", folder / "notas.json"


def test_coco_gives_one_segment_per_object(tmp_path):
    data = coco_segments(*write_coco(tmp_path), 20)
    _, masks, classes = data[0]
    assert [data.classes[c] for c in classes] == ["fondo", "silla", "bol"]
    parts = masks.float().mean((1, 2)).tolist()
    # Donde se pisan, el punto es de la silla, que es menor; el grupo no cuenta.
    assert parts == pytest.approx([0.5, 0.125, 0.375], abs=0.03)
    assert data[1][2].tolist() == [0] and data[1][1].all()


def test_what_vanishes_on_shrinking_is_not_a_segment():
    """Un punto suelto que ninguna casilla recoge: ni su máscara ni su clase."""
    masks = torch.zeros(3, 40, 40, dtype=torch.bool)
    masks[2, :, :20], masks[1, 0, 39] = True, True
    masks[0] = ~masks[1:].any(0)
    source = Subset([(Image.new("RGB", (40, 40)), None)], [0])
    data = SegmentedFolder(source, lambda *_: (masks, torch.tensor([0, 4, 2])), ["a"] * 4, 8)
    _, small, classes = data[0]
    assert classes.tolist() == [0, 2] and small.any(dim=(1, 2)).all()


def test_batches_train_a_segmenter(tmp_path):
    data = coco_segments(*write_coco(tmp_path), 32)
    collate = partial(stacked, max_segments=3)
    batch = next(iter(EndlessLoader(data, 2, seed=0, collate=collate, workers=0)))
    assert batch.images.shape == (2, 3, 32, 32) and sorted(batch.counts.tolist()) == [1, 3]
    painted = (batch.masks * batch.classes[..., None, None]).sum(1)
    assert torch.equal(painted, batch.semantic)
    model = Mask2Former(MaskFormerConfig(len(data.classes), **SMALL))
    loss = MaskLoss()(model, batch)
    loss.backward()
    assert torch.isfinite(loss)


def test_the_largest_segments_stay():
    masks = torch.zeros(3, 4, 4, dtype=torch.bool)
    masks[0, 0, 0], masks[1, 1:], masks[2, 0, 1:] = True, True, True
    batch = stacked([(torch.zeros(3, 4, 4), masks, torch.tensor([5, 6, 7]))], 2)
    assert batch.classes.tolist() == [[6, 7]] and batch.counts.tolist() == [2]
    assert torch.equal(batch.masks[0], masks[1:])


def test_masks_move_with_their_photo():
    """Media foto blanca, que es su segmento: siguen siendo los mismos puntos."""
    picture = Image.new("RGB", (60, 40))
    picture.paste((255, 255, 255), (0, 0, 30, 40))
    white = torch.zeros(40, 60, dtype=torch.bool)
    white[:, :30] = True
    masks, source = torch.stack([~white, white]), Subset([(picture, None)], [0])
    data = SegmentedFolder(
        source, lambda *_: (masks, torch.tensor([0, 3])), "abc", 32, photo_moves(32)
    )
    shares = set()
    for seed in range(12):
        torch.manual_seed(seed)
        image, seen, classes = data[0]
        painted = torch.zeros(32, 32)
        for mask, kind in zip(seen, classes.tolist(), strict=True):
            painted += kind * mask
        assert ((image.mean(0) > 0.5) == (painted == 3)).float().mean() > 0.96
        shares.add((round(float((painted == 3).float().mean()), 2), bool(painted[0, 0] == 3)))
    assert len(shares) > 4 and {left for _, left in shares} == {True, False}


def test_problems_are_explained(tmp_path):
    with pytest.raises(FileNotFoundError, match="no encuentro VOCdevkit/VOC2012 en .* rapido"):
        voc_segments(tmp_path, 32)
    with pytest.raises(FileNotFoundError, match="no encuentro nada"):
        coco_segments(tmp_path / "nada", tmp_path / "n.json", 32)
    voc = write_voc(tmp_path)
    with pytest.raises(FileNotFoundError, match="Segmentation/val.txt"):
        voc_segments(voc, 32, split="val")
    (voc / "VOCdevkit/VOC2012/SegmentationClass/1.png").unlink()
    with pytest.raises(FileNotFoundError, match="faltan 1 de las 2 fotos en .*p. ej. 1.png"):
        voc_segments(voc, 32)
