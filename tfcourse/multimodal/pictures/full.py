"""A escala real: un CLIP con las fotos de COCO y sus frases, con dos torres de imagen distintas."""

from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping import Float
from torch import Tensor, nn

from tfcourse.datasets.folders.captioned_photos import (
    COCO_CAPTIONS_SOURCE,
    MAX_LENGTH,
    CaptionedPhotos,
)
from tfcourse.datasets.folders.loading import EndlessLoader
from tfcourse.losses.contrastive import symmetric_loss
from tfcourse.metrics.multiplications import n_parameters
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.models.clip import Clip
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.multimodal.pictures.clip import Recipe
from tfcourse.multimodal.pictures.photo_search import caption_table, chance, recalls
from tfcourse.multimodal.pictures.published import RUN as PUBLISHED
from tfcourse.stored.full import FullRun
from tfcourse.training.checkpoints import Checkpoint
from tfcourse.training.loop import default_device
from tfcourse.training.recipe import trained

TOWERS = {"convolucional": (SmallCnn, CnnConfig), "ViT": (ViT, ViTConfig)}


@dataclass(frozen=True)
class Full:
    """Pasos, lote, cada cuánto se guarda, lado de las fotos, vocabulario y tamaños de las torres.

    Las dos empiezan de cero. Las recetas solo cambian en la torre de imagen.
    """

    steps: int = 20_000
    batch_size: int = 256
    save_every: int = 1_000
    side: int = 112
    n_tokens: int = 8_192
    d_shared: int = 256
    n_found: tuple = (1, 5, 10)
    text: dict = field(
        default_factory=lambda: {"d_model": 256, "n_heads": 8, "n_layers": 4, "d_hidden": 1_024}
    )
    towers: dict = field(
        default_factory=lambda: {
            "convolucional": {"widths": (64, 128, 256, 512)},
            "ViT": {
                "image_size": 112, "patch_size": 16, "d_model": 384, "n_heads": 6, "n_layers": 8,
                "d_hidden": 1_536,
            },
        }
    )  # fmt: skip


REHEARSAL = Full(
    steps=3, batch_size=4, save_every=1, side=16, n_tokens=60, d_shared=8, n_found=(1, 2),
    text={"d_model": 8, "n_heads": 2, "n_layers": 1, "d_hidden": 8},
    towers={
        "convolucional": {"widths": (4, 8)},
        "ViT": {
            "image_size": 16, "patch_size": 8, "d_model": 8, "n_heads": 2, "n_layers": 1,
            "d_hidden": 8,
        },
    },
)  # fmt: skip


def measure(settings: Full, folder: Path) -> list[dict]:
    """R@1, R@5 y R@10 en los dos sentidos, con las fotos de `val2017` y todas sus frases."""
    known = CaptionedPhotos("train", settings.side, vary=True)
    tokenizer = known.tokenizer(settings.n_tokens)
    known.encoded(tokenizer)
    test = CaptionedPhotos("val", settings.side).encoded(tokenizer)
    rows = [chance(test, settings.n_found)]
    for name in settings.towers:
        recipe = Recipe(settings.steps, settings.batch_size, d_shared=settings.d_shared)
        point = Checkpoint(folder / f"{name}.safetensors", settings.save_every)
        stream = EndlessLoader(known, settings.batch_size, seed=0)
        model = trained(
            lambda name=name: build(name, settings, len(tokenizer)), stream, photo_loss,
            recipe, 0, checkpoint=point,
        ).model.to(default_device())  # fmt: skip
        found = recalls(*caption_table(model, test), settings.n_found)
        rows.append({"torre de imagen": name, "parámetros": n_parameters(model)} | found)
    return rows


def build(name: str, settings: Full, n_tokens: int) -> Clip:
    """Un CLIP sin entrenar, con esa torre de imagen. Errores: `ValueError` si no se conoce."""
    if name not in TOWERS:
        raise ValueError(f"no hay ninguna torre {name!r}: usa {' o '.join(TOWERS)}")
    tower, config = TOWERS[name]
    image = tower(config(settings.d_shared, channels=3, **settings.towers[name]))
    text = Bert(BertConfig(n_tokens, max_length=MAX_LENGTH, pooler=False, **settings.text))
    return Clip(image, text, text.config.d_model, settings.d_shared, Recipe.dropout)


def photo_loss(model: nn.Module, batch: tuple) -> Float[Tensor, ""]:
    """La pérdida de CLIP de un lote `(fotos de 0 a 255, tokens, longitudes)`."""
    photos, tokens, lengths = batch
    return symmetric_loss(model(photos.float() / 255, tokens, lengths))


RUNS = {
    "clip_coco": FullRun(
        name="clip_coco",
        title="COCO Captions, R@k en val2017",
        sources=(COCO_CAPTIONS_SOURCE,),
        settings=Full(),
        rehearsal=REHEARSAL,
        measure=measure,
        gpu_gigabytes=14,
        hours=6,
    ),
    "clip_publicado": PUBLISHED,
}
