"""Imágenes reales con cajas: carpetas con el formato de Pascal VOC o de COCO.

Las lee `torchvision`; aquí se llevan al formato de las escenas: imágenes cuadradas, cajas en partes
de la imagen y sitio fijo para los objetos.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.utils.data import Dataset

VOC_CLASSES = (
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
)  # fmt: skip


class BoxedImages(Dataset):
    """Imágenes con cajas, al tamaño de un detector: `(imagen, cajas, clases)` de cada una.

    La imagen se estira hasta el cuadrado; las cajas, en partes de ella, no cambian al estirarla.
    """

    def __init__(self, source: Dataset, read_boxes, classes: Sequence[str], size: int):
        self.source, self.read_boxes = source, read_boxes
        self.classes, self.size = tuple(classes), size

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(
        self, index: int
    ) -> tuple[Float[Tensor, "3 S S"], Float[Tensor, "M 4"], Int[Tensor, "M"]]:
        from torchvision.transforms.v2 import functional as T

        picture, notes = self.source[index]
        width, height = picture.size
        image = T.resize(T.pil_to_tensor(picture.convert("RGB")), [self.size, self.size])
        rows = self.read_boxes(notes)
        corners = torch.tensor([box for box, _ in rows], dtype=torch.float32).reshape(-1, 4)
        corners = corners / torch.tensor([width, height, width, height])
        boxes = torch.cat(
            [(corners[:, :2] + corners[:, 2:]) / 2, corners[:, 2:] - corners[:, :2]], 1
        )
        return image / 255, boxes, torch.tensor([kind for _, kind in rows], dtype=torch.long)


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


def coco_images(pictures: Path, notes: Path, size: int) -> BoxedImages:
    """COCO, ya descargado: la carpeta de las imágenes y su archivo `instances_….json`.

    Los números de clase de COCO tienen huecos: aquí van seguidos. Sin los grupos (`iscrowd`).
    Fuente: Lin et al. (2014). Errores: `FileNotFoundError` si falta algo.
    """
    import contextlib
    import io

    from torchvision.datasets import CocoDetection

    for needed in (Path(pictures), Path(notes)):
        check_folder(needed, needed.name)
    with contextlib.redirect_stdout(io.StringIO()):  # pycocotools escribe en inglés
        source = CocoDetection(str(pictures), str(notes))
    kinds = sorted(source.coco.cats)

    def read_boxes(things: list[dict]) -> list[tuple[list[float], int]]:
        return [
            ([x, y, x + w, y + h], kinds.index(thing["category_id"]))
            for thing in things
            if not thing.get("iscrowd")
            for x, y, w, h in [thing["bbox"]]
        ]

    names = [source.coco.cats[kind]["name"] for kind in kinds]
    return BoxedImages(source, read_boxes, names, size)


def boxed_batches(
    images: BoxedImages, batch_size: int, seed: int, max_objects: int
) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """Lotes sin fin `(imágenes, cajas, clases, cuántos)`, en otro orden cada vuelta.

    De una imagen con más de `max_objects` objetos se quedan los mayores.
    Errores: `ValueError` si no hay ni un lote.
    """
    for rows in shuffled_rows(images, batch_size, seed):
        yield padded(rows, max_objects)


def shuffled_rows(images: Dataset, batch_size: int, seed: int) -> Iterator[list]:
    """Los ejemplos de un conjunto, de lote en lote y sin fin, en otro orden cada vuelta.

    Errores: `ValueError` si no hay ni un lote.
    """
    if len(images) < batch_size:
        raise ValueError(
            f"hay {len(images)} imágenes y el lote es de {batch_size}: usa un lote menor"
        )
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(len(images), generator=generator)
        for rows in order.split(batch_size):
            if len(rows) == batch_size:
                yield [images[int(row)] for row in rows]


def padded(
    rows: Sequence[tuple[Tensor, Tensor, Tensor]], max_objects: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Un lote con sitio fijo para los objetos, los mayores delante; lo que falta son ceros."""
    boxes = torch.zeros(len(rows), max_objects, 4)
    classes = torch.zeros(len(rows), max_objects, dtype=torch.long)
    counts = torch.zeros(len(rows), dtype=torch.long)
    for i, (_, some, kinds) in enumerate(rows):
        largest = some[:, 2:].prod(1).argsort(descending=True)[:max_objects]
        counts[i] = len(largest)
        boxes[i, : counts[i]], classes[i, : counts[i]] = some[largest], kinds[largest]
    return torch.stack([image for image, _, _ in rows]), boxes, classes, counts


def check_folder(path: Path, name: str) -> None:
    """Error si un conjunto público no está donde se ha dicho: qué falta y cómo seguir."""
    if not path.exists():
        raise FileNotFoundError(
            f"no encuentro {name} en {path.parent}: descarga el conjunto (su ficha dice de dónde) "
            "o sigue con el perfil rapido, que genera sus escenas"
        )
