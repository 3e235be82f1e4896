"""La receta de «De modelo a asistente»: los lotes, lo que se entrena y lo que dice su ficha."""

import json
from dataclasses import asdict, replace

import pytest
import torch

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.assistant.lora import trainable
from tfcourse.text.assistant.losses import answer_loss
from tfcourse.text.assistant.recipe import (
    SFT,
    SHIPPED,
    Recipe,
    accuracy,
    as_turns,
    batches,
    build,
    held_out,
    load,
    mixed_loss,
    template,
    train,
)
from tfcourse.training.budget import Steps
from tfcourse.weights.shipped import weights_card

SMALL = replace(SFT, batch_size=4, n_texts=1, length=16)


def weights(seed, steps=3):
    """Los pesos que deja un entrenamiento muy corto, en una fila."""
    trained = train(SMALL, seed, Steps(steps))
    return torch.cat([value.flatten() for value in trained.model.state_dict().values()])


def test_the_budget_is_obeyed_and_the_model_moves():
    done, start = train(SMALL, 0, Steps(1)), build(SMALL).state_dict()
    assert len(done.history.loss) == 1 and not done.model.training
    assert any(not value.equal(start[key]) for key, value in done.model.state_dict().items())


def test_the_same_seed_gives_the_same_and_another_does_not():
    assert weights(0).equal(weights(0))
    assert not weights(0).equal(weights(1))


def test_with_lora_only_the_corrections_move():
    recipe = replace(SMALL, rank=2)
    start, done = build(recipe).state_dict(), train(recipe, 0, Steps(2)).model
    moved = {key for key, value in done.state_dict().items() if not value.equal(start[key])}
    assert moved and all(key.endswith((".down", ".up")) for key in moved)
    assert sum(p.numel() for p in trainable(done)) < 0.02 * sum(
        p.numel() for p in done.parameters()
    )


def test_the_loss_is_that_of_the_answers_plus_that_of_the_text():
    model, batch = build(SMALL), next(batches(SMALL, 0))
    total, terms = mixed_loss(model, batch)
    assert batch.tokens.shape[0] == 4 and batch.text.shape == (1, 17)
    torch.testing.assert_close(terms["respuestas"], answer_loss(model, batch[:2]))
    logits = model(batch.text[:, :-1]).transpose(1, 2)
    plain = torch.nn.functional.cross_entropy(logits, batch.text[:, 1:])
    torch.testing.assert_close(total, terms["respuestas"] + plain)
    alone = next(batches(replace(SMALL, n_texts=0), 0))
    torch.testing.assert_close(mixed_loss(model, alone)[0], answer_loss(model, alone[:2]))


def test_with_all_the_tokens_everything_but_the_padding_counts():
    examples = held_out(1)
    only, every = as_turns(examples), as_turns(examples, all_tokens=True)
    for row, example in enumerate(examples):
        asked, told = template().prompt(example.prompt), template().answer(example.answer)
        assert only.answer[row].sum() == len(told)
        assert every.answer[row].tolist() == [
            place < len(asked) + len(told) for place in range(every.tokens.shape[1])
        ]


def test_from_scratch_nothing_is_kept_and_an_unknown_start_is_told():
    kept, fresh = build(SFT).state_dict(), build(replace(SFT, start="azar")).state_dict()
    assert not kept["embedding.weight"].equal(fresh["embedding.weight"])
    with pytest.raises(ValueError, match="start='bert': usa gpt_copia, gpt_espanol, azar"):
        Recipe(start="bert")


def test_the_card_is_that_of_the_recipe_and_the_model_is_better_than_the_commonest():
    card = weights_card("asistente")
    assert card.recipe == json.loads(json.dumps(asdict(SHIPPED)))
    assert card.quality["acierto"] > card.quality["acierto_de_la_mas_comun"] + 0.2
    assert isinstance(load("asistente"), GPT) and GPTConfig(**card.config).n_tokens == len(
        template()
    )
    with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
        load("otros")


@pytest.mark.lento
def test_the_shipped_one_measures_what_its_card_says():
    measured = accuracy(load("asistente"), held_out())
    assert measured == pytest.approx(weights_card("asistente").quality["acierto"], abs=0.02)
