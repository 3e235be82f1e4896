"""A escala real: BERT-base con la Wikipedia en español y, después, ajustado a opinar de tuits."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import torch
from torch import Tensor

from tfcourse.datasets.folders.spanish_tweets import N_CLASSES, TWEETS_SOURCE, spanish_tweets
from tfcourse.datasets.folders.wikipedia import WIKIPEDIA_SOURCE, wikipedia_split
from tfcourse.datasets.text.article_topics import encode_texts, plain_text
from tfcourse.datasets.text.masking import BERT_TOKENS
from tfcourse.metrics import masked_accuracy, masked_perplexity
from tfcourse.metrics.classes import class_scores
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.bert import BASE, Bert
from tfcourse.models.tfidf import LogisticRegression, TfIdfClassifier
from tfcourse.official.sentences import packaged_e5
from tfcourse.stored.full import FullRun
from tfcourse.text.bert.few_labels import untrained
from tfcourse.text.bert.fine_tuning import Labelled, TuningRecipe, fine_tune, most_likely_classes
from tfcourse.text.bert.published import RUN as PUBLISHED
from tfcourse.text.bert.recipe import (
    EncodedCorpus,
    Phase,
    Recipe,
    blind_accuracy,
    encode_corpus,
    held_out_masks,
    train,
)
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device


@dataclass(frozen=True)
class Full:
    """Cuánta Wikipedia, con qué tokenizador y qué red, y cómo se ajusta a los tuits.

    `tuning_lr` es el ritmo del codificador que ya sabe algo; `scratch_lr`, el del que no.
    """

    n_articles: int = 100_000
    tokenizer_articles: int = 10_000
    n_tokens: int = 30_000
    recipe: Recipe = field(
        default_factory=lambda: Recipe(
            size=BASE | {"max_length": 512},
            phases=(Phase(128, 128, 40_000), Phase(512, 32, 10_000)),
            rate=0.15,
            adam_lr=1e-3,
        )
    )
    masked_windows: int = 4_000
    masked_length: int = 128
    tuning_steps: int = 600
    tuning_batch: int = 32
    tuning_lr: float = 3e-5
    scratch_lr: float = 1e-4
    head_lr: float = 1e-3
    max_length: int = 64
    seeds: int = 3
    save_every: int = 1_000


REHEARSAL = Full(
    n_articles=40,
    tokenizer_articles=20,
    n_tokens=150,
    recipe=Recipe(
        size={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32, "max_length": 32},
        phases=(Phase(16, 4, 6), Phase(32, 2, 4)),
    ),
    masked_windows=8,
    masked_length=32,
    tuning_steps=4,
    tuning_batch=4,
    max_length=32,
    seeds=2,
    save_every=2,
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto y perplejidad en huecos de artículos reservados, y opiniones de tuits reservados."""
    corpus = read_corpus(settings)
    known, reserved = labelled_tweets("train"), labelled_tweets("test")
    masks = held_out_masks(corpus, settings.masked_length, settings.masked_windows)
    point = Checkpoint(folder / "preentrenar.safetensors", settings.save_every)
    model = train(settings.recipe, 0, corpus=corpus, checkpoint=point).model.to(default_device())
    knows = {
        "acierto en huecos": masked_accuracy(model, masks),
        "perplejidad": masked_perplexity(model, masks),
    }
    encoder, size = model.bert.cpu(), {"parámetros": n_parameters(model)}
    tuned = partial(tuned_scores, settings, folder, corpus.tokenizer, known, reserved)
    blind = {"acierto en huecos": blind_accuracy(corpus, masks)}
    return [
        row("lo más frecuente", blind | class_scores(reserved[1], commonest(known[1], reserved))),
        row("TF-IDF y regresión logística", tfidf_scores(known, reserved)),
        *frozen_rows(known, reserved),
        row(
            "BERT sin preentrenar",
            size | tuned("nuevo", untrained(encoder), settings.scratch_lr),
        ),
        row("BERT preentrenado", size | knows | tuned("ajustado", encoder, settings.tuning_lr)),
    ]


