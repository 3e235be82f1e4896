"""Los clasificadores publicados, en nuestras clases: qué ven en la foto del capítulo."""

from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor
from torchvision.transforms.v2 import InterpolationMode
from torchvision.transforms.v2 import functional as T

from tfcourse.datasets.pictures.photos import sample_photo
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.official.loading import Loaded
from tfcourse.official.pictures import published_colors
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.training.loop import default_device


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican; el lado de la foto y cuántas clases se cuentan."""

    names: tuple[str, ...]
    side: int = 384
    n_shown: int = 3


def measure(settings: Published, folder: Path) -> list[dict]:
    """Las clases de ImageNet más probables de la foto, según cada modelo; nadie la ha etiquetado.

    La última columna es lo que suman las que se enseñan.
    """
    rows = []
    for name in settings.names:
        found = find_official(name)
        best = look_at_photo(found, settings.side).topk(settings.n_shown)
        classes = [class_name(found, index) for index in best.indices.tolist()]
        row = {"modelo": name, "parámetros": n_parameters(found.model)}
        for place, (seen, share) in enumerate(zip(classes, best.values.tolist(), strict=True), 1):
            row |= {f"{place}.ª": seen, f"p({place}.ª)": share}
        rows.append(row | {"suma": float(best.values.sum())})
    return rows


@torch.no_grad()
def look_at_photo(found: Loaded, side: int) -> Float[Tensor, " K"]:
    """La probabilidad de cada clase; la foto, cuadrada, se lleva al lado que lee el modelo."""
    wanted = found.config["image_size"]
    small = T.resize(
        sample_photo(side), [wanted, wanted], interpolation=InterpolationMode.BICUBIC
    ).clamp(0, 1)
    model = found.model.float().to(default_device())
    images = published_colors(found.folder)(small[None].to(default_device()))
    return model(images)[0].softmax(dim=-1).cpu()


def class_name(found: Loaded, index: int) -> str:
    """Cómo se llama una clase; de sus nombres, el primero."""
    return found.config["id2label"][str(index)].split(",")[0]


def published_run(name: str, title: str, models: tuple[str, ...]) -> FullRun:
    """El experimento que enseña la foto del capítulo a unos clasificadores publicados."""
    return FullRun(
        name=name,
        title=title,
        sources=tuple(map(official_source, models)),
        settings=Published(models),
        rehearsal=Published(models, n_shown=2),
        measure=measure,
        gpu_gigabytes=1,
        hours=0.02,
        trains=False,
    )
