"""Imágenes reales con segmentos: carpetas con el formato de Pascal VOC o de COCO.

Aquí se llevan al formato de las escenas: imágenes cuadradas, un segmento por cosa y el fondo, que
es otro más.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.datasets.folders.coco import CocoPhotos, coco_mask
from tfcourse.datasets.folders.detection_folders import VOC_CLASSES, check_folder
from tfcourse.datasets.folders.photo_folders import check_photos, photo_moves
from tfcourse.datasets.scenes.segments import BACKGROUND, SegmentedImages

VOC_BORDER = 255  # el borde de cada cosa, que VOC deja sin decidir


class SegmentedFolder(Dataset):
    """Imágenes con segmentos, al tamaño de un segmentador: `(imagen, máscaras, clases)`.

    `read(notas, imagen)` da las máscaras, con la del fondo delante, y sus clases. La imagen y sus
    máscaras se estiran hasta el cuadrado; las máscaras, sin inventar valores intermedios. Con
    `moves`, como `photo_moves`, antes se mueven juntas al azar.
    """

    def __init__(
        self,
        source: Dataset,
        read: Callable,
        classes: Sequence[str],
        size: int,
        moves: Callable | None = None,
    ):
        self.source, self.read, self.size, self.moves = source, read, size, moves
        self.classes = ("fondo", *classes)

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(
        self, index: int
    ) -> tuple[Float[Tensor, "3 S S"], Bool[Tensor, "M S S"], Int[Tensor, "M"]]:
        from torchvision import tv_tensors
        from torchvision.transforms.v2 import functional as T

        picture, notes = self.source[index]
        image = tv_tensors.Image(T.pil_to_tensor(picture.convert("RGB")))
        masks, classes = self.read(notes, picture)
        masks = tv_tensors.Mask(masks.byte())
        if self.moves is not None:
            image, masks = self.moves(image, masks)
        sides = [self.size, self.size]
        image, masks = (T.resize(part, sides).as_subclass(Tensor) for part in (image, masks))
        masks = masks.bool()
        seen = masks.any(dim=(1, 2))  # al encoger o recortar, algo puede desaparecer
        return image / 255, masks[seen], classes[seen]


def voc_segments(
    folder: Path, size: int, *, year: str = "2012", split: str = "train", moved: bool = False
) -> SegmentedFolder:
    """Pascal VOC, ya descargado, para segmentación semántica: un segmento por clase.

    El borde sin decidir de cada cosa va con el fondo. Con `moved`, cada imagen sale movida al azar.
    Fuente: Everingham et al. (2010). Errores: `FileNotFoundError` si falta la carpeta, o algo de lo
    que tiene que haber en ella.
    """
    from torchvision.datasets import VOCSegmentation

    root = Path(folder) / "VOCdevkit" / f"VOC{year}"
    check_folder(root, "VOCdevkit/VOC" + year)
    for needed in (root / "ImageSets/Segmentation" / f"{split}.txt", root / "SegmentationClass"):
        check_folder(needed, str(needed.relative_to(folder)))
    source = VOCSegmentation(str(folder), year=year, image_set=split, download=False)
    for paths in (source.images, source.targets):
        check_photos(Path(paths[0]).parent, (Path(path).name for path in paths))

    def read(notes, picture) -> tuple[Tensor, Tensor]:
        kinds = voc_kinds(notes)
        kinds[kinds == VOC_BORDER] = BACKGROUND
        present = kinds.unique()
        return kinds == present[:, None, None], present

    return SegmentedFolder(source, read, VOC_CLASSES, size, photo_moves(size) if moved else None)


def voc_kinds(notes) -> Int[Tensor, "Y X"]:
    """El mapa de clases de una foto, a su tamaño; en los bordes sin decidir, `VOC_BORDER`."""
    from torchvision.transforms.v2 import functional as T

    return T.pil_to_tensor(notes)[0].long()


def coco_segments(
    pictures: Path, notes: Path, size: int, *, moved: bool = False
) -> SegmentedFolder:
    """COCO, ya descargado, para instancias: un segmento por objeto y otro para el resto.

    Donde dos se pisan, el punto es del menor. Sin los grupos (`iscrowd`); las clases, seguidas
    desde 1. Con `moved`, cada imagen sale movida al azar.
    Fuente: Lin et al. (2014). Errores: `FileNotFoundError` si falta algo.
    """
    for needed in (Path(pictures), Path(notes)):
        check_folder(needed, needed.name)
    source = CocoPhotos(pictures, notes, ("segmentation", "category_id", "area"))

    def read(things: list[dict], picture) -> tuple[Tensor, Tensor]:
        sides = picture.height, picture.width
        free = torch.ones(*sides, dtype=torch.bool)
        masks, classes = [], []
        for thing in sorted(things, key=lambda thing: thing["area"]):
            own = torch.from_numpy(coco_mask(thing["segmentation"], sides)).bool() & free
            free &= ~own
            masks.append(own)
            classes.append(source.kinds.index(thing["category_id"]) + 1)
        return torch.stack([free, *masks]), torch.tensor([BACKGROUND, *classes])

    moves = photo_moves(size) if moved else None
    return SegmentedFolder(source, read, source.names, size, moves)


def stacked(rows: Sequence[tuple[Tensor, Tensor, Tensor]], max_segments: int) -> SegmentedImages:
    """Un lote con sitio fijo para los segmentos, los mayores delante; lo que falta son ceros.

    Es el `collate` de `EndlessLoader`.
    """
    sides = rows[0][0].shape[-2:]
    masks = torch.zeros(len(rows), max_segments, *sides, dtype=torch.bool)
    classes = torch.zeros(len(rows), max_segments, dtype=torch.long)
    counts = torch.zeros(len(rows), dtype=torch.long)
    semantic = torch.zeros(len(rows), *sides, dtype=torch.long)
    for i, (_, own, kinds) in enumerate(rows):
        largest = own.sum((1, 2)).argsort(descending=True)[:max_segments]
        counts[i] = len(largest)
        masks[i, : counts[i]], classes[i, : counts[i]] = own[largest], kinds[largest]
        semantic[i] = (own[largest] * kinds[largest][:, None, None]).sum(dim=0)
    return SegmentedImages(
        torch.stack([image for image, _, _ in rows]), masks, classes, counts, semantic
    )
