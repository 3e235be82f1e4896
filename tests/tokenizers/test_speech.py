"""Los tokens de Whisper: símbolos, dos tareas y vuelta al texto."""

import pytest

from tfcourse.tokenizers.speech import TRANSCRIBE, TRANSLATE, SpeechVocabulary

VOCABULARY = SpeechVocabulary()


def test_the_prompt_says_language_task_and_no_times():
    names = [VOCABULARY.tokens[i] for i in VOCABULARY.prompt()]
    assert names == ["<|inicio|>", "<|es|>", "<|transcribir|>", "<|sin_marcas|>"]
    other = VOCABULARY.prompt(TRANSLATE)
    assert [a == b for a, b in zip(other, VOCABULARY.prompt(), strict=True)] == [1, 1, 0, 1]


def test_each_task_writes_its_own_words():
    for task, text in ((TRANSCRIBE, "uno nueve cero"), (TRANSLATE, "one nine zero")):
        ids = VOCABULARY.encode([1, 9, 0], task)
        assert ids[:4] == VOCABULARY.prompt(task) and ids[-1] == VOCABULARY.stop_id
        assert VOCABULARY.decode(ids) == text == " ".join(VOCABULARY.words([1, 9, 0], task))


def test_decoding_stops_at_the_end():
    ids = VOCABULARY.encode([4, 2])
    assert VOCABULARY.decode([*ids, *ids]) == "cuatro dos"
    assert len(VOCABULARY) == 26 and VOCABULARY.decode([]) == ""


def test_wrong_uses_are_explained():
    with pytest.raises(ValueError, match="task='resumir': usa 'transcribir' o 'traducir'"):
        VOCABULARY.prompt("resumir")
    with pytest.raises(ValueError, match="el número 26 no está"):
        VOCABULARY.decode([7, 26])
    with pytest.raises(ValueError, match="hay 2 palabras y 1 traducciones"):
        SpeechVocabulary(["sí", "no"], ["yes"])
    with pytest.raises(ValueError, match="ninguna puede repetirse"):
        SpeechVocabulary(["sí", "no"], ["yes", "no"])
