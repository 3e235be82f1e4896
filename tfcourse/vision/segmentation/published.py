"""El MaskFormer publicado, en nuestra clase: la precisión media en las fotos de evaluar de COCO."""

from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn
from torch.utils.data import Dataset

from tfcourse.datasets.folders.coco import COCO_SOURCE, CocoPhotos, coco_files
from tfcourse.datasets.folders.photo_folders import photos_in_order
from tfcourse.datasets.folders.segmentation_folders import SegmentedFolder, coco_segments
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.official.pictures import Prepare, published_colors
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.training.loop import default_device
from tfcourse.vision.segmentation.photos import (
    instance_rows,
    masks_of_another,
    photo_mask_precision,
)

MULTIPLE = 32  # la última etapa de Swin es de un lado 32 veces menor


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican, y a qué tamaño leen las fotos.

    El lado menor mide unos `short` píxeles, o menos si el mayor pasa de `longest`. Son los números
    de Cheng et al. (2021), § 4.1.
    """

    names: tuple[str, ...]
    short: int = 800
    longest: int = 1_333


class EvenPhotos(Dataset):
    """Las fotos de una parte de COCO, cada una con su forma: `(foto entre 0 y 1,)`.

    Los dos lados se redondean al múltiplo de 32 más cercano: así no hay que rellenar nada.
    """

    def __init__(self, source: CocoPhotos, short: int, longest: int):
        self.source, self.short, self.longest = source, short, longest

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, index: int) -> tuple[Float[Tensor, "3 Y X"]]:
        from torchvision.transforms.v2 import functional as T

        picture, _ = self.source[index]
        picture = picture.convert("RGB")
        sides = picture.height, picture.width
        factor = min(self.short / min(sides), self.longest / max(sides))
        even = [MULTIPLE * max(1, round(side * factor / MULTIPLE)) for side in sides]
        return (T.pil_to_tensor(T.resize(picture, even)) / 255,)


def measure(settings: Published, folder: Path) -> list[dict]:
    """AP, AP50 y AP75 en val2017 de cada modelo, y de contestar con las máscaras de otra foto."""
    photos = coco_segments(*coco_files("val"), settings.short)
    blind = photo_mask_precision(masks_of_another(photos), photos)
    rows = [{"modelo": "las máscaras de otra foto", "parámetros": 0} | blind]
    for name in settings.names:
        found = find_official(name)
        model = found.model.float().to(default_device())
        said = say(model, photos, settings, published_colors(found.folder))
        row = {"modelo": name, "parámetros": n_parameters(model)}
        rows.append(row | photo_mask_precision(said, photos))
    return rows


@torch.no_grad()
def say(
    model: nn.Module, photos: SegmentedFolder, settings: Published, prepare: Prepare
) -> list[dict]:
    """Los objetos que el modelo dice de cada foto, como las filas que COCO espera."""
    device, rows = default_device(), []
    whole = EvenPhotos(photos.source, settings.short, settings.longest)
    for number, image in enumerate(photos_in_order(whole, batch_size=1)):
        last = model(prepare(image.to(device)))[-1]
        rows += instance_rows(photos, number, last, thing_chances(last.logits, photos))
    return rows


def thing_chances(
    logits: Float[Tensor, "B N C"], photos: SegmentedFolder
) -> Float[Tensor, "B N K"]:
    """De los logits, la probabilidad de cada clase de objeto, con el fondo, que es 0, delante.

    El modelo publicado numera los objetos en el orden de COCO, sin huecos; detrás van las clases
    que no se cuentan, como el cielo o la hierba, y la última es «sin objeto».
    """
    things = logits.softmax(dim=-1)[..., : len(photos.source.kinds)]
    return F.pad(things, (1, 0))


MODELS = ("facebook/maskformer-swin-tiny-coco",)
RUN = FullRun(
    name="maskformer_publicado",
    title="MaskFormer publicado, en nuestra clase: precisión media de las máscaras en val2017",
    sources=(COCO_SOURCE, *map(official_source, MODELS)),
    settings=Published(MODELS),
    rehearsal=Published(MODELS, short=96, longest=128),
    measure=measure,
    gpu_gigabytes=4,
    hours=0.5,
    trains=False,
)
