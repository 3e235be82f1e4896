"""Recetas de pose: la tabla guardada es la de estas cabezas, y los pesos cumplen su ficha."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse import pose_recipes
from tfcourse.crops import squares_around
from tfcourse.datasets.figures import CROWD, FigureConfig, make_figures, reserved_figures
from tfcourse.models.pose import HEADS, KeypointTransformer, PoseConfig
from tfcourse.pose_metrics import keypoint_precision, pck
from tfcourse.pose_plots import plot_pose
from tfcourse.pose_recipes import (
    average_pose,
    bottom_up,
    crop_batches,
    shaken,
    single_batches,
    single_score,
    top_down,
    train_bottom_up,
    train_pose,
)
from tfcourse.pose_shipped import load_bottom_up, load_simcc
from tfcourse.pose_table import NAME, measure, settings
from tfcourse.results import load_results
from tfcourse.shipped import weights_card


def test_the_stored_table_is_whole():
    rows = load_results(NAME, settings())
    seeds = {row["seed"] for row in rows}
    assert len(seeds) >= 3 and len(rows) == len(seeds) * len(HEADS)
    assert {row["head"] for row in rows} == set(HEADS)


def test_the_table_goes_head_by_head(monkeypatch):
    from tfcourse import pose_table

    monkeypatch.setattr(pose_table, "SECONDS", 0.05)
    monkeypatch.setattr("tfcourse.pose_recipes.PoseModel.score", lambda self: {"PCK": 0.0})
    rows = list(measure([3]))
    assert [row["head"] for row in rows] == list(HEADS)
    assert all(row["seed"] == 3 and row["updates"] > 0 for row in rows)


def test_same_seed_same_model():
    first, again = (train_pose("SimCC", 0, steps=2) for _ in range(2))
    assert first.history.loss == again.history.loss and not first.model.training
    one, other = (train_bottom_up(0, steps=1, config=CROWD) for _ in range(2))
    assert torch.equal(one.head.weight, other.head.weight)


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
    monkeypatch.setattr(pose_recipes, "figure_batches", lambda *_: iter([figures]))
    monkeypatch.setattr(pose_recipes, "SHAKE", 0.4)
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


def test_bottom_up_numbers_the_images_across_parts():
    figures = reserved_figures(5, CROWD)
    model = load_bottom_up()
    whole, parts = bottom_up(model, figures), bottom_up(model, figures, batch_size=2)
    assert torch.equal(whole.owners, parts.owners) and whole.owners.max() <= 4
    torch.testing.assert_close(whole.keypoints, parts.keypoints, atol=1e-3, rtol=0)


BARS = {"pose_simcc": 0.5, "pose_abajo_arriba": 0.2}


@pytest.mark.lento
@pytest.mark.parametrize("name", BARS)
def test_shipped_weights_keep_their_word(name):
    """Con menos imágenes que las de la ficha, la medida se mueve un poco."""
    card, figures = weights_card(name), reserved_figures(150, CROWD)
    found = (
        top_down(load_simcc().model, figures)
        if name == "pose_simcc"
        else bottom_up(load_bottom_up(), figures)
    )
    measured = keypoint_precision(found, figures)["AP"]
    assert measured == pytest.approx(card.quality["AP"], abs=0.06)
    assert card.quality["AP"] > BARS[name] > card.quality["AP sin entrenar"] + 0.1


def test_clear_figures_have_no_hidden_score():
    clear = FigureConfig(max_blocks=0)
    with pytest.raises(ValueError, match="ninguna articulación que contar"):
        single_score(average_pose(reserved_figures(3, clear)), reserved_figures(3, clear))
    assert pck(torch.zeros(1, 1, 2), torch.zeros(1, 1, 2), torch.ones(1)) == 1.0


def test_a_drawing_needs_points_in_pairs():
    from tfcourse import plots

    _, axes = plots.figure()
    plot_pose(axes, torch.rand(13, 2), 64)
    with pytest.raises(ValueError, match=r"forma \(13, 3\): hacen falta \(K, 2\)"):
        plot_pose(axes, torch.rand(13, 3), 64)
