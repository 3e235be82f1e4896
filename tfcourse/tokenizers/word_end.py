"""BPE con marca de final de palabra: los de GPT-1 y CLIP, que cortan sin guardar los espacios."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from tfcourse.tokenizers.added_tokens import AddedToken
from tfcourse.tokenizers.base import Tokenizer
from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.bytes import from_byte_characters, to_byte_characters
from tfcourse.tokenizers.published import Cut, PublishedTokenizer
from tfcourse.tokenizers.published_kinds import Sides
from tfcourse.tokenizers.splitting import split_words_and_signs

WORD_END = "</w>"


class WordEndBPE(Tokenizer):
    """BPE en el que el último símbolo de cada palabra lleva la marca `WORD_END`.

    «sol» acaba y «sol» seguido de más letras son, así, tokens distintos, y los espacios no hacen
    falta. Con `of_bytes`, los símbolos son bytes; si no, letras. No se entrena: se lee.
    Fuente: Sennrich, Haddow y Birch (2016), § 3.2.
    """

    def __init__(
        self,
        tokens: Iterable[str],
        merges: Iterable[Sequence[str]],
        of_bytes: bool,
        special_tokens: Iterable[str] = (),
    ):
        super().__init__(tokens, special_tokens)
        self.of_bytes = of_bytes
        plain = self.tokens[len(self.special_tokens) :]
        self.merger = BPETokenizer(plain, merges, False, special_tokens)

    def split(self, text: str) -> list[str]:
        """Palabras y signos, sin los espacios."""
        return split_words_and_signs(text)

    def encode_word(self, word: str) -> list[int]:
        """Las fusiones de BPE, con la marca en el último símbolo."""
        symbols = list(to_byte_characters(word) if self.of_bytes else word)
        return self.merger.encode_word([*symbols[:-1], *(one + WORD_END for one in symbols[-1:])])

    def join(self, tokens: list[str]) -> str:
        """Los tokens seguidos, con un espacio donde acaba cada palabra."""
        pieces = [(token.removesuffix(WORD_END), token.endswith(WORD_END)) for token in tokens]
        text = "".join(piece + " " * ends for piece, ends in pieces).strip(" ")
        return from_byte_characters(text) if self.of_bytes else text

    def state(self) -> dict:
        """Los argumentos de su constructor."""
        merges = self.merger.state()["merges"]
        return {**super().state(), "merges": merges, "of_bytes": self.of_bytes}


def word_end(
    vocabulary: Mapping[str, int],
    merges: Iterable[Sequence[str]],
    added: Sequence[AddedToken],
    around: Sides,
    *,
    prepare: Callable[[str], str],
    cut: Cut,
    of_bytes: bool,
    unknown: str | None,
) -> PublishedTokenizer:
    """El publicado: con bytes, como CLIP, o con las letras de su vocabulario, como GPT-1."""
    apart = {one.content: one.number for one in added}
    plain = [token for token in vocabulary if token not in {*apart, unknown}]
    core = WordEndBPE(plain, merges, of_bytes)
    return PublishedTokenizer(
        core, {**vocabulary, **apart}, cut, core.join,
        prepare=prepare, unknown=unknown, around=around, added=added,
    )  # fmt: skip
