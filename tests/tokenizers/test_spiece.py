"""El `spiece.model` de SigLIP: un archivo diminuto, escrito aquí con su formato."""

import base64
import json
import re
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from tests.tokenizers.test_published import HARD, TEXTS, charsmap
from tfcourse.tokenizers.character_map import CharacterMap
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.tokenizers.spiece import read_spiece

CHANGES = {"ﬁ": "fi", "²": "2", "①": "1", "e\u0301": "é", "e\u0301!": "É", "\u200b": " "}
WORDS = re.findall(r"\S+", "la casa de un gato ▁la ▁casa ▁de ▁un ▁gato ▁foto ▁2 ▁gatos os fi é ñ")
LETTERS = sorted(set("abcdefghilmnoprstuvyz0123456789▁"))
PIECES = [("<pad>", 0.0, 3), ("</s>", 0.0, 3), ("<unk>", 0.0, 2)] + [
    (piece, -1.5 - number / 7, 1) for number, piece in enumerate([*WORDS, *LETTERS])
]
# Los números que da la biblioteca `sentencepiece` 0.2.3, con el texto preparado como lo prepara el
# `SiglipTokenizer` de `transformers` 5.23, al que se quitan los espacios de delante.
KNOWN = {
    "la casa": [8, 9, 1],
    "  La CASA,  de un gato!": [8, 9, 10, 11, 12, 1],
    "gatos y fotos": [15, 51, 49, 13, 45, 1],
    "una foto de 2 gatos²": [11, 30, 13, 10, 14, 15, 22, 1],
    "ﬁn ①": [51, 17, 41, 51, 21, 1],
    "cafe\u0301 cafe\u0301!": [51, 32, 30, 35, 18, 51, 32, 30, 35, 18, 1],
    "\u200bla\u200b \u200bcasa": [8, 9, 1],
    "日本語 la 日 本": [51, 2, 8, 51, 2, 51, 2, 1],
    "日本": [51, 2, 1],
    "a photo of a cat.": [
        51, 30, 51, 43, 37, 42, 46, 42, 51, 42, 35, 51, 30, 51, 32, 30, 46, 1
    ],
    "": [1],
    "!!!": [1],
    "Ñandú ΣΊΣΥΦΟΣ": [51, 19, 30, 41, 33, 2, 51, 2, 1],
    "a\x1cb\u00a0d\u2028e": [51, 30, 51, 31, 51, 33, 51, 34, 1],
    "▁la▁▁casa": [8, 9, 1],
}  # fmt: skip


def varint(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def field(number: int, value: int | float | bytes) -> bytes:
    """Un campo de Protocol Buffers: un entero, un real de 32 bits o unos bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def spiece(pieces=PIECES, model: bytes = b"", options: bytes = b"") -> bytes:
    """El archivo: los trozos, cómo se entrenó y cómo se prepara el texto."""
    written = b"".join(
        field(1, field(1, text.encode()) + field(2, score) + (field(3, kind) if kind > 1 else b""))
        for text, score, kind in pieces
    )
    table = base64.b64decode(charsmap(CHANGES))
    trained = field(3, 1) + field(40, 2) + model
    return written + field(2, trained) + field(3, field(1, b"nmt") + field(2, table) + options)


def save(folder, content: bytes, kind: str = "SiglipTokenizer"):
    (folder / "spiece.model").write_bytes(content)
    settings = {"tokenizer_class": kind, "do_lower_case": True}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    return load_tokenizer(save(tmp_path_factory.mktemp("siglip"), spiece()))


def test_the_numbers_are_those_of_sentencepiece(ours):
    assert len(KNOWN) > 10
    for text, expected in KNOWN.items():
        assert ours.encode(text) == expected, text
    assert ours.encode("la  </s>  casa", symbols=True, special=False) == [
        *ours.encode("la", special=False), 1, *ours.encode("casa", special=False),
    ]  # fmt: skip
    assert ours.decode(ours.encode("  La CASA, de un gato!")) == "la casa de un gato"


def by_hand(text: str) -> str:
    """El texto preparado, letra a letra y sin mirar el árbol de sustituciones."""
    lower = text.lower().replace("▁", " ")
    without = "".join(c for c in lower if not 33 <= ord(c) < 127 or c.isalnum())
    text, done = re.sub(r"\s+", " ", without).strip(), ""
    while text:
        key = max((k for k in ["", *CHANGES] if text.startswith(k)), key=len)
        done += CHANGES[key] if key else text[0]
        text = text[len(key) or 1 :]
    return re.sub(" +", " ", done).strip(" ")


@pytest.fixture(scope="module")
def theirs():
    """La biblioteca `tokenizers`, con los mismos trozos y el texto ya preparado."""
    made = Tokenizer(models.Unigram([(piece, score) for piece, score, _ in PIECES], 2, False))
    made.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    return made


@settings(max_examples=60, deadline=None)
@given(text=TEXTS | st.sampled_from(HARD))
def test_any_text_has_the_same_numbers(ours, theirs, text):
    assert ours.encode(text) == [*theirs.encode(by_hand(text)).ids, 1]


def test_the_longest_key_wins_here_and_the_shortest_in_tokenizers():
    table = CharacterMap.decode(charsmap({"a": "x", "ab": "y", "ñ": "n"}))
    assert table.longest_first("abañc") == "yxnc" and table.lookup("ab") == "x"


def test_what_cannot_be_read_is_explained(tmp_path):
    wrong = {
        "está a medias": spiece()[:-5],
        "no es un Unigram": spiece(model=field(3, 2)),
        "escribe con bytes": spiece(model=field(35, 1)),
        "no empieza las frases": spiece(options=field(3, 0)),
        "conserva los espacios": spiece(options=field(4, 0)),
        "una clase que no se hace": spiece([*PIECES, ("x", -9.0, 4)]),
    }
    for message, content in wrong.items():
        with pytest.raises(ValueError, match=message):
            load_tokenizer(save(tmp_path, content))
    with pytest.raises(ValueError, match="solo se lee el SiglipTokenizer"):
        load_tokenizer(save(tmp_path, spiece(), kind="T5Tokenizer"))
    save(tmp_path, spiece())
    assert len(read_spiece(tmp_path / "spiece.model").pieces) == len(PIECES)
