"""La biblioteca `tokenizers`, puesta en las mismas condiciones que los tokenizadores del curso.

Se le da el texto ya cortado en palabras, con un separador: así se compara lo que aprende cada uno
y no la expresión regular del primer corte, que en cada lenguaje entiende un poco distinto Unicode.
"""

import json

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tfcourse.tokenizers.base import SPECIAL_TOKENS, UNKNOWN
from tfcourse.tokenizers.splitting import split_words, split_words_and_signs

SEPARATOR = "\x1f"
WORDS = pre_tokenizers.Split(SEPARATOR, "removed")
QUIET = {"special_tokens": list(SPECIAL_TOKENS), "show_progress": False}


def cut(text: str) -> str:
    return SEPARATOR.join(split_words(text))


def cut_signs(text: str) -> str:
    return SEPARATOR.join(split_words_and_signs(text))


def library_bpe(text: str, n_tokens: int, byte_level: bool = True) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token=None if byte_level else UNKNOWN))
    options = {"vocab_size": n_tokens, "min_frequency": 2, **QUIET}
    steps = [WORDS]
    if byte_level:
        options["initial_alphabet"] = pre_tokenizers.ByteLevel.alphabet()
        steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(steps)
    tokenizer.train_from_iterator([cut(text)], trainers.BpeTrainer(**options))
    return tokenizer


def library_merges(tokenizer: Tokenizer) -> list[tuple[str, str]]:
    return [tuple(pair) for pair in json.loads(tokenizer.to_str())["model"]["merges"]]


def library_wordpiece(tokens: list[str]) -> Tokenizer:
    numbers = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = WORDS
    return tokenizer


def library_unigram(text: str, n_tokens: int) -> tuple[Tokenizer, list[tuple[str, float]]]:
    """El tokenizador y sus trozos con su puntaje, sin el desconocido."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = WORDS
    # En la biblioteca solo hay un especial: sus trozos son tantos como los nuestros.
    trainer = trainers.UnigramTrainer(
        vocab_size=n_tokens - len(SPECIAL_TOKENS) + 1,
        special_tokens=[UNKNOWN],
        unk_token=UNKNOWN,
        show_progress=False,
    )
    tokenizer.train_from_iterator([cut(text)], trainer)
    vocabulary = json.loads(tokenizer.to_str())["model"]["vocab"]
    return tokenizer, [(piece, score) for piece, score in vocabulary if piece != UNKNOWN]
