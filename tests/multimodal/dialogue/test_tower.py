"""La torre cuenta lo que ve: con las respuestas de verdad, la escena de verdad."""

import torch

from tests.multimodal.dialogue.small import tower
from tfcourse.datasets.scenes.asked_scenes import asked_scenes
from tfcourse.multimodal.dialogue import tower as room
from tfcourse.multimodal.dialogue.tower import present, told


def answering(monkeypatch, logits):
    monkeypatch.setattr(room, "seen_by_quarter", lambda *_: logits)


def test_who_sees_it_right_tells_the_scene(monkeypatch):
    scenes = asked_scenes(20, torch.Generator().manual_seed(1))
    answering(monkeypatch, 8 * present(scenes) - 4)
    found = told(tower(), scenes)
    assert [scene.things for scene in found] == [scene.things for scene in scenes]
    assert all(one.image is other.image for one, other in zip(found, scenes, strict=True))


def test_who_sees_nothing_tells_its_best_guess(monkeypatch):
    scenes = asked_scenes(2, torch.Generator().manual_seed(1))
    logits = torch.full_like(present(scenes), -5)
    logits[:, 2, 1] = -1
    answering(monkeypatch, logits)
    assert [len(scene.things) for scene in told(tower(), scenes)] == [1, 1]
    assert {scene.things[0][:2] for scene in told(tower(), scenes)} == {(2, room.SEEN[1])}
