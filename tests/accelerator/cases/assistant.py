"""Casos ligeros del asistente: sus pérdidas, LoRA, escribir y la recompensa aprendida."""

import torch

from tests.accelerator.light import Case, case
from tests.accelerator.material import chosen, floats, ids
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.assistant import (
    lora,
    losses,
    metrics,
    preferences,
    recipe,
    reward_model,
    template,
    writing,
)
from tfcourse.tokenizers.characters import CharacterTokenizer

CASES: list[Case] = []
V = 9
NOT_HERE = {
    "es una configuración o guarda listas: no tiene tensores": (
        "text.assistant.copying.Recipe",
        "text.assistant.full.Full",
        "text.assistant.preferences.DPORecipe",
        "text.assistant.preferences.Preference",
        "text.assistant.recipe.Recipe",
        "text.assistant.reinforcement.GRPORecipe",
        "text.assistant.reward_model.RewardRecipe",
    ),
    "trabaja con textos": (
        "text.assistant.chat.ChatTemplate",
        "text.assistant.copying.invented",
        "text.assistant.copying.repeated_list",
        "text.assistant.full.as_pairs",
        "text.assistant.full.longest_row",
        "text.assistant.full.ranked_pairs",
        "text.assistant.metrics.commonest",
        "text.assistant.metrics.hits_by_kind",
        "text.assistant.metrics.majority_hits",
        "text.assistant.metrics.refusals",
        "text.assistant.preferences.fresh_examples",
        "text.assistant.preferences.verified",
        "text.assistant.recipe.held_out",
        "text.assistant.reinforcement.grounded",
    ),
    "hace los lotes, que nacen en la CPU y `fit` lleva": (
        "text.assistant.copying.batches",
        "text.assistant.copying.repeated_lists",
        "text.assistant.full.turn_batches",
        "text.assistant.preferences.pair_batches",
        "text.assistant.recipe.as_turns",
        "text.assistant.recipe.batches",
        "text.assistant.recipe.text_ids",
        "text.assistant.reinforcement.prompt_batches",
        "text.assistant.reward_model.ranked",
        "text.assistant.reward_model.ranked_batches",
        "text.assistant.template.Template",
        "text.assistant.template.padded_turns",
    ),
    "parte de los pesos del curso: lo ejecuta el capítulo, en el acelerador": (
        "text.assistant.copying.build",
        "text.assistant.copying.load",
        "text.assistant.copying.repeat_costs",
        "text.assistant.copying.train",
        "text.assistant.metrics.few_shot",
        "text.assistant.preferences.preference_pairs",
        "text.assistant.preferences.train_dpo",
        "text.assistant.recipe.accuracy",
        "text.assistant.recipe.base",
        "text.assistant.recipe.build",
        "text.assistant.recipe.build_optimizer",
        "text.assistant.recipe.load",
        "text.assistant.recipe.template",
        "text.assistant.recipe.train",
        "text.assistant.reinforcement.GroupLoss",
        "text.assistant.reinforcement.train_grpo",
        "text.assistant.writing.answers",
    ),
    "la ejecuta el ensayo de «A escala real»": (
        "text.assistant.full.log_probabilities",
        "text.assistant.full.measure",
        "text.assistant.full.per_token",
        "text.assistant.full.reply_bits",
        "text.assistant.full.row_of",
        "text.assistant.full.tune",
        "text.assistant.full.written",
    ),
    "puntúa textos con la plantilla de los pesos del curso: la prueba su módulo": (
        "text.assistant.reward_model.as_reward",
        "text.assistant.reward_model.many_answers",
        "text.assistant.reward_model.ordered",
        "text.assistant.reward_model.scores",
        "text.assistant.reward_model.train_reward",
    ),
}


def model(d) -> GPT:
    """Un GPT diminuto."""
    return GPT(GPTConfig(V, d_model=8, n_heads=2, n_layers=1, max_length=16)).to(d)


def turns(d) -> template.Turns:
    """Dos conversaciones, con la respuesta al final."""
    answer = torch.zeros(2, 6, dtype=torch.bool, device=d)
    answer[:, 3:] = True
    return template.Turns(ids(d, V, 2, 6), answer)


@case(
    CASES,
    losses.token_log_probabilities,
    losses.answer_log_probability,
    losses.answer_loss,
    recipe.mixed_loss,
    recipe.Mixture,
    template.Turns,
    mixed=True,
)
def only_the_answer(d):
    mine, batch = model(d), turns(d)
    whole = recipe.Mixture(*batch, ids(d, V, 2, 5))
    told = losses.answer_log_probability(mine, *batch), losses.answer_loss(mine, batch)
    return [batch, whole, told, *recipe.mixed_loss(mine, whole)]


@case(
    CASES,
    losses.preference_loss,
    losses.dpo_loss,
    preferences.DPOLoss,
    preferences.PairBatch,
    mixed=True,
)
def preferred(d):
    batch = preferences.PairBatch(*turns(d), *turns(d), *torch.randn(2, 2, device=d))
    return [batch, *preferences.DPOLoss(0.1)(model(d), batch)]


@case(
    CASES,
    losses.group_advantages,
    losses.clipped_objective,
    losses.kl_estimate,
    losses.grpo_loss,
)
def reinforced(d):
    now, answer = floats(d, 2, 5), chosen(d, 2, 5)
    advantage = losses.group_advantages(torch.randn(1, 2, device=d)).flatten()
    return losses.grpo_loss(now, now.detach(), torch.randn(2, 5, device=d), advantage, answer)


@case(
    CASES,
    lora.LoRALinear,
    lora.add_lora,
    lora.merge_lora,
    lora.set_strength,
    lora.trainable,
    mixed=True,
)
def corrected(d):
    mine, tokens = lora.set_strength(lora.add_lora(model(d), 2), 0.5), ids(d, V, 2, 5)
    apart = mine(tokens)
    return [apart, lora.trainable(mine), lora.merge_lora(model(d))(tokens)]


@case(CASES, writing.write, template.with_marks, recipe.frozen_copy)
def written(d):
    mine = recipe.frozen_copy(template.with_marks(model(d)))
    told = writing.write(mine, [[1, 2, 3], [4, 5]], V + 2, copies=2, temperature=1.0, max_length=4)
    assert len(told) == 4
    return mine.embedding.weight


@case(CASES, metrics.bits_of)
def forgotten(d):
    letters = CharacterTokenizer.train(["abcde"])
    mine = GPT(GPTConfig(len(letters), d_model=8, n_heads=2, n_layers=1, max_length=16)).to(d)
    assert metrics.bits_of(mine, letters, "abcde" * 5) > 0
    return mine.embedding.weight


@case(
    CASES,
    reward_model.RewardModel,
    reward_model.ranking_loss,
    reward_model.RankedBatch,
    mixed=True,
)
def scored(d):
    batch = reward_model.RankedBatch(*turns(d), *turns(d))
    return [batch, reward_model.ranking_loss(reward_model.RewardModel(model(d)), batch)]
