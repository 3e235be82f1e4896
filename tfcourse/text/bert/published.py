"""Los BERT publicados, en nuestra clase: qué palabras tapadas aciertan, enteras."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch

from tfcourse.datasets.text.article_topics import plain_text
from tfcourse.datasets.text.articles import split_articles
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.bert import MaskedLM
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.text.bert.recipe import load
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.training.loop import default_device

OWN = "bert_espanol, del curso"
Encode = Callable[[str], list[int]]


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican; cuántas palabras se tapan y cuánto se lee en torno.

    `around` son las palabras que se leen a cada lado, y `length`, los tokens que caben.
    """

    names: tuple[str, ...]
    n_words: int = 1_000
    around: int = 12
    length: int = 64
    example: str = "el libro fue escrito por un _ español ."


class Gap(NamedTuple):
    """Una palabra tapada, entre lo que hay delante y lo que hay detrás."""

    before: str
    word: str
    after: str


class Reader(NamedTuple):
    """Un modelo y lo que hace falta para preguntarle: el número de [MASK], [CLS] y [SEP]."""

    model: MaskedLM
    encode: Encode
    decode: Callable[[Sequence[int]], str]
    marks: dict[str, int]


def measure(settings: Published, folder: Path) -> list[dict]:
    """Qué parte de las palabras tapadas acierta cada uno, y lo que pone en una frase.

    Las palabras son las mismas para todos, de los artículos reservados del curso, que se leen en
    minúsculas. Se tapan todos los trozos de la palabra, así que se ve cuántos son.
    """
    gaps = hidden_words(settings)
    model, tokenizer = load("bert_espanol")
    own = Reader(model, tokenizer.encode, tokenizer.decode, marks_of(tokenizer.token_id))
    rows = [row_of(OWN, own, gaps, settings)]
    for name in settings.names:
        found = find_official(name)
        tokens = load_tokenizer(found.folder)

        def encode(text: str, tokens=tokens) -> list[int]:
            return tokens.encode(text, special=False)

        reader = Reader(found.model, encode, tokens.decode, marks_of(tokens.token_id))
        rows.append(row_of(name, reader, gaps, settings))
    return rows


def marks_of(token_id: Callable[[str], int]) -> dict[str, int]:
    """Los números de los tres símbolos que hacen falta."""
    return {mark: token_id(mark) for mark in ("[MASK]", "[CLS]", "[SEP]")}


def hidden_words(settings: Published) -> list[Gap]:
    """Palabras sueltas de los artículos reservados, una por frase y de cuatro letras o más."""
    rng, found = random.Random(0), []
    articles = [plain_text(article.text).split() for article in split_articles()[1]]
    while len(found) < settings.n_words:
        words = rng.choice(articles)
        place = rng.randrange(len(words))
        if len(words[place]) >= 4 and words[place].isalpha():
            low, high = max(0, place - settings.around), place + 1 + settings.around
            before, after = words[low:place], words[place + 1 : high]
            found.append(Gap(" ".join(before), words[place], " ".join(after)))
    return found


@torch.no_grad()
def guess(reader: Reader, gap: Gap, length: int) -> str:
    """Lo que el modelo pone en un hueco de tantos trozos como tiene la palabra."""
    covered = [reader.marks["[MASK]"]] * len(reader.encode(gap.word))
    half = (length - 2 - len(covered)) // 2
    before, after = reader.encode(gap.before)[-half:], reader.encode(gap.after)[:half]
    ids = [reader.marks["[CLS]"], *before, *covered, *after, reader.marks["[SEP]"]]
    device = next(reader.model.parameters()).device
    tokens = torch.tensor([ids], device=device)
    logits = reader.model(tokens, torch.tensor([len(ids)], device=device))[0]
    start = 1 + len(before)
    return reader.decode(logits[start : start + len(covered)].argmax(dim=-1).tolist()).strip()


def row_of(name: str, reader: Reader, gaps: Sequence[Gap], settings: Published) -> dict:
    """La fila de un modelo."""
    reader = reader._replace(model=reader.model.to(default_device()).eval())
    right = [guess(reader, gap, settings.length).casefold() == gap.word.casefold() for gap in gaps]
    before, after = settings.example.split(" _ ")
    return {
        "modelo": name,
        "parámetros": n_parameters(reader.model),
        "acierto en palabras tapadas": sum(right) / len(right),
        settings.example: guess(reader, Gap(before, "autor", after), settings.length),
    }


MODELS = ("google-bert/bert-base-uncased", "dccuchile/bert-base-spanish-wwm-cased")
RUN = FullRun(
    name="bert_publicados",
    title="BERT publicados, en nuestra clase, con los artículos reservados del curso",
    sources=tuple(map(official_source, MODELS)),
    settings=Published(MODELS),
    rehearsal=Published(MODELS, n_words=4, around=3),
    measure=measure,
    gpu_gigabytes=2,
    hours=0.1,
    trains=False,
)
