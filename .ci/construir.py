"""Construye el sitio con las salidas guardadas: un aviso es un error.

Las páginas se escriben siempre todas. Leerlas, que es la mitad del trabajo, solo se ahorra con las
que no cambiaron, y solo si la vez anterior acabó sin avisos (Sphinx no los repite) y no cambió nada
más que texto de capítulos: el código, el glosario o una biblioteca obligan a leerlo todo.
"""

import gc
import hashlib
import shutil
import sys
from importlib.metadata import distributions
from pathlib import Path

from jupyter_book.cli.main import main

HTML, OUTPUTS, READ = map(Path, ("_build/html", "_build/jupyter_execute", "_build/.doctrees"))
MARK = READ / ".sin-avisos"
KINDS = {".md", ".ipynb"}
# Se escribe al construir a partir del código, que ya cuenta.
GENERATED = Path("chapters/referencia/paquete")


def is_chapter_page(path: Path) -> bool:
    """Si es una página de una parte del libro, que solo se lee a sí misma."""
    return path.suffix in KINDS and path.parts[0] == "chapters" and path.parts[1][0].isdigit()


def surroundings() -> str:
    """Huella de todo lo que influye en lo leído de una página y no es la propia página."""
    files = [Path("_config.yml"), Path("_toc.yml"), Path("CHANGELOG.md"), Path(__file__)]
    folders = ("chapters", "tfcourse", "benchmarks", "workshop")
    files += (p for folder in folders for p in Path(folder).rglob("*"))
    found = hashlib.sha256(repr(sorted((d.name, d.version) for d in distributions())).encode())
    for path in sorted(files):
        ignored = "__pycache__" in path.parts or path.is_relative_to(GENERATED)
        if path.is_file() and not ignored and not is_chapter_page(path):
            found.update(f"{path}\0".encode() + path.read_bytes())
    pages = [p for p in Path("chapters").rglob("*") if p.suffix in KINDS]
    names = sorted(str(p) for p in pages if not p.is_relative_to(GENERATED))
    found.update(repr(names).encode())  # una página nueva, o que se va, cambia los índices de todas
    return found.hexdigest()


def build() -> None:
    """Borra lo que no sirva de la vez anterior, construye y, si no hubo avisos, lo apunta."""
    now = surroundings()
    same = MARK.exists() and MARK.read_text(encoding="utf-8") == now
    for leftover in [HTML] if same else [HTML, OUTPUTS, READ]:
        shutil.rmtree(leftover, ignore_errors=True)
    MARK.unlink(missing_ok=True)
    again = [] if same else ["--all"]
    try:
        main(["build", ".", *again, "-W", "--keep-going", "-q"], standalone_mode=False)
    except RuntimeError:
        sys.exit("Error: el sitio no se construye sin avisos: mira las líneas de arriba")
    MARK.write_text(now, encoding="utf-8")


if __name__ == "__main__":
    # Los árboles de las páginas son millones de objetos que viven hasta el final: repasarlos tan a
    # menudo como por defecto cuesta la quinta parte del tiempo y apenas ahorra memoria.
    gc.set_threshold(200_000, 20, 100)
    build()
