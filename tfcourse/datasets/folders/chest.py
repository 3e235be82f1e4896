"""Radiografías de tórax con varias etiquetas cada una: ChestMNIST, para el perfil `completo`."""

import hashlib
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.profile import rehearsing
from tfcourse.stored.full import Source

# Wang et al. (2017), ChestX-ray14, reducida a 28 × 28 por Yang et al. (2023), CC BY 4.0.
SOURCE = "https://zenodo.org/records/10519652/files/chestmnist.npz"
MD5 = "02c8a6516a18b556561a56cbdd36c4a8"
PATHOLOGIES = (
    "atelectasia", "cardiomegalia", "derrame", "infiltración", "masa", "nódulo", "neumonía",
    "neumotórax", "consolidación", "edema", "enfisema", "fibrosis", "engrosamiento pleural",
    "hernia",
)  # fmt: skip
CHEST_SOURCE = Source(
    "ChestMNIST", "https://zenodo.org/records/10519652", "CC BY 4.0", 0.08, "TFCOURSE_TORAX"
)
SPLITS = {"entrenar": "train", "elegir": "val", "evaluar": "test"}


@dataclass
class Xrays:
    """Radiografías, entre 0 y 1, y qué hallazgos tiene cada una: ninguno, uno o varios."""

    images: Float[Tensor, "N 1 H W"]
    findings: Float[Tensor, "N C"]


def chest_xrays(archive: Path, split: str, *, check: bool = True) -> Xrays:
    """Lee una parte («entrenar», «elegir» o «evaluar») del archivo `chestmnist.npz`.

    Con `check`, comprueba que es el publicado. Errores: `FileNotFoundError` si no está, y
    `ValueError` si no es ese archivo, si no tiene su forma o si la parte no se conoce.
    """
    archive = Path(archive)
    if split not in SPLITS:
        raise ValueError(f"no hay ninguna parte {split!r}: usa {', '.join(SPLITS)}")
    if not archive.exists():
        raise FileNotFoundError(
            f"no encuentro {archive.name} en {archive.parent}: descárgalo de {SOURCE}"
        )
    if check and hashlib.md5(archive.read_bytes(), usedforsecurity=False).hexdigest() != MD5:
        raise ValueError(f"{archive.name} no es el archivo publicado: descárgalo de {SOURCE}")
    name = SPLITS[split]
    try:
        with np.load(archive) as content:
            images, labels = content[f"{name}_images"], content[f"{name}_labels"]
    except (KeyError, zipfile.BadZipFile, ValueError) as error:
        raise ValueError(
            f"{archive.name} no tiene las tablas {name}_images y {name}_labels de ChestMNIST"
        ) from error
    if images.ndim != 3 or labels.shape != (len(images), len(PATHOLOGIES)):
        raise ValueError(
            f"{archive.name}: las imágenes tienen forma {images.shape} y las etiquetas "
            f"{labels.shape}; se esperaban (N, alto, ancho) y (N, {len(PATHOLOGIES)})"
        )
    pixels = torch.from_numpy(images).float()[:, None] / 255
    return Xrays(pixels, torch.from_numpy(labels.astype(np.float32)))


def published_xrays(split: str) -> Xrays:
    """Una parte de ChestMNIST, de la carpeta que dice `TFCOURSE_TORAX`.

    Al ensayar `completo`, sin la huella, que el de mentira no tiene.
    Errores: los de `Source.folder` y los de `chest_xrays`.
    """
    archive = CHEST_SOURCE.folder() / "chestmnist.npz"
    return chest_xrays(archive, split, check=not rehearsing())
