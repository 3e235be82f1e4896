"""Los límites de los tokenizadores: lo último que se admite y lo primero que ya no."""

import pytest
import torch

from tfcourse.tokenizers.base import check_size
from tfcourse.tokenizers.boxes import BoxVocabulary, check_bins
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.mu_law import from_bins, to_bins
from tfcourse.tokenizers.speech import SpeechVocabulary
from tfcourse.tokenizers.token_rows import MAX_PLACES, TokenRow, collate
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.tokenizers.visual_words import VisualWords

BOXES = BoxVocabulary(5, 3)
SPEECH = SpeechVocabulary()
TEXT = UnigramTokenizer(["a", "b"], [-1.0, -1.0])
ONE_BOX = torch.tensor([[0.5, 0.5, 0.2, 0.2]])
LIMITS = {
    "justo el alfabeto": (lambda n: check_size(n, 5, 3), 8, 7),
    "dos marcas": (check_bins, 2, 1),
    "una clase": (lambda n: BoxVocabulary(5, n), 1, 0),
    "la primera clase": (lambda c: BOXES.encode(ONE_BOX, torch.tensor([c])), 0, -1),
    "la última clase": (lambda c: BOXES.encode(ONE_BOX, torch.tensor([c])), 2, 3),
    "dos casillas": (lambda n: to_bins(torch.zeros(1), n), 2, 1),
    "la primera casilla": (lambda b: from_bins(torch.tensor([b]), 4), 0, -1),
    "la última casilla": (lambda b: from_bins(torch.tensor([b]), 4), 3, 4),
    "la primera palabra": (lambda n: SPEECH.decode([n]), 0, -1),
    "la última palabra": (lambda n: SPEECH.decode([n]), len(SPEECH) - 1, len(SPEECH)),
    "el primer token": (lambda n: TEXT.decode([n]), 0, -1),
    "el último token": (lambda n: TEXT.decode([n]), len(TEXT) - 1, len(TEXT)),
    "el último lugar": (
        lambda n: collate([TokenRow([1], [n], [True])]), MAX_PLACES - 1, MAX_PLACES,
    ),
    "tantos tubos como palabras": (
        lambda n: VisualWords.learn(torch.eye(9)[:n], branches=2), 4, 3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name):
    build, last, first = LIMITS[name]
    build(last)
    with pytest.raises(ValueError):
        build(first)


def test_bins_are_equal_and_know_their_centre():
    assert to_bins(torch.tensor([-2.0, -1.0, -0.1, 0.1, 1.0, 2.0]), 2).tolist() == [
        0,
        0,
        0,
        1,
        1,
        1,
    ]
    assert from_bins(torch.tensor([0, 1, 2, 3]), 4).tolist() == [-0.75, -0.25, 0.25, 0.75]
    middle = from_bins(torch.arange(7), 7)
    assert torch.equal(to_bins(middle, 7), torch.arange(7))


@pytest.mark.parametrize("wrong", [[-1, 2], [0, 9], [-1, 9]])
def test_one_that_does_not_exist_among_others_that_do_is_noticed(wrong):
    with pytest.raises(ValueError, match="van de 0 a 3"):
        from_bins(torch.tensor(wrong), 4)
    with pytest.raises(ValueError, match="van de 0 a 2"):
        BOXES.encode(ONE_BOX.expand(2, 4), torch.tensor(wrong))


def test_nothing_to_encode_is_nothing():
    assert BOXES.encode(torch.zeros(0, 4), torch.zeros(0).long()).shape == (0, 5)
    assert from_bins(torch.zeros(0).long(), 4).shape == (0,)
    assert TEXT.encode("") == [] and TEXT.decode([]) == ""


@pytest.mark.parametrize("kind", [UnigramTokenizer, BPETokenizer])
def test_the_smallest_vocabulary_is_the_alphabet(kind):
    with pytest.raises(ValueError, match="es menor que el alfabeto") as error:
        kind.train("aba", 1)
    needed = int(str(error.value).split("usa n_tokens=")[1].split()[0])
    assert len(kind.train("aba", needed)) == needed
    with pytest.raises(ValueError, match="es menor que el alfabeto"):
        kind.train("aba", needed - 1)
