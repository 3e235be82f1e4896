"""El tema de cada artículo: textos y etiquetas para clasificar, también con muy pocas."""

import random
import re
from collections.abc import Sequence

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from tfcourse.datasets.text.articles import Article, spanish_articles
from tfcourse.datasets.text.masking import CLS, SEP
from tfcourse.datasets.text.streams import OTHER, simplify_text
from tfcourse.tokenizers.base import Tokenizer

_OTHERS = re.compile(rf"[{OTHER}\s]+")


def plain_text(text: str) -> str:
    """El texto en minúsculas y con el alfabeto del curso; lo demás desaparece.

    Las tildes se quedan: sin ellas, «público», «publico» y «publicó» serían la misma palabra.
    """
    return _OTHERS.sub(" ", simplify_text(text).lower()).strip()


def topic_names() -> tuple[str, ...]:
    """Los temas, por orden alfabético: el número de cada uno es su lugar."""
    return tuple(sorted({article.topic for article in spanish_articles()}))


def topic_labels(articles: Sequence[Article]) -> Int[Tensor, "N"]:
    """El número del tema de cada artículo."""
    numbers = {name: number for number, name in enumerate(topic_names())}
    return torch.tensor([numbers[article.topic] for article in articles])


def few_labels(articles: Sequence[Article], per_topic: int, seed: int = 0) -> list[Article]:
    """Unos pocos artículos de cada tema, sorteados.

    Errores: `ValueError` si algún tema no tiene tantos.
    """
    shuffled = list(articles)
    random.Random(seed).shuffle(shuffled)
    chosen = []
    for topic in topic_names():
        found = [article for article in shuffled if article.topic == topic][:per_topic]
        if len(found) < per_topic:
            raise ValueError(
                f"del tema {topic!r} hay {len(found)} artículos y se piden {per_topic}: pide menos"
            )
        chosen += found
    return chosen


def encode_articles(
    articles: Sequence[Article], tokenizer: Tokenizer, max_length: int
) -> tuple[Int[Tensor, "N L"], Int[Tensor, "N"]]:
    """Lo de `encode_texts` con el texto de cada artículo."""
    return encode_texts([article.text for article in articles], tokenizer, max_length)


def encode_texts(
    texts: Sequence[str], tokenizer: Tokenizer, max_length: int
) -> tuple[Int[Tensor, "N L"], Int[Tensor, "N"]]:
    """[CLS] principio del texto [SEP], con relleno, y la longitud de cada uno.

    Errores: `ValueError` si en `max_length` no cabe ningún token del texto.
    """
    if max_length < 3:
        raise ValueError(f"max_length={max_length}: [CLS] y [SEP] ya son dos; usa tres o más")
    cls, sep = tokenizer.token_id(CLS), tokenizer.token_id(SEP)
    rows = [
        torch.tensor([cls, *tokenizer.encode(plain_text(text))[: max_length - 2], sep])
        for text in texts
    ]
    padded = pad_sequence(rows, batch_first=True, padding_value=tokenizer.pad_id)
    return padded, torch.tensor([len(row) for row in rows])
