"""Recetas de Gato: la misma semilla, las notas, las bases y los mundos cambiados."""

import pytest
import torch

from tfcourse import gato_recipes
from tfcourse.datasets.control import CONTROL, expert_episodes, play
from tfcourse.datasets.generalist import SPACE, GeneralistData
from tfcourse.datasets.spoken_words import SpokenWords
from tfcourse.gato_recipes import (
    TASKS,
    GatoRecipe,
    asked,
    caption_accuracy,
    control_references,
    expert_share,
    guess_rates,
    held_out_scenes,
    mean_score,
    task_score,
    trained,
)
from tfcourse.gato_shifts import CROWDED, WORLDS, crowded_scenes, shifted_scores
from tfcourse.models.gato import Gato, GatoConfig

TINY = {"d_model": 16, "n_heads": 2, "n_layers": 1}


@pytest.fixture(scope="module")
def data():
    g = torch.Generator().manual_seed(0)
    episodes = {name: expert_episodes(name, 2) for name in CONTROL}
    return GeneralistData(torch.randn(20, 8, 200, generator=g), torch.arange(20) % 10, episodes)


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    return Gato(GatoConfig(len(SPACE), **TINY)).eval()


def test_same_seed_same_model(data):
    recipe = GatoRecipe(steps=2)
    (first, history), (again, _) = (trained(data, 0, recipe, **TINY) for _ in range(2))
    assert len(history.loss) == 2 and not first.training
    assert torch.equal(first.table.weight, again.table.weight)
    other, _ = trained(data, 1, recipe, **TINY)
    assert not torch.equal(first.table.weight, other.table.weight)


def test_a_specialist_only_sees_its_task(data, monkeypatch):
    seen = []
    monkeypatch.setattr(
        gato_recipes, "generalist_batches", lambda d, shares, seed: seen.append(shares) or iter([])
    )
    with pytest.raises(ValueError):
        trained(data, 0, GatoRecipe(steps=1), ["oír"], **TINY)
    assert seen == [{"oír": gato_recipes.SHARES["oír"]}]


def test_scores_by_hand(model, monkeypatch):
    scenes = held_out_scenes(4)
    written = [scene.caption for scene in scenes]
    written[2] = written[2][:-1]
    monkeypatch.setattr(gato_recipes, "write", lambda *_, **__: written)
    assert caption_accuracy(model, scenes) == 0.75
    monkeypatch.setattr(gato_recipes, "write", lambda *_, **__: [a for _, a in asked(scenes)])
    assert gato_recipes.answer_accuracy(model, scenes) == 1.0
    clips = SpokenWords(torch.zeros(2, 8000), torch.tensor([7, 0]), ("a", "b"), (), 8000)
    monkeypatch.setattr(gato_recipes, "write", lambda *_, **__: [["siete"], ["uno"]])
    assert gato_recipes.digit_accuracy(model, clips) == 0.5


def test_the_expert_is_one_and_chance_is_zero():
    references = control_references("carro", 3)
    assert expert_share(references["experto"], references) == 1.0
    assert expert_share(references["azar"], references) == 0.0
    assert references["experto"] == mean_score(
        play("carro", CONTROL["carro"].expert, goal, gato_recipes.TEST_SEED + i)
        for i, goal in enumerate(("izquierda", "derecha", "izquierda"))
    )


def test_guessing_reads_the_question():
    rates = guess_rates(300)
    assert rates.keys() == set(TASKS)
    assert rates["describir"] < 0.15 and 0.25 < rates["responder"] < 0.6 and rates["oír"] == 0.1


def test_untrained_is_no_better_than_chance(model):
    clips = SpokenWords(torch.randn(20, 8000) * 0.1, torch.arange(20) % 10, ("a",) * 20, (), 8000)
    for task in TASKS:
        assert task_score(model, task, clips, n=20, n_play=2) < 0.55


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
