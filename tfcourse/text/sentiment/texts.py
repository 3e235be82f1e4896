"""De reseñas a números: textos limpios o sin limpiar, palabras, trozos de BERT y el léxico."""

from collections.abc import Sequence

import torch
from jaxtyping import Int
from torch import Tensor

from tfcourse.datasets.reviews import Review
from tfcourse.datasets.text.article_topics import encode_texts
from tfcourse.datasets.text.valences import (
    BOOSTERS,
    CONCESSION,
    CONTRAST,
    NEGATORS,
    spanish_valences,
)
from tfcourse.models.lexicon import LexiconScorer, Scope
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.cleaning import clean_text, squeeze_letters, strip_accents
from tfcourse.tokenizers.splitting import count_words, split_words_and_signs
from tfcourse.tokenizers.vocabulary import pad_sequences
from tfcourse.tokenizers.words import WordTokenizer

MAX_LENGTH = 64


def spanish_scorer() -> LexiconScorer:
    """El léxico del curso, que no distingue mayúsculas, tildes ni letras repetidas."""
    scope = Scope(NEGATORS, BOOSTERS, CONTRAST, CONCESSION, window=4)
    return LexiconScorer(
        spanish_valences(), scope, prepare=lambda text: squeeze_letters(strip_accents(text.lower()))
    )


def texts_and_labels(reviews: Sequence[Review], clean: bool) -> tuple[list[str], Int[Tensor, "N"]]:
    """Los textos, limpios o como se escribieron, y sus clases."""
    texts = [clean_text(review.text) if clean else review.text for review in reviews]
    return texts, torch.tensor([review.label for review in reviews])


def word_tokenizer(texts: Sequence[str]) -> WordTokenizer:
    """Vocabulario con las palabras que salen al menos dos veces: las demás son desconocidas."""
    counts = count_words(texts, split_words_and_signs)
    frequent = sum(count > 1 for count in counts.values())
    return WordTokenizer.train(texts, max(1, frequent) + 4)


def encode_words(
    tokenizer: Tokenizer, texts: Sequence[str], max_length: int = MAX_LENGTH
) -> tuple[Tensor, Tensor]:
    """Un número por palabra, con relleno, y las longitudes."""
    rows = [tokenizer.encode(text)[:max_length] or [tokenizer.unknown_id] for text in texts]
    return pad_sequences(rows), torch.tensor([len(row) for row in rows])


def encode_pieces(tokenizer: Tokenizer, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
    """[CLS] texto [SEP] en los trozos de BERT, con relleno, y las longitudes."""
    return encode_texts(texts, tokenizer, MAX_LENGTH)
