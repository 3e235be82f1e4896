"""El ViTPose publicado con personas de COCO: recortes altos, y de sus mapas a los sitios."""

import pytest
import torch

from tfcourse.datasets.folders.coco import COCO_SOURCE
from tfcourse.layers.image.keypoint_heads import heatmaps
from tfcourse.vision.pose.metrics import people_precision
from tfcourse.vision.pose.published import (
    Published,
    locate_published,
    middle,
    tall_people,
    tall_squares,
)
from workshop.rehearsal.coco import make_coco


@pytest.fixture
def people(tmp_path, monkeypatch):
    monkeypatch.setenv("TFCOURSE_LECTORES", "0")
    make_coco(tmp_path)
    monkeypatch.setenv(COCO_SOURCE.variable, str(tmp_path))
    return tall_people("val", Published(("uno",), height=64))


def test_the_crop_surrounds_a_tall_box_and_a_wide_one():
    squares = tall_squares(torch.tensor([[0.5, 0.5, 0.1, 0.4], [0.5, 0.5, 0.6, 0.2]]))
    assert squares.sides.tolist() == pytest.approx([0.5, 1.0])
    assert middle(torch.zeros(1, 3, 64, 64)).shape == (1, 3, 64, 48)
    # La caja ancha cabe en lo de en medio, con el mismo margen a cada lado.
    corners = squares.into(torch.tensor([[[0.2, 0.5]], [[0.2, 0.5]]]))[1, 0]
    assert 1 / 8 < corners[0] < 0.25


class Oracle(torch.nn.Module):
    """Contesta, por orden, un mapa con una campana donde está anotada cada articulación."""

    def __init__(self, people):
        super().__init__()
        self.points = torch.stack([people[row][1] for row in range(len(people))])
        self.row = 0

    def forward(self, images):
        assert images.shape[1:] == (3, 64, 48)
        points = self.points[self.row : self.row + len(images)]
        self.row += len(images)
        return heatmaps(points, 64)[..., 8:-8]


def test_who_puts_the_bells_where_they_are_gets_it_all(people):
    points, height = locate_published(Oracle(people), people, lambda images: images, batch_size=2)
    assert height.min() > 0 and points.shape[1:] == (17, 2)
    assert people_precision(points, height, people)["AP"] > 0.9
