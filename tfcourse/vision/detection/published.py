"""El DETR publicado, en nuestra clase: la precisión media en las fotos de evaluar de COCO."""

from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.data import Dataset

from tfcourse.datasets.folders.coco import COCO_SOURCE, CocoPhotos, coco_files
from tfcourse.datasets.folders.detection_folders import BoxedImages, coco_images
from tfcourse.datasets.folders.photo_folders import photos_in_order
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.official.pictures import Prepare, published_colors
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.training.loop import default_device
from tfcourse.vision.detection.metrics import (
    Found,
    boxes_of_another,
    detect,
    joined,
    photo_precision,
)


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican, y a qué tamaño leen las fotos, sin deformarlas.

    El lado menor mide `short` píxeles, o menos si el mayor pasa de `longest`. Son los números de
    Carion et al. (2020), § 4.
    """

    names: tuple[str, ...]
    short: int = 800
    longest: int = 1_333


class WholePhotos(Dataset):
    """Las fotos de una parte de COCO, cada una con su forma: `(foto entre 0 y 1,)`."""

    def __init__(self, source: CocoPhotos, short: int, longest: int):
        self.source, self.short, self.longest = source, short, longest

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, index: int) -> tuple[Float[Tensor, "3 Y X"]]:
        from torchvision.transforms.v2 import functional as T

        picture, _ = self.source[index]
        resized = T.resize(picture, [self.short], max_size=self.longest)
        return (T.pil_to_tensor(resized) / 255,)


def measure(settings: Published, folder: Path) -> list[dict]:
    """AP, AP50 y AP75 en val2017 de cada modelo, junto a contestar con las cajas de otra foto."""
    photos = coco_images(*coco_files("val"), settings.short)
    blind = photo_precision(boxes_of_another(photos), photos)
    rows = [{"detector": "las cajas de otra foto", "parámetros": 0} | blind]
    for name in settings.names:
        found = find_official(name)
        model = found.model.float().to(default_device())
        seen = look_at(model, photos, settings, published_colors(found.folder))
        row = {"detector": name, "parámetros": n_parameters(model)}
        rows.append(row | photo_precision(seen, photos))
    return rows


def look_at(model: nn.Module, photos: BoxedImages, settings: Published, prepare: Prepare) -> Found:
    """Lo que dice el modelo de cada foto, que se lee sola: así no hay que rellenar ninguna."""
    device = default_device()
    whole = WholePhotos(photos.source, settings.short, settings.longest)
    scores = only_classes(photos.source.kinds)
    return joined(
        [
            detect(model, prepare(images.to(device)), scores)
            for images in photos_in_order(whole, batch_size=1)
        ]
    )


def only_classes(kinds: list[int]):
    """De los logits, la probabilidad de cada clase anotada.

    El modelo publicado las numera como COCO, con sus huecos, y al final pone «sin objeto».
    """

    def scores(logits: Float[Tensor, "B N C"]) -> Float[Tensor, "B N K"]:
        return logits.softmax(dim=-1)[..., torch.tensor(kinds, device=logits.device)]

    return scores


MODELS = ("facebook/detr-resnet-50",)
RUN = FullRun(
    name="detr_publicado",
    title="DETR publicado, en nuestra clase: precisión media de las cajas en val2017",
    sources=(COCO_SOURCE, *map(official_source, MODELS)),
    settings=Published(MODELS),
    rehearsal=Published(MODELS, short=48, longest=64),
    measure=measure,
    gpu_gigabytes=3,
    hours=0.3,
    trains=False,
)
