"""Lo que a escala real mide T5: dos tareas públicas, y nada de lo reservado al entrenar."""

import pytest

from tfcourse.datasets.folders.tatoeba import tatoeba_split
from tfcourse.text.tasks import full
from tfcourse.text.tasks.batches import SENTINELS
from tfcourse.text.tasks.full import (
    OPINE,
    REHEARSAL,
    TRANSLATE,
    Exam,
    commonest,
    learn_tokenizer,
    read_exam,
    row,
    start_model,
)
from workshop.rehearsal.sentences import make_tatoeba
from workshop.rehearsal.texts import make_tweets

EXAM = Exam(
    train={TRANSLATE: [("a cat", "un gato")], OPINE: [("mal", "negativo"), ("ay", "negativo")]},
    sentences=["a dog"],
    references=[["un perro"]],
    tweets=["bien", "regular"],
    opinions=[2, 1],
)


def test_what_is_not_an_opinion_is_a_miss():
    found = row("uno", 3, EXAM, ["un perro"], [" positivo ", "buenísimo"])
    assert found["chrF"] == pytest.approx(100) and found["acierto"] == 0.5
    assert found["macro-F1"] == pytest.approx(1 / 2)
    assert commonest(EXAM) == ["negativo", "negativo"]


def test_nothing_reserved_is_trained(tmp_path, monkeypatch):
    monkeypatch.setenv("TFCOURSE_ENSAYO", "1")
    monkeypatch.setenv("TFCOURSE_DATOS", str(tmp_path))
    make_tatoeba(tmp_path)
    make_tweets(tmp_path)
    exam = read_exam(REHEARSAL)
    _, reserved = tatoeba_split(REHEARSAL.n_test)
    assert exam.sentences == [sentence.source for sentence in reserved]
    assert not {source for source, _ in exam.train[TRANSLATE]} & set(exam.sentences)
    assert {answer for _, answer in exam.train[OPINE]} <= set(full.OPINIONS)
    assert len(exam.opinions) == len(exam.tweets)


def test_only_a_model_with_texts_is_pretrained(tmp_path):
    texts = ["el río nace en la montaña y pasa por la ciudad"] * 12
    tokenizer = learn_tokenizer(REHEARSAL, texts, EXAM)
    assert all(mark in tokenizer.special_tokens for mark in SENTINELS)
    start_model(REHEARSAL, tmp_path, tokenizer, [])
    assert not list(tmp_path.iterdir())
    start_model(REHEARSAL, tmp_path, tokenizer, texts)
    assert [path.name for path in tmp_path.iterdir()] == ["tramos.safetensors"]
