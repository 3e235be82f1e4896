"""Escenas contadas: lo que se dice es lo que se ve."""

import pytest
import torch

from tfcourse.datasets.scenes.scene_objects import SHAPES
from tfcourse.datasets.scenes.told_scenes import (
    COLOURS,
    QUARTERS,
    ask,
    named,
    questions,
    scene_patches,
    scene_words,
    told_scenes,
)


@pytest.fixture(scope="module")
def scenes():
    return told_scenes(200, torch.Generator().manual_seed(0))


def painted(scene, quarter):
    """El cuadrante y qué puntos suyos se apartan del fondo."""
    row, column = divmod(quarter, 2)
    patch = scene.image[:, 16 * row : 16 * row + 16, 16 * column : 16 * column + 16]
    background = scene.image.flatten(1).median(dim=1).values  # casi todo es fondo
    return patch, (patch - background[:, None, None]).abs().amax(0) > 0.3


def test_the_quarters_and_the_colours_are_the_ones_in_the_picture(scenes):
    names, palette = tuple(COLOURS), torch.tensor(list(COLOURS.values()))
    for scene in scenes[:80]:
        inside = {quarter: colour for quarter, _, colour in scene.things}
        for quarter in range(4):
            patch, ink = painted(scene, quarter)
            if quarter not in inside:
                assert ink.float().mean() < 0.12  # a lo sumo, el borde de la vecina
                continue
            assert ink.sum() > 10
            mean = patch[:, ink].mean(dim=1)
            assert names[int((palette - mean).square().sum(1).argmin())] == inside[quarter]


def test_captions_agree_and_follow_the_reading_order(scenes):
    assert named("cruz", "rojo") == ["una", "cruz", "roja"]
    assert named("cruz", "azul") == ["una", "cruz", "azul"]
    assert named("círculo", "rojo") == ["un", "círculo", "rojo"]
    for scene in scenes:
        assert [q for q, _, _ in scene.things] == sorted(q for q, _, _ in scene.things)
        assert len(scene.caption) == 4 * len(scene.things) - 1
        assert {*scene.caption} <= scene_words()


def test_about_half_of_them_have_two(scenes):
    two = sum(len(scene.things) == 2 for scene in scenes) / len(scenes)
    assert 0.4 < two < 0.6
    assert {shape for s in scenes for _, shape, _ in s.things} == {*SHAPES}


def test_every_answer_is_true(scenes):
    for scene in scenes[:60]:
        for key, (question, answer) in questions(scene).items():
            text = " ".join(question)
            if key == "cuántas":
                assert answer == [("una", "dos")[len(scene.things) - 1]]
            elif key.startswith("color"):
                true = [c for _, shape, c in scene.things if shape == question[-2]]
                assert [answer[0]] == true
            else:
                place = next(i for i, (r, c) in enumerate(QUARTERS) if f"{r} a la {c}" in text)
                true = [shape for quarter, shape, _ in scene.things if quarter == place]
                assert answer == (true or ["nada"])
            assert {*question, *answer} <= scene_words()


def test_questions_are_drawn_in_every_way(scenes):
    generator = torch.Generator().manual_seed(0)
    asked = [ask(scene, generator) for scene in scenes]
    for word, least in (("cuántas", 0.2), ("color", 0.2), ("hay", 0.5)):
        assert sum(word in q for q, _ in asked) > least * len(asked)
    assert 0 < sum(answer == ["nada"] for _, answer in asked) < 0.3 * len(asked)


def test_patches_go_by_rows():
    image = torch.arange(3 * 32 * 32.0).view(3, 32, 32)
    patches = scene_patches(image)
    for i, (row, column) in enumerate(((0, 0), (0, 16), (16, 0), (16, 16))):
        assert torch.equal(patches[i], image[:, row : row + 16, column : column + 16])


def test_same_seed_same_scenes():
    first, again = (told_scenes(3, torch.Generator().manual_seed(4)) for _ in range(2))
    assert all(torch.equal(a.image, b.image) for a, b in zip(first, again, strict=True))
    with pytest.raises(ValueError, match="al menos una"):
        told_scenes(0, torch.Generator())
