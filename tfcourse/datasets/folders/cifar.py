"""CIFAR-10: 60 000 fotos de 32 × 32 en color, para el perfil `completo`."""

import tarfile
from pathlib import Path

import torch

from tfcourse.datasets.download import RemoteFile, data_folder, download
from tfcourse.datasets.pictures.digits import LabelledImages
from tfcourse.profile import rehearsing
from tfcourse.stored.full import Source

# Krizhevsky (2009). Los autores no fijan licencia; se usa solo para investigar y enseñar.
CIFAR10 = RemoteFile(
    name="cifar-10-python.tar.gz",
    urls=("https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",),
    size=170_498_071,
    sha256="6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
)
CIFAR10_SOURCE = Source(
    "CIFAR-10", "https://www.cs.toronto.edu/~kriz/cifar.html", "sin licencia declarada", 0.17
)


def cifar10(train: bool, archive: Path | None = None, folder: Path | None = None) -> LabelledImages:
    """Las fotos de entrenar o las de evaluar: `(N, 3, 32, 32)`, con valores entre 0 y 1.

    Las lee y las comprueba torchvision. Sin `archive`, se descarga. Errores: `ConnectionError` si
    no se puede descargar; `ValueError` si el archivo no es el de CIFAR-10.
    """
    from torchvision.datasets import CIFAR10 as Official

    class Reader(Official):
        """El de torchvision; al ensayar `completo`, sin la huella, que el de mentira no tiene."""

        meta = Official.meta | ({"md5": None} if rehearsing() else {})

        def _check_integrity(self) -> bool:
            return rehearsing() or super()._check_integrity()

    folder = folder or data_folder()
    if not (folder / Reader.base_folder).exists():
        try:
            with tarfile.open(archive or download(CIFAR10, folder)) as packed:
                packed.extractall(folder, filter="data")
        except (tarfile.TarError, EOFError) as error:
            raise ValueError(f"{archive} no es un archivo .tar.gz entero ({error})") from error
    try:
        photos = Reader(str(folder), train=train, download=False)
    except RuntimeError as error:
        raise ValueError(
            f"lo que hay en {folder / Reader.base_folder} no es CIFAR-10 o está dañado: borra esa "
            "carpeta y vuelve a descargarlo"
        ) from error
    images = torch.from_numpy(photos.data).permute(0, 3, 1, 2).float().div(255)
    return LabelledImages(images.contiguous(), torch.tensor(photos.targets))
