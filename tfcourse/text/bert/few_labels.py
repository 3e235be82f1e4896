"""Cuántas etiquetas hacen falta: acierto al clasificar por temas, según con qué se empieza."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from statistics import mean

from torch import Tensor

from tfcourse.datasets.text.article_topics import (
    encode_articles,
    few_labels,
    plain_text,
    topic_labels,
    topic_names,
)
from tfcourse.datasets.text.articles import Article, split_articles
from tfcourse.models.bert import Bert
from tfcourse.models.tfidf import LogisticRegression, TfIdfClassifier
from tfcourse.text.bert.fine_tuning import Labelled, TuningRecipe, classifier_accuracy, fine_tune
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import seed_everything

N_TEST, MAX_LENGTH = 400, 48
# Con pocas etiquetas, 50 pasos; con más, los que dan seis vueltas.
MIN_STEPS, STEPS_PER_LABEL = 50, 3
# Lo que se prueba con cada contendiente: el ritmo del codificador y, en TF-IDF, su C. `TUNED` y
# `FROM_SCRATCH` son los ritmos, distintos, de la tabla `etiquetas_bert`.
RATES = (3e-4, 1e-3)
STRENGTHS = (1.0, 10.0, 100.0)
TUNED = TuningRecipe()
FROM_SCRATCH = replace(TUNED, lr=1e-3)


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


def examined() -> dict[str, list[Article]]:
    """Los artículos reservados: con unos se mide y con los demás se eligen los ritmos."""
    reserved = split_articles()[1]
    return {"accuracy": reserved[:N_TEST], "validation": reserved[N_TEST:]}


def tuned_scores(start: Start, per_topic: int, seed: int, lr: float) -> dict[str, float]:
    """Ajusta con unas pocas etiquetas, y mide en las dos partes de los reservados."""
    recipe = replace(TUNED, steps=max(MIN_STEPS, STEPS_PER_LABEL * per_topic), lr=lr)
    few = labelled(few_labels(split_articles()[0], per_topic, seed), start.tokenizer)
    model = fine_tune(start.encoder, few, len(topic_names()), recipe, seed)
    parts = examined_tokens(start.tokenizer)
    return {part: classifier_accuracy(model, data) for part, data in parts.items()}


@cache
def examined_tokens(tokenizer: Tokenizer) -> dict[str, Labelled]:
    """Los artículos reservados, en números: se cortan una sola vez."""
    return {part: labelled(articles, tokenizer) for part, articles in examined().items()}


def beginning(article: Article, tokenizer: Tokenizer) -> str:
    """Lo que leen las redes de un artículo: sus primeros tokens, sin los dos especiales."""
    return tokenizer.decode(tokenizer.encode(plain_text(article.text))[: MAX_LENGTH - 2])


def tfidf_scores(
    per_topic: int, seed: int, strength: float, read: Callable[[Article], str]
) -> dict[str, float]:
    """Lo mismo con TF-IDF y regresión logística; `read` da lo que se lee de cada artículo."""
    few = few_labels(split_articles()[0], per_topic, seed)
    texts, topics = list(map(read, few)), topic_labels(few)
    model = TfIdfClassifier(texts, topics, len(topic_names()), strength)
    return {
        part: share_right(model.classes(list(map(read, articles))), topic_labels(articles))
        for part, articles in examined().items()
    }


def tfidf_accuracy(per_topic: int, seed: int) -> float:
    """TF-IDF con el artículo entero, solo en los que se examinan."""
    return tfidf_scores(per_topic, seed, LogisticRegression().strength, whole)["accuracy"]


def share_right(guesses: Tensor, topics: Tensor) -> float:
    """Parte de los textos cuyo tema es el que se dice."""
    return float((guesses == topics).float().mean())


def whole(article: Article) -> str:
    """El artículo entero."""
    return plain_text(article.text)


def chosen_runs(rows: Sequence[dict], knob: str = "knob") -> list[dict]:
    """De cada contendiente y número de etiquetas, las filas del ritmo mejor en validación.

    El ritmo se elige por la media de sus semillas en `validation`, nunca por `accuracy`.
    """
    groups: dict[tuple, dict[float, list[dict]]] = {}
    for row in rows:
        same = groups.setdefault((row["start"], row["per_topic"]), {})
        same.setdefault(row[knob], []).append(row)
    best = (
        max(runs.values(), key=lambda some: mean(row["validation"] for row in some))
        for runs in groups.values()
    )
    return list(itertools.chain(*best))
