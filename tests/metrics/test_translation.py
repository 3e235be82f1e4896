"""BLEU y chrF: lo que dicen cuando se sabe, y por tamaños."""

import pytest
import sacrebleu

from tfcourse.datasets.folders.tatoeba import ReservedSentence
from tfcourse.metrics.translation import scores_by_length, translation_scores

SHORT = ReservedSentence("The cat sleeps .", ("El gato está durmiendo ahora .", "El gato duerme ."))
LONG = ReservedSentence(
    "I do not know what you are talking about here .", ("No sé de qué estás hablando aquí .",)
)


def test_a_perfect_translation_is_a_hundred_with_any_of_its_references():
    for written in SHORT.references:
        scores = translation_scores([written], [SHORT.references])
        assert scores["BLEU"] == pytest.approx(100) and scores["chrF"] == pytest.approx(100)
    assert translation_scores(["perro"], [SHORT.references])["BLEU"] == 0


def test_it_is_the_one_of_sacrebleu_and_the_second_reference_counts():
    written = ["El gato duerme aquí .", "No sé de qué hablas aquí ."]
    references = [SHORT.references, LONG.references]
    one = sacrebleu.corpus_bleu(written, [[r[0] for r in references]], force=True).score
    both = sacrebleu.corpus_bleu(
        written, [[r[0] for r in references], [SHORT.references[1], None]], force=True
    ).score
    found = translation_scores(written, references)["BLEU"]
    assert found == pytest.approx(both) and found > one


def test_each_sentence_goes_to_the_group_of_its_length():
    scores = scores_by_length([SHORT.references[1], "nada"], [SHORT, LONG])
    names = list(scores)
    assert names[:2] == ["BLEU", "chrF"] and len(names) == 5
    short, medium, long = (scores[name] for name in names[2:])
    assert short == pytest.approx(100) and medium == "" and long == 0


def test_errors():
    with pytest.raises(ValueError, match="hay 1 traducciones y 2 oraciones"):
        translation_scores(["a"], [["a"], ["b"]])
    with pytest.raises(ValueError, match="al menos una referencia"):
        translation_scores(["a"], [[]])
