"""Afinar con pocas etiquetas: se copia, se memoriza, y se parte de donde se dice."""

import pytest
import torch

from tests.multimodal.records.people import RECORDS, tiny_risk
from tfcourse.metrics.ranking import area_under_roc
from tfcourse.multimodal.records.few_labels import (
    RECIPES,
    Recipe,
    risk_logits,
    starting_point,
    steps_for,
    train,
)
from tfcourse.training.budget import Steps


def test_tuning_copies_the_encoder_and_memorizes():
    start, few = tiny_risk(), RECORDS.rows(torch.arange(16))
    before = start.bert.embedding.table.weight.detach().clone()
    made = train(Recipe(steps=150, lr=3e-3, batch_size=16), 0, start=start, few=few)
    torch.testing.assert_close(start.bert.embedding.table.weight.detach(), before)
    assert area_under_roc(risk_logits(made.model, few), few.labels) > 0.95
    assert len(train(made.recipe, 0, Steps(2), start=start, few=few).history.loss) == 2


def test_both_starts_are_the_same_network():
    few = RECORDS.rows(torch.arange(50))
    shapes = [
        {name: value.shape for name, value in starting_point(start, few, 0).state_dict().items()}
        for start in RECIPES
    ]
    assert shapes[0] == shapes[1]
    with pytest.raises(ValueError, match="usa de cero o preentrenado"):
        starting_point("otro", few, 0)


def test_more_labels_take_more_steps():
    assert steps_for(Recipe(steps=80), 100).steps == steps_for(Recipe(steps=80), 200).steps == 80
    assert steps_for(Recipe(steps=80), 800).steps == 160
