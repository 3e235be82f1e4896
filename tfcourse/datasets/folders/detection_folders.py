"""Imágenes reales con cajas: carpetas con el formato de Pascal VOC o de COCO.

Aquí se llevan al formato de las escenas: imágenes cuadradas, cajas en partes de la imagen y sitio
fijo para los objetos.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.datasets.folders.coco import CocoPhotos
from tfcourse.datasets.folders.photo_folders import photo_moves
from tfcourse.datasets.scenes.box_sequences import Writing, write_scenes
from tfcourse.geometry.boxes import to_centers
from tfcourse.stored.full import Source
from tfcourse.tokenizers.boxes import BoxVocabulary

# Everingham et al. (2010). Las fotos son de Flickr y siguen sus condiciones.
VOC_SOURCE = Source(
    "Pascal VOC 2012",
    "http://host.robots.ox.ac.uk/pascal/VOC/voc2012/",
    "fotos de Flickr, con sus condiciones",
    2,
    "TFCOURSE_VOC",
)

VOC_CLASSES = (
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
)  # fmt: skip


class BoxedBatch(NamedTuple):
    """Un lote de B imágenes con sitio para M objetos en cada una; solo existen los primeros."""

    images: Float[Tensor, "B 3 S S"]  # entre 0 y 1
    boxes: Float[Tensor, "B M 4"]  # centro, ancho y alto, en partes de la imagen
    classes: Int[Tensor, "B M"]
    counts: Int[Tensor, "B"]


class BoxedImages(Dataset):
    """Imágenes con cajas, al tamaño de un detector: `(imagen, cajas, clases)` de cada una.

    La imagen se estira hasta el cuadrado; las cajas, en partes de ella, no cambian al estirarla.
    Con `moves`, como `photo_moves`, la imagen se mueve antes al azar, y lo que queda fuera no está.
    """

    def __init__(
        self,
        source: Dataset,
        read_boxes: Callable,
        classes: Sequence[str],
        size: int,
        moves: Callable | None = None,
    ):
        self.source, self.read_boxes = source, read_boxes
        self.classes, self.size, self.moves = tuple(classes), size, moves

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(
        self, index: int
    ) -> tuple[Float[Tensor, "3 S S"], Float[Tensor, "M 4"], Int[Tensor, "M"]]:
        from torchvision import tv_tensors
        from torchvision.transforms.v2 import functional as T

        picture, notes = self.source[index]
        image = tv_tensors.Image(T.pil_to_tensor(picture.convert("RGB")))
        corners, classes = self.corners(notes)
        boxes = tv_tensors.BoundingBoxes(corners, format="XYXY", canvas_size=image.shape[-2:])
        if self.moves is not None:
            image, boxes = self.moves(image, boxes)
        height, width = image.shape[-2:]
        image = T.resize(image, [self.size, self.size]).as_subclass(Tensor)
        boxes = T.clamp_bounding_boxes(boxes).as_subclass(Tensor)
        seen = ((boxes[:, 2:] - boxes[:, :2]) >= 1).all(dim=1)  # lo que no llega a un píxel, no
        return image / 255, in_parts(boxes[seen], (height, width)), classes[seen]

    def corners(self, notes) -> tuple[Float[Tensor, "M 4"], Int[Tensor, "M"]]:
        """Las cajas anotadas, por sus esquinas y en píxeles, y sus clases."""
        rows = self.read_boxes(notes)
        boxes = torch.tensor([box for box, _ in rows], dtype=torch.float32).reshape(-1, 4)
        return boxes, torch.tensor([kind for _, kind in rows], dtype=torch.long)


def in_parts(corners: Float[Tensor, "M 4"], sides: tuple[int, int]) -> Float[Tensor, "M 4"]:
    """De las esquinas, en píxeles, al centro y el tamaño, en partes de una imagen (alto, ancho)."""
    height, width = sides
    corners = corners / torch.tensor([width, height, width, height])
    return to_centers(corners)


def voc_images(folder: Path, size: int, *, year: str = "2012", split: str = "train") -> BoxedImages:
    """Pascal VOC, ya descargado: la carpeta que contiene `VOCdevkit`. Sin los objetos difíciles.

    Fuente: Everingham et al. (2010). Errores: `FileNotFoundError` si la carpeta no está.
    """
    from torchvision.datasets import VOCDetection

    needed = Path(folder) / "VOCdevkit" / f"VOC{year}"
    check_folder(needed, "VOCdevkit/VOC" + year)
    source = VOCDetection(str(folder), year=year, image_set=split, download=False)

    def read_boxes(notes: dict) -> list[tuple[list[float], int]]:
        rows = []
        for thing in notes["annotation"].get("object", []):
            if thing.get("difficult") == "1":
                continue
            low_x, low_y, high_x, high_y = (
                float(thing["bndbox"][edge]) for edge in ("xmin", "ymin", "xmax", "ymax")
            )
            # VOC cuenta los píxeles desde 1 e incluye el último.
            rows.append(([low_x - 1, low_y - 1, high_x, high_y], VOC_CLASSES.index(thing["name"])))
        return rows

    return BoxedImages(source, read_boxes, VOC_CLASSES, size)


def coco_images(pictures: Path, notes: Path, size: int, *, moved: bool = False) -> BoxedImages:
    """COCO, ya descargado: la carpeta de las imágenes y su archivo `instances_….json`.

    Los números de clase de COCO tienen huecos: aquí van seguidos. Sin los grupos (`iscrowd`). Con
    `moved`, cada imagen sale movida al azar.
    Fuente: Lin et al. (2014). Errores: `FileNotFoundError` si falta algo.
    """
    for needed in (Path(pictures), Path(notes)):
        check_folder(needed, needed.name)
    source = CocoPhotos(pictures, notes, ("bbox", "category_id"))

    def read_boxes(things: list[dict]) -> list[tuple[list[float], int]]:
        return [
            ([x, y, x + w, y + h], source.kinds.index(thing["category_id"]))
            for thing in things
            for x, y, w, h in [thing["bbox"]]
        ]

    return BoxedImages(source, read_boxes, source.names, size, photo_moves(size) if moved else None)


def padded(rows: Sequence[tuple[Tensor, Tensor, Tensor]], max_objects: int) -> BoxedBatch:
    """Un lote con sitio fijo para los objetos, los mayores delante; lo que falta son ceros.

    Es el `collate` de `EndlessLoader`.
    """
    boxes = torch.zeros(len(rows), max_objects, 4)
    classes = torch.zeros(len(rows), max_objects, dtype=torch.long)
    counts = torch.zeros(len(rows), dtype=torch.long)
    for i, (_, some, kinds) in enumerate(rows):
        largest = some[:, 2:].prod(1).argsort(descending=True)[:max_objects]
        counts[i] = len(largest)
        boxes[i, : counts[i]], classes[i, : counts[i]] = some[largest], kinds[largest]
    return BoxedBatch(torch.stack([image for image, _, _ in rows]), boxes, classes, counts)


def check_folder(path: Path, name: str) -> None:
    """Error si un conjunto público no está donde se ha dicho: qué falta y cómo seguir."""
    if not path.exists():
        raise FileNotFoundError(
            f"no encuentro {name} en {path.parent}: descarga el conjunto (su ficha dice de dónde) "
            "o sigue con el perfil rapido, que no la necesita"
        )


class WrittenPhotos(Dataset):
    """Fotos con sus cajas escritas: `(imagen, lo leído, objetivos, pesos)` de cada una.

    De una foto con más de `max_objects` objetos se escriben los mayores. El orden y el ruido son
    otros cada vez: salen del azar de PyTorch, que `EndlessLoader` siembra.
    """

    def __init__(
        self, photos: BoxedImages, vocabulary: BoxVocabulary, writing: Writing, max_objects: int
    ):
        self.photos, self.vocabulary = photos, vocabulary
        self.writing, self.max_objects = writing, max_objects

    def __len__(self) -> int:
        return len(self.photos)

    def __getitem__(self, index: int) -> tuple[Tensor, ...]:
        image, *objects = padded([self.photos[index]], self.max_objects)
        generator = torch.Generator().manual_seed(int(torch.randint(2**62, ())))
        written = write_scenes(*objects, self.vocabulary, generator, self.writing)
        return (image[0], *(part[0] for part in written))
