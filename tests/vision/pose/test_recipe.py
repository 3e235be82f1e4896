"""Recetas de una figura: lotes, recortes y medidas; los pesos cumplen su ficha."""

import json

import pytest
import torch
import torch.nn.functional as F

from tfcourse.datasets.scenes.figures import CROWD, FigureConfig, make_figures, reserved_figures
from tfcourse.geometry.crops import squares_around
from tfcourse.models.pose import HEADS, KeypointTransformer, PoseConfig
from tfcourse.training import History
from tfcourse.training.budget import CpuSeconds
from tfcourse.training.recipe import Trained
from tfcourse.vision.pose.metrics import keypoint_precision, pck
from tfcourse.vision.pose.recipe import (
    CROPS,
    WEIGHTS,
    Recipe,
    average_pose,
    batches,
    build,
    crop_batches,
    load,
    shaken,
    single_batches,
    single_score,
    top_down,
    train,
)
from tfcourse.weights.shipped import weights_card


def test_same_seed_same_model(fake_clock):
    first, again = (train(Recipe(steps=2), 0) for _ in range(2))
    assert first.history.loss == again.history.loss and not first.model.training
    assert train(Recipe(batch_size=2), 0, CpuSeconds(2 * fake_clock.tick)).history.loss


def test_each_recipe_is_the_head_it_says():
    assert [build(Recipe(head)).config.head for head in HEADS] == list(HEADS)


def test_several_figures_go_in_crops():
    """La imagen entera, si hay una sola figura; si hay varias, el recorte de cada una."""
    for recipe, make in ((Recipe(batch_size=3), single_batches), (CROPS, crop_batches)):
        found, wanted = next(batches(recipe, 5)), next(make(recipe.batch_size, 5))
        assert all(torch.equal(a, b) for a, b in zip(found, wanted, strict=True))


def test_average_pose_is_scored_apart():
    """La media de cada articulación, y el recuento por bucles de visibles y tapadas."""
    test = reserved_figures(50)
    score = single_score(average_pose(test), test)
    points, sides = test.keypoints[:, 0], test.boxes[:, 0, 2:].amax(1)
    right = [0, 0]
    total = [0, 0]
    for i in range(50):
        for k in range(13):
            seen = int(test.visible[i, 0, k])
            total[seen] += 1
            right[seen] += float((points[:, k].mean(0) - points[i, k]).norm()) <= 0.1 * sides[i]
    assert score["tapadas"] == pytest.approx(right[0] / total[0])
    assert score["visibles"] == pytest.approx(right[1] / total[1])
    assert score["PCK"] == pytest.approx(sum(right) / sum(total))


def test_crops_hold_their_figure():
    """Las articulaciones anotadas caen en el recorte, y casi siempre todas."""
    images, points, marked = next(crop_batches(8, 0))
    assert images.shape[1:] == (3, 64, 64) and len(images) == len(points) == 8
    assert (points >= 0).all() and (points <= 1).all() and marked.float().mean() > 0.95
    again = next(crop_batches(8, 0))
    assert torch.equal(images, again[0])


def test_crops_and_their_points_move_together(monkeypatch):
    """Imágenes que dicen en cada punto dónde está: en el recorte se lee la articulación anotada."""
    line = (torch.arange(96) + 0.5) / 96
    where = torch.stack([line.expand(96, 96), line[:, None].expand(96, 96), torch.zeros(96, 96)])
    figures = make_figures(6, torch.Generator().manual_seed(0), CROWD)
    figures = figures._replace(images=where.expand(6, -1, -1, -1).clone())
    monkeypatch.setattr("tfcourse.vision.pose.recipe.figure_batches", lambda *_: iter([figures]))
    monkeypatch.setattr("tfcourse.vision.pose.recipe.SHAKE", 0.4)
    images, points, marked = next(crop_batches(6, 0))
    places = 2 * points[:, None] - 1
    seen = F.grid_sample(images, places, padding_mode="border", align_corners=False)
    seen = seen[:, :2, 0].transpose(1, 2)
    known = figures.keypoints[figures.present]
    for own, count in zip(seen, marked, strict=True):
        away = (known - own).abs().amax(-1)[:, count]
        assert away.amax(1).min() < 0.02
    # Lo que se sale por un solo lado tampoco se anota.
    assert torch.equal(marked, ((points > 0) & (points < 1)).all(-1)) and not marked.all()


