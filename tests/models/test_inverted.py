"""El índice invertido: TF-IDF es el del curso y BM25, el de sumar documento a documento."""

import math

import pytest
import torch

from tfcourse.models.inverted import Bm25, InvertedIndex, TfIdfIndex
from tfcourse.models.tfidf import TfIdf

TEXTS = [
    "El río Ebro nace en Fontibre y el Ebro muere en el mar",
    "el poeta nació en Soria",
    "Río, río arriba",
    "poeta de mar y de río, poeta",
    "un mar",
]
QUERIES = ["el poeta del mar", "río río", "nada de nada", ""]


def bm25_by_loops(texts, query, k1, b):
    """Documento a documento y palabra a palabra, con los textos partidos por espacios."""
    split = [[w.strip(",").lower() for w in text.split()] for text in texts]
    split = [[w for w in words if len(w) > 1] for words in split]
    mean = sum(map(len, split)) / len(split)
    found = []
    for words in split:
        total = 0.0
        for word in [w for w in query.lower().split() if len(w) > 1]:
            n = words.count(word)
            if not n:
                continue
            with_it = sum(word in other for other in split)
            rare = math.log(1 + (len(split) - with_it + 0.5) / (with_it + 0.5))
            total += rare * n * (k1 + 1) / (n + k1 * (1 - b + b * len(words) / mean))
        found.append(total)
    return torch.tensor(found)


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.0, 0.5), (2.0, 0.0), (0.9, 1.0)])
@pytest.mark.parametrize("query", QUERIES)
def test_bm25_equals_the_loops(query, k1, b):
    torch.testing.assert_close(Bm25(TEXTS, k1, b).scores(query), bm25_by_loops(TEXTS, query, k1, b))


@pytest.mark.parametrize("query", QUERIES)
def test_tfidf_is_the_cosine_of_the_vectors(query):
    vectors = TfIdf(TEXTS)
    expected = (vectors.vectors(TEXTS) @ vectors.vectors([query]).T)[:, 0]
    torch.testing.assert_close(TfIdfIndex(TEXTS).scores(query), expected)


def test_repeating_a_word_gives_less_each_time_and_never_more_than_the_bound():
    texts = ["ojo " * n + "pie " * (9 - n) for n in range(1, 9)] + ["pie pie"] * 9
    index = Bm25(texts, b=0.0)
    gains = index.scores("ojo")[:8]
    steps = gains.diff()
    assert (steps > 0).all() and (steps.diff() < 0).all()
    (documents, _) = index.postings["ojo"]
    rare = math.log(1 + (17 - len(documents) + 0.5) / (len(documents) + 0.5))
    assert (gains < rare * (index.k1 + 1)).all()


def test_only_documents_with_a_word_are_touched():
    index = TfIdfIndex(TEXTS)
    index.scores("poeta Soria")
    assert index.touched == 3
    assert index.scores("barco").eq(0).all() and index.touched == 3


def test_wrong_use_says_what_to_do():
    with pytest.raises(ValueError, match="no hay documentos"):
        TfIdfIndex([])
    with pytest.raises(ValueError, match="k1=-1"):
        Bm25(TEXTS, k1=-1)
    with pytest.raises(ValueError, match="b=2"):
        Bm25(TEXTS, b=2)
    with pytest.raises(NotImplementedError):
        InvertedIndex(TEXTS)
