"""Cargar un modelo publicado en la clase del curso que lo enseña."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

import torch
from torch import nn

from tfcourse.official import (
    bert,
    clip,
    detr,
    gpt,
    maskformer,
    modern,
    modernbert,
    sepformer,
    siglip,
    swin,
    t5,
    vit,
    vit_encoders,
    vitpose,
    wav2vec2,
    whisper,
)
from tfcourse.official.family import Family, Settings
from tfcourse.official.sources import Published, from_folder, from_library, from_network

# Por orden: de las que tienen el mismo `model_type`, sirve la primera que cuadra.
FAMILIES: tuple[Family, ...] = (
    bert.BERT, bert.BERT_ENCODER, bert.ROBERTA, bert.ROBERTA_ENCODER,
    bert.DISTILBERT, bert.DISTILBERT_ENCODER, modernbert.MODERNBERT,
    gpt.GPT2, gpt.GPT1, modern.LLAMA, modern.LLAMA_TIED, modern.QWEN3, modern.QWEN3_TIED,
    t5.T5_FIRST, t5.T5_GATED,
    vit.VIT, vit.DEIT, vit_encoders.MAE, vit_encoders.DINOV2, vit_encoders.DINOV2_REGISTERS,
    swin.SWIN, detr.DETR_FAMILY, maskformer.MASKFORMER,
    vitpose.VITPOSE_SIMPLE, vitpose.VITPOSE, clip.CLIP, siglip.SIGLIP,
    whisper.WHISPER, wav2vec2.WAV2VEC2, wav2vec2.WAV2VEC2_ENCODER,
    wav2vec2.XLSR, wav2vec2.XLSR_ENCODER, sepformer.SEPFORMER,
)  # fmt: skip


class Loaded(NamedTuple):
    """Un modelo publicado, en nuestra clase: el modelo, su familia, su configuración y su carpeta.

    En la carpeta, si la hay, están también los archivos de su tokenizador.
    """

    model: nn.Module
    family: str
    config: Settings
    folder: Path | None


def load_official(source, *, device: torch.device | str = "cpu") -> Loaded:
    """Un modelo publicado, con sus pesos, en la clase del curso.

    `source` es una carpeta con los archivos que se publican, un modelo de transformers o el nombre
    con que está publicado, «autor/modelo», que se baja. Los pesos conservan su tipo.
    Errores: `ValueError` si es de otra arquitectura, o si faltan o sobran tensores;
    `FileNotFoundError` si falta un archivo; `ConnectionError` si no se puede bajar.
    """
    place = torch.device(device)
    published = read(source, place)
    family = family_of(published.config, published.state.keys())
    model = family.model(published.config, published.state).to(place)
    return Loaded(model, family.name, published.config, published.folder)


def read(source, device: torch.device) -> Published:
    """La configuración y los tensores, vengan de donde vengan."""
    if hasattr(source, "state_dict"):
        return from_library(source, device)
    if isinstance(source, Path) or Path(source).is_dir():
        return from_folder(Path(source), device)
    return from_network(str(source), device)


def family_of(config: Settings, names: Collection[str]) -> Family:
    """La familia de una configuración y unos tensores.

    Errores: `ValueError` si no es de ninguna, o si es una variante que nuestra clase no hace.
    """
    kind = config.get("model_type")
    same_kind = [family for family in FAMILIES if kind in family.kinds]
    if not same_kind:
        known = sorted({kind for family in FAMILIES for kind in family.kinds})
        raise ValueError(
            f"es de otra arquitectura: model_type={kind!r}. Las que caben en las clases del curso "
            f"son {', '.join(known)}"
        )
    marked = [family for family in same_kind if any(family.mark in name for name in names)]
    reasons = []
    for family in marked:
        try:
            family.check(config)
        except ValueError as error:
            reasons.append(error)
            continue
        return family
    raise reasons[0]
