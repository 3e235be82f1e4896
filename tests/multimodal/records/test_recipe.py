"""La receta de Med-BERT: qué se tapa, que aprende y los pesos del curso."""

import torch

from tests.multimodal.records.people import RECORDS, TINY, TOKENIZER
from tfcourse.datasets.records.patient_records import N_SEGMENTS
from tfcourse.datasets.records.patients import CODES
from tfcourse.multimodal.records.recipe import (
    LONG,
    WEIGHTS,
    Recipe,
    batches,
    build,
    filled_ills,
    load,
    train,
)
from tfcourse.training import History
from tfcourse.training.recipe import Trained
from tfcourse.weights.shipped import weights_card


def test_only_codes_are_hidden_and_the_outcome_is_not_in_the_batch():
    batch = next(batches(Recipe(rate=0.5, batch_size=50), 0, RECORDS, TOKENIZER))
    read, tokens, lengths, visits, chosen = batch
    first = TOKENIZER.token_id(CODES[0])
    assert (tokens[chosen] >= first).all() and torch.equal(read[~chosen], tokens[~chosen])
    codes = tokens >= first
    assert 0.4 < float(chosen.sum() / codes.sum()) < 0.6
    assert tokens.shape[1] == int(lengths.max()) and int(visits.max()) < N_SEGMENTS


def test_pretraining_lowers_the_loss_and_repeats_with_the_seed():
    first, again = (
        train(TINY, 1, data=RECORDS, tokenizer=TOKENIZER).history.loss for _ in range(2)
    )
    assert first == again and sum(first[-5:]) < 0.98 * sum(first[:5])


def test_the_card_says_this_recipe():
    """Lo que no pide entrenar: el tamaño, la receta, los datos, la semilla y qué se midió."""
    card, shipped = weights_card("medbert_sintetico"), WEIGHTS["medbert_sintetico"]
    made = Trained(build(LONG, len(TOKENIZER)), LONG, History())
    assert card.config == shipped.config(made.model) and card.recipe == shipped.recipe(made)
    assert card.data == shipped.data and card.seed == shipped.seed
    assert card.quality.keys() == shipped.score(made.model).keys() | shipped.blind().keys()


def test_the_weights_fill_the_ills_better_than_the_most_frequent():
    model, tokenizer = load("medbert_sintetico")
    found = filled_ills(model, RECORDS, tokenizer)
    assert found["mal"] > found["el más frecuente"] + 0.05
    assert torch.equal(
        load("medbert_sintetico")[0].bert.embedding.table.weight, model.bert.embedding.table.weight
    )
