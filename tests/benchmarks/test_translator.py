"""El traductor junto a los que no son una red entrenada: la tabla y lo que la hace."""

import pytest

from benchmarks import translator as table
from benchmarks.translator import (
    BEAM,
    COPY,
    GREEDY,
    LEXICON,
    MEMORY,
    NAME,
    SENTENCES,
    UNTRAINED,
    compare,
    familiarity,
    learn_lexicon,
    most_similar,
    settings,
    word_for_word,
)
from tfcourse.stored.results import load_results
from tfcourse.weights.shipped import weights_card

KNOWN = [
    ("the house", "la casa"),
    ("the book", "el libro"),
    ("a house", "una casa"),
    ("a book", "un libro"),
    ("the red house", "la casa roja"),
] * 3


def test_the_stored_table_is_whole_and_of_the_shipped_weights():
    stored = load_results(NAME, settings())
    rows = {row["translator"]: row for row in stored if "translator" in row}
    assert [row["sentence"] for row in stored if "sentence" in row] == list(SENTENCES)
    assert list(rows) == [GREEDY, BEAM, MEMORY, LEXICON, COPY, UNTRAINED]
    quality = weights_card(NAME).quality
    for metric in ("BLEU", "chrF"):
        assert rows[GREEDY][metric] == pytest.approx(quality[metric], abs=0.5)
        assert rows[COPY][metric] == pytest.approx(quality[f"{metric}_copiar"], abs=1e-3)
        for row in rows.values():
            assert row[f"{metric}_low"] <= row[metric] <= row[f"{metric}_high"]


def test_a_lexicon_is_learned_from_pairs():
    lexicon = learn_lexicon(KNOWN, rounds=8)
    assert (lexicon["house"], lexicon["book"], lexicon["red"]) == ("casa", "libro", "roja")
    assert word_for_word(lexicon, "House, zebra!") == "Casa, zebra!"
    assert word_for_word(lexicon | {"x": "x"}, "the X house") == f"{lexicon['the']} X casa"


def test_the_most_similar_entry_lends_its_translation():
    assert most_similar(KNOWN, ["the red houses", "a booklet"]) == ["la casa roja", "un libro"]


def test_each_one_is_compared_with_the_first(monkeypatch):
    monkeypatch.setattr(table, "RESAMPLES", 100)
    references = [f"la casa número {n} de la calle larga" for n in range(20)]
    worse = [text.replace("larga", "gris") for text in references]
    first, second, third = compare(
        {"uno": references, "dos": worse, "tres": ["nada"] * 20}, references
    )
    assert first["BLEU"] == pytest.approx(100) and first["exact"] == 1 and first["BLEU_p"] is None
    assert third["chrF_high"] < second["chrF_low"] < 100 and second["chrF_p"] < 0.05


def test_how_close_a_sentence_is_to_what_was_learned():
    first, second = familiarity(KNOWN, ["A house!", "the red zebra"])
    assert first == {"sentence": "A house!", "nearest": 1.0, "unseen": []}
    assert second["nearest"] == pytest.approx(2 / 3) and second["unseen"] == ["zebra"]
