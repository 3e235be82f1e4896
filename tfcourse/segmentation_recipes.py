"""Recetas para entrenar los segmentadores, del píxel a la máscara, a igual tiempo."""

import time
from dataclasses import asdict, dataclass, field
from functools import partial

import torch
from torch import nn

from tfcourse.datasets.scenes import CROWDED_SCENES, SHAPE_SCENES, SceneConfig, reserved_scenes
from tfcourse.datasets.segments import panoptic_map, segment_batches
from tfcourse.mask_decoding import (
    Instances,
    as_instances,
    connected_parts,
    enlarge,
    instance_answer,
    panoptic_answer,
    semantic_answer,
)
from tfcourse.mask_losses import MaskLoss, pixel_loss
from tfcourse.models.detr import VARIANTS
from tfcourse.models.segmentation import Mask2Former, MaskFormer, MaskFormerConfig
from tfcourse.models.setr import SETR, SETRConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.segmentation_metrics import (
    mask_average_precision,
    mean_iou,
    panoptic_quality,
)
from tfcourse.shipped import WeightsCard, load_weights
from tfcourse.timed import train_either
from tfcourse.training import History, seed_everything

BATCH_SIZE, BETAS, MUON_LR, ADAM_LR, N_TEST = 16, (0.9, 0.98), 0.02, 2e-3, 200
TIERS = {"figuras": SHAPE_SCENES, "apretadas": CROWDED_SCENES}
# Cada peldaño de las máscaras añade una cosa al anterior.
MODELS = ("SETR", "MaskFormer", "+ enmascarada", "+ sembradas")


@dataclass
class Answers:
    """Las tres respuestas de un segmentador a un lote."""

    semantic: torch.Tensor
    instances: Instances
    panoptic: torch.Tensor


@dataclass
class Segmenter:
    """Un segmentador entrenado, con sus escenas y su historia."""

    model: nn.Module
    scenes: SceneConfig
    history: History = field(default_factory=History)

    @property
    def n_classes(self) -> int:
        """Cuántas clases hay, con el fondo."""
        return len(self.scenes.classes) + 1

    @torch.no_grad()
    def answer(self, images: torch.Tensor) -> Answers:
        """Las tres respuestas; SETR solo sabe la semántica, y las otras salen de sus manchas."""
        found = self.model(images)
        if isinstance(self.model, SETR):
            chances = found.softmax(dim=1)
            semantic = chances.argmax(dim=1)
            panoptic = connected_parts(semantic)
            return Answers(semantic, as_instances(panoptic, chances.amax(1)), panoptic)
        probabilities, masks = found[-1].logits.sigmoid(), enlarge(found[-1], images.shape[-2:])
        return Answers(
            semantic_answer(probabilities, masks),
            instance_answer(probabilities, masks),
            panoptic_answer(probabilities, masks),
        )

    def score(self, n_scenes: int = N_TEST) -> dict[str, float]:
        """Las tres medidas en escenas reservadas."""
        test = reserved_scenes(n_scenes, self.scenes)
        answers = self.answer(test.images)
        return measures(answers, test, self.n_classes)


def measures(answers: Answers, test, n_classes: int) -> dict[str, float]:
    """mIoU, PQ con sus dos factores, y precisión media de las máscaras."""
    quality = panoptic_quality(answers.panoptic, panoptic_map(test), n_classes)
    precision = mask_average_precision(answers.instances, test)
    return {"mIoU": mean_iou(answers.semantic, test.semantic, n_classes)} | quality | precision


def build(name: str, n_classes: int, **sizes) -> nn.Module:
    """Un modelo con pesos al azar; sin decir tamaños, los de «mini». `n_classes`, con el fondo.

    Errores: `ValueError` si no hay ninguno con ese nombre.
    """
    if name not in MODELS:
        raise ValueError(f"no hay ningún segmentador «{name}»: usa {', '.join(MODELS)}")
    if name == "SETR":
        return SETR(SETRConfig(n_classes, **sizes))
    config = MaskFormerConfig(
        n_classes, **VARIANTS["mini"] | sizes, masked=name != "MaskFormer",
        seeded=name == "+ sembradas",
    )  # fmt: skip
    return (MaskFormer if name == "MaskFormer" else Mask2Former)(config)


def train_segmenter(
    name: str,
    tier: str,
    seed: int,
    *,
    steps: int | None = None,
    cpu_seconds: float | None = None,
    batch_size: int = BATCH_SIZE,
) -> Segmenter:
    """Entrena un segmentador, unos pasos dados o unos segundos de procesador.

    Errores: `ValueError` si no se da una de las dos cosas, y solo una, o si el nombre no existe.
    """
    scenes = TIERS[tier]
    seed_everything(seed)
    model = build(name, len(scenes.classes) + 1)
    loss = pixel_loss if name == "SETR" else MaskLoss()
    optimizer = Muon(*split_parameters(model), lr=MUON_LR, adam_lr=ADAM_LR, betas=BETAS)
    stream = segment_batches(batch_size, seed, scenes)
    history = train_either(
        model, stream, loss, optimizer=optimizer, steps=steps, cpu_seconds=cpu_seconds
    )
    return Segmenter(model, scenes, history)
