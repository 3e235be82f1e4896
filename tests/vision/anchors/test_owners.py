"""El emparejamiento que baila: quién responde de cada objeto, y cuántos cambian."""

import pytest
import torch

from tests.fixed_answers import Says
from tfcourse.datasets.scenes.scenes import SHAPE_SCENES, reserved_scenes
from tfcourse.models.detr import Detections
from tfcourse.vision.anchors import owners as module
from tfcourse.vision.anchors.owners import changes_of_owner, owners
from tfcourse.vision.detection.losses import DETR_LOSS
from tfcourse.vision.detection.recipe import LADDER


def test_who_says_the_exact_box_is_its_owner():
    """Cada consulta dice, al revés, la caja de un objeto: la última, la del primero."""
    scenes = reserved_scenes(6, SHAPE_SCENES)
    boxes = torch.where(scenes.present[..., None], scenes.boxes, 0.9).flip(1)
    model = Says([Detections(torch.zeros(6, 4, 5), boxes)])
    found = owners(model, scenes, DETR_LOSS)
    places = torch.arange(4).flip(0).expand(6, -1)
    assert torch.equal(found, torch.where(scenes.present, places, -1))


def test_changes_are_counted_step_by_step(monkeypatch):
    """Tres miradas: en la primera cambian todos y en la segunda ninguno; el relleno no cuenta."""
    monkeypatch.setattr(module, "N_WATCHED", 3)
    monkeypatch.setattr(module, "BATCH_SIZE", 2)
    present = reserved_scenes(3, SHAPE_SCENES).present
    seen = iter([~present * -1, torch.where(present, 1, 5), torch.where(present, 1, 7)])
    monkeypatch.setattr(module, "owners", lambda model, scenes, loss: next(seen))
    assert changes_of_owner(LADDER["+ anclas"], 0, n_steps=2) == pytest.approx(0.5)


def test_two_stages_have_nobody_to_follow():
    with pytest.raises(ValueError, match="con dos etapas"):
        changes_of_owner(LADDER["+ dos etapas"], 0)
