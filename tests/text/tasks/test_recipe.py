"""Las recetas de las tareas: respuestas triviales, tokenizador y los pesos del curso."""

import json

import pytest

from tfcourse.datasets.tasks.mixture import TaskData
from tfcourse.text.tasks import recipe as learning
from tfcourse.text.tasks.batches import SENTINELS
from tfcourse.text.tasks.recipe import (
    PRETRAINING,
    WEIGHTS,
    Recipe,
    article_texts,
    build,
    load,
    score,
    task_tokenizer,
    train,
    trivial_answer,
)
from tfcourse.training import History
from tfcourse.training.budget import Steps
from tfcourse.training.recipe import Trained
from tfcourse.weights.shipped import weights_card


def test_trivial_answers():
    assert trivial_answer("plural", [])("sol") == "sols"
    assert trivial_answer("corrige", [])("nacion") == "nacion"
    assert trivial_answer("tema", [("a", "x"), ("b", "y"), ("c", "y")])("z") == "y"
    parts = [("a", "0,10"), ("b", "0,40"), ("c", "0,90")]
    assert trivial_answer("fecha", parts)("z") == "0,40"
    assert score(["sol"], ["sol"]) == {"exacta": 1.0, "CER": 0.0, "chrF": pytest.approx(1.0)}


def test_the_tokenizer_is_trained_on_both_sides():
    data = TaskData([("canción larga", "canciones")] * 40, [])
    tokenizer = task_tokenizer({"plural": data}, n_tokens=80)
    assert tokenizer.decode(tokenizer.encode("plural: canciones")) == "plural: canciones"
    assert [tokenizer.token_id(name) for name in SENTINELS] == list(range(4, 24))


def test_the_shipped_box_opens():
    model, tokenizer = load("t5_tareas")
    assert model.config.n_tokens == len(tokenizer) and not model.training


def test_the_card_is_that_of_the_recipe(monkeypatch):
    card, making = weights_card("t5_tareas"), WEIGHTS["t5_tareas"]
    model = build(Recipe(), card.config["model"]["n_tokens"])
    assert json.loads(json.dumps(making.config(model))) == card.config
    written = making.recipe(Trained(model, Recipe(), History()))
    assert json.loads(json.dumps(written)) == card.recipe
    trivial = making.blind()
    assert trivial == pytest.approx({name: card.quality[name] for name in trivial}, abs=1e-4)
    monkeypatch.setattr(learning, "score_task", lambda *_: score(["sol"], ["sol"]))
    assert making.score(model).keys() | trivial.keys() == card.quality.keys()
    assert (making.data, making.seed) == (card.data, card.seed)


def test_the_card_of_spans_is_that_of_the_recipe():
    """Y lo que dice que acierta es lo que acierta, más que quien no lee la frase."""
    card, making = weights_card("t5_tramos"), WEIGHTS["t5_tramos"]
    model, tokenizer = load("t5_tramos")
    assert tokenizer.state() == load("t5_tareas")[1].state()
    assert json.loads(json.dumps(making.config(model))) == card.config
    written = making.recipe(Trained(model, PRETRAINING, History()))
    assert json.loads(json.dumps(written)) == card.recipe
    assert card.recipe["steps"] == 12_000
    blind = making.blind()
    assert blind == pytest.approx({name: card.quality[name] for name in blind}, abs=1e-4)
    read = making.score(model)
    # La ficha se mide antes de guardar en media precisión.
    assert read == pytest.approx({name: card.quality[name] for name in read}, abs=5e-3)
    assert read.keys() | blind.keys() == card.quality.keys()
    commonest, counted = blind.values()
    assert commonest + 0.2 < min(read.values()) < counted, "la página dice que contar le gana"
    assert (making.data, making.seed) == (card.data, card.seed)


def test_articles_of_the_exam_are_not_among_those_read():
    assert not set(article_texts()) & set(article_texts("test"))


def test_two_runs_with_one_seed_agree():
    pairs = {"plural": [("sol", "soles"), ("casa", "casas")] * 30}
    tokenizer = task_tokenizer({"plural": TaskData(pairs["plural"] * 10, [])}, n_tokens=50)
    first, second, other = (
        train(Recipe(), seed, Steps(3), tokenizer=tokenizer, tasks=pairs).history.loss
        for seed in (0, 0, 1)
    )
    assert first == second != other and len(first) == 3
