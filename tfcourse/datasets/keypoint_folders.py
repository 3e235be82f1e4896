"""Personas reales con sus articulaciones: carpetas con el formato de COCO keypoints.

Las lee `torchvision`; aquí se recorta cada persona, que es como las quiere el modelo.
"""

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.utils.data import Dataset

from tfcourse.crops import crop_boxes, squares_around

COCO_JOINTS = (
    "nariz", "ojo izquierdo", "ojo derecho", "oreja izquierda", "oreja derecha",
    "hombro izquierdo", "hombro derecho", "codo izquierdo", "codo derecho", "muñeca izquierda",
    "muñeca derecha", "cadera izquierda", "cadera derecha", "rodilla izquierda",
    "rodilla derecha", "tobillo izquierdo", "tobillo derecho",
)  # fmt: skip


class PeopleCrops(Dataset):
    """Una persona recortada por elemento: `(imagen, sitios, anotadas)`.

    Los sitios van de 0 a 1 en el recorte; una articulación sin anotar, o que cae fuera, no cuenta.
    """

    def __init__(self, source: Dataset, size: int):
        self.source, self.size = source, size
        self.people = [
            (row, number)
            for row, image in enumerate(source.ids)
            for number, person in enumerate(source.coco.imgToAnns[image])
            if person.get("num_keypoints", 0) > 0 and not person.get("iscrowd")
        ]

    def __len__(self) -> int:
        return len(self.people)

    def __getitem__(
        self, index: int
    ) -> tuple[Float[Tensor, "3 S S"], Float[Tensor, "17 2"], Bool[Tensor, "17"]]:
        from torchvision.transforms.v2 import functional as T

        row, number = self.people[index]
        picture, people = self.source[row]
        image = T.pil_to_tensor(picture.convert("RGB")).float() / 255
        height, width = image.shape[1:]
        side = max(height, width)  # se rellena hasta el cuadrado: así nada se estira
        image = torch.nn.functional.pad(image, (0, side - width, 0, side - height), value=0.2)
        x, y, w, h = people[number]["bbox"]
        box = torch.tensor([[x + w / 2, y + h / 2, w, h]]) / side
        squares = squares_around(box)
        owner = torch.zeros(1, dtype=torch.long)
        crop = crop_boxes(image[None], owner, squares, self.size)[0]
        notes = torch.tensor(people[number]["keypoints"], dtype=torch.float32).view(-1, 3)
        points = squares.into(notes[None, :, :2] / side)[0]
        marked = (notes[:, 2] > 0) & ((points > 0) & (points < 1)).all(dim=1)
        return crop, points.clamp(0, 1), marked


def coco_people(pictures: Path, notes: Path, size: int) -> PeopleCrops:
    """COCO keypoints, ya descargado: la carpeta de las imágenes y `person_keypoints_….json`.

    Fuente: Lin et al. (2014). Errores: `FileNotFoundError` si falta algo.
    """
    from torchvision.datasets import CocoDetection

    for needed in (Path(pictures), Path(notes)):
        if not needed.exists():
            raise FileNotFoundError(
                f"no encuentro {needed.name} en {needed.parent}: descarga el conjunto (su ficha "
                "dice de dónde) o sigue con el perfil rapido, que dibuja sus figuras"
            )
    with contextlib.redirect_stdout(io.StringIO()):  # pycocotools escribe en inglés
        return PeopleCrops(CocoDetection(str(pictures), str(notes)), size)


def people_batches(
    people: PeopleCrops, batch_size: int, seed: int
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Lotes sin fin `(imágenes, sitios, anotadas)`, en otro orden cada vuelta.

    Errores: `ValueError` si no hay ni un lote.
    """
    if len(people) < batch_size:
        raise ValueError(
            f"hay {len(people)} personas y el lote es de {batch_size}: usa un lote menor"
        )
    generator = torch.Generator().manual_seed(seed)
    while True:
        for rows in torch.randperm(len(people), generator=generator).split(batch_size):
            if len(rows) == batch_size:
                yield tuple(
                    torch.stack(part)
                    for part in zip(*(people[int(row)] for row in rows), strict=True)
                )
