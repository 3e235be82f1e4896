"""El primer corte de un tokenizador publicado, según lo que dice su archivo."""

from collections.abc import Mapping

from tfcourse.tokenizers.published_kinds import Cut, marked_text, marked_words
from tfcourse.tokenizers.unicode_kinds import (
    split_digits,
    split_like_clip,
    split_like_gpt2,
    split_like_qwen,
    split_spaces,
)

# La expresión con que la publican, y quién corta igual. Fuente: `tokenizer.json` de Qwen2 y Qwen3.
EXPRESSIONS: dict[str, Cut] = {
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+": split_like_qwen,
}
# Las de CLIP dicen lo que se guarda, y no por dónde se parte. Sus dos marcas, escritas en el texto,
# no cambian nada: el corte siguiente, el de GPT-2, las parte igual. Fuente: `tokenizer.json` de
# CLIP y su clase en `transformers`.
CLIP_KEEPS = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
KEPT: dict[str, Cut] = {
    CLIP_KEEPS: split_like_clip,
    rf"<\|startoftext\|>|<\|endoftext\|>|{CLIP_KEEPS}": split_like_clip,
}


def bytes_cut(step: Mapping | None) -> Cut:
    """El primer corte de un BPE de bytes: los pasos, uno detrás de otro.

    Errores: `ValueError` si alguno no se conoce o si no acaba en bytes.
    """
    steps = [] if step is None else step.get("pretokenizers", [step])
    if not steps or steps[-1]["type"] != "ByteLevel":
        raise ValueError("el BPE publicado no es de bytes: aquí se hacen los de GPT-2, Qwen y CLIP")
    cuts = [_one_cut(one) for one in steps]

    def cut(text: str) -> list[str]:
        pieces = [text] * bool(text)
        for one in cuts:
            pieces = [shorter for piece in pieces for shorter in one(piece)]
        return pieces

    return cut


def _one_cut(step: Mapping) -> Cut:
    """Un paso. Errores: `ValueError` si no se conoce."""
    kind = step["type"]
    if kind == "Digits" and step.get("individual_digits"):
        return split_digits
    if kind == "Split" and step.get("behavior") == "Isolated" and not step.get("invert"):
        expression = step["pattern"].get("Regex")
        if expression in EXPRESSIONS:
            return EXPRESSIONS[expression]
    if kind == "Split" and step.get("behavior") == "Removed" and step.get("invert"):
        expression = step["pattern"].get("Regex")
        if expression in KEPT:
            return KEPT[expression]
    if kind == "ByteLevel":
        within = split_like_gpt2 if step.get("use_regex", True) else lambda text: [text]
        first = step.get("add_prefix_space", True)
        return lambda text: within(f" {text}" if first and not text.startswith(" ") else text)
    raise ValueError(f"no se sabe hacer este primer corte: {dict(step)}")


def marked_cut(step: Mapping | None) -> Cut:
    """El primer corte de un Unigram. Errores: `ValueError` si no se conoce."""
    steps = [] if step is None else step.get("pretokenizers", [step])
    kinds = [one["type"] for one in steps]
    unknown = sorted(set(kinds) - {"Metaspace", "WhitespaceSplit"})
    if unknown or any(one.get("prepend_scheme", "always") == "never" for one in steps):
        raise ValueError(f"no se sabe hacer el primer corte de este Unigram: {unknown or steps}")
    whole = not all(one.get("split", True) for one in steps)

    def cut(text: str) -> list[str]:
        if "WhitespaceSplit" in kinds:
            return [marked_text(word) for word in split_spaces(text)]
        return [marked_text(text)] * bool(text) if whole else marked_words(text)

    return cut
