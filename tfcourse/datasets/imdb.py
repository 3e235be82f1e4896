"""IMDB: cincuenta mil críticas de cine en inglés, para el perfil `completo`; se descargan una vez.

Fuente: Maas et al. (2011). Solo hay críticas claras: notas de 4 o menos, y de 7 o más.
"""

import tarfile
from pathlib import Path

from tfcourse.datasets.download import RemoteFile, download

ARCHIVE = RemoteFile(
    "aclImdb_v1.tar.gz",
    ("https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",),
    size=84_125_825,
)
PARTS, CLASSES = ("train", "test"), ("neg", "pos")


def imdb_reviews(part: str, archive: Path | None = None) -> tuple[list[str], list[int]]:
    """Los textos de una parte (`"train"` o `"test"`) y sus clases: 0 negativa, 1 positiva.

    Errores: `ValueError` si la parte no existe; `ConnectionError` si no se puede descargar.
    """
    if part not in PARTS:
        raise ValueError(f"no hay ninguna parte {part!r}: usa {' o '.join(map(repr, PARTS))}")
    texts, labels = [], []
    with tarfile.open(archive or download(ARCHIVE)) as opened:
        for member in opened:
            folders = member.name.split("/")
            if member.isfile() and folders[1:2] == [part] and folders[2] in CLASSES:
                content = opened.extractfile(member).read().decode("utf-8")
                texts.append(content.replace("<br />", " "))
                labels.append(CLASSES.index(folders[2]))
    return texts, labels
