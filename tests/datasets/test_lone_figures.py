"""Escenas de una figura: una imagen, dos respuestas, y las dos son de lo que hay pintado."""

import pytest
import torch

from tfcourse.datasets.scenes.asked_scenes import RESERVED
from tfcourse.datasets.scenes.lone_figures import QUESTIONS, SIDE, lone_figures
from tfcourse.datasets.scenes.told_scenes import COLOURS


@pytest.fixture(scope="module")
def scenes():
    return lone_figures(300, 0)


def test_both_questions_are_about_the_same_pictures(scenes):
    figure, colour = (scenes[question] for question in ("figura", "color"))
    assert list(scenes) == list(QUESTIONS)
    assert figure.images.equal(colour.images) and figure.images.shape == (300, 3, SIDE, SIDE)
    for question, names in QUESTIONS.items():
        assert set(scenes[question].labels.tolist()) == set(range(len(names)))


def test_the_same_seed_gives_the_same_and_another_does_not(scenes):
    assert lone_figures(300, 0)["color"].images.equal(scenes["color"].images)
    assert not lone_figures(300, 1)["color"].images.equal(scenes["color"].images)


def test_the_colour_is_that_of_the_figure(scenes):
    """El píxel que más se aparta de la mediana de su imagen se parece al color que se dice."""
    images, names = scenes["color"].images, QUESTIONS["color"]
    flat = images.flatten(2)
    gap = (flat - flat.median(-1, keepdim=True).values).square().sum(1)
    pixel = flat.gather(2, gap.argmax(-1)[:, None, None].expand(-1, 3, 1))[..., 0]
    palette = torch.tensor([COLOURS[name] for name in names])
    found = torch.cdist(pixel, palette).argmin(1)
    assert float((found == scenes["color"].labels).float().mean()) > 0.95


def test_reserved_pairs_are_not_here(scenes):
    shapes, colours = (
        [names[i] for i in scenes[question].labels.tolist()]
        for question, names in QUESTIONS.items()
    )
    assert not set(RESERVED) & set(zip(shapes, colours, strict=True))


def test_none_is_an_error():
    with pytest.raises(ValueError, match="n=0"):
        lone_figures(0, 0)
