"""Lo que a escala real mide el sentimiento: cuánto se lee y con qué se preentrena."""

import torch

from tfcourse.text.sentiment import full
from tfcourse.text.sentiment.full import REHEARSAL, first_words, row, tuned_bert
from tfcourse.text.sentiment.recipe import ATTENTION, Recipe, build, fit_svm
from tfcourse.text.sentiment.texts import encode_words, word_tokenizer

TEXTS = ["muy bueno , de lo mejor", "muy malo , de lo peor"] * 4
LABELS = torch.tensor([1, 0] * 4)


def test_a_linear_machine_learns_the_same_texts():
    machine = fit_svm(TEXTS, LABELS, linear=True)
    assert machine.predict(TEXTS).tolist() == LABELS.tolist()
    assert type(machine[-1]).__name__ == "LinearSVC"
    assert type(fit_svm(TEXTS, LABELS)[-1]).__name__ == "SVC"


def test_longer_reviews_are_read_further():
    tokenizer = word_tokenizer(TEXTS)
    long = " ".join(TEXTS * 4)
    assert encode_words(tokenizer, [long])[1].tolist() == [64]
    tokens, lengths = encode_words(tokenizer, [long], 100)
    assert lengths.tolist() == [100]
    recipe = Recipe(d_model=8, d_hidden=8)
    model = build(recipe, ATTENTION, len(tokenizer), 2, max_length=100).eval()
    assert model(tokens, lengths).shape == (1, 2)


def test_pretraining_never_reads_the_reviews_of_the_exam(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(full, "imdb_unlabelled", lambda: asked.append("sin nota") or TEXTS)
    monkeypatch.setattr(full, "imdb_reviews", lambda part: asked.append(part))
    model, pieces = tuned_bert(REHEARSAL, tmp_path, (TEXTS, LABELS))
    assert asked == ["sin nota"] and model.output.out_features == 2
    assert {path.stem for path in tmp_path.iterdir()} == {"huecos", "ajuste"}


def test_a_row_has_the_scores_of_the_exam():
    reserved = (TEXTS[:4], LABELS[:4])
    found = row("uno", 3, 0.5, reserved, torch.tensor([1, 0, 1, 1]))
    assert (found["modelo"], found["parámetros"], found["acierto"]) == ("uno", 3, 0.75)
    assert found["enteras"] == 0.5


def test_the_machine_that_counts_can_read_as_little_as_the_nets():
    """Recortada, lee las mismas palabras que las redes; si no se dice cuántas, todas."""
    texts = ["uno , dos tres", "cuatro cinco"]
    assert first_words(texts, 2) == (["uno ,", "cuatro cinco"], 0.5)
    assert first_words(texts, None) == (texts, 1.0)
    tokenizer = word_tokenizer(TEXTS)
    cut, _ = first_words(TEXTS, 3)
    assert encode_words(tokenizer, cut)[0].tolist() == encode_words(tokenizer, TEXTS, 3)[0].tolist()


def test_the_nets_read_almost_all_of_a_review():
    """IMDB tiene de media unas doscientas palabras: caben cuatro veces, y en todas las redes."""
    settings = full.Full()
    assert settings.max_length >= 1000 and settings.pretraining.size["max_length"] == 1024
