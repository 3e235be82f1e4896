"""Clasificadores: el de una capa sobre un codificador, y TF-IDF con regresión logística."""

import pytest
import torch
from torch import nn

from tfcourse.models.classifier import Classifier, first_state, mean_state
from tfcourse.models.tfidf import LogisticRegression, TfIdf, TfIdfClassifier

TEXTS = ["El río Ebro nace en Fontibre", "el poeta nació en Soria", "Río, río arriba", "poeta"]
LABELS = torch.tensor([0, 1, 0, 1])


class Table(nn.Module):
    """Un codificador mínimo: una tabla."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(9, 6)

    def forward(self, tokens, lengths, shift=0.0):
        return self.table(tokens) + shift


def test_pools_leave_the_padding_out():
    states, lengths = torch.randn(2, 5, 3), torch.tensor([5, 2])
    torch.testing.assert_close(first_state(states, lengths), states[:, 0])
    expected = torch.stack([states[0].mean(0), states[1, :2].mean(0)])
    torch.testing.assert_close(mean_state(states, lengths), expected)
    states[1, 2:] = float("nan")
    torch.testing.assert_close(mean_state(states, lengths)[1], expected[1])


@pytest.mark.parametrize("pool", [first_state, mean_state])
def test_one_layer_on_top_and_all_of_it_learns(pool):
    torch.manual_seed(0)
    model = Classifier(Table(), 6, 3, pool=pool, dropout=0.0)
    tokens, lengths = torch.tensor([[1, 2, 3], [4, 5, 0]]), torch.tensor([3, 2])
    logits = model(tokens, lengths)
    torch.testing.assert_close(logits, model.output(pool(model.encoder(tokens, lengths), lengths)))
    logits.sum().backward()
    assert model.encoder.table.weight.grad[1].abs().sum() > 0
    added = sum(p.numel() for p in model.parameters()) - model.encoder.table.weight.numel()
    assert added == 6 * 3 + 3
    assert (model(tokens, lengths, shift=1.0) - logits).abs().max() > 1e-3


def test_two_classes_are_enough_and_one_is_not():
    two = Classifier(Table(), 6, 2)
    assert two(torch.tensor([[1, 2]]), torch.tensor([2])).shape == (1, 2)
    with pytest.raises(ValueError, match="n_classes=1: para clasificar hacen falta al menos dos"):
        Classifier(Table(), 6, 1)


def test_tfidf_equals_scikit_learn():
    library = pytest.importorskip("sklearn.feature_extraction.text")
    theirs = library.TfidfVectorizer(token_pattern=r"\w\w+").fit(TEXTS)
    ours = TfIdf(TEXTS)
    assert ours.ids == theirs.vocabulary_
    new = ["El poeta del río Ebro, el Ebro", "nada de nada"]
    expected = torch.tensor(theirs.transform(new).toarray(), dtype=torch.float32)
    torch.testing.assert_close(ours.vectors(new), expected)


def test_logistic_regression_equals_scikit_learn():
    library = pytest.importorskip("sklearn.linear_model")
    torch.manual_seed(0)
    x, y = torch.randn(40, 5, dtype=torch.double), torch.randint(3, (40,))
    ours = LogisticRegression(strength=2.0).fit(x, y, 3)
    theirs = library.LogisticRegression(C=2.0, tol=1e-8, max_iter=1000).fit(x, y)
    expected = torch.tensor(theirs.predict_proba(x))
    torch.testing.assert_close(ours.logits(x).softmax(-1), expected, atol=1e-4, rtol=0)


def test_tfidf_classifies_what_it_has_seen():
    model = TfIdfClassifier(TEXTS, LABELS, 2)
    assert torch.equal(model.classes(TEXTS), LABELS)
    assert model.classes(["otro río, otro Ebro", "una poeta"]).tolist() == [0, 1]
    vectors = TfIdf(TEXTS)
    apart = LogisticRegression(0.5).fit(vectors.vectors(TEXTS), LABELS, 2)
    together = TfIdfClassifier(TEXTS, LABELS, 2, strength=0.5).regression
    torch.testing.assert_close(together.weight, apart.weight)


def test_wrong_use_says_what_to_do():
    with pytest.raises(ValueError, match="no hay textos"):
        TfIdf([])
    with pytest.raises(ValueError, match="hay 2 textos y 1 clases"):
        LogisticRegression().fit(torch.ones(2, 3), torch.tensor([0]), 2)
