"""Las notas de un clasificador, con los valores a mano."""

import pytest
import torch

from tfcourse.metrics.classes import class_scores


def test_a_rare_class_weighs_as_much_as_a_frequent_one():
    truth, guesses = torch.tensor([0, 0, 0, 1]), torch.tensor([0, 0, 0, 0])
    # F1 de la 0: precisión 3/4, exhaustividad 1 → 6/7; de la 1, cero.
    assert class_scores(truth, guesses) == {
        "acierto": 0.75,
        "macro-F1": pytest.approx(3 / 7),
    }


def test_what_is_not_a_class_is_a_miss():
    truth, guesses = torch.tensor([0, 1]), torch.tensor([0, 2])
    assert class_scores(truth, guesses) == {"acierto": 0.5, "macro-F1": pytest.approx(1 / 2)}


def test_as_many_answers_as_truths():
    with pytest.raises(ValueError, match="hay 1 respuestas y 2 clases"):
        class_scores(torch.tensor([0, 1]), torch.tensor([0]))
    with pytest.raises(ValueError, match="al menos una"):
        class_scores(torch.tensor([], dtype=torch.long), torch.tensor([], dtype=torch.long))
