"""Cuántas etiquetas hacen falta: acierto al clasificar por temas, según con qué se empieza.

La tabla se calcula con `python -m tfcourse tablas etiquetas_bert` (unos minutos) y se guarda con su
huella.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from tfcourse.bert_recipes import BertRecipe, pretrain, shipped_bert, spanish_corpus
from tfcourse.datasets.article_topics import (
    encode_articles,
    few_labels,
    plain_text,
    topic_labels,
    topic_names,
)
from tfcourse.datasets.articles import Article, split_articles
from tfcourse.fine_tuning import Labelled, TuningRecipe, classifier_accuracy, fine_tune
from tfcourse.models.bert import Bert
from tfcourse.models.tfidf import LogisticRegression, TfIdf
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.training import seed_everything

NAME = "etiquetas_bert"
PER_TOPIC, N_TEST, MAX_LENGTH = (4, 8, 16, 32), 400, 48
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


def settings() -> dict:
    """La receta de la tabla."""
    recipes = {"tuned": asdict(TUNED), "from_scratch": asdict(FROM_SCRATCH)}
    for recipe in recipes.values():
        recipe["pool"] = recipe["pool"].__name__
    return recipes | {
        "per_topic": list(PER_TOPIC),
        "n_test": N_TEST,
        "max_length": MAX_LENGTH,
        "steps": [MIN_STEPS, STEPS_PER_LABEL],
        "live": asdict(BertRecipe()),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por semilla, número de etiquetas y punto de partida."""
    shipped = Start(*_encoder(shipped_bert()))
    corpus = spanish_corpus()
    for seed in seeds:
        live = Start(pretrain(corpus, BertRecipe(), seed)[0].bert, corpus.tokenizer)
        starts = {
            "de cero": (Start(untrained(shipped.encoder, seed), shipped.tokenizer), FROM_SCRATCH),
            "de cero, el de clase": (
                Start(untrained(live.encoder, seed), live.tokenizer),
                FROM_SCRATCH,
            ),
            "preentrenado en clase": (live, TUNED),
            "preentrenado del curso": (shipped, TUNED),
        }
        for per_topic in PER_TOPIC:
            row = {"seed": seed, "per_topic": per_topic}
            yield row | {"start": "TF-IDF", "accuracy": tfidf_accuracy(per_topic, seed)}
            for name, (start, recipe) in starts.items():
                accuracy = tuned_accuracy(start, per_topic, seed, recipe)
                yield row | {"start": name, "accuracy": accuracy}


def _encoder(loaded):
    model, tokenizer = loaded
    return model.bert, tokenizer
