"""Preferencias y refuerzo: las parejas, las recompensas y un paso de cada entrenamiento."""

import math
from dataclasses import replace

import pytest
import torch

from tfcourse.datasets.tasks.instruction_words import shared_words
from tfcourse.datasets.tasks.instructions import UNKNOWN, Instruction
from tfcourse.text.assistant.losses import answer_log_probability
from tfcourse.text.assistant.preferences import (
    DPORecipe,
    Preference,
    fresh_examples,
    pair_batches,
    preference_pairs,
    train_dpo,
    verified,
)
from tfcourse.text.assistant.recipe import frozen_copy, load, template
from tfcourse.text.assistant.reinforcement import (
    GroupLoss,
    GRPORecipe,
    grounded,
    prompt_batches,
    train_grpo,
)
from tfcourse.training.budget import Steps

ANA = Instruction("lectura", "Ana vio un mar en Lima. ¿Qué vio Ana?", "un mar")


@pytest.fixture(scope="module")
def model():
    return load("asistente")


def test_the_verifier_wants_the_answer_and_the_other_reward_does_not():
    assert [verified(ANA, text) for text in ("Un mar.", "Lima", UNKNOWN)] == [1, 0, 0]
    assert [grounded(ANA, text) for text in ("Un mar.", "Lima", UNKNOWN, "", "un pez")] == [
        1, 1, 0, 0, 0,
    ]  # fmt: skip


def test_the_words_are_new():
    words = {w for name in ("names", "nouns") for w in shared_words()["entrenar"][name]}
    for example in fresh_examples(40, 0, kinds=("plural",)):
        assert not words & set(example.prompt.rstrip(".?").split()), example


def test_a_pair_has_a_right_answer_and_a_wrong_one(model):
    torch.manual_seed(0)
    examples = fresh_examples(30, 0, kinds=("lectura",))
    pairs = preference_pairs(model, examples, copies=4, seed=0)
    owners = {tuple(template().prompt(e.prompt)): e for e in examples}
    assert pairs
    for pair in pairs:
        example = owners[tuple(pair.prompt)]
        assert verified(example, template().read(pair.chosen)) == 1
        assert verified(example, template().read(pair.rejected)) == 0
    assert not preference_pairs(model, examples, 3, 0, reward=lambda *_: 1.0)
    with pytest.raises(ValueError, match="no hay parejas"):
        next(pair_batches([], model, 2, 0))


def test_the_batch_knows_what_the_reference_says(model):
    form = template()
    pair = Preference(form.prompt(ANA.prompt), form.answer("un mar"), form.answer("Lima"))
    batch = next(pair_batches([pair], frozen_copy(model), 3, 0))
    known = answer_log_probability(model, batch.chosen, batch.chosen_answer)
    torch.testing.assert_close(batch.reference_chosen, known.detach())
    assert batch.rejected[batch.rejected_answer].view(3, -1)[0].tolist() == form.answer("Lima")


def test_dpo_starts_at_log_two_and_separates_the_pair():
    form = template()
    pair = Preference(form.prompt(ANA.prompt), form.answer("un mar"), form.answer("Lima"))
    recipe = replace(DPORecipe(), steps=4, batch_size=2)
    history = train_dpo(load("asistente"), recipe, 0, pairs=[pair]).history
    assert history.loss[0] == pytest.approx(math.log(2), abs=1e-4)
    assert history.terms["preferidas"][-1] > history.terms["descartadas"][-1] + 0.05


def test_a_group_s_loss_pushes_up_what_was_better_than_its_group(model):
    """Sin divergencia, el gradiente sube las respuestas que ganan a la media de su grupo."""
    torch.manual_seed(1)
    recipe = replace(GRPORecipe(), group=6, beta=0.0)
    loss = GroupLoss([ANA], frozen_copy(model), recipe, lambda _, told: float(len(told)))
    tokens, answer, rewards, right = loss.groups(model, [ANA])
    assert rewards.shape == (1, 6) and 0 <= right <= 1
    assert (
        len({tuple(row) for row in tokens[:, : len(template().prompt(ANA.prompt))].tolist()}) == 1
    )
    best, worst = rewards[0].argmax(), rewards[0].argmin()
    student = load("asistente")
    optimizer = torch.optim.SGD(student.parameters(), lr=1e-3)
    torch.manual_seed(1)
    value, _ = GroupLoss([ANA], frozen_copy(model), recipe, loss.reward)(
        student, (torch.tensor([0]),)
    )
    value.backward()
    optimizer.step()
    change = (
        answer_log_probability(student, tokens, answer)
        - answer_log_probability(model, tokens, answer)
    ).detach()
    assert change[best] > change[worst]


def test_grpo_takes_its_steps_and_tells_its_terms():
    recipe = replace(GRPORecipe(), steps=2, batch_size=2, group=3, kinds=("lectura",), n_prompts=5)
    done = train_grpo(load("asistente"), recipe, 0)
    assert set(done.history.terms) == {"recompensa", "acierto", "divergencia"}
    assert done.history.terms["recompensa"] == done.history.terms["acierto"]
    same = train_grpo(load("asistente"), recipe, 0, Steps(2), reward=grounded).history
    assert done.history.terms["divergencia"][0] == pytest.approx(0, abs=1e-6)
    assert len(same.loss) == 2
    first, second = (next(prompt_batches(9, 4, seed))[0] for seed in (0, 1))
    assert first.max() < 9 and not first.equal(second)
