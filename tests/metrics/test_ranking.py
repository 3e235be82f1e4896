"""El área bajo la curva ROC, contra scikit-learn, también con empates."""

import math

import pytest
import torch

from tfcourse.metrics.ranking import (
    area_under_roc,
    ndcg_at,
    ranked,
    recall_at,
    reciprocal_rank,
)


def test_area_equals_scikit_learn_with_ties():
    metrics = pytest.importorskip("sklearn.metrics")
    generator = torch.Generator().manual_seed(0)
    labels = (torch.rand(300, generator=generator) < 0.3).long()
    scores = (4 * torch.rand(300, generator=generator) + labels).round()
    expected = metrics.roc_auc_score(labels.numpy(), scores.numpy())
    assert area_under_roc(scores, labels) == pytest.approx(expected)
    assert area_under_roc(torch.zeros(4), torch.tensor([0, 1, 1, 0])) == 0.5
    with pytest.raises(ValueError, match="hay 0 casos y 4 no casos"):
        area_under_roc(torch.rand(4), torch.zeros(4).long())


def random_search(seed, n_queries=6, n_documents=20):
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(n_queries, n_documents, generator=generator)
    right = torch.rand(n_queries, n_documents, generator=generator) < 0.15
    right[torch.arange(n_queries), torch.arange(n_queries)] = True
    return scores, right


@pytest.mark.parametrize("k", [1, 5, 50])
def test_search_measures_by_loops(k):
    scores, right = random_search(k)
    hits = ranked(scores, right)
    for row in range(len(scores)):
        order = sorted(range(20), key=lambda d: -float(scores[row, d]))
        found = [bool(right[row, d]) for d in order]
        n_right = sum(found)
        first = 1 + next(place for place, valid in enumerate(found) if valid)
        assert recall_at(hits, k)[row] == pytest.approx(sum(found[:k]) / n_right)
        assert reciprocal_rank(hits)[row] == pytest.approx(1 / first)
        gain = sum(1 / math.log2(2 + place) for place, valid in enumerate(found[:k]) if valid)
        best = sum(1 / math.log2(2 + place) for place in range(min(k, n_right)))
        assert ndcg_at(hits, k)[row] == pytest.approx(gain / best, rel=1e-5)


def test_ndcg_equals_scikit_learn():
    theirs = pytest.importorskip("sklearn.metrics").ndcg_score
    scores, right = random_search(7)
    ours = ndcg_at(ranked(scores, right), 10).mean()
    assert ours == pytest.approx(theirs(right.numpy(), scores.numpy(), k=10), rel=1e-5)


def test_ties_keep_the_order_of_the_documents():
    right = torch.tensor([[False, True, False]])
    assert ranked(torch.zeros(1, 3), right).tolist() == right.tolist()


def test_a_search_without_an_answer_is_told():
    nothing = torch.zeros(2, 4, dtype=torch.bool)
    for wrong in (lambda: recall_at(nothing, 3), lambda: reciprocal_rank(nothing),
                  lambda: ndcg_at(nothing, 3)):  # fmt: skip
        with pytest.raises(ValueError, match="2 consultas sin nada que encontrar"):
            wrong()
    with pytest.raises(ValueError, match="k=0"):
        recall_at(~nothing, 0)
