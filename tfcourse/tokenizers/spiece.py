"""Leer un `spiece.model`: el archivo en que SentencePiece guarda sus trozos y sus sustituciones."""

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import unpack_from

from tfcourse.tokenizers.added_tokens import AddedToken
from tfcourse.tokenizers.character_map import CharacterMap
from tfcourse.tokenizers.published import PublishedTokenizer
from tfcourse.tokenizers.published_kinds import SPACE_MARK, marked_text, marked_words, unigram

NORMAL, UNKNOWN, CONTROL = 1, 2, 3  # las clases de trozo que se saben leer
UNIGRAM = 1
# Los campos del archivo, por su número. Fuente: `sentencepiece_model.proto`.
PIECE, TRAINER, NORMALIZER = 1, 2, 3
TEXT, SCORE, KIND = 1, 2, 3
MODEL_TYPE, BYTE_FALLBACK = 3, 35
CHARSMAP, PREFIX, SQUEEZE = 2, 3, 4


@dataclass(frozen=True)
class Pieces:
    """Lo que hay en un `spiece.model`: `(trozo, puntaje, clase)` y las sustituciones."""

    pieces: tuple[tuple[str, float, int], ...]
    substitutions: CharacterMap | None

    def of_kind(self, kind: int) -> list[str]:
        """Los trozos de una clase."""
        return [piece for piece, _, one in self.pieces if one == kind]


def read_spiece(path: Path) -> Pieces:
    """Un archivo de SentencePiece. Errores: `ValueError` si está a medias o no es un Unigram."""
    pieces, model, options = [], {}, {}
    for field, value in fields(path.read_bytes(), path.name):
        inside = dict(fields(value, path.name)) if isinstance(value, bytes) else {}
        if field == PIECE:
            (score,) = unpack_from("<f", inside.get(SCORE, bytes(4)))
            pieces.append((inside[TEXT].decode("utf-8"), score, inside.get(KIND, NORMAL)))
        model = inside if field == TRAINER else model
        options = inside if field == NORMALIZER else options
    _check(path.name, {kind for _, _, kind in pieces}, model, options)
    table = options.get(CHARSMAP)
    return Pieces(tuple(pieces), CharacterMap.from_bytes(table) if table else None)


def _check(name: str, kinds: set[int], model: dict, options: dict) -> None:
    """Error si el archivo pide algo que aquí no se hace."""
    wrong = {
        "no es un Unigram": model.get(MODEL_TYPE, UNIGRAM) != UNIGRAM,
        "escribe con bytes lo que no conoce": bool(model.get(BYTE_FALLBACK, 0)),
        "no empieza las frases por un espacio": not options.get(PREFIX, 1),
        "conserva los espacios repetidos": not options.get(SQUEEZE, 1),
        "tiene trozos de una clase que no se hace": not kinds <= {NORMAL, UNKNOWN, CONTROL},
    }
    if reasons := [reason for reason, is_so in wrong.items() if is_so]:
        raise ValueError(f"«{name}» {' y '.join(reasons)}: este SentencePiece no se sabe hacer")


def fields(content: bytes, name: str) -> Iterator[tuple[int, int | bytes]]:
    """Los campos de un mensaje de Protocol Buffers: su número y su valor.

    Errores: `ValueError` si está a medias.
    """
    place = 0

    def integer() -> int:
        nonlocal place
        value, shift = 0, 0
        while True:
            byte = content[place]
            place, value, shift = place + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    try:
        while place < len(content):
            key = integer()
            kind = key & 7
            if kind == 0:
                yield key >> 3, integer()
                continue
            size = {1: 8, 5: 4}[kind] if kind != 2 else integer()
            if place + size > len(content):
                raise IndexError
            place += size
            yield key >> 3, content[place - size : place]
    except (IndexError, KeyError):
        raise ValueError(f"«{name}» está a medias: vuelve a copiarlo") from None


def from_spiece(path: Path, kind: str, lower: bool = True) -> PublishedTokenizer:
    """El tokenizador de un `spiece.model`; `kind` es la clase de la biblioteca que lo publica.

    Errores: `ValueError` si no es la de SigLIP, la única que aquí se lee de este archivo.
    """
    if kind != "SiglipTokenizer":
        raise ValueError(
            f"«{path.name}» es de un {kind}: de este archivo solo se lee el SiglipTokenizer; los "
            "demás, de su tokenizer.json"
        )
    found = read_spiece(path)
    numbers = {piece: number for number, (piece, _, _) in enumerate(found.pieces)}
    marks = found.of_kind(CONTROL) + found.of_kind(UNKNOWN)
    added = [AddedToken(mark, numbers[mark], left=True, right=True) for mark in marks]

    def prepare(text: str) -> str:
        text = canonical(text.replace(SPACE_MARK, " "), lower)
        changed = found.substitutions.longest_first(text) if found.substitutions else text
        return " ".join(filter(None, changed.split(" ")))

    whole = any(SPACE_MARK in piece[1:] for piece in found.of_kind(NORMAL))
    return unigram(
        [(piece, score) for piece, score, _ in found.pieces], added, ((), ("</s>",)),
        normalize=prepare, unknown=found.of_kind(UNKNOWN)[0],
        cut=(lambda text: [marked_text(text)] * bool(text)) if whole else marked_words,
    )  # fmt: skip


def canonical(text: str, lower: bool = True) -> str:
    """El texto como lo lee SigLIP: en minúsculas, sin signos de ASCII y con espacios sencillos.

    Fuente: el código de Zhai et al. (2023).
    """
    text = text.lower() if lower else text
    without = text.translate(str.maketrans("", "", string.punctuation))
    return re.sub(r"\s+", " ", without).strip()
