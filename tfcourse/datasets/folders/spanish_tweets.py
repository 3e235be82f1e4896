"""Tuits en español con su opinión, para el perfil `completo`; se descargan una vez.

Proceden del taller TASS y los reparte Barbieri et al. (2022), con tres clases equilibradas.
"""

from pathlib import Path

from tfcourse.datasets.download import RemoteFile, data_folder, download
from tfcourse.stored.full import Source

PAGE = "https://github.com/cardiffnlp/xlm-t"
_FOLDER = (
    "https://raw.githubusercontent.com/cardiffnlp/xlm-t/"
    "874214d64d96599eb869a033c22ec2cc57d19256/data/sentiment/spanish/"
)
TWEETS_SOURCE = Source("Tuits en español", PAGE, "la de cada conjunto de partida", 0.0003)
N_CLASSES = 3

# De cada parte, los textos y las clases: un tuit y un número por línea. Tamaño y huella.
_PARTS = {
    "train": (
        (
            "train_text.txt",
            157_776,
            "8d6c55413482605e3c8ea8abc129824c2c3492f803fa12f79ddb6b037667c16f",
        ),
        (
            "train_labels.txt",
            3_677,
            "1225a2d319fe4831e1dcb859a51e21c6a8a40c627f4a18c4e872554c385d23f5",
        ),
    ),
    "validation": (
        (
            "val_text.txt",
            28_220,
            "5184902f010a6180fb1bb8d085a73f97e2bca9a059d79655e8e97e5d6ef3b920",
        ),
        (
            "val_labels.txt",
            647,
            "2728c5af0a67fdb89dfbab4663e5df365c529bb7c513192e829771ebe16aef65",
        ),
    ),
    "test": (
        (
            "test_text.txt",
            75_671,
            "c075f04461e28d63703d52bc14f55b104e9004c5ff64a56d9de2bc142372452c",
        ),
        (
            "test_labels.txt",
            1_739,
            "7977cc5b0346f7ddab596fa6655ee7d2fe9f36c77129bfc14f3307d607a91761",
        ),
    ),
}
FILES = {
    part: tuple(
        RemoteFile(f"tuits_{name}", (_FOLDER + name,), size=size, sha256=sha256)
        for name, size, sha256 in files
    )
    for part, files in _PARTS.items()
}


def spanish_tweets(part: str, folder: Path | None = None) -> tuple[list[str], list[int]]:
    """Los textos de una parte y sus clases: 0 negativo, 1 neutro, 2 positivo.

    Errores: `ValueError` si la parte no existe o sus dos archivos no casan; `ConnectionError` si
    no se pueden descargar.
    """
    if part not in FILES:
        raise ValueError(f"no hay ninguna parte {part!r}: usa una de {', '.join(FILES)}")
    # El final de línea de un tuit es «\n»: dentro puede llevar otros que `splitlines` cortaría.
    texts, labels = (
        download(file, folder or data_folder()).read_text(encoding="utf-8").rstrip("\n").split("\n")
        for file in FILES[part]
    )
    if len(texts) != len(labels) or not set(labels) <= set(map(str, range(N_CLASSES))):
        raise ValueError(
            f"hay {len(texts)} tuits y {len(labels)} clases, que van de 0 a {N_CLASSES - 1}: borra "
            f"los archivos tuits_* de {folder or data_folder()} y vuelve a descargarlos"
        )
    return texts, [int(label) for label in labels]
