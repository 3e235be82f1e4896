"""Sentimiento por léxico: las reglas de VADER, contra VADER, y las del español, caso a caso."""

import math

import pytest
from vaderSentiment.vaderSentiment import BOOSTER_DICT, NEGATE, SentimentIntensityAnalyzer

from tfcourse.models.lexicon import BOOST, FADING, NEGATION, THRESHOLD, LexiconScorer, Scope
from tfcourse.text.sentiment.texts import spanish_scorer

ENGLISH = (
    "the book was good",
    "the book was very good",
    "the book was marginally good",
    "a really bad horrible book",
    "the food is not good",
    "it was never very good",
    "the acting is really very good",
    "the plot was good but the ending was terrible",
    "terrible but very good",
    "the table is made of wood",
    "very much a good film",
)


@pytest.fixture(scope="module")
def scorers():
    vader = SentimentIntensityAnalyzer()
    boosters = {word: int(math.copysign(1, value)) for word, value in BOOSTER_DICT.items()}
    scope = Scope(NEGATE, boosters, contrast=("but",), window=3, stops=False)
    return vader, LexiconScorer(vader.lexicon, scope)


@pytest.mark.parametrize("text", ENGLISH)
def test_parity_with_vader(scorers, text):
    vader, ours = scorers
    assert ours.score(text) == pytest.approx(vader.polarity_scores(text)["compound"], abs=1e-3)


def test_by_hand():
    scope = Scope(("no",), {"muy": 1, "algo": -1})
    scorer = LexiconScorer({"bueno": 2.0, "malo": -2.0}, scope)
    assert dict(scorer.contributions("muy bueno"))["bueno"] == pytest.approx(2 + BOOST)
    assert dict(scorer.contributions("algo malo"))["malo"] == pytest.approx(-2 + BOOST)
    assert dict(scorer.contributions("no es bueno"))["bueno"] == pytest.approx(2 * NEGATION)
    total = 2 + BOOST
    assert scorer.score("muy bueno") == pytest.approx(total / math.sqrt(total**2 + 15))


@pytest.mark.parametrize("window", [1, 2, 3])
def test_words_further_than_the_window_change_nothing(window):
    scope = Scope(("no",), {"muy": 1}, window=window)
    scorer = LexiconScorer({"bueno": 2.0}, scope)
    for before, inside in (("no", 2 * NEGATION), ("muy", 2 + BOOST * (1 - FADING * (window - 1)))):
        reached = " ".join([before, *["x"] * (window - 1), "bueno"])
        assert scorer.contributions(reached)[-1][1] == pytest.approx(inside)
        assert scorer.contributions(reached.replace("bueno", "x bueno"))[-1][1] == 2


def test_the_last_word_is_found_and_each_side_of_a_but_has_its_weight():
    scope = Scope((), {}, contrast=("pero",), concession=("aunque",))
    scorer = LexiconScorer({"bueno": 2.0}, scope)

    def values(text):
        return [value for word, value in scorer.contributions(text) if word == "bueno"]

    assert values("bueno pero bueno") == [1.0, 3.0]
    assert values("bueno pero x pero bueno") == [1.0, 3.0]  # manda lo que sigue al primero
    assert values("bueno, aunque bueno, bueno") == [3.0, 1.0, 3.0]
    assert values("aunque bueno") == [1.0] and values("bueno") == [2.0]
    assert scorer.classify(["x", "bueno"]) == [1, 2]
    edge = LexiconScorer({"bueno": THRESHOLD * math.sqrt(15 / (1 - THRESHOLD**2))}, scope)
    assert edge.score("bueno") == pytest.approx(THRESHOLD)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("La comida es excelente", 2),
        ("la COMIDAAA es EXCELENTEEE", 2),
        ("El guion es pésimo", 0),
        ("El guion es pesimo", 0),
        ("La cama no es nada cómoda", 0),
        ("El final no es malo", 2),
        ("No la conocía. El final es excelente", 2),  # la negación no pasa del punto
        ("La pantalla es buena, pero la batería es horrible", 0),
        ("Aunque la pantalla es horrible, la batería es buena", 2),
        ("La batería es buena, aunque la pantalla es mala", 2),
        ("Lo compré en enero", 1),
    ],
)
def test_spanish(text, label):
    assert spanish_scorer().classify([text]) == [label]


@pytest.mark.parametrize(("value", "label"), [(0.1, 1), (-0.1, 1), (0.3, 2), (-0.3, 0)])
def test_what_barely_leans_is_neutral(value, label):
    scorer = LexiconScorer({"algo": value}, Scope(("no",), {}, window=4))
    assert scorer.classify(["algo"]) == [label]


def test_it_fails_at_irony():
    """No es una virtud: es lo que el capítulo dice que no sabe hacer."""
    assert spanish_scorer().classify(["Qué maravilla: se apaga solo"]) == [2]


def test_without_scope_negation_leaks():
    scope = Scope(("no",), {}, window=4)
    loose = Scope(("no",), {}, window=4, stops=False)
    text = "no sé. es bueno"
    assert LexiconScorer({"bueno": 2.0}, scope).score(text) > 0
    assert LexiconScorer({"bueno": 2.0}, loose).score(text) < 0


def test_two_negations_negate_once():
    scorer = LexiconScorer({"bueno": 2.0}, Scope(("no", "nada"), {}))
    assert scorer.score("no es nada bueno") == scorer.score("no es bueno")


def test_empty_text_is_neutral():
    assert spanish_scorer().score("") == 0


@pytest.mark.parametrize(("valences", "window"), [({}, 3), ({"bueno": 1.0}, 0)])
def test_bad_settings(valences, window):
    with pytest.raises(ValueError, match="hace falta al menos una palabra con valencia"):
        LexiconScorer(valences, Scope((), {}, window=window))
