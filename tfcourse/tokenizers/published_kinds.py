"""Las tres clases de tokenizador que se publican, hechas con las del curso."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.published import Cut, PublishedTokenizer
from tfcourse.tokenizers.unicode_kinds import clean_for_bert, split_like_bert, split_like_gpt2
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

SPACE_MARK = "\N{LOWER ONE EIGHTH BLOCK}"  # así escribe SentencePiece el espacio
Sides = tuple[Sequence[str], Sequence[str]]


def byte_level(
    vocabulary: Mapping[str, int],
    merges: Iterable[Sequence[str]],
    symbols: Mapping[str, int],
    around: Sides = ((), ()),
    *,
    cut: Cut = split_like_gpt2,
) -> PublishedTokenizer:
    """BPE de bytes; `cut` es el primer corte, el de GPT-2 si no se dice."""
    plain = [token for token in vocabulary if token not in symbols]
    core = BPETokenizer(plain, merges, byte_level=True)
    ids = {**vocabulary, **symbols}
    return PublishedTokenizer(core, ids, cut, core.join, around=around, known=symbols)


def wordpiece(
    vocabulary: Mapping[str, int],
    symbols: Mapping[str, int],
    around: Sides,
    *,
    lower: bool,
    strip_accents: bool,
    unknown: str = "[UNK]",
) -> PublishedTokenizer:
    """WordPiece, con la limpieza y el primer corte de BERT."""
    core = WordPieceTokenizer([token for token in vocabulary if token not in symbols])

    def cut(text: str) -> list[str]:
        return split_like_bert(clean_for_bert(text, lower=lower, strip_accents=strip_accents))

    ids = {**vocabulary, **symbols}
    return PublishedTokenizer(
        core, ids, cut, core.join, unknown=unknown, around=around, known=symbols
    )


def unigram(
    pieces: Sequence[tuple[str, float]],
    symbols: Mapping[str, int],
    around: Sides,
    *,
    normalize: Callable[[str], str],
    unknown: str | None,
    cut: Cut | None = None,
) -> PublishedTokenizer:
    """Unigram de SentencePiece: el espacio se escribe «▁», y la frase empieza por uno.

    `cut` es el primer corte, tras `normalize`; si no se dice, `marked_words`.
    """
    ids = {piece: number for number, (piece, _) in enumerate(pieces)} | dict(symbols)
    apart = {*symbols, unknown, ""}
    plain = [(piece, score) for piece, score in pieces if piece not in apart]
    core = UnigramTokenizer([piece for piece, _ in plain], [score for _, score in plain])
    words = marked_words if cut is None else cut

    def join(tokens: list[str]) -> str:
        return "".join(tokens).replace(SPACE_MARK, " ").removeprefix(" ")

    return PublishedTokenizer(
        core, ids, lambda text: words(normalize(text)), join,
        unknown=unknown, around=around, known=symbols,
    )  # fmt: skip


def marked_words(text: str) -> list[str]:
    """Las palabras de un texto, cada una con su espacio delante, escrito «▁»."""
    return re.findall(f"{SPACE_MARK}[^{SPACE_MARK}]*", marked_text(text))


def marked_text(text: str) -> str:
    """El texto con los espacios escritos «▁», y uno al principio."""
    marked = text.replace(" ", SPACE_MARK)
    return marked if not marked or marked.startswith(SPACE_MARK) else SPACE_MARK + marked
