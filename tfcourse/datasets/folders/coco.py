"""COCO 2017: las fotos de una parte y lo que se ha anotado en cada una."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from torch.utils.data import Dataset

from tfcourse.datasets.folders.photo_folders import Packed, check_photos
from tfcourse.stored.full import Source

# Lin et al. (2014). Las anotaciones son CC BY 4.0; cada foto, de Flickr, tiene su licencia.
COCO_SOURCE = Source(
    "COCO 2017",
    "https://cocodataset.org/#download",
    "anotaciones CC BY 4.0; fotos de Flickr, cada una con su licencia",
    20,
    "TFCOURSE_COCO",
)


def coco_files(part: str, kind: str = "instances") -> tuple[Path, Path]:
    """Dónde están, según `TFCOURSE_COCO`, las fotos de una parte y sus notas.

    `part` es «train» o «val», y `kind`, el tipo de notas: «instances», «person_keypoints» o
    «captions». Errores: los de `Source.folder`; `FileNotFoundError` si falta algo en la carpeta.
    """
    folder = COCO_SOURCE.folder()
    files = folder / f"{part}2017", folder / "annotations" / f"{kind}_{part}2017.json"
    for needed in files:
        if not needed.exists():
            raise FileNotFoundError(
                f"{folder} no es la carpeta de COCO 2017, o no está entera: falta "
                f"{needed.relative_to(folder)}; tiene que contener train2017, val2017 y annotations"
            )
    return files


class CocoPhotos(Dataset):
    """Las fotos de una parte de COCO, con lo anotado en cada una: `(foto, filas)`.

    De cada fila se guardan los campos `keep`; los grupos (`iscrowd`), no. `kinds` son los números
    de las clases, que tienen huecos, y `names`, cómo se llaman.
    Fuente: Lin et al. (2014). Errores: `FileNotFoundError` si falta alguna foto; `ValueError` si
    las notas no son de COCO o no están enteras.
    """

    def __init__(self, pictures: Path, notes: Path, keep: Sequence[str]):
        self.pictures, self.notes = Path(pictures), Path(notes)
        content = _read_notes(self.notes)
        photos = sorted(content["images"], key=lambda photo: photo["id"])
        self.ids = [photo["id"] for photo in photos]
        self.sizes = [(photo["height"], photo["width"]) for photo in photos]
        self.files = [photo["file_name"] for photo in photos]
        check_photos(self.pictures, self.files)
        classes = sorted((kind["id"], kind["name"]) for kind in content["categories"])
        self.kinds, self.names = [kind for kind, _ in classes], [name for _, name in classes]
        rows: dict[int, list[dict]] = {number: [] for number in self.ids}
        for thing in content["annotations"]:
            if not thing.get("iscrowd"):
                rows[thing["image_id"]].append({field: thing[field] for field in keep})
        self._rows = Packed(rows[number] for number in self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> tuple:
        from PIL import Image

        picture = Image.open(self.pictures / self.files[index])
        return picture.convert("RGB"), self.rows(index)

    def rows(self, index: int) -> list[dict]:
        """Lo anotado en una foto, sin abrirla."""
        return self._rows[index]


def _read_notes(path: Path) -> dict:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(
            f"{path} no está entero ({error}): la descarga se quedó a medias; vuelve a descargarlo"
        ) from error
    missing = {"images", "annotations", "categories"} - set(content)
    if missing:
        raise ValueError(f"{path} no es un archivo de notas de COCO: le falta {min(missing)!r}")
    return content


def coco_run_lengths(shape: list | dict, sides: tuple[int, int]) -> dict:
    """Una máscara anotada, por polígonos o por rachas, como la comprime `pycocotools`.

    `sides` son el alto y el ancho de su foto.
    """
    from pycocotools import mask

    if isinstance(shape, list):
        return mask.merge(mask.frPyObjects(shape, *sides))
    return mask.frPyObjects(shape, *sides) if isinstance(shape["counts"], list) else shape


def coco_mask(shape: list | dict, sides: tuple[int, int]) -> np.ndarray:
    """Una máscara anotada, punto a punto: `(alto, ancho)`, con ceros y unos."""
    from pycocotools import mask

    return mask.decode(coco_run_lengths(shape, sides))
