"""Leer los archivos con que se publica un tokenizador."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from tfcourse.tokenizers.added_tokens import control_symbols, read_added
from tfcourse.tokenizers.character_map import CharacterMap
from tfcourse.tokenizers.published import PublishedTokenizer
from tfcourse.tokenizers.published_cuts import CLIP_KEEPS, bytes_cut, marked_cut
from tfcourse.tokenizers.published_kinds import byte_level, unigram, wordpiece
from tfcourse.tokenizers.spiece import from_spiece
from tfcourse.tokenizers.unicode_kinds import SPACES, clean_for_bert, split_like_bert
from tfcourse.tokenizers.word_end import WORD_END, word_end

CONTROL = re.compile(r"<\|.*\|>|</?s>|<pad>|<unk>|<mask>")
BERT_SYMBOLS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

# Lo que los archivos de antes de GPT-1 y de CLIP no dicen, y su `tokenizer.json`, sí.
CLIP_AROUND = (["<|startoftext|>"], ["<|endoftext|>"])
CLIP_STEPS = {
    "normalizer": {
        "type": "Sequence",
        "normalizers": [
            {"type": "NFC"},
            {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
            {"type": "Lowercase"},
        ],
    },
    "pre_tokenizer": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": CLIP_KEEPS}, "behavior": "Removed",
             "invert": True},
            {"type": "ByteLevel", "add_prefix_space": False},
        ],
    },
}  # fmt: skip
GPT1_STEPS = {
    "normalizer": {"type": "BertNormalizer", "lowercase": True, "strip_accents": None},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
}


def load_tokenizer(folder: Path | str) -> PublishedTokenizer:
    """El tokenizador de una carpeta publicada: `tokenizer.json`, o los archivos de antes.

    Errores: `FileNotFoundError` si no hay ninguno; `ValueError` si es de una clase que no hacemos.
    """
    folder = Path(folder)
    if (folder / "tokenizer.json").exists():
        return from_tokenizer_json(folder / "tokenizer.json")
    if (folder / "vocab.json").exists() and (folder / "merges.txt").exists():
        return from_bpe_files(folder)
    if (folder / "vocab.txt").exists():
        return from_vocab_txt(folder)
    if (folder / "spiece.model").exists():
        options = read_object(folder / "tokenizer_config.json")
        lower = options.get("do_lower_case", True)
        return from_spiece(folder / "spiece.model", options["tokenizer_class"], lower)
    raise FileNotFoundError(
        f"en {folder} no hay tokenizador: hace falta tokenizer.json, vocab.json con merges.txt, "
        "vocab.txt o spiece.model"
    )


def from_tokenizer_json(path: Path) -> PublishedTokenizer:
    """El de un `tokenizer.json`. Errores: `ValueError` si no es de las tres clases del curso."""
    content = read_object(path)
    model, added = content["model"], read_added(content.get("added_tokens") or [])
    around = surroundings(content.get("post_processor"))
    kind = model.get("type") or ("BPE" if "merges" in model else "WordPiece")
    makers = {"BPE": _bpe, "WordPiece": _wordpiece, "Unigram": _unigram}
    if kind not in makers:
        raise ValueError(
            f"«{path.name}» es un tokenizador {kind} y aquí se hacen {', '.join(makers)}"
        )
    return makers[kind](content, added, around)


def from_bpe_files(folder: Path) -> PublishedTokenizer:
    """El de GPT-2, RoBERTa y Whisper: `vocab.json`, `merges.txt` y los símbolos añadidos.

    Con marcas de final de palabra es el de CLIP, si lleva la suya de principio, o el de GPT-1.
    """
    vocabulary = read_object(folder / "vocab.json")
    lines = (folder / "merges.txt").read_text(encoding="utf-8").split("\n")
    merges = [line.split(" ") for line in lines if line and not line.startswith("#version")]
    extra = folder / "added_tokens.json"
    symbols = read_object(extra) if extra.exists() else {}
    symbols |= {token: n for token, n in vocabulary.items() if CONTROL.fullmatch(token)}
    added = control_symbols(symbols)
    if not any(token.endswith(WORD_END) for token in vocabulary):
        return byte_level(vocabulary, merges, added)
    clip = CLIP_AROUND[0][0] in vocabulary
    model = {"vocab": vocabulary, "merges": merges, "end_of_word_suffix": WORD_END}
    steps = CLIP_STEPS if clip else GPT1_STEPS
    model["unk_token"] = CLIP_AROUND[1][0] if clip else "<unk>"
    return _bpe(steps | {"model": model}, added, CLIP_AROUND if clip else ((), ()))


def from_vocab_txt(folder: Path) -> PublishedTokenizer:
    """El de BERT: un token por línea, y en `tokenizer_config.json`, si pasa a minúsculas."""
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    options = folder / "tokenizer_config.json"
    settings = read_object(options) if options.exists() else {}
    lower = settings.get("do_lower_case", True)
    accents = settings.get("strip_accents")
    vocabulary = {token: number for number, token in enumerate(lines)}
    marks = {token: vocabulary[token] for token in BERT_SYMBOLS if token in vocabulary}
    symbols = control_symbols(marks)
    around = (["[CLS]"], ["[SEP]"])
    stripped = lower if accents is None else accents
    return wordpiece(vocabulary, symbols, around, lower=lower, strip_accents=stripped)


def read_object(path: Path) -> dict[str, Any]:
    """Un archivo JSON. Errores: `ValueError` si está a medias."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"«{path.name}» está a medias ({error}): vuelve a copiarlo") from error


