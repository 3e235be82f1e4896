"""Imágenes reales con segmentos: carpetas con el formato de Pascal VOC o de COCO.

Las lee `torchvision`; aquí se llevan al formato de las escenas: imágenes cuadradas, un segmento por
cosa y el fondo, que es otro más.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.datasets.detection_folders import VOC_CLASSES, check_folder, shuffled_rows
from tfcourse.datasets.segments import BACKGROUND, SegmentedImages

VOC_BORDER = 255  # el borde de cada cosa, que VOC deja sin decidir


class SegmentedFolder(Dataset):
    """Imágenes con segmentos, al tamaño de un segmentador: `(imagen, máscaras, clases)`.

    `read(notas, imagen)` da las máscaras, con la del fondo delante, y sus clases. La imagen y sus
    máscaras se estiran hasta el cuadrado; las máscaras, sin inventar valores intermedios.
    """

    def __init__(self, source: Dataset, read, classes: Sequence[str], size: int):
        self.source, self.read, self.size = source, read, size
        self.classes = ("fondo", *classes)

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(
        self, index: int
    ) -> tuple[Float[Tensor, "3 S S"], Bool[Tensor, "M S S"], Int[Tensor, "M"]]:
        from torchvision.transforms.v2 import InterpolationMode
        from torchvision.transforms.v2 import functional as T

        picture, notes = self.source[index]
        sides = [self.size, self.size]
        image = T.resize(T.pil_to_tensor(picture.convert("RGB")), sides) / 255
        masks, classes = self.read(notes, picture)
        masks = T.resize(masks.byte(), sides, interpolation=InterpolationMode.NEAREST).bool()
        seen = masks.any(dim=(1, 2))  # al encoger, lo más pequeño puede desaparecer
        return image, masks[seen], classes[seen]


def voc_segments(
    folder: Path, size: int, *, year: str = "2012", split: str = "train"
) -> SegmentedFolder:
    """Pascal VOC, ya descargado, para segmentación semántica: un segmento por clase.

    El borde sin decidir de cada cosa va con el fondo. Fuente: Everingham et al. (2010).
    Errores: `FileNotFoundError` si la carpeta no está.
    """
    from torchvision.datasets import VOCSegmentation

    check_folder(Path(folder) / "VOCdevkit" / f"VOC{year}", "VOCdevkit/VOC" + year)
    source = VOCSegmentation(str(folder), year=year, image_set=split, download=False)

    def read(notes, picture) -> tuple[Tensor, Tensor]:
        from torchvision.transforms.v2 import functional as T

        kinds = T.pil_to_tensor(notes)[0].long()
        kinds[kinds == VOC_BORDER] = BACKGROUND
        present = kinds.unique()
        return kinds == present[:, None, None], present

    return SegmentedFolder(source, read, VOC_CLASSES, size)


def coco_segments(pictures: Path, notes: Path, size: int) -> SegmentedFolder:
    """COCO, ya descargado, para instancias: un segmento por objeto y otro para el resto.

    Donde dos se pisan, el punto es del menor. Sin los grupos (`iscrowd`); las clases, seguidas
    desde 1. Fuente: Lin et al. (2014). Errores: `FileNotFoundError` si falta algo.
    """
    import contextlib
    import io

    from torchvision.datasets import CocoDetection

    for needed in (Path(pictures), Path(notes)):
        check_folder(needed, needed.name)
    with contextlib.redirect_stdout(io.StringIO()):  # pycocotools escribe en inglés
        source = CocoDetection(str(pictures), str(notes))
    kinds = sorted(source.coco.cats)

    def read(things: list[dict], picture) -> tuple[Tensor, Tensor]:
        things = [thing for thing in things if not thing.get("iscrowd")]
        free = torch.ones(picture.height, picture.width, dtype=torch.bool)
        masks, classes = [], []
        for thing in sorted(things, key=lambda thing: thing["area"]):
            own = torch.from_numpy(source.coco.annToMask(thing)).bool() & free
            free &= ~own
            masks.append(own)
            classes.append(kinds.index(thing["category_id"]) + 1)
        return torch.stack([free, *masks]), torch.tensor([BACKGROUND, *classes])

    names = [source.coco.cats[kind]["name"] for kind in kinds]
    return SegmentedFolder(source, read, names, size)


def segmented_batches(
    images: SegmentedFolder, batch_size: int, seed: int, max_segments: int
) -> Iterator[SegmentedImages]:
    """Lotes sin fin, en otro orden cada vuelta; de una imagen quedan los segmentos mayores.

    Errores: `ValueError` si no hay ni un lote.
    """
    for rows in shuffled_rows(images, batch_size, seed):
        yield stacked(rows, max_segments)


def stacked(rows: Sequence[tuple[Tensor, Tensor, Tensor]], max_segments: int) -> SegmentedImages:
    """Un lote con sitio fijo para los segmentos, los mayores delante; lo que falta son ceros."""
    sides = rows[0][0].shape[-2:]
    masks = torch.zeros(len(rows), max_segments, *sides, dtype=torch.bool)
    classes = torch.zeros(len(rows), max_segments, dtype=torch.long)
    counts = torch.zeros(len(rows), dtype=torch.long)
    for i, (_, own, kinds) in enumerate(rows):
        largest = own.sum((1, 2)).argsort(descending=True)[:max_segments]
        counts[i] = len(largest)
        masks[i, : counts[i]], classes[i, : counts[i]] = own[largest], kinds[largest]
    semantic = (masks * classes[..., None, None]).sum(dim=1)
    return SegmentedImages(
        torch.stack([image for image, _, _ in rows]), masks, classes, counts, semantic
    )