def row(name: str, values: dict) -> dict:
    """Una fila de la tabla; lo que no procede queda en blanco."""
    columns = ("parámetros", "acierto en huecos", "perplejidad", "acierto en tuits", "macro-F1")
    values = values | {"acierto en tuits": values["acierto"]}
    return {"modelo": name} | {column: values.get(column, "") for column in columns}


def read_corpus(settings: Full) -> EncodedCorpus:
    """La Wikipedia con un WordPiece que solo ha visto los artículos de entrenar."""
    texts, reserved = (list(map(plain_text, p)) for p in wikipedia_split(settings.n_articles))
    tokenizer = WordPieceTokenizer.train(
        texts[: settings.tokenizer_articles], settings.n_tokens, special_tokens=BERT_TOKENS
    )
    return encode_corpus(tokenizer, texts, reserved)


def labelled_tweets(part: str) -> tuple[list[str], Tensor]:
    """Los tuits de una parte, escritos con el alfabeto del curso, y sus clases."""
    texts, labels = spanish_tweets(part)
    return [plain_text(text) for text in texts], torch.tensor(labels)


def commonest(labels: Tensor, reserved: tuple[Sequence[str], Tensor]) -> Tensor:
    """Contestar siempre la clase más frecuente al entrenar."""
    return torch.full_like(reserved[1], int(labels.bincount().argmax()))


def tfidf_scores(
    known: tuple[Sequence[str], Tensor], reserved: tuple[Sequence[str], Tensor]
) -> dict[str, float]:
    """Notas de TF-IDF y regresión logística, que no saben de orden."""
    return class_scores(reserved[1], TfIdfClassifier(*known, N_CLASSES).classes(reserved[0]))


def frozen_rows(
    known: tuple[Sequence[str], Tensor], reserved: tuple[Sequence[str], Tensor]
) -> list[dict]:
    """La fila de E5, que no se ajusta: sus vectores y regresión logística.

    Si el paquete que trae sus pesos no está, se dice, y la tabla va sin ella.
    """
    try:
        encoder = packaged_e5(default_device())
    except (FileNotFoundError, ValueError) as error:
        print(f"sin la fila de E5: {error}")
        return []
    learned, asked = (encoder(texts).cpu() for texts, _ in (known, reserved))
    guesses = LogisticRegression().fit(learned, known[1], N_CLASSES).logits(asked).argmax(dim=-1)
    scores = {"parámetros": n_parameters(encoder.model)} | class_scores(reserved[1], guesses)
    return [row("E5 sin ajustar y regresión logística", scores)]


def tuned_scores(
    settings: Full,
    folder: Path,
    tokenizer: WordPieceTokenizer,
    known: tuple[Sequence[str], Tensor],
    reserved: tuple[Sequence[str], Tensor],
    name: str,
    encoder: Bert,
    lr: float,
) -> dict[str, float]:
    """Notas medias, en unas cuantas semillas, de un codificador ajustado a los tuits."""
    data = Labelled(*encode_texts(known[0], tokenizer, settings.max_length), known[1])
    examined = encode_texts(reserved[0], tokenizer, settings.max_length)
    recipe = TuningRecipe(settings.tuning_steps, lr, settings.head_lr, settings.tuning_batch)
    found = []
    for seed in range(settings.seeds):
        point = Checkpoint(folder / f"{name}_{seed}.safetensors", settings.save_every)
        model = fine_tune(encoder, data, N_CLASSES, recipe, seed, checkpoint=point)
        guesses = most_likely_classes(model.to(default_device()), *examined)
        found.append(class_scores(reserved[1], guesses))
    return {key: sum(scores[key] for scores in found) / len(found) for key in found[0]}


RUNS = {
    "bert": FullRun(
        name="bert",
        title="BERT: huecos de la Wikipedia en español y opinión de tuits (media de tres semillas)",
        sources=(WIKIPEDIA_SOURCE, TWEETS_SOURCE),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=16,
        hours=8,
    ),
    "bert_publicados": PUBLISHED,
}
