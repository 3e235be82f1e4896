"""Cuántas etiquetas hacen falta: acierto al clasificar por temas, según con qué se empieza."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tfcourse.datasets.text.article_topics import (
    encode_articles,
    few_labels,
    plain_text,
    topic_labels,
    topic_names,
)
from tfcourse.datasets.text.articles import Article, split_articles
from tfcourse.models.bert import Bert
from tfcourse.models.tfidf import LogisticRegression, TfIdf
from tfcourse.text.bert.fine_tuning import Labelled, TuningRecipe, classifier_accuracy, fine_tune
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import seed_everything

N_TEST, MAX_LENGTH = 400, 48
# Con pocas etiquetas, 50 pasos; con más, los que dan seis vueltas.
MIN_STEPS, STEPS_PER_LABEL = 50, 3
TUNED = TuningRecipe()
FROM_SCRATCH = replace(TUNED, lr=1e-3)  # sin nada que conservar, el codificador avanza más


@dataclass(frozen=True)
class Start:
    """Un punto de partida: un codificador, que se copia, y su tokenizador."""

    encoder: Bert
    tokenizer: Tokenizer


def labelled(articles: Sequence[Article], tokenizer: Tokenizer) -> Labelled:
    """El principio de cada artículo, en números, y su tema."""
    tokens, lengths = encode_articles(articles, tokenizer, MAX_LENGTH)
    return Labelled(tokens, lengths, topic_labels(articles))


def untrained(encoder: Bert, seed: int = 0) -> Bert:
    """La misma red, sin entrenar."""
    seed_everything(seed)
    return Bert(encoder.config)


def tuned_accuracy(start: Start, per_topic: int, seed: int, recipe: TuningRecipe = TUNED) -> float:
    """Ajusta con unas pocas etiquetas y mide con artículos reservados."""
    train, test = split_articles()
    recipe = replace(recipe, steps=max(MIN_STEPS, STEPS_PER_LABEL * per_topic))
    few = labelled(few_labels(train, per_topic, seed), start.tokenizer)
    model = fine_tune(start.encoder, few, len(topic_names()), recipe, seed)
    return classifier_accuracy(model, labelled(test[:N_TEST], start.tokenizer))


def tfidf_accuracy(per_topic: int, seed: int) -> float:
    """Lo mismo con TF-IDF y regresión logística; el texto, entero."""
    train, test = split_articles()
    few = few_labels(train, per_topic, seed)
    vectors = TfIdf([plain_text(a.text) for a in few])
    model = LogisticRegression().fit(
        vectors.vectors([plain_text(a.text) for a in few]), topic_labels(few), len(topic_names())
    )
    held_out = test[:N_TEST]
    guesses = model.logits(vectors.vectors([plain_text(a.text) for a in held_out])).argmax(-1)
    return float((guesses == topic_labels(held_out)).float().mean())
