"""Leer sin red: el guion que guarda lo visitado y la lista de lo que es el curso entero."""

import gzip
import json
import shutil
from pathlib import Path

WORKER = Path(__file__).resolve().parents[1] / "raiz/sw.js"
NAME = "sin_red.json"
# Lo que no se lee: los cuadernos de descarga, la referencia del paquete y lo que es para máquinas.
LEFT_OUT = ("_sources/", "chapters/referencia/paquete/", "_static/social/")
KINDS = {".html", ".css", ".js", ".png", ".webp", ".svg", ".woff2", ".wav", ".json", ".bin"}
TEXT = {".html", ".css", ".js", ".svg", ".json"}


def write_offline(app, failure) -> None:
    """Escribe los dos archivos en la raíz, cuando el sitio está terminado."""
    if failure or app.builder.format != "html":
        return
    folder = Path(app.outdir)
    found = course_files(folder)
    files = [path.relative_to(folder).as_posix() for path in found]
    value = {"bytes": sum(map(travelling, found)), "files": files}
    (folder / NAME).write_text(json.dumps(value), encoding="utf-8")
    shutil.copy(WORKER, folder / WORKER.name)


def course_files(folder: Path) -> list[Path]:
    """Lo que hace falta para leer el curso entero."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in KINDS)
    names = {path: path.relative_to(folder).as_posix() for path in paths}
    aside = {"sw.js", NAME, "genindex.html", "404.html"}
    return [
        path for path in paths if not names[path].startswith(LEFT_OUT) and names[path] not in aside
    ]


def travelling(path: Path) -> int:
    """Los bytes que viajan de un archivo: los de texto, comprimidos."""
    content = path.read_bytes()
    return len(gzip.compress(content, 1)) if path.suffix in TEXT else len(content)


def setup_offline(app) -> None:
    """Conecta los archivos con el final de la construcción, después del índice del buscador."""
    app.connect("build-finished", write_offline, priority=995)
