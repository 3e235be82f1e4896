"""A escala real: de contar palabras a un BERT, con las críticas de IMDB y su reparto oficial."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from tfcourse.datasets.folders.imdb import CLASSES, IMDB_SOURCE, imdb_reviews, imdb_unlabelled
from tfcourse.datasets.text.article_topics import encode_texts, plain_text
from tfcourse.datasets.text.masking import BERT_TOKENS
from tfcourse.metrics.classes import class_scores
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.classifier import Classifier
from tfcourse.stored.full import FullRun
from tfcourse.text.bert import recipe as bert
from tfcourse.text.bert.fine_tuning import Labelled, TuningRecipe, fine_tune, most_likely_classes
from tfcourse.text.sentiment.recipe import (
    ATTENTION,
    BERT,
    CONVOLUTION,
    RECURRENT,
    SVM,
    Recipe,
    fit_svm,
    train,
)
from tfcourse.text.sentiment.texts import encode_words, word_tokenizer
from tfcourse.tokenizers.splitting import split_words_and_signs
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer
from tfcourse.training.budget import Steps
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device

Reviews = tuple[list[str], Tensor]


@dataclass(frozen=True)
class Full:
    """Cuánto se lee de cada crítica, cuántos pasos se dan y cómo es cada lector.

    Todas las redes dan los mismos pasos con etiquetas, con lotes iguales. El BERT, además, aprende
    antes de las críticas sin nota y de las de entrenar, como dice `pretraining`. Casi todas las
    críticas caben enteras en `max_length`; cada fila dice cuántas leyó hasta el final.
    """

    max_length: int = 1_024
    steps: int = 4_000
    batch_size: int = 64
    save_every: int = 500
    readers: dict[str, Recipe] = field(
        default_factory=lambda: {
            RECURRENT: Recipe(d_model=256, d_hidden=256, dropout=0.5, batch_size=64, lr=1e-3),
            CONVOLUTION: Recipe(d_model=256, d_hidden=256, dropout=0.5, batch_size=64, lr=1e-3),
            ATTENTION: Recipe(d_model=256, d_hidden=1024, batch_size=64, lr=5e-4),
        }
    )
    n_tokens: int = 16_000
    tokenizer_texts: int = 20_000
    pretraining: bert.Recipe = field(
        default_factory=lambda: bert.Recipe(
            # La «mini» de Turc et al. (2019), con el doble de posiciones.
            size={
                "d_model": 256, "n_heads": 4, "n_layers": 4, "d_hidden": 1024,
                "max_length": 1_024, "dropout": 0.1,
            },
            phases=(bert.Phase(256, 64, 20_000),),
            rate=0.15,
            adam_lr=3e-3,
        )
    )  # fmt: skip
    tuning_lr: float = 1e-4
    head_lr: float = 1e-3


REHEARSAL = Full(
    max_length=24,
    steps=4,
    batch_size=4,
    save_every=2,
    readers={
        name: Recipe(d_model=8, d_hidden=8, batch_size=4)
        for name in (RECURRENT, CONVOLUTION, ATTENTION)
    },
    n_tokens=120,
    tokenizer_texts=12,
    pretraining=bert.Recipe(
        size={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 32, "max_length": 24},
        phases=(bert.Phase(16, 4, 6),),
    ),
)


def measure(settings: Full, folder: Path) -> list[dict]:
    """Acierto y macro-F1 en las críticas de evaluar de IMDB, con una semilla."""
    known, reserved = read_reviews("train"), read_reviews("test")
    commonest = torch.full_like(reserved[1], int(known[1].bincount().argmax()))
    rows = [row("la clase más frecuente", "", 0.0, reserved, commonest)]
    for title, limit in ((f"{SVM}, lineal", None), (f"{SVM}, recortada", settings.max_length)):
        cut, (texts, whole) = first_words(known[0], limit)[0], first_words(reserved[0], limit)
        guesses = fit_svm(cut, known[1], linear=True).predict(texts)
        rows.append(row(title, "", whole, reserved, torch.from_numpy(guesses).long()))
    tokenizer = word_tokenizer(known[0])
    examined = encode_words(tokenizer, reserved[0], settings.max_length)
    data = Labelled(*encode_words(tokenizer, known[0], settings.max_length), known[1])
    for name, recipe in settings.readers.items():
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        model = train(
            recipe, 0, Steps(settings.steps), name=name, data=data, n_tokens=len(tokenizer),
            n_classes=len(CLASSES), max_length=settings.max_length, checkpoint=point,
        ).model  # fmt: skip
        guesses = most_likely_classes(model.to(default_device()), *examined)
        rows.append(row(name, n_parameters(model), whole, reserved, guesses))
    model, pieces = tuned_bert(settings, folder, known)
    tokens, lengths = encode_texts(reserved[0], pieces, settings.max_length)
    guesses = most_likely_classes(model.to(default_device()), tokens, lengths)
    whole = float((lengths < settings.max_length).float().mean())
    title = f"{BERT} (preentrenado con IMDB)"
    return [*rows, row(title, n_parameters(model), whole, reserved, guesses)]


def row(name: str, parameters: int | str, whole: float, reserved: Reviews, guesses: Tensor) -> dict:
    """Una fila de la tabla: `whole` es la parte de las críticas que se leyó hasta el final."""
    scores = class_scores(reserved[1], guesses)
    return {"modelo": name, "parámetros": parameters, "enteras": whole} | scores


def first_words(texts: Sequence[str], limit: int | None) -> tuple[list[str], float]:
    """Los textos recortados a sus primeras palabras y la parte de ellos que cabía entera."""
    if limit is None:
        return list(texts), 1.0
    words = [split_words_and_signs(text) for text in texts]
    whole = sum(len(found) <= limit for found in words) / len(words)
    return [" ".join(found[:limit]) for found in words], whole


def read_reviews(part: str) -> Reviews:
    """Las críticas de una parte, en minúsculas, y sus clases."""
    texts, labels = imdb_reviews(part)
    return [text.lower() for text in texts], torch.tensor(labels)


def tuned_bert(
    settings: Full, folder: Path, known: Reviews
) -> tuple[Classifier, WordPieceTokenizer]:
    """Un BERT que primero rellena huecos de críticas sin nota y después se ajusta con las demás."""
    texts = plain_texts([*known[0], *imdb_unlabelled()])
    few = texts[:: max(1, len(texts) // settings.tokenizer_texts)]
    pieces = WordPieceTokenizer.train(few, settings.n_tokens, special_tokens=BERT_TOKENS)
    corpus = bert.encode_corpus(pieces, texts, [])
    point = Checkpoint(folder / "huecos.safetensors", settings.save_every)
    encoder = bert.train(settings.pretraining, 0, corpus=corpus, checkpoint=point).model.bert
    data = Labelled(*encode_texts(known[0], pieces, settings.max_length), known[1])
    tuning = TuningRecipe(settings.steps, settings.tuning_lr, settings.head_lr, settings.batch_size)
    point = Checkpoint(folder / "ajuste.safetensors", settings.save_every)
    return fine_tune(encoder, data, len(CLASSES), tuning, checkpoint=point), pieces


def plain_texts(texts: Sequence[str]) -> list[str]:
    """Los textos con el alfabeto del curso, que tiene todas las letras del inglés."""
    return [plain_text(text) for text in texts]


RUNS = {
    "imdb": FullRun(
        name="imdb",
        title="IMDB, acierto y macro-F1 al evaluar",
        sources=(IMDB_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=10,
        hours=4,
    )
}
