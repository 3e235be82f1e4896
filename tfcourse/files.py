"""Archivos que se escriben enteros o no se escriben."""

import os
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Escribe un archivo entero o nada: si algo se interrumpe, queda el de antes.

    Se escribe aparte, con un nombre que otro proceso no usa, y se renombra.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.parcial")
    unfinished.write_text(text, encoding="utf-8")
    os.replace(unfinished, path)
