"""La receta de las conversaciones: qué se mueve, los lotes y las fichas de los pesos."""

import json
from dataclasses import asdict

import pytest
import torch

from tests.multimodal.dialogue.small import whole
from tfcourse.datasets.scenes.asked_scenes import held_out
from tfcourse.multimodal.dialogue import reader, specialist, tower
from tfcourse.multimodal.dialogue.decoding import answers
from tfcourse.multimodal.dialogue.recipe import (
    SHIPPED,
    WAYS,
    Learned,
    Recipe,
    batches,
    build,
    freeze,
    load,
    scores,
    train,
)
from tfcourse.text.assistant.lora import trainable
from tfcourse.training.budget import Steps
from tfcourse.weights.shipped import weights_card


def changed(recipe, steps=2):
    """Los nombres de lo que cambia al entrenar un poco un modelo diminuto."""
    model = freeze(whole(), recipe)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    done = train(recipe, 0, Steps(steps), model=model)
    assert not done.model.training and len(done.history.loss) == steps
    return {name for name, value in model.state_dict().items() if not value.equal(before[name])}


def test_only_what_the_recipe_says_moves():
    moved = {way: changed(Recipe(way=way, batch_size=4)) for way in WAYS}
    assert all(name.startswith("projector.") for name in moved["congelado"])
    assert len(moved["congelado"]) == 4
    assert all(
        name.startswith("projector.") or name.endswith((".up", ".down")) for name in moved["LoRA"]
    )
    assert any(name.endswith(".up") for name in moved["LoRA"])
    assert any(name.startswith("language.") for name in moved["entero"])
    assert not any(name.startswith("tower.") for own in moved.values() for name in own)
    blind = changed(Recipe(blind=True, batch_size=4))
    assert blind and all(name.startswith("language.") for name in blind)


def test_batches_have_the_marks_of_the_model():
    tokens, answer, images = next(batches(Recipe(batch_size=3), 0, 5))
    assert len(images) == 3 and answer.any(dim=1).all()
    again = next(batches(Recipe(batch_size=3), 0, 5))
    assert tokens.equal(again.tokens) and not tokens.equal(next(batches(Recipe(), 1, 5)).tokens[:3])


def test_another_way_is_explained():
    with pytest.raises(ValueError, match="way='medio': usa congelado, LoRA, entero"):
        Recipe(way="medio")


def test_what_is_learned_travels_alone():
    model = freeze(whole(), Recipe(way="LoRA"))
    learned = Learned(model)
    assert sum(p.numel() for p in learned.parameters()) == sum(p.numel() for p in trainable(model))
    assert not any(name.startswith("tower") for name in learned.state_dict())
    other = Learned(freeze(whole(), Recipe(way="LoRA")))
    with torch.no_grad():
        for value in learned.parameters():
            value += 0.1
    other.load_state_dict(learned.state_dict())
    pairs = held_out(1)
    assert answers(other.whole, pairs) == answers(model, pairs)


def test_the_cards_are_those_of_the_recipes():
    for name, own in (
        ("dialogo", SHIPPED), ("torre_escenas", tower.Recipe()),
        ("lector_escenas", reader.Recipe()),
    ):  # fmt: skip
        card = weights_card(name)
        assert card.recipe == json.loads(json.dumps(asdict(own)))
        assert card.quality["acierto"] > card.quality["acierto_de_la_mas_comun"] + 0.1
    for module in (reader, tower):
        with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
            module.load("otros")
    with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
        load("otros")


def test_the_shipped_model_is_better_than_blind():
    pairs = held_out(12)
    model = load("dialogo")
    seeing, blind = scores(model, pairs)["todas"], scores(model, pairs, blind=True)["todas"]
    assert seeing > blind + 0.1


def test_it_starts_from_the_course_and_the_specialist_too():
    model = build(Recipe())
    assert model.language.state_dict()["embedding.weight"].equal(
        reader.load("lector_escenas").embedding.weight
    )
    assert model.n_image == 16 and build(Recipe(factor=8)).n_image == 1
    own = specialist.Recipe(steps=2, batch_size=2)
    done = specialist.train(own, 0)
    assert len(done.history.loss) == 2
    assert {*specialist.choices(done.model, held_out(2))} <= {*specialist.ANSWERS}


def test_the_specialist_knows_every_answer_and_asks_the_same():
    every = {" ".join(question.answer) for _, question in held_out(40)}
    assert every <= {*specialist.ANSWERS} and len({*specialist.ANSWERS}) == 19
    words, images, told = next(specialist.batches(specialist.Recipe(batch_size=2), 0))
    own = next(batches(Recipe(batch_size=2), 0, 0))
    assert len(words) == len(images) == len(told) == 2 * specialist.Recipe().n_questions
    assert images[:: specialist.Recipe().n_questions].equal(own.images)
