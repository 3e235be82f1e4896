"""La recompensa aprendida: dónde se lee, qué pérdida tiene y que aprende a ordenar unas parejas."""

import math
from dataclasses import replace

import pytest
import torch

from tfcourse.datasets.tasks.instructions import UNKNOWN, Instruction
from tfcourse.text.assistant.preferences import Preference
from tfcourse.text.assistant.recipe import load, template
from tfcourse.text.assistant.reward_model import (
    RewardModel,
    RewardRecipe,
    as_reward,
    many_answers,
    ordered,
    ranked,
    ranked_batches,
    ranking_loss,
    scores,
    train_reward,
)
from tfcourse.training.budget import Steps

ANA = Instruction("lectura", "Ana vio un mar en Lima. ¿Qué vio Ana?", "un mar")
ASKED = [ANA.prompt] * 3
TOLD = ["un mar", UNKNOWN, "Lima"]


@pytest.fixture(scope="module")
def model():
    return load("asistente")


def pair(best, worst):
    form = template()
    return Preference(form.prompt(ANA.prompt), form.answer(best), form.answer(worst))


def lively(model):
    """Una recompensa con la fila que da el número sorteada: al empezar es cero."""
    reward = RewardModel(model)
    torch.nn.init.normal_(reward.value.weight, generator=torch.Generator().manual_seed(0))
    return reward


def test_at_first_everything_is_worth_zero_and_the_loss_is_log_two(model):
    reward = RewardModel(model)
    assert scores(reward, ASKED, TOLD).tolist() == [0, 0, 0]
    batch = next(ranked_batches([pair("un mar", "Lima")], 4, 0))
    assert ranking_loss(reward, batch).item() == pytest.approx(math.log(2))
    with pytest.raises(ValueError, match="no hay parejas"):
        next(ranked_batches([], 4, 0))


@torch.no_grad()
def test_it_is_read_at_the_last_mark_and_padding_does_not_count(model):
    reward, form = lively(model), template()
    together = scores(reward, ASKED, TOLD)
    for asked, told, value in zip(ASKED, TOLD, together, strict=True):
        whole = torch.tensor([form.prompt(asked) + form.answer(told)])
        by_hand = reward.model.states(whole)[0, -1] @ reward.value.weight[0] + reward.value.bias[0]
        assert float(value) == pytest.approx(float(by_hand), abs=1e-4)
    assert as_reward(reward)(ANA, "Lima") == pytest.approx(float(together[2]), abs=1e-4)
    batch = ranked([pair("un mar", UNKNOWN), pair("Lima", "un mar")])
    gaps = together[[0, 2]] - together[[1, 0]]
    assert float(ranking_loss(reward, batch)) == pytest.approx(
        float(-torch.nn.functional.logsigmoid(gaps).mean()), abs=1e-4
    )
    pairs = [pair("un mar", UNKNOWN), pair("Lima", "un mar")]
    assert ordered(reward, pairs) == (gaps > 0).tolist()


def test_it_learns_to_order_and_the_model_does_not_change(model):
    before = {key: value.clone() for key, value in model.state_dict().items()}
    pairs = [pair("un mar", UNKNOWN), pair("un mar", "Lima")]
    recipe = replace(RewardRecipe(), batch_size=4, n_prompts=1, kinds=("lectura",))
    done = train_reward(model, recipe, 0, Steps(6), pairs=pairs)
    assert ordered(done.model, pairs) == [True, True]
    assert done.history.loss[-1] < done.history.loss[0] - 0.1
    assert all(value.equal(before[key]) for key, value in model.state_dict().items())


def test_many_answers_are_as_many_and_the_same_with_the_same_seed(model):
    first = many_answers(model, ASKED[:1] * 2, 5, seed=3, at_once=2)
    assert [len(own) for own in first] == [5, 5]
    assert many_answers(model, ASKED[:1] * 2, 5, seed=3, at_once=2) == first