def surroundings(processor: Mapping | None) -> tuple[list[str], list[str]]:
    """Lo que la familia pone delante y detrás de un texto.

    Errores: `ValueError` si lo dice de una manera que no conocemos.
    """
    if processor is None or processor["type"] == "ByteLevel":
        return [], []
    if processor["type"] in ("BertProcessing", "RobertaProcessing"):
        return [processor["cls"][0]], [processor["sep"][0]]
    if processor["type"] == "Sequence":
        sides = [surroundings(one) for one in processor["processors"]]
        return [t for before, _ in sides for t in before], [t for _, after in sides for t in after]
    if processor["type"] != "TemplateProcessing":
        raise ValueError(f"no se sabe leer lo que rodea al texto: {processor['type']}")
    before: list[str] = []
    after: list[str] = []
    side = before
    for piece in processor["single"]:
        if "Sequence" in piece:
            side = after
        else:
            side.append(piece["SpecialToken"]["id"])
    return before, after


def _bpe(content, added, around) -> PublishedTokenizer:
    model = content["model"]
    merges = [m.split(" ") if isinstance(m, str) else m for m in model["merges"]]
    hard = ("ignore_merges", "byte_fallback", "continuing_subword_prefix")
    if unknown := [name for name in hard if model.get(name)]:
        raise ValueError(f"no se sabe hacer este BPE: pide {' y '.join(unknown)}")
    prepare, step = normalizer(content.get("normalizer")), content.get("pre_tokenizer")
    mark = model.get("end_of_word_suffix")
    if not mark:
        cut = bytes_cut(step)
        return byte_level(model["vocab"], merges, added, around, prepare=prepare, cut=cut)
    if mark != WORD_END or model.get("fuse_unk"):
        raise ValueError(f"el final de palabra se marca con {mark!r}: aquí se hace {WORD_END!r}")
    letters = (step or {}).get("type") == "BertPreTokenizer"
    return word_end(
        model["vocab"], merges, added, around, prepare=prepare, of_bytes=not letters,
        cut=split_like_bert if letters else bytes_cut(step), unknown=model.get("unk_token"),
    )  # fmt: skip


def _wordpiece(content, added, around) -> PublishedTokenizer:
    model, steps = content["model"], content.get("normalizer") or {}
    if steps.get("type") != "BertNormalizer":
        kind = steps.get("type", "nada")
        raise ValueError(f"el texto se prepara con {kind}: aquí se hace BertNormalizer")
    if model.get("continuing_subword_prefix", "##") != "##":
        raise ValueError("los trozos que siguen deben empezar por «##», como en BERT")
    lower, accents = steps["lowercase"], steps["strip_accents"]
    return wordpiece(
        model["vocab"], added, around, lower=lower,
        strip_accents=lower if accents is None else accents, unknown=model["unk_token"],
    )  # fmt: skip


def _unigram(content, added, around) -> PublishedTokenizer:
    model = content["model"]
    pieces = [(piece, float(score)) for piece, score in model["vocab"]]
    missing = model.get("unk_id")
    return unigram(
        pieces, added, around, normalize=normalizer(content.get("normalizer")),
        unknown=None if missing is None else pieces[missing][0],
        cut=marked_cut(content.get("pre_tokenizer")),
    )  # fmt: skip


def normalizer(step: Mapping | None) -> Callable[[str], str]:
    """Lo que se hace al texto antes de cortarlo. Errores: `ValueError` si no se conoce."""
    if step is None:
        return lambda text: text
    kind = step["type"]
    if kind == "Sequence":
        steps = [normalizer(one) for one in step["normalizers"]]
        return lambda text: _in_turn(steps, text)
    if kind == "BertNormalizer" and step.get("clean_text", True):
        lower, accents = step["lowercase"], step["strip_accents"]
        stripped = lower if accents is None else accents
        return partial(clean_for_bert, lower=lower, strip_accents=stripped)
    if kind == "Precompiled":
        return CharacterMap.decode(step["precompiled_charsmap"])
    if kind == "Replace":
        where, content = step["pattern"], step["content"]
        pattern = where.get("Regex") or re.escape(where["String"])
        pattern = f"[{SPACES}]+" if pattern == r"\s+" else pattern
        return lambda text: re.sub(pattern, lambda _: content, text)
    if kind in ("NFC", "NFD", "NFKC", "NFKD"):
        return lambda text: unicodedata.normalize(kind, text)
    if kind == "Lowercase":  # letra a letra: la sigma final del griego es, también, una sigma
        return lambda text: "".join(map(str.lower, text))
    if kind == "Strip":
        left, right = step.get("strip_left", True), step.get("strip_right", True)
        return lambda text: _stripped(text, left, right)
    raise ValueError(f"no se sabe preparar el texto con {kind}")


def _stripped(text: str, left: bool, right: bool) -> str:
    text = text.lstrip(SPACES) if left else text
    return text.rstrip(SPACES) if right else text


def _in_turn(steps: Sequence[Callable[[str], str]], text: str) -> str:
    for step in steps:
        text = step(text)
    return text
