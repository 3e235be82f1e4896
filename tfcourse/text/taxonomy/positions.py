"""Cuántas posiciones se miran: todas o una ventana, en listas de sintagmas y en fechas."""

from collections.abc import Callable
from functools import cache

from torch import nn

from tfcourse.datasets.sequences import SequencePairs, encode_pairs
from tfcourse.datasets.text.translation import PhrasePair, phrase_lists
from tfcourse.decoding import translate
from tfcourse.layers.alignment.aligned import AlignedAttention
from tfcourse.layers.alignment.functions import DotAlignment
from tfcourse.layers.alignment.local import MonotonicAttention, PredictiveAttention
from tfcourse.metrics import exact_match
from tfcourse.text.alignment.recipe import D, Recipe, Task, dates
from tfcourse.tokenizers.vocabulary import Vocabulary
from tfcourse.training import default_device

LENGTHS = (1, 2, 3, 4, 6, 8)  # sintagmas de las listas de evaluación; se entrena con hasta tres
NAMES = ("global", "local monótona", "local predictiva")
# Media ventana en cada tarea: las dos atenciones locales se prueban con las dos.
HALF_WIDTHS = {"listas": (1, 2), "fechas": (4, 8)}


@cache
def short_lists() -> list[PhrasePair]:
    """Las listas de entrenar: de uno a tres sintagmas."""
    return phrase_lists(4_000, n_phrases=range(1, 4), seed=0)


@cache
def long_lists() -> dict[int, list[PhrasePair]]:
    """Cien listas nuevas por cada número de sintagmas."""
    return {n: phrase_lists(100, range(n, n + 1), seed=1_000 + n) for n in LENGTHS}


@cache
def vocabularies() -> tuple[Vocabulary, Vocabulary]:
    """Las palabras inglesas y las españolas de las listas de entrenar."""
    return (
        Vocabulary.from_sequences(pair.source for pair in short_lists()),
        Vocabulary.from_sequences(pair.target for pair in short_lists()),
    )


def encode_lists(pairs: list[PhrasePair]) -> SequencePairs:
    """Listas de sintagmas → números, en el dispositivo de trabajo."""
    sources, targets = [pair.source for pair in pairs], [pair.target for pair in pairs]
    return encode_pairs(sources, targets, *vocabularies()).to(default_device())


@cache
def lists() -> Task:
    """Listas de sintagmas en inglés → en español."""
    return Task(encode_lists(short_lists()), *vocabularies())


def attention_maker(name: str, half_width: int) -> Callable[[], nn.Module]:
    """Una de las tres, siempre con el mismo alineamiento; a la global la ventana no le afecta."""
    return {
        "global": lambda: AlignedAttention(DotAlignment()),
        "local monótona": lambda: MonotonicAttention(DotAlignment(), half_width),
        "local predictiva": lambda: PredictiveAttention(DotAlignment(), half_width, d_query=D),
    }[name]


def list_recipe(name: str, half_width: int) -> Recipe:
    """La traducción de listas con una de las tres atenciones."""
    return Recipe(attention_maker(name, half_width), lists, steps=150, similar_lengths=False)


def local_date_recipe(name: str, half_width: int) -> Recipe:
    """Las fechas con una de las tres atenciones, con los mismos pasos todas."""
    return Recipe(attention_maker(name, half_width), dates, steps=120)


def exact_lists(model: nn.Module) -> list[float]:
    """Fracción de listas exactas, según su número de sintagmas."""
    scores = []
    for pairs in long_lists().values():
        source, lengths, _ = encode_lists(pairs).tensors()
        written = translate(model, source, lengths, vocabularies()[1], max_length=40)
        scores.append(exact_match(written, [list(pair.target) for pair in pairs]))
    return scores
