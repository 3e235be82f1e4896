"""Buscar entre dos modalidades: puestos, recuperación y clases escritas con frases."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.multimodal.pictures.retrieval import (
    caption_ranks,
    class_vectors,
    pair_ranks,
    photo_ranks,
    recall_among,
    recall_at,
)


def test_ranks_by_hand():
    scores = torch.tensor([[0.9, 0.1, 0.2], [0.5, 0.4, 0.1], [0.3, 0.2, 0.1]])
    assert pair_ranks(scores).tolist() == [1, 2, 3]
    assert recall_at(scores, 1) == pytest.approx(1 / 3)
    assert recall_at(scores, 2) == pytest.approx(2 / 3)
    assert recall_at(scores, 3) == 1.0


def test_ranks_match_a_sort():
    scores = torch.randn(40, 40, generator=torch.Generator().manual_seed(0))
    expected = [
        sorted(row, reverse=True).index(row[i]) + 1 for i, row in enumerate(scores.tolist())
    ]
    assert pair_ranks(scores).tolist() == expected


def test_a_model_that_says_the_same_of_everything_finds_nothing():
    assert recall_at(torch.zeros(10, 10), 5) == 0.0


def test_chance_is_k_over_n():
    generator = torch.Generator().manual_seed(0)
    found = [recall_at(torch.randn(50, 50, generator=generator), 5) for _ in range(60)]
    assert sum(found) / len(found) == pytest.approx(5 / 50, abs=0.02)


def test_a_class_is_the_mean_direction_of_its_sentences():
    table = {"un gato": [3.0, 0.0], "gato": [0.0, 0.5], "un pez": [0.0, 2.0], "pez": [0.0, 1.0]}

    def read(sentences):
        return torch.tensor([table[s] for s in sentences])

    diagonal = F.normalize(torch.tensor([0.5, 0.5]), dim=0)
    vectors = class_vectors(read, [["gato"], ["pez"]], ["un {}", "{}"])
    torch.testing.assert_close(vectors[0], diagonal)
    torch.testing.assert_close(vectors[1], torch.tensor([0.0, 1.0]))
    torch.testing.assert_close(class_vectors(read, [["un gato", "pez"]])[0], diagonal)


def test_usage_errors():
    with pytest.raises(ValueError, match="tantas filas como columnas"):
        pair_ranks(torch.zeros(2, 3))
    with pytest.raises(ValueError, match="entre 1 y ese"):
        recall_at(torch.zeros(3, 3), 4)
    with pytest.raises(ValueError, match="que cada plantilla lleve"):
        class_vectors(lambda s: torch.zeros(len(s), 2), [["gato"]], ["un dibujo"])
    with pytest.raises(ValueError, match="manera de decir cada clase"):
        class_vectors(lambda s: torch.zeros(len(s), 2), [["gato"], []])


def test_several_captions_of_a_photo_by_hand():
    """Tres frases de la foto 0 y dos de la 1: vale la mejor, y las suyas no se estorban."""
    scores = torch.tensor([[0.9, 0.8], [0.2, 0.1], [0.3, 0.95], [0.7, 0.5], [0.95, 0.6]])
    owners = torch.tensor([0, 0, 0, 1, 1])
    assert photo_ranks(scores, owners).tolist() == [1, 1, 2, 2, 2]
    # La foto 0: su mejor frase, 0,9, solo la adelanta la quinta. La 1: la suya, 0,6, dos ajenas.
    assert caption_ranks(scores, owners).tolist() == [2, 3]
    assert recall_among(caption_ranks(scores, owners), 2) == 0.5
    with pytest.raises(ValueError, match="alguna no tiene ninguna frase"):
        caption_ranks(scores, torch.zeros(5, dtype=torch.long))


def test_with_a_caption_each_the_ranks_are_those_of_the_pairs():
    scores = torch.randn(30, 30, generator=torch.Generator().manual_seed(1))
    own = torch.arange(30)
    assert photo_ranks(scores, own).equal(pair_ranks(scores))
    assert caption_ranks(scores, own).equal(pair_ranks(scores.T))
    assert caption_ranks(torch.zeros(9, 3), own[:3].repeat_interleave(3)).tolist() == [7, 7, 7]
