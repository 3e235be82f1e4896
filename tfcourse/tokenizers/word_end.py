"""BPE con marca de final de palabra: los de GPT-1 y CLIP, que cortan sin guardar los espacios."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from tfcourse.tokenizers.added_tokens import AddedToken
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.bytes import from_byte_characters
from tfcourse.tokenizers.published import Cut, PublishedTokenizer
from tfcourse.tokenizers.published_kinds import Sides

WORD_END = "</w>"


class WordEndBPE(BPETokenizer):
    """BPE en el que el último símbolo de cada palabra lleva la marca `WORD_END`.

    «sol» acaba y «sol» seguido de más letras son, así, tokens distintos, y los espacios no hacen
    falta. Fuente: Sennrich, Haddow y Birch (2016), § 3.2.
    """

    def symbols(self, word: str) -> list[str]:
        """Los símbolos sueltos de una palabra, con la marca en el último."""
        symbols = super().symbols(word)
        return [*symbols[:-1], symbols[-1] + WORD_END] if symbols else []

    def join(self, tokens: list[str]) -> str:
        """Los tokens seguidos, con un espacio donde acaba cada palabra."""
        pieces = [(token.removesuffix(WORD_END), token.endswith(WORD_END)) for token in tokens]
        text = "".join(piece + " " * ends for piece, ends in pieces).strip(" ")
        return from_byte_characters(text) if self.byte_level else text


def word_end(
    vocabulary: Mapping[str, int],
    merges: Iterable[Sequence[str]],
    added: Sequence[AddedToken],
    around: Sides,
    *,
    prepare: Callable[[str], str],
    cut: Cut,
    byte_level: bool,
    unknown: str | None,
) -> PublishedTokenizer:
    """El publicado: con bytes, como CLIP, o con las letras de su vocabulario, como GPT-1."""
    apart = {one.content: one.number for one in added}
    plain = [token for token in vocabulary if token not in {*apart, unknown}]
    core = WordEndBPE(plain, merges, byte_level)
    return PublishedTokenizer(
        core, {**vocabulary, **apart}, cut, core.join,
        prepare=prepare, unknown=unknown, around=around, added=added,
    )  # fmt: skip
