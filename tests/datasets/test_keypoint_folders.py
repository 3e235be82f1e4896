"""Carpetas de COCO keypoints, diminutas y hechas aquí: cada articulación cae en su píxel."""

import json

import pytest
import torch
from PIL import Image

from tfcourse.datasets.folders.keypoint_folders import (
    COCO_JOINTS,
    MIRRORED,
    coco_people,
    mirrored,
)
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.datasets.folders.photo_folders import together
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.vision.pose.recipe import pose_loss

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


def test_in_a_mirror_left_and_right_change():
    """La articulación del otro lado tiene el mismo nombre, con el lado cambiado."""
    swap = {"izquierdo": "derecho", "izquierda": "derecha"}
    swap |= {right: left for left, right in swap.items()}
    for joint, other in zip(COCO_JOINTS, MIRRORED, strict=True):
        words = [swap.get(word, word) for word in joint.split()]
        assert COCO_JOINTS[other] == " ".join(words)
    image = torch.arange(12.0).view(3, 2, 2)
    points, marked = torch.rand(17, 2), torch.rand(17) < 0.5
    there = mirrored(image, points, marked)
    assert there[0][0].tolist() == [[1, 0], [3, 2]]
    left, right = COCO_JOINTS.index("hombro izquierdo"), COCO_JOINTS.index("hombro derecho")
    torch.testing.assert_close(
        there[1][left], torch.stack([1 - points[right, 0], points[right, 1]])
    )
    assert there[2][left] == marked[right]
    for back, part in zip(mirrored(*there), (image, points, marked), strict=True):
        torch.testing.assert_close(back, part)


def test_joints_move_with_their_crop(tmp_path):
    """Recorte a recorte, cada articulación sigue en su punto blanco; y unos van reflejados."""
    people = coco_people(*write_coco(tmp_path), 64, moved=True)
    noses, shoulders = set(), []
    for seed in range(12):
        torch.manual_seed(seed)
        image, points, marked = people[0]
        assert marked.any()
        for k in marked.nonzero()[:, 0].tolist():
            x, y = (points[k] * 64).long().tolist()
            assert image[:, max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].max() > 0.15
        noses.add(tuple(points[0].tolist()))
        shoulders.append((bool(marked[5]), bool(marked[6])))
    assert len(noses) == 12 and {(True, False), (False, True)} <= set(shoulders)


def test_the_mean_pose_counts_only_what_is_marked(tmp_path):
    people = coco_people(*write_coco(tmp_path), 64)
    mean = people.mean_pose()
    torch.testing.assert_close(mean[0], people[0][1][0])  # la nariz solo está en la primera
    torch.testing.assert_close(mean[1], people[1][1][1])
    assert mean[3].tolist() == [0, 0]


def test_batches_train_the_model(tmp_path):
    people = coco_people(*write_coco(tmp_path), 32)
    batch = next(iter(EndlessLoader(people, 2, seed=0, collate=together, workers=0)))
    assert [tuple(part.shape) for part in batch] == [(2, 3, 32, 32), (2, 17, 2), (2, 17)]
    config = PoseConfig(17, 32, d_model=16, n_heads=2, n_layers=1, d_hidden=16)
    loss = pose_loss(KeypointTransformer(config), batch)
    loss.backward()
    assert torch.isfinite(loss)


def test_problems_are_explained(tmp_path):
    with pytest.raises(FileNotFoundError, match="no encuentro nada en .* perfil rapido"):
        coco_people(tmp_path / "nada", tmp_path / "n.json", 32)
