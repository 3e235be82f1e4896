"""La receta común de los traductores: lo que no cabe no se entrena, y se mide lo que se escribe."""

from pathlib import Path

import pytest
import torch

from tfcourse.datasets.folders import tatoeba
from tfcourse.text.seq2seq import translators
from tfcourse.text.seq2seq.translators import Recipe, copying, read_sentences, recurrent, write
from workshop.rehearsal.sentences import make_tatoeba

RECIPE = Recipe(steps=2, batch_size=4, n_tokens=300, n_test=9, max_tokens=24)


@pytest.fixture
def sentences(monkeypatch, tmp_path):
    monkeypatch.setenv("TFCOURSE_ENSAYO", "1")
    monkeypatch.setenv("TFCOURSE_DATOS", str(tmp_path))
    make_tatoeba(Path(tmp_path))
    return read_sentences(RECIPE)


def test_what_is_too_long_is_not_trained_but_is_tested(sentences):
    assert sentences.known.source.shape[1] <= RECIPE.max_tokens
    assert sentences.known.target.shape[1] <= RECIPE.max_tokens + 2  # con su inicio y su fin
    longest = max(len(sentences.pieces.encode(s.source)) for s in sentences.test)
    assert longest > RECIPE.max_tokens and len(sentences.test) == RECIPE.n_test


def test_the_pieces_come_only_from_what_is_trained(monkeypatch, sentences):
    known, test = tatoeba.tatoeba_split(RECIPE.n_test)
    secret = [tatoeba.ReservedSentence("ÿÿÿÿÿÿ " * 50, s.references) for s in test]
    monkeypatch.setattr(translators, "tatoeba_split", lambda n: (known, secret))
    assert read_sentences(RECIPE).pieces.tokens == sentences.pieces.tokens


def test_writing_in_parts_changes_nothing(sentences):
    torch.manual_seed(0)
    model = recurrent(sentences, "bahdanau", {"d_embedding": 8, "d_hidden": 8}).eval()
    whole = write(model, sentences, RECIPE)
    assert write(model, sentences, RECIPE, batch_size=2) == whole
    assert len(whole) == RECIPE.n_test


def test_copying_is_scored_as_any_other(sentences):
    row = copying(sentences)
    assert row["traductor"] == "copiar el inglés" and row["parámetros"] == 0
    assert 0 < row["chrF"] < 100
