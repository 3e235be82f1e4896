"""Fuera de lo visto: escenas con una figura más y mundos con otra física."""

import pytest
import torch

from tfcourse.datasets.agents.control import play
from tfcourse.datasets.agents.generalist import SPACE
from tfcourse.models.gato import Gato, GatoConfig
from tfcourse.multimodal.generalist.shifts import CROWDED, WORLDS, crowded_scenes, shifted_scores


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return Gato(GatoConfig(len(SPACE), d_model=16, n_heads=2, n_layers=1)).eval()


def test_crowded_scenes_have_three_and_the_pasted_one_is_real():
    for scene in crowded_scenes(20):
        assert len(scene.things) == 3 and len({q for q, _, _ in scene.things}) == 3
        assert len(scene.caption) == 11
        for quarter, _, _ in scene.things:
            row, column = divmod(quarter, 2)
            cell = scene.image[:, 16 * row : 16 * row + 16, 16 * column : 16 * column + 16]
            assert float(cell.flatten(1).std(dim=1).max()) > 0.1


def test_another_world_is_another_physics():
    """Los mismos comienzos y las mismas acciones llevan a otro sitio."""
    for task, world in WORLDS.values():
        push = (lambda seen, goal: [0]) if task == "carro" else (lambda seen, goal: [512])
        usual, changed = (play(task, push, "derecha", 0, world=w) for w in (None, world))
        assert torch.equal(usual.observations[0], changed.observations[0])
        assert not torch.equal(usual.observations[1:5], changed.observations[1:5])


def test_the_changes_are_measured(model):
    rows = shifted_scores(model, n=4, n_play=1)
    assert rows.keys() == {CROWDED, *WORLDS} and rows[CROWDED]["experto"] is None
