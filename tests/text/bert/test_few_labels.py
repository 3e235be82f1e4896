"""Pocas etiquetas: lo que se elige en validación, y quién lee qué."""

from tfcourse.datasets.text.articles import split_articles
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.text.bert.few_labels import (
    MAX_LENGTH,
    N_TEST,
    Start,
    beginning,
    chosen_runs,
    examined,
    tfidf_scores,
    tuned_scores,
    untrained,
    whole,
)
from tfcourse.text.bert.recipe import load


def row(start, knob, seed, validation, accuracy):
    return {
        "start": start, "per_topic": 4, "knob": knob, "seed": seed, "validation": validation,
        "accuracy": accuracy,
    }  # fmt: skip


def test_the_rate_is_chosen_in_validation_and_by_the_mean_of_the_seeds():
    rows = [
        row("a", 1e-3, 0, 0.9, 0.1), row("a", 1e-3, 1, 0.5, 0.1),
        row("a", 3e-3, 0, 0.6, 0.9), row("a", 3e-3, 1, 0.6, 0.9),
        row("b", 3e-3, 0, 0.2, 0.3), row("b", 1e-3, 0, 0.1, 0.8),
    ]  # fmt: skip
    chosen = chosen_runs(rows)
    assert [(r["start"], r["knob"], r["seed"]) for r in chosen] == [
        ("a", 1e-3, 0), ("a", 1e-3, 1), ("b", 3e-3, 0),
    ]  # fmt: skip


def test_rates_are_chosen_with_articles_that_nobody_is_examined_on():
    parts = examined()
    titles = [{article.title for article in parts[name]} for name in ("accuracy", "validation")]
    known = {article.title for article in split_articles()[0]}
    assert len(parts["accuracy"]) == N_TEST and len(parts["validation"]) > 200
    assert not titles[0] & titles[1] and not known & (titles[0] | titles[1])


def test_tfidf_can_read_just_what_the_network_reads():
    _, tokenizer = load("bert_espanol")
    article = max(split_articles()[1], key=lambda article: len(article.text))
    short = beginning(article, tokenizer)
    assert whole(article).replace(" ", "").startswith(short.replace(" ", ""))  # separa los signos
    assert len(short) < len(whole(article)) / 2
    assert len(tokenizer.encode(short)) == MAX_LENGTH - 2
    scores = [
        tfidf_scores(1, 0, 10.0, read)
        for read in (whole, lambda article: beginning(article, tokenizer))
    ]
    assert scores[0] != scores[1] and all(0.1 < s["accuracy"] < 0.9 for s in scores)


def test_the_rate_reaches_the_encoder():
    _, tokenizer = load("bert_espanol")
    size = {"d_model": 8, "n_heads": 2, "n_layers": 1, "d_hidden": 8, "max_length": 48}
    start = Start(untrained(Bert(BertConfig(len(tokenizer), **size))), tokenizer)
    found = [tuned_scores(start, 1, 0, lr) for lr in (1e-6, 1e-1)]
    assert set(found[0]) == {"accuracy", "validation"} and found[0] != found[1]
