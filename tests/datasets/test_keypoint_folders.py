"""Carpetas de COCO keypoints, diminutas y hechas aquí: cada articulación cae en su píxel."""

import json

import pytest
import torch
from PIL import Image

from tfcourse.datasets.keypoint_folders import (
    COCO_JOINTS,
    PeopleCrops,
    coco_people,
    people_batches,
)
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.pose_recipes import pose_loss

WIDTH, HEIGHT = 80, 120


def person(number, image, joints, box, **changes):
    """Una persona con unas cuantas articulaciones: {número: (x, y, marca)}."""
    notes = [0.0] * 51
    for k, triple in joints.items():
        notes[3 * k : 3 * k + 3] = triple
    found = sum(mark > 0 for _, _, mark in joints.values())
    return {
        "id": number, "image_id": image, "category_id": 1, "bbox": box, "area": 1, "iscrowd": 0,
        "keypoints": notes, "num_keypoints": found,
    } | changes  # fmt: skip


def write_coco(folder):
    """Dos fotos negras con un punto blanco en cada articulación marcada."""
    (folder / "fotos").mkdir()
    joints = {0: (40, 30, 2), 5: (52, 50, 1), 16: (30, 100, 2)}
    for number in (7, 9):
        picture = Image.new("RGB", (WIDTH, HEIGHT))
        if number == 7:
            for x, y, _ in joints.values():
                picture.paste((255, 255, 255), (x - 1, y - 1, x + 1, y + 1))
        picture.save(folder / "fotos" / f"{number}.png")
    notes = {
        "images": [
            {"id": n, "file_name": f"{n}.png", "width": WIDTH, "height": HEIGHT} for n in (7, 9)
        ],
        "categories": [{"id": 1, "name": "person", "keypoints": list(COCO_JOINTS)}],
        "annotations": [
            person(1, 7, joints, [20, 20, 40, 90]),
            person(2, 7, joints, [0, 0, 80, 120], iscrowd=1),
            person(3, 9, {}, [10, 10, 20, 20]),
            person(4, 9, {1: (5, 5, 2), 2: (70, 110, 2)}, [0, 0, 20, 20]),
        ],
    }
    (folder / "notas.json").write_text(json.dumps(notes))
    return folder / "fotos", folder / "notas.json"


def test_each_joint_falls_on_its_mark(tmp_path):
    people = coco_people(*write_coco(tmp_path), 64)
    assert len(people) == 2  # sin el grupo ni la persona sin anotar
    image, points, marked = people[0]
    assert image.shape == (3, 64, 64)
    assert marked.nonzero()[:, 0].tolist() == [0, 5, 16]
    for k in (0, 5, 16):
        x, y = (points[k] * 64).long().tolist()
        assert image[:, y - 1 : y + 2, x - 1 : x + 2].max() > 0.5
        assert image[:, y - 9 : y - 4, x - 9 : x - 4].max() < 0.3


def test_what_falls_outside_the_crop_does_not_count(tmp_path):
    _, points, marked = coco_people(*write_coco(tmp_path), 64)[1]
    assert marked.nonzero()[:, 0].tolist() == [1]
    assert (points >= 0).all() and (points <= 1).all()


def test_a_crop_keeps_the_brightness(tmp_path):
    """Un gris sigue siendo ese gris dentro de la foto, y fuera se rellena."""
    pictures, notes = write_coco(tmp_path)
    Image.new("RGB", (WIDTH, HEIGHT), (100, 100, 100)).save(pictures / "9.png")
    image, _, _ = coco_people(pictures, notes, 64)[1]
    # La caja va de 0 a 20 y el recorte, con su margen, de −2 a 22: la foto empieza en 64/12.
    torch.testing.assert_close(image[:, 10:, 10:], torch.full((3, 54, 54), 100 / 255))
    torch.testing.assert_close(image[:, :4], torch.full((3, 4, 64), 0.2))


class Numbered(PeopleCrops):
    """Nueve personas que solo dicen su número."""

    def __init__(self):
        self.people = list(range(9))

    def __getitem__(self, index):
        number = torch.full((17,), float(index))
        return number.expand(3, 17, 17), number[:, None].expand(-1, 2), number >= 0


def test_each_round_goes_in_another_order():
    """De cada vuelta salen dos lotes enteros, sin repetir a nadie; el que sobra, otra vez será."""
    batches = people_batches(Numbered(), 4, 0)
    rounds = [[int(row) for _ in range(2) for row in next(batches)[1][:, 0, 0]] for _ in range(3)]
    assert all(len(set(rows)) == 8 for rows in rounds)
    assert rounds[0] != rounds[1] != rounds[2] and sorted(rounds[0]) != rounds[0]
    again = people_batches(Numbered(), 4, 0)
    assert [int(row) for row in next(again)[1][:, 0, 0]] == rounds[0][:4]


def test_batches_train_the_model(tmp_path):
    people = coco_people(*write_coco(tmp_path), 32)
    batch = next(people_batches(people, 2, 0))
    assert [tuple(part.shape) for part in batch] == [(2, 3, 32, 32), (2, 17, 2), (2, 17)]
    config = PoseConfig(17, 32, d_model=16, n_heads=2, n_layers=1, d_hidden=16)
    loss = pose_loss(KeypointTransformer(config), batch)
    loss.backward()
    assert torch.isfinite(loss)


def test_problems_are_explained(tmp_path):
    with pytest.raises(FileNotFoundError, match="no encuentro nada en .* perfil rapido"):
        coco_people(tmp_path / "nada", tmp_path / "n.json", 32)
    people = coco_people(*write_coco(tmp_path), 32)
    with pytest.raises(ValueError, match="hay 2 personas y el lote es de 8"):
        next(people_batches(people, 8, 0))
