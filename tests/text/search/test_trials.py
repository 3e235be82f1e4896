"""Qué se busca y qué vale, las clases de consultas y lo que se mide de un orden."""

import re

import pytest
import torch

from tfcourse.datasets.text.articles import spanish_articles, split_articles
from tfcourse.text.search.kinds import DENIED, YEAR, kinds, telling_share
from tfcourse.text.search.metrics import (
    MEASURES,
    hits_at,
    mean_with_interval,
    measured,
    right_places,
)
from tfcourse.text.search.trials import collection, described, pair_articles, titled


def test_what_is_measured_is_never_trained():
    parts = pair_articles()
    kept, reserved = split_articles()
    assert {a.text for a in parts["medir"]} <= {a.text for a in reserved}
    assert not {a.text for a in parts["medir"]} & {a.text for a in kept}
    assert not {a.text for a in parts["entrenar"]} & {a.text for a in parts["elegir"]}
    assert all(len(a.description.split()) >= 3 for part in parts.values() for a in part)


def test_every_article_with_the_same_description_is_right():
    parts, texts = pair_articles(), collection()
    trial = described(parts["medir"][:60])
    assert trial.queries[3] == parts["medir"][3].description
    for article, row in zip(parts["medir"], trial.right, strict=False):
        same = {
            place
            for place, other in enumerate(spanish_articles())
            if other.description.lower() == article.description.lower()
        }
        assert set(torch.where(row)[0].tolist()) == same
        assert texts.index(article.text) in same


def test_each_kind_has_its_queries_and_one_right_document():
    for name, trial in kinds().items():
        assert len(trial.queries) == 24, name
        assert trial.right.sum(dim=1).eq(1).all(), name


def test_drawn_years_are_told_in_a_single_text_and_are_not_heights():
    trial, texts = kinds()["años"], collection()
    where = [int(row.int().argmax()) for row in trial.right]
    assert len(set(where)) == len(where)
    for query, place in zip(trial.queries, where, strict=True):
        year = query.removeprefix("qué pasó en ")
        assert 1000 <= int(year) <= 2026
        assert [place] == [n for n, text in enumerate(texts) if re.search(rf"\b{year}\b", text)]
        told = re.findall(rf"[Ee]n (?:el año )?{year}(.{{0,8}})", texts[place])
        assert told and all(not re.match(r" ?(?:\d|km|m\b|a\. C)", after) for after in told)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Fue fundada en 1207. En el año 1402, cayó.", ["1207", "1402"]),
        ("se elevan a un máximo de 2207 m", []),
        ("en 1456 786 hogares, en 1 456 días y en 1456,5 km", []),
        ("reinó en 2879 a. C. y en 1300 a.C.", []),
        ("entre 1073 y 1085; en 9288 y en 15241", []),
    ],
)
def test_a_year_is_four_digits_after_en(text, years):
    assert YEAR.findall(text) == years


def test_denied_queries_only_add_the_no():
    for pair in DENIED:
        assert pair.denied.replace(" no ", " ", 1) == pair.plain


def test_a_telltale_is_a_whole_word():
    texts = ["toca la Cuerda", "una cordillera", "cuerdas", "acuerda"]
    assert telling_share(texts, r"cuerdas?") == 0.5


def test_places_and_hits_are_the_same_thing():
    scores = torch.tensor([[0.1, 0.9, 0.5], [0.3, 0.2, 0.1]])
    right = torch.tensor([[True, False, True], [False, False, True]])
    places = right_places(scores, right)
    assert places == [[2, 3], [3]]
    hits = hits_at(places, 3)
    assert hits.tolist() == [[False, True, True], [False, False, True]]
    found = measured(hits)
    assert tuple(found) == MEASURES and found["MRR"] == pytest.approx([1 / 2, 1 / 3])


def test_the_interval_holds_the_mean_and_narrows_with_more_queries():
    few, many = [0.0, 1.0] * 10, [0.0, 1.0] * 500
    for values in (few, many):
        mean, low, high = mean_with_interval(values)
        assert low < mean == 0.5 < high
    assert mean_with_interval(many)[2] < mean_with_interval(few)[2]


def test_a_title_that_is_not_there_is_told():
    with pytest.raises(ValueError, match="titulado 'No está'"):
        titled([("algo", "No está")])
