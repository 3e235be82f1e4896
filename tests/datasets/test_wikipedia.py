"""La Wikipedia entera: sin red ni paquete, se dice cómo seguir."""

import sys
from types import SimpleNamespace

import pytest

from tfcourse.datasets.wikipedia import wikipedia_texts


def test_reads_the_asked_articles(monkeypatch):
    asked = {}

    def load_dataset(name, edition, **options):
        asked.update(name=name, edition=edition, **options)
        return ({"text": f"artículo {i}"} for i in range(10))

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=load_dataset))
    assert list(wikipedia_texts(2)) == ["artículo 0", "artículo 1"]
    assert asked["edition"] == "20231101.es" and asked["streaming"]


def test_says_how_to_go_on(monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ModuleNotFoundError, match="pip install datasets"):
        wikipedia_texts(1)

    def offline(*_, **__):
        raise OSError("sin red")

    monkeypatch.setitem(sys.modules, "datasets", SimpleNamespace(load_dataset=offline))
    with pytest.raises(ConnectionError, match="TFCOURSE_PERFIL=rapido"):
        wikipedia_texts(1)
