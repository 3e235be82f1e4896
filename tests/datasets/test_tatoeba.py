"""Tatoeba repartida: nada de lo que se evalúa se ha leído, y una descarga a medias se dice."""

import zipfile

import pytest

from tfcourse.datasets.folders.tatoeba import sentence_key, tatoeba_split
from tfcourse.datasets.text.translation import tatoeba_sentences

LINES = (
    "Go.\tVe.", "Go.\tVete.", "go!\t¡Ve!", "I see.\tYa veo.", "I see.\tLo veo.",
    "Sit down.\tSentaos.", "Who?\t¿Quién?", "Stop!\t¡Alto!",
)  # fmt: skip


@pytest.fixture
def archive(tmp_path):
    def write(lines):
        path = tmp_path / "spa-eng.zip"
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("spa-eng/spa.txt", "\n".join(lines))
        return path

    return write


@pytest.mark.parametrize("seed", range(8))
def test_no_english_sentence_is_in_both_parts(archive, seed):
    known, test = tatoeba_split(2, seed, archive(LINES))
    read = {sentence_key(source) for source, _ in known}
    asked = {sentence_key(sentence.source) for sentence in test}
    assert len(asked) == len(test) == 2 and not read & asked
    assert read | asked == {"go", "i see", "sit down", "who", "stop"}
    assert len(known) + sum(len(sentence.references) for sentence in test) == len(LINES)


def test_the_draw_does_not_depend_on_the_order_of_the_lines(archive):
    first = {s.source.lower()[:2] for s in tatoeba_split(2, 0, archive(LINES))[1]}
    assert {s.source.lower()[:2] for s in tatoeba_split(2, 0, archive(LINES[::-1]))[1]} == first


def test_all_the_translations_of_a_sentence_are_its_references(archive):
    sentences = tatoeba_split(4, 0, archive(LINES))[1] + tatoeba_split(4, 3, archive(LINES))[1]
    found = {s.source: s.references for s in sentences}
    assert found["Go."] == ("Ve.", "Vete.", "¡Ve!") and found["I see."] == ("Ya veo.", "Lo veo.")


def test_what_only_changes_a_sign_is_the_same_sentence():
    assert sentence_key("Who's there?") == sentence_key("WHO'S THERE!") != sentence_key("Who?")
    assert sentence_key("?!") == "?!"


def test_accents_are_composed(archive):
    assert tatoeba_sentences(archive(["Tomorrow.\tMan\u0303ana."])) == [("Tomorrow.", "Mañana.")]


def test_errors(archive):
    path = archive(LINES)
    with pytest.raises(ValueError, match="n_test=5 con 5 oraciones inglesas distintas"):
        tatoeba_split(5, 0, path)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ValueError, match="no es un .zip entero.*bórralo y vuelve a descargarlo"):
        tatoeba_sentences(path)
    with pytest.raises(ValueError, match="no contiene parejas separadas por tabuladores"):
        tatoeba_sentences(archive(["sin tabulador"]))
