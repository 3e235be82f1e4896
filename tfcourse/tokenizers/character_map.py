"""La tabla de sustituciones de SentencePiece: un árbol de bytes dentro de `tokenizer.json`."""

import base64
import struct
import unicodedata
from collections.abc import Mapping

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
        content = base64.b64decode(encoded)
        size = struct.unpack_from("<I", content)[0] if len(content) >= 4 else 0
        if not size or len(content) < 4 + size:
            raise ValueError(
                f"la tabla de sustituciones tiene {len(content)} bytes y debía tener más de "
                f"{4 + size}: el tokenizer.json está a medias"
            )
        nodes = list(struct.unpack_from(f"<{size // 4}I", content, 4))
        return cls(nodes, content[4 + size :])

    def lookup(self, text: str) -> str | None:
        """Por qué se cambia un texto que empiece por una clave, o `None`; gana la más corta."""
        place = _children(self.nodes[0])
        for byte in text.encode("utf-8"):
            place ^= byte  # el cero es el de las hojas: nunca está dentro de una clave
            if not byte or place >= len(self.nodes) or self.nodes[place] & 0x8000_00FF != byte:
                return None
            node = self.nodes[place]
            place ^= _children(node)
            if node >> 8 & 1:
                start = self.nodes[place] & 0x7FFF_FFFF
                return self.written[start : self.written.index(0, start)].decode("utf-8")
        return None

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


def clusters(text: str) -> list[str]:
    """Cada carácter con las marcas que lleva encima: lo que una persona ve como una letra."""
    found: list[str] = []
    for character in text:
        joined = unicodedata.category(character) in ("Mn", "Me", "Mc") or character == "\u200d"
        if found and (joined or (found[-1], character) == ("\r", "\n")):
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
