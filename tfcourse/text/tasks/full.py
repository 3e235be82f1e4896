"""A escala real: T5-small con dos tareas públicas, preentrenado con tramos o desde cero."""

import random
from dataclasses import dataclass, field
from pathlib import Path

import torch

from tfcourse.datasets.folders.spanish_tweets import TWEETS_SOURCE, spanish_tweets
from tfcourse.datasets.folders.tatoeba import TATOEBA_SOURCE, tatoeba_split
from tfcourse.datasets.folders.wikipedia import WIKIPEDIA_SOURCE, one_line, wikipedia_texts
from tfcourse.datasets.tasks.mixture import Pair
from tfcourse.metrics.classes import class_scores
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.metrics.translation import translation_scores
from tfcourse.models.t5 import T5, VARIANTS, T5Config
from tfcourse.stored.full import FullRun
from tfcourse.text.tasks.batches import SENTINELS, answer
from tfcourse.text.tasks.published import RUN as PUBLISHED
from tfcourse.text.tasks.recipe import Recipe, pretrain, train
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device, seed_everything

TRANSLATE, OPINE = "traduce", "opina"
OPINIONS = ("negativo", "neutro", "positivo")


@dataclass(frozen=True)
class Full:
    """Cuánta Wikipedia, el tamaño del modelo y las recetas de preentrenar y de las tareas.

    El tokenizador se aprende de los primeros artículos y de una parte de las parejas.
    """

    n_articles: int = 100_000
    tokenizer_articles: int = 3_000
    tokenizer_pairs: int = 30_000
    n_tokens: int = 16_000
    size: dict = field(default_factory=lambda: VARIANTS["small"] | {"dropout": 0.1})
    length: int = 240
    pretraining: Recipe = field(default_factory=lambda: Recipe(20_000, 64, rate=0.01))
    # En proporción a los ejemplos: de tuits hay pocos, y repetirlos mucho sería aprendérselos.
    mixture: Recipe = field(
        default_factory=lambda: Recipe(20_000, 64, rate=0.01, limit=200_000, temperature=1.0)
    )
    n_test: int = 2_000
    max_written: int = 64
    save_every: int = 1_000


REHEARSAL = Full(
    n_articles=20,
    tokenizer_articles=10,
    tokenizer_pairs=40,
    n_tokens=150,
    size={"d_model": 16, "n_heads": 2, "d_head": 8, "n_layers": 1, "d_hidden": 32},
    length=24,
    pretraining=Recipe(6, 4),
    mixture=Recipe(6, 4),
    n_test=6,
    max_written=8,
    save_every=2,
)


@dataclass(frozen=True)
class Exam:
    """Lo que se entrena de cada tarea y lo reservado para evaluar, con sus respuestas."""

    train: dict[str, list[Pair]]
    sentences: list[str]
    references: list[list[str]]
    tweets: list[str]
    opinions: list[int]


def measure(settings: Full, folder: Path) -> list[dict]:
    """BLEU y chrF al traducir, y acierto y macro-F1 al opinar: el mismo modelo escribe las dos."""
    # Primero, lo que no se descarga solo: si falta, no se ha bajado nada en balde.
    texts = [one_line(text) for text in wikipedia_texts(settings.n_articles)]
    exam = read_exam(settings)
    tokenizer = learn_tokenizer(settings, texts, exam)
    rows = [row("copiar, y lo más frecuente", "", exam, exam.sentences, commonest(exam))]
    for name, pretrained in (("T5 desde cero", False), ("T5 preentrenado", True)):
        model = start_model(settings, folder, tokenizer, texts if pretrained else [])
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        train(
            settings.mixture, 0, tokenizer=tokenizer, tasks=exam.train, model=model,
            checkpoint=point,
        )  # fmt: skip
        model.to(default_device())
        written = [
            answer(model, tokenizer, task, read, max_length=settings.max_written)
            for task, read in ((TRANSLATE, exam.sentences), (OPINE, exam.tweets))
        ]
        rows.append(row(name, n_parameters(model), exam, *written))
    return rows


def start_model(settings: Full, folder: Path, tokenizer: UnigramTokenizer, texts: list[str]) -> T5:
    """Un modelo nuevo; si se dan textos, preentrenado con sus tramos tapados."""
    seed_everything(0)
    model = T5(T5Config(len(tokenizer), **settings.size))
    if texts:
        pretrain(
            settings.pretraining, 0, tokenizer=tokenizer, texts=texts, length=settings.length,
            model=model, checkpoint=Checkpoint(folder / "tramos.safetensors", settings.save_every),
        )  # fmt: skip
    return model


def row(
    name: str, parameters: int | str, exam: Exam, translations: list[str], opinions: list[str]
) -> dict:
    """Una fila de la tabla; escribir algo que no es una opinión cuenta como fallo."""
    known = {opinion: number for number, opinion in enumerate(OPINIONS)}
    guesses = torch.tensor([known.get(text.strip(), len(OPINIONS)) for text in opinions])
    return (
        {"modelo": name, "parámetros": parameters}
        | translation_scores(translations, exam.references)
        | class_scores(torch.tensor(exam.opinions), guesses)
    )


def read_exam(settings: Full) -> Exam:
    """Las dos tareas, con el alfabeto del curso; se evalúa con las oraciones y tuits reservados."""
    pairs, reserved = tatoeba_split(settings.n_test)
    tweets, labels = spanish_tweets("train")
    examined, opinions = spanish_tweets("test")
    return Exam(
        train={
            TRANSLATE: [(one_line(source), one_line(target)) for source, target in pairs],
            OPINE: [
                (one_line(tweet), OPINIONS[label])
                for tweet, label in zip(tweets, labels, strict=True)
            ],
        },
        sentences=[one_line(sentence.source) for sentence in reserved],
        references=[list(sentence.references) for sentence in reserved],
        tweets=[one_line(tweet) for tweet in examined],
        opinions=opinions,
    )


def learn_tokenizer(settings: Full, texts: list[str], exam: Exam) -> UnigramTokenizer:
    """Un tokenizador para las dos lenguas, aprendido solo de lo que se entrena."""
    pairs = exam.train[TRANSLATE]
    some = random.Random(0).sample(pairs, min(len(pairs), settings.tokenizer_pairs))
    written = [text for pair in some for text in pair]
    tweets = [text for pair in exam.train[OPINE] for text in pair]
    seen = [*texts[: settings.tokenizer_articles], *written, *tweets, f"{TRANSLATE}: {OPINE}: "]
    return UnigramTokenizer.train(seen, settings.n_tokens, special_tokens=SENTINELS)


def commonest(exam: Exam) -> list[str]:
    """Contestar siempre la opinión más frecuente al entrenar."""
    found = [opinion for _, opinion in exam.train[OPINE]]
    return [max(OPINIONS, key=found.count)] * len(exam.tweets)


RUNS = {
    "t5": FullRun(
        name="t5",
        title="T5-small: traducir oraciones de Tatoeba y opinar de tuits, al evaluar",
        sources=(WIKIPEDIA_SOURCE, TATOEBA_SOURCE, TWEETS_SOURCE),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=8,
        hours=4,
    ),
    "t5_publicado": PUBLISHED,
}
