"""Personas reales con sus articulaciones: carpetas con el formato de COCO keypoints.

Aquí se recorta cada persona, que es como las quiere el modelo.
"""

from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.datasets.folders.coco import CocoPhotos
from tfcourse.datasets.folders.detection_folders import check_folder
from tfcourse.geometry.crops import Squares, crop_boxes, squares_around

COCO_JOINTS = (
    "nariz", "ojo izquierdo", "ojo derecho", "oreja izquierda", "oreja derecha",
    "hombro izquierdo", "hombro derecho", "codo izquierdo", "codo derecho", "muñeca izquierda",
    "muñeca derecha", "cadera izquierda", "cadera derecha", "rodilla izquierda",
    "rodilla derecha", "tobillo izquierdo", "tobillo derecho",
)  # fmt: skip
# La pareja de cada articulación al otro lado del cuerpo; la nariz, ella misma.
MIRRORED = (0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15)
SHIFT, SCALE = 0.1, 0.3  # cuánto se mueve y se agranda un recorte, en partes de su lado


class PeopleCrops(Dataset):
    """Una persona recortada por elemento: `(imagen, sitios, anotadas)`.

    Los sitios van de 0 a 1 en el recorte; una articulación sin anotar, o que cae fuera, no cuenta.
    Con `moved`, el recorte se mueve, cambia de tamaño y la mitad de las veces se refleja, con la
    izquierda y la derecha cambiadas.
    """

    def __init__(self, source: CocoPhotos, size: int, *, moved: bool = False):
        self.source, self.size, self.moved = source, size, moved
        found = [
            (row, person["bbox"], person["keypoints"])
            for row in range(len(source))
            for person in source.rows(row)
            if person["num_keypoints"] > 0
        ]
        # Cada una, en una fila de tensores, que los procesos que leen comparten sin copiar.
        self.owners = torch.tensor([row for row, _, _ in found], dtype=torch.long)
        boxes = torch.tensor([box for _, box, _ in found]).view(-1, 4)
        self.notes = torch.tensor([notes for _, _, notes in found]).float().view(-1, 17, 3)
        # La foto se rellena hasta el cuadrado: así nada se estira.
        sides = torch.tensor([max(source.sizes[row]) for row, _, _ in found]).view(-1)
        self.sides = sides.float()
        boxes = torch.cat([boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:]], dim=1)
        self.boxes = boxes / self.sides[:, None]
        self.squares = squares_around(self.boxes)

    def __len__(self) -> int:
        return len(self.owners)

    def __getitem__(
        self, index: int
    ) -> tuple[Float[Tensor, "3 S S"], Float[Tensor, "17 2"], Bool[Tensor, "17"]]:
        from torchvision.transforms.v2 import functional as T

        picture, _ = self.source[int(self.owners[index])]
        image = T.pil_to_tensor(picture.convert("RGB")).float() / 255
        height, width = image.shape[1:]
        side = max(height, width)
        image = torch.nn.functional.pad(image, (0, side - width, 0, side - height), value=0.2)
        square = Squares(*(part[index : index + 1] for part in self.squares))
        if self.moved:
            square = _shaken(square)
        crop = crop_boxes(image[None], torch.zeros(1, dtype=torch.long), square, self.size)[0]
        points = square.into(self.notes[index : index + 1, :, :2] / side)[0]
        marked = (self.notes[index, :, 2] > 0) & ((points > 0) & (points < 1)).all(dim=1)
        person = crop, points.clamp(0, 1), marked
        return mirrored(*person) if self.moved and torch.rand(()) < 0.5 else person

    def mean_pose(self) -> Float[Tensor, "17 2"]:
        """El sitio medio de cada articulación en los recortes: lo que diría quien no mira."""
        points = self.squares.into(self.notes[..., :2] / self.sides[:, None, None])
        marked = (self.notes[..., 2:] > 0).float()
        return (points * marked).sum(dim=0) / marked.sum(dim=0).clamp(min=1)


def _shaken(square: Squares) -> Squares:
    across, down, larger = 2 * torch.rand(3) - 1
    moved = torch.stack([across, down]) * SHIFT * square.sides[:, None]
    return Squares(square.centers + moved, square.sides * (1 + SCALE * larger))


def mirrored(
    image: Float[Tensor, "3 S S"], points: Float[Tensor, "17 2"], marked: Bool[Tensor, "17"]
) -> tuple[Tensor, Tensor, Tensor]:
    """La misma persona, vista en un espejo: su mano izquierda pasa a ser la derecha."""
    sides = list(MIRRORED)
    away = torch.stack([1 - points[:, 0], points[:, 1]], dim=1)
    return image.flip(-1), away[sides], marked[sides]


def coco_people(pictures: Path, notes: Path, size: int, *, moved: bool = False) -> PeopleCrops:
    """COCO keypoints, ya descargado: la carpeta de las imágenes y `person_keypoints_….json`.

    Fuente: Lin et al. (2014). Errores: `FileNotFoundError` si falta algo.
    """
    for needed in (Path(pictures), Path(notes)):
        check_folder(needed, needed.name)
    source = CocoPhotos(pictures, notes, ("bbox", "keypoints", "num_keypoints"))
    return PeopleCrops(source, size, moved=moved)
