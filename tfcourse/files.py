"""Archivos que se escriben enteros o no se escriben."""

import os
from pathlib import Path


def write_atomically(path: Path, content: str | bytes) -> None:
    """Escribe un archivo entero o nada: si algo se interrumpe, queda el de antes.

    Se escribe aparte, con un nombre que otro proceso no usa, y se renombra.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.parcial")
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    finally:  # si no ha cabido, no deja el trozo
        unfinished.unlink(missing_ok=True)
