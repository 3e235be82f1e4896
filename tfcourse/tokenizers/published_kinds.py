"""Las tres clases de tokenizador que se publican, hechas con las del curso."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from tfcourse.tokenizers.added_tokens import AddedToken
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.bytes import to_byte_characters
from tfcourse.tokenizers.published import Cut, PublishedTokenizer
from tfcourse.tokenizers.unicode_kinds import clean_for_bert, split_like_bert, split_like_gpt2
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

SPACE_MARK = "\N{LOWER ONE EIGHTH BLOCK}"  # así escribe SentencePiece el espacio
Sides = tuple[Sequence[str], Sequence[str]]


def byte_level(
    vocabulary: Mapping[str, int],
    merges: Iterable[Sequence[str]],
    added: Sequence[AddedToken],
    around: Sides = ((), ()),
    *,
    prepare: Callable[[str], str] = str,
    cut: Cut = split_like_gpt2,
) -> PublishedTokenizer:
    """BPE de bytes; `cut` es el primer corte, el de GPT-2 si no se dice."""
    apart = {one.content: one.number for one in added}
    plain = [token for token in vocabulary if token not in apart]
    core = BPETokenizer(plain, merges, byte_level=True)

    def join(tokens: list[str]) -> str:
        return core.join([to_byte_characters(t) if t in apart else t for t in tokens])

    return PublishedTokenizer(
        core, {**vocabulary, **apart}, cut, join, prepare=prepare, around=around, added=added
    )


def wordpiece(
    vocabulary: Mapping[str, int],
    added: Sequence[AddedToken],
    around: Sides,
    *,
    lower: bool,
    strip_accents: bool,
    unknown: str = "[UNK]",
) -> PublishedTokenizer:
    """WordPiece, con la limpieza y el primer corte de BERT."""
    apart = {one.content: one.number for one in added}
    core = WordPieceTokenizer([token for token in vocabulary if token not in apart])

    def prepare(text: str) -> str:
        return clean_for_bert(text, lower=lower, strip_accents=strip_accents)

    return PublishedTokenizer(
        core, {**vocabulary, **apart}, split_like_bert, core.join,
        prepare=prepare, unknown=unknown, around=around, added=added,
    )  # fmt: skip


def unigram(
    pieces: Sequence[tuple[str, float]],
    added: Sequence[AddedToken],
    around: Sides,
    *,
    normalize: Callable[[str], str],
    unknown: str | None,
    cut: Cut | None = None,
) -> PublishedTokenizer:
    """Unigram de SentencePiece: el espacio se escribe «▁», y la frase empieza por uno.

    `cut` es el primer corte, tras `normalize`; si no se dice, `marked_words`.
    """
    symbols = {one.content: one.number for one in added}
    ids = {piece: number for number, (piece, _) in enumerate(pieces)} | symbols
    apart = {*symbols, unknown, ""}
    plain = [(piece, score) for piece, score in pieces if piece not in apart]
    core = UnigramTokenizer([piece for piece, _ in plain], [score for _, score in plain])

    def join(tokens: list[str]) -> str:
        return "".join(tokens).replace(SPACE_MARK, " ").removeprefix(" ")

    return PublishedTokenizer(
        core, ids, marked_words if cut is None else cut, join,
        prepare=normalize, unknown=unknown, around=around, added=added,
    )  # fmt: skip


def marked_words(text: str) -> list[str]:
    """Las palabras de un texto, cada una con su espacio delante, escrito «▁»."""
    return re.findall(f"{SPACE_MARK}[^{SPACE_MARK}]*", marked_text(text))


def marked_text(text: str) -> str:
    """El texto con los espacios escritos «▁», y uno al principio."""
    marked = text.replace(" ", SPACE_MARK)
    return marked if not marked or marked.startswith(SPACE_MARK) else SPACE_MARK + marked