def test_half_the_tolerance_is_stricter():
    """Todas, a 0,07 veces el lado: bien con una décima y mal con la mitad."""
    test = reserved_figures(20)
    found = test.keypoints[:, 0].clone()
    found[..., 0] += 0.07 * test.boxes[:, 0, 2:].amax(1, keepdim=True)
    score = single_score(found, test)
    assert score["PCK"] == 1 and score["PCK@0.05"] == 0


def test_a_single_batch_has_one_figure():
    images, points, marked = next(single_batches(3, 0))
    assert images.shape == (3, 3, 64, 64) and points.shape == (3, 13, 2) and marked.all()


def test_shaken_boxes_stay_near():
    boxes = torch.tensor([[0.5, 0.5, 0.4, 0.2]]).repeat(300, 1)
    moved = shaken(boxes, 0.1, torch.Generator().manual_seed(0))
    away = (moved - boxes).abs().amax(0)
    assert torch.allclose(away, torch.tensor([0.04, 0.02, 0.04, 0.02]), atol=2e-3)
    assert torch.equal(shaken(boxes, 0.0, torch.Generator()), boxes)


class Oracle(KeypointTransformer):
    """Contesta los sitios verdaderos, llevados a cada recorte."""

    def __init__(self, figures, boxes):
        super().__init__(PoseConfig())
        squares = squares_around(boxes[figures.present])
        self.answer = squares.into(figures.keypoints[figures.present])

    def locate(self, images, batch_size=100):
        assert images.shape == (len(self.answer), 3, 64, 64)
        return self.answer, torch.linspace(0, 1, 13).expand(len(self.answer), -1)


def test_top_down_brings_the_points_back():
    figures = make_figures(10, torch.Generator().manual_seed(0), CROWD)
    found = top_down(Oracle(figures, figures.boxes), figures)
    torch.testing.assert_close(found.keypoints, figures.keypoints[figures.present])
    torch.testing.assert_close(found.scores, torch.full((len(found.owners),), 0.5))
    assert keypoint_precision(found, figures)["AP"] == pytest.approx(1.0)


def test_top_down_crops_the_boxes_it_is_given():
    figures = make_figures(4, torch.Generator().manual_seed(0), CROWD)
    boxes = figures.boxes * torch.tensor([1.0, 1.0, 1.5, 1.3])
    found = top_down(Oracle(figures, boxes), figures, boxes)
    torch.testing.assert_close(found.keypoints, figures.keypoints[figures.present])


def test_the_card_is_of_this_recipe(monkeypatch):
    """Lo que no pide entrenar, y el nombre de lo que se mide."""
    card, shipped, model = weights_card("pose_simcc"), WEIGHTS["pose_simcc"], build(CROPS).eval()
    assert shipped.config(model) == card.config
    noted = shipped.recipe(Trained(model, CROPS, History()))
    assert json.loads(json.dumps(noted)) == card.recipe
    assert (shipped.seed, shipped.data) == (card.seed, card.data)
    monkeypatch.setattr("tfcourse.vision.pose.recipe.SHIPPED_TEST", 3)
    assert list(shipped.score(model) | shipped.blind()) == list(card.quality)


def test_an_unknown_name_is_told():
    with pytest.raises(ValueError, match="aquí no hay pesos «otro»: usa pose_simcc"):
        load("otro")


@pytest.mark.lento
def test_shipped_weights_keep_their_word():
    """Con menos imágenes que las de la ficha, la medida se mueve un poco."""
    card, figures = weights_card("pose_simcc"), reserved_figures(150, CROWD)
    measured = keypoint_precision(top_down(load("pose_simcc").model, figures), figures)["AP"]
    assert measured == pytest.approx(card.quality["AP"], abs=0.06)
    assert card.quality["AP"] > 0.5 > card.quality["AP sin entrenar"] + 0.1


def test_clear_figures_have_no_hidden_score():
    clear = FigureConfig(max_blocks=0)
    with pytest.raises(ValueError, match="ninguna articulación que contar"):
        single_score(average_pose(reserved_figures(3, clear)), reserved_figures(3, clear))
    assert pck(torch.zeros(1, 1, 2), torch.zeros(1, 1, 2), torch.ones(1)) == 1.0
