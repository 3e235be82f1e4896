"""El CLIP publicado, en nuestra clase: buscar entre las mismas fotos, sin entrenar nada."""

from dataclasses import dataclass
from pathlib import Path

import torch

from tfcourse.datasets.folders.captioned_photos import COCO_CAPTIONS_SOURCE, CaptionedPhotos
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.multimodal.pictures.photo_search import caption_table, chance, recalls
from tfcourse.official.pictures import published_colors
from tfcourse.official.shown import find_official, official_source
from tfcourse.stored.full import FullRun
from tfcourse.tokenizers.published_files import load_tokenizer
from tfcourse.training.loop import default_device


@dataclass(frozen=True)
class Published:
    """Qué modelos, con qué nombre se publican; el lado de sus fotos y entre cuántos se busca."""

    names: tuple[str, ...]
    side: int = 224
    n_found: tuple = (1, 5, 10)


def measure(settings: Published, folder: Path) -> list[dict]:
    """R@k en los dos sentidos con `val2017`: las fotos y las frases del experimento que entrena."""
    photos = CaptionedPhotos("val", settings.side)
    rows = [chance(photos, settings.n_found)]
    for name in settings.names:
        found = find_official(name)
        model = found.model.float().to(default_device())
        write_captions(photos, found.folder, model.text_tower.config.max_length)
        table = caption_table(model, photos, prepare=published_colors(found.folder))
        row = {"torre de imagen": name, "parámetros": n_parameters(model)}
        rows.append(row | recalls(*table, settings.n_found))
    return rows


def write_captions(photos: CaptionedPhotos, folder: Path, max_length: int) -> None:
    """Pone las frases en números, con el tokenizador publicado: la última marca es la de fin."""
    tokenizer = load_tokenizer(folder)
    photos.tokens, photos.lengths = [], []
    for texts in photos.captions:
        rows = [tokenizer.encode(text) for text in texts]
        cut = [row if len(row) <= max_length else [*row[: max_length - 1], row[-1]] for row in rows]
        lengths = torch.tensor([len(row) for row in cut])
        tokens = torch.zeros(len(cut), max_length, dtype=torch.int32)
        for place, row in enumerate(cut):
            tokens[place, : len(row)] = torch.tensor(row, dtype=torch.int32)
        photos.tokens.append(tokens)
        photos.lengths.append(lengths)


MODELS = ("openai/clip-vit-base-patch32",)
RUN = FullRun(
    name="clip_publicado",
    title="CLIP publicado, en nuestra clase: R@k en val2017, sin entrenar nada",
    sources=(COCO_CAPTIONS_SOURCE, *map(official_source, MODELS)),
    settings=Published(MODELS),
    rehearsal=Published(MODELS, side=32, n_found=(1, 2)),
    measure=measure,
    gpu_gigabytes=4,
    hours=0.1,
    trains=False,
)
