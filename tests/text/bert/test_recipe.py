"""El preentrenamiento de BERT, y los pesos que vienen con el curso."""

import json

import pytest
import torch

from tfcourse.datasets.text.masking import BERT_TOKENS
from tfcourse.text.bert import recipe as pretraining
from tfcourse.text.bert.recipe import (
    LONG,
    WEIGHTS,
    EncodedCorpus,
    Phase,
    Recipe,
    batches,
    build,
    encode_corpus,
    encoded_articles,
    held_out_masks,
    load,
    train,
)
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer
from tfcourse.training import History
from tfcourse.training.recipe import Trained
from tfcourse.weights.shipped import weights_card

SIZE = {"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32, "max_length": 24}
TEXTS = ["la casa roja es grande y la casa azul es pequeña"] * 12


def tiny_corpus() -> EncodedCorpus:
    tokenizer = WordPieceTokenizer.train(TEXTS, 60, special_tokens=BERT_TOKENS)
    return encode_corpus(tokenizer, TEXTS, TEXTS)


def recipe(**changes) -> Recipe:
    phases = (Phase(8, 4, 3), Phase(16, 2, 2))
    return Recipe(**{"size": SIZE, "phases": phases} | changes)


def test_phases_follow_each_other():
    shapes = [tuple(read.shape) for read, _, _ in batches(recipe(), 0, tiny_corpus())]
    assert shapes == [(4, 8)] * 3 + [(2, 16)] * 2 and recipe().steps == 5


def test_two_runs_with_one_seed_agree_and_learn():
    corpus, longer = tiny_corpus(), recipe(phases=(Phase(8, 8, 60),))
    first, second = (train(longer, 3, corpus=corpus).history.loss for _ in range(2))
    assert first == second and first[-1] < first[0] / 2
    assert train(longer, 4, corpus=corpus).history.loss != first


def test_held_out_masks_are_always_the_same():
    corpus = tiny_corpus()
    first, second = held_out_masks(corpus, 8), held_out_masks(corpus, 8)
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


def test_the_card_is_that_of_the_recipe(monkeypatch):
    card, making = weights_card("bert_espanol"), WEIGHTS["bert_espanol"]
    model = build(LONG, card.config["n_tokens"])
    assert making.config(model) == card.config
    written = making.recipe(Trained(model, LONG, History()))
    assert json.loads(json.dumps(written)) == card.recipe
    monkeypatch.setattr(pretraining, "masked_accuracy", lambda model, masks: 0.5)
    assert making.score(model).keys() | making.blind().keys() == card.quality.keys()
    (name, blind), *_ = making.blind().items()
    assert blind == pytest.approx(card.quality[name], abs=1e-4)
    assert (making.data, making.seed) == (card.data, card.seed)


def test_shipped_weights_know_spanish():
    model, tokenizer = load("bert_espanol")
    ids = [tokenizer.encode(word) for word in ("la", "segunda", "mundial", "terminó", ".")]
    mask = tokenizer.token_id("[MASK]")
    row = [4, *ids[0], *ids[1], mask, *ids[2], *ids[3], *ids[4], 5]
    with torch.no_grad():
        logits = model(torch.tensor([row]), torch.tensor([len(row)]))[0, row.index(mask)]
    assert tokenizer.readable(int(logits.argmax())) == "guerra"


@pytest.mark.lento
def test_the_shipped_vocabulary_is_the_one_that_is_learned():
    assert encoded_articles().tokenizer.tokens == load("bert_espanol")[1].tokens
