"""IMDB: cincuenta mil críticas de cine en inglés, para el perfil `completo`; se descargan una vez.

Fuente: Maas et al. (2011). Solo hay críticas claras: notas de 4 o menos, y de 7 o más.
"""

import tarfile
from collections.abc import Iterator
from pathlib import Path

from tfcourse.datasets.download import RemoteFile, download
from tfcourse.stored.full import Source

ARCHIVE = RemoteFile(
    "aclImdb_v1.tar.gz",
    ("https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",),
    size=84_125_825,
)
IMDB_SOURCE = Source(
    "IMDB", "https://ai.stanford.edu/~amaas/data/sentiment/", "sin licencia declarada", 0.08
)
PARTS, CLASSES, UNLABELLED = ("train", "test"), ("neg", "pos"), "unsup"


def imdb_reviews(part: str, archive: Path | None = None) -> tuple[list[str], list[int]]:
    """Los textos de una parte (`"train"` o `"test"`) y sus clases: 0 negativa, 1 positiva.

    Errores: `ValueError` si la parte no existe o el archivo no es el de IMDB o está a medias;
    `ConnectionError` si no se puede descargar.
    """
    if part not in PARTS:
        raise ValueError(f"no hay ninguna parte {part!r}: usa {' o '.join(map(repr, PARTS))}")
    found = list(_reviews(archive or download(ARCHIVE), part, CLASSES))
    return [text for text, _ in found], [CLASSES.index(name) for _, name in found]


def imdb_unlabelled(archive: Path | None = None) -> list[str]:
    """Las críticas que el conjunto trae sin nota, aparte de las de entrenar y las de evaluar.

    Errores: los de `imdb_reviews`.
    """
    return [text for text, _ in _reviews(archive or download(ARCHIVE), "train", (UNLABELLED,))]


def _reviews(path: Path, part: str, folders: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Cada texto de esas carpetas y el nombre de la suya."""
    found = 0
    try:
        with tarfile.open(path) as opened:
            for member in opened:
                place = member.name.split("/")
                if member.isfile() and place[1:2] == [part] and place[2] in folders:
                    found += 1
                    content = opened.extractfile(member).read().decode("utf-8")
                    yield content.replace("<br />", " "), place[2]
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ValueError(
            f"{path} no es un archivo .tar.gz entero ({error}): bórralo y vuelve a descargarlo"
        ) from error
    if not found:
        raise ValueError(
            f"en {path} no hay críticas en {part}/{'|'.join(folders)}: no es el archivo de IMDB"
        )
