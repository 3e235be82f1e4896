"""La receta de Gato: la misma semilla, la tarea de cada especialista y los pesos del curso."""

import pytest
import torch

from tfcourse.datasets.agents.control import CONTROL, expert_episodes
from tfcourse.datasets.agents.generalist import GeneralistData
from tfcourse.datasets.sounds.spoken_words import DIGITS, spoken_words
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, takes_of
from tfcourse.multimodal.generalist import recipe
from tfcourse.multimodal.generalist.metrics import task_score
from tfcourse.multimodal.generalist.recipe import TASKS, WEIGHTS, Recipe, build, load, train
from tfcourse.training import History
from tfcourse.training.recipe import Trained
from tfcourse.weights.shipped import weights_card

TINY = {"d_model": 16, "n_heads": 2, "n_layers": 1}


@pytest.fixture(scope="module")
def data():
    g = torch.Generator().manual_seed(0)
    episodes = {name: expert_episodes(name, 2) for name in CONTROL}
    return GeneralistData(torch.randn(20, 8, 200, generator=g), torch.arange(20) % 10, episodes)


def test_same_seed_same_model(data):
    first, again, other = (train(Recipe(steps=2), seed, data=data, **TINY) for seed in (0, 0, 1))
    assert len(first.history.loss) == 2 and not first.model.training
    assert torch.equal(first.model.table.weight, again.model.table.weight)
    assert not torch.equal(first.model.table.weight, other.model.table.weight)


def test_a_specialist_only_sees_its_task(data, monkeypatch):
    seen = []
    monkeypatch.setattr(
        recipe, "generalist_batches", lambda d, shares, seed: seen.append(shares) or iter([])
    )
    with pytest.raises(ValueError):
        train(Recipe(steps=1), 0, data=data, tasks=["oír"], **TINY)
    assert seen == [{"oír": recipe.SHARES["oír"]}]


def test_the_card_says_this_recipe():
    """Lo que no pide entrenar: el tamaño, la receta, los datos, la semilla y qué se midió."""
    card, shipped = weights_card("gato"), WEIGHTS["gato"]
    made = Trained(build(Recipe()), Recipe(), History())
    assert card.config == shipped.config(made.model) | {"grid": list(made.model.config.grid)}
    assert card.recipe == shipped.recipe(made)
    assert card.data == shipped.data and card.seed == shipped.seed
    assert card.quality.keys() == {*TASKS, *(f"{task}, sin entrenar" for task in TASKS)}


def test_the_card_has_every_score(monkeypatch):
    """Lo medido lleva los nombres de la ficha, y lo que no se ha entrenado, al lado."""
    monkeypatch.setattr(recipe, "task_score", lambda *_: 0.5)
    monkeypatch.setattr(recipe, "long_data", lambda: (None, None))
    shipped = WEIGHTS["gato"]
    names = shipped.score(build(Recipe())) | shipped.blind()
    assert names.keys() == weights_card("gato").quality.keys()


def test_the_weights_are_the_ones_of_the_card():
    card, model = weights_card("gato"), load("gato")
    spoken = spoken_words(DIGITS, takes_of(TEST_VARIANTS, 1))
    for task, n, n_play in (("describir", 100, 0), ("oír", 0, 0), ("carro", 0, 4)):
        found = task_score(model, task, spoken, n, n_play)
        assert found == pytest.approx(card.quality[task], abs=0.15)
        assert found > card.quality[f"{task}, sin entrenar"] + 0.3
