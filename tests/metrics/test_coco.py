"""La cuenta de COCO: filas con respuesta conocida, para cajas, máscaras y poses."""

import json
import math

import pytest
import torch

from tfcourse.metrics.coco import coco_precision, corner_and_size, official_precision, packed

IMAGES = torch.zeros(2, 3, 8, 16)
LEFT = torch.zeros(8, 16, dtype=torch.bool)
LEFT[:, :8] = True


def square(image, kind, box, **more):
    return {"image_id": image, "category_id": kind, "bbox": box, "area": box[2] * box[3]} | more


TRUTH = [square(0, 1, [0, 0, 4, 4]), square(1, 3, [2, 2, 6, 4])]


def sure(rows, score=0.9):
    return [row | {"score": score} for row in rows]


def test_said_as_it_is_counts_everything(capsys):
    found = coco_precision("bbox", TRUTH, sure(TRUTH), IMAGES)
    assert found == pytest.approx({"AP": 1.0, "AP50": 1.0, "AP75": 1.0})
    assert capsys.readouterr().out == ""


def test_half_of_what_there_is():
    """De las dos clases se encuentra una; la que no está en ninguna imagen no cuenta."""
    said = sure([TRUTH[0], square(0, 7, [0, 0, 4, 4])])
    assert coco_precision("bbox", TRUTH, said, IMAGES)["AP"] == pytest.approx(0.5)
    assert coco_precision("bbox", TRUTH, [], IMAGES)["AP"] == 0
    assert math.isnan(coco_precision("bbox", [], said, IMAGES)["AP"])


def test_the_last_class_counts_as_much_as_the_first():
    """Las clases son las que hay, sin huecos: cada una pesa lo mismo en la media."""
    three = [*TRUTH, square(0, 4, [8, 0, 4, 4])]
    for missing in range(3):
        said = sure([row for number, row in enumerate(three) if number != missing])
        assert coco_precision("bbox", three, said, IMAGES)["AP"] == pytest.approx(2 / 3)


def test_each_size_apart():
    """Una caja de 16 píxeles que se encuentra y otra de 24 que no."""
    areas = {"pequeños": (0, 20), "medianos": (20, 30), "grandes": (30, 1e10)}
    found = coco_precision("bbox", TRUTH, sure(TRUTH[:1]), IMAGES, areas=areas)
    assert list(found) == ["AP", "AP50", "AP75", "AP pequeños", "AP medianos", "AP grandes"]
    assert found["AP pequeños"] == pytest.approx(1.0) and found["AP medianos"] == 0
    assert math.isnan(found["AP grandes"])


def test_masks_are_compared_point_by_point():
    """La mitad de la izquierda y sus tres cuartos: 48 puntos de 64, que pasan seis umbrales."""
    smaller = LEFT.clone()
    smaller[:2] = False
    row = {"image_id": 0, "category_id": 1, "segmentation": packed(LEFT), "area": 64}
    said = {"image_id": 0, "category_id": 1, "segmentation": packed(smaller), "score": 1.0}
    found = coco_precision("segm", [row], [said], IMAGES)
    assert found["AP"] == pytest.approx(0.6) and found["AP75"] == pytest.approx(1.0)


def test_poses_are_compared_with_their_tolerance():
    """El mismo fallo de un píxel, con la tolerancia ancha y con la estrecha."""
    pose = square(0, 1, [0, 0, 4, 4], keypoints=[1.0, 1.0, 2, 3.0, 3.0, 2], num_keypoints=2)
    said = pose | {"keypoints": [2.0, 1.0, 1, 3.0, 4.0, 1], "score": 1.0}
    wide, narrow = (
        coco_precision("keypoints", [pose], [said], IMAGES, sigmas=[sigma, sigma])["AP"]
        for sigma in (1.0, 0.01)
    )
    assert wide == pytest.approx(1.0) and narrow == 0


def test_a_box_is_written_from_its_corner():
    box = torch.tensor([0.5, 0.25, 0.5, 0.25])
    assert corner_and_size(box, 16) == [4.0, 2.0, 8.0, 4.0]


def test_with_the_official_notes(tmp_path, capsys):
    """Sus números, sus huecos y sus tamaños; el grupo ni suma ni resta, y lo callado cuenta."""
    crowd = square(40, 1, [0, 0, 50, 40], iscrowd=1, id=3)
    crowd["segmentation"] = {"size": [40, 50], "counts": [0, 2000]}
    notes = {
        "images": [{"id": number, "height": 40, "width": 50} for number in (40, 7)],
        "categories": [{"id": 1}, {"id": 90}],
        "annotations": [
            square(40, 1, [0, 0, 4, 4], iscrowd=0, id=1),
            square(7, 90, [2, 2, 6, 4], iscrowd=0, id=2),
            crowd,
        ],
    }
    path = tmp_path / "notas.json"
    path.write_text(json.dumps(notes))
    both = sure([square(40, 1, [0, 0, 4, 4]), square(7, 90, [2, 2, 6, 4])])
    inside_the_crowd = sure([square(40, 1, [20, 20, 9, 9])], score=1.0)
    alike = pytest.approx({"AP": 1.0, "AP50": 1.0, "AP75": 1.0})
    assert official_precision("bbox", path, both) == alike
    assert official_precision("bbox", path, both + inside_the_crowd) == alike
    assert official_precision("bbox", path, both[:1])["AP"] == pytest.approx(0.5)
    assert official_precision("bbox", path, [])["AP"] == 0
    assert capsys.readouterr().out == ""
