"""La tabla de sustituciones de SentencePiece: un árbol de bytes dentro de `tokenizer.json`."""

import base64
import struct
import unicodedata
from collections.abc import Iterator, Mapping

LONGEST = 64  # bytes: ninguna clave es más larga
MAX_CLUSTER = 6  # bytes: un grupo de caracteres más largo se mira carácter a carácter


class CharacterMap:
    """Sustituciones de SentencePiece, en una lista de nodos: «²» → «2», por ejemplo.

    Cada nodo es un entero de 32 bits con el byte que lleva a él, si acaba una clave y dónde están
    sus hijos; detrás de la lista van los textos que se ponen. Fuente: Aoe (1989), el doble vector;
    Kudo y Richardson (2018), § 3.1, las sustituciones.
    Errores: `ValueError` si el texto está a medias.
    """

    def __init__(self, nodes: list[int], written: bytes):
        self.nodes, self.written = nodes, written

    @classmethod
    def decode(cls, encoded: str) -> "CharacterMap":
        """La de un `precompiled_charsmap`, que va en base 64."""
        return cls.from_bytes(base64.b64decode(encoded))

    @classmethod
    def from_bytes(cls, content: bytes) -> "CharacterMap":
        """La misma, sin la base 64: así va en un `spiece.model`."""
        size = struct.unpack_from("<I", content)[0] if len(content) >= 4 else 0
        if not size or len(content) < 4 + size:
            raise ValueError(
                f"la tabla de sustituciones tiene {len(content)} bytes y debía tener más de "
                f"{4 + size}: el archivo está a medias"
            )
        nodes = list(struct.unpack_from(f"<{size // 4}I", content, 4))
        return cls(nodes, content[4 + size :])

    def lookup(self, text: str) -> str | None:
        """Por qué se cambia un texto que empiece por una clave, o `None`; gana la más corta."""
        return next((changed for _, changed in self._keys(text.encode("utf-8"))), None)

    def _keys(self, text: bytes) -> Iterator[tuple[int, str]]:
        """Las claves por las que empieza un texto: cuántos bytes tienen y por qué se cambian."""
        place = _children(self.nodes[0])
        for length, byte in enumerate(text, start=1):
            place ^= byte  # el cero es el de las hojas: nunca está dentro de una clave
            if not byte or place >= len(self.nodes) or self.nodes[place] & 0x8000_00FF != byte:
                return
            node = self.nodes[place]
            place ^= _children(node)
            if node >> 8 & 1:
                start = self.nodes[place] & 0x7FFF_FFFF
                yield length, self.written[start : self.written.index(0, start)].decode("utf-8")

    def longest_first(self, text: str) -> str:
        """El texto, cambiando desde el principio la clave más larga: así lo hace SentencePiece."""
        content, written, place = text.encode("utf-8"), [], 0
        while place < len(content):
            *_, best = (0, ""), *self._keys(content[place : place + LONGEST])
            length, changed = best
            if not length:
                length = len(_first_character(content[place : place + 4]))
                changed = content[place : place + length].decode("utf-8")
            written.append(changed)
            place += length
        return "".join(written)

    def __call__(self, text: str) -> str:
        """El texto, con cada grupo de caracteres sustituido."""
        if text.isascii():
            return "".join(self._one(character) for character in text)
        return "".join(map(self._cluster, clusters(text)))

    def _cluster(self, cluster: str) -> str:
        if len(cluster) > 1 and len(cluster.encode("utf-8")) < MAX_CLUSTER:
            whole = self.lookup(cluster)
            if whole is not None:
                return whole
        return "".join(self._one(character) for character in cluster)

    def _one(self, character: str) -> str:
        changed = self.lookup(character)
        return character if changed is None else changed


def _children(node: int) -> int:
    """A qué distancia están los hijos de un nodo."""
    return node >> 10 << ((node & 512) >> 6)


def _first_character(content: bytes) -> bytes:
    """El primer carácter de un texto escrito en bytes."""
    return content.decode("utf-8", "ignore")[0].encode("utf-8")


def _is_mark(character: str) -> bool:
    """Si va con la letra de antes: una tilde suelta, o lo que une dos o las separa."""
    return unicodedata.category(character) in ("Mn", "Me", "Mc") or character in "\u200c\u200d"


def _is_control(character: str) -> bool:
    """Si es un salto o un control de los que no se ven, que no llevan marca ninguna."""
    return unicodedata.category(character) in ("Cc", "Zl", "Zp") or character in "\u00ad\ufeff"


def clusters(text: str) -> list[str]:
    """Cada carácter con las marcas que lleva encima: lo que una persona ve como una letra.

    Un salto de línea, o cualquier otro control, no lleva ninguna. Fuente: Unicode, anexo 29, GB3 a
    GB5 y GB9.
    """
    found: list[str] = []
    for character in text:
        joined = found and _is_mark(character) and not _is_control(found[-1][-1])
        if joined or (found and (found[-1], character) == ("\r", "\n")):
            found[-1] += character
        else:
            found.append(character)
    return found


class CodePointMap:
    """Las mismas sustituciones, dadas carácter a carácter."""

    def __init__(self, table: Mapping[int, str]):
        self.table = dict(table)

    def __call__(self, text: str) -> str:
        """El texto, con cada carácter sustituido."""
        return text.translate(self.table)
