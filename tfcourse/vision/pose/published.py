"""Los ViTPose publicados, en nuestra clase: la precisión de sus poses en las personas de COCO."""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.folders.coco import COCO_SOURCE, coco_files
from tfcourse.datasets.folders.keypoint_folders import PeopleCrops, coco_people
from tfcourse.datasets.folders.photo_folders import photos_in_order
from tfcourse.geometry.crops import Squares
from tfcourse.layers.image.keypoint_heads import peaks
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.official.pictures import Prepare, published_colors
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.training.loop import default_device
from tfcourse.vision.pose.metrics import people_precision

ASPECT, MARGIN = 3 / 4, 1.25  # lo ancho de un recorte, en partes de lo alto, y cuánto lo agranda


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican, y lo alto de los recortes, en píxeles.

    Son los números de Xu et al. (2022), § 4.1: 256 píxeles de alto y 192 de ancho.
    """

    names: tuple[str, ...]
    height: int = 256


def tall_squares(boxes: Float[Tensor, "N 4"]) -> Squares:
    """Los cuadrados cuyas tres cuartas partes de en medio rodean cada caja (cx, cy, w, h)."""
    return Squares(boxes[:, :2], MARGIN * torch.maximum(boxes[:, 3], boxes[:, 2] / ASPECT))


def tall_people(part: str, settings: Published) -> PeopleCrops:
    """Las personas de una parte de COCO, con el sitio de cada una en el recorte de ViTPose."""
    people = coco_people(*coco_files(part, "person_keypoints"), settings.height)
    people.squares = tall_squares(people.boxes)
    return people


def measure(settings: Published, folder: Path) -> list[dict]:
    """OKS-AP en las personas de val2017 de cada modelo, junto a poner siempre la pose media."""
    people = tall_people("val", settings)
    everyone = tall_people("train", settings).mean_pose().expand(len(people), -1, -1)
    blind = people_precision(everyone, torch.ones(len(people)), people)
    rows = [{"modelo": "la pose media", "parámetros": 0} | blind]
    for name in settings.names:
        found = find_official(name)
        model = found.model.float().to(default_device())
        said = locate_published(model, people, published_colors(found.folder))
        row = {"modelo": name, "parámetros": n_parameters(model)}
        rows.append(row | people_precision(*said, people))
    return rows


@torch.no_grad()
def locate_published(
    model: nn.Module, people: PeopleCrops, prepare: Prepare, batch_size: int = 64
) -> tuple[Float[Tensor, "P K 2"], Float[Tensor, "P"]]:
    """Las articulaciones de cada persona, en partes de su cuadrado, y cuánto se fía de su pose.

    El modelo lee lo de en medio del cuadrado; a sus mapas se les ponen los lados que no ha leído.
    """
    device, parts = default_device(), []
    for images in photos_in_order(people, batch_size):
        maps = model(prepare(middle(images.to(device))))
        edge = (maps.shape[-2] - maps.shape[-1]) // 2
        parts.append([x.cpu() for x in peaks(F.pad(maps, (edge, edge), value=float("-inf")))])
    points, height = (torch.cat(part) for part in zip(*parts, strict=True))
    return points, height.mean(dim=1)


def middle(images: Float[Tensor, "B 3 S S"]) -> Float[Tensor, "B 3 S X"]:
    """Las tres cuartas partes de en medio de unos recortes cuadrados."""
    cut = round(images.shape[-1] * (1 - ASPECT) / 2)
    return images[..., cut:-cut]


MODELS = ("usyd-community/vitpose-base-simple", "usyd-community/vitpose-base")
RUN = FullRun(
    name="vitpose_publicado",
    title="ViTPose publicado, en nuestra clase: precisión media de las poses en val2017",
    sources=(COCO_SOURCE, *map(official_source, MODELS)),
    settings=Published(MODELS),
    rehearsal=Published(MODELS, height=64),
    measure=measure,
    gpu_gigabytes=4,
    hours=0.3,
    trains=False,
)
