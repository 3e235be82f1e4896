"""Recetas para entrenar los segmentadores, del píxel a la máscara, a igual tiempo."""

import time
from dataclasses import asdict, dataclass, field
from functools import partial

import torch
from torch import nn

from tfcourse.datasets.scenes import (
    CROWDED_SCENES,
    SHAPE_SCENES,
    SceneConfig,
    Scenes,
    reserved_scenes,
)
from tfcourse.datasets.segments import panoptic_map, segment_batches, touches_its_kind
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
from tfcourse.models.segmentation import VARIANTS, Mask2Former, MaskFormer, MaskFormerConfig
from tfcourse.models.setr import SETR, SETRConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.segmentation_metrics import (
    found_objects,
    mask_average_precision,
    mean_iou,
    panoptic_quality,
)
from tfcourse.shipped import WeightsCard, load_weights
from tfcourse.timed import train_either
from tfcourse.training import History, seed_everything

BATCH_SIZE, BETAS, MUON_LR, ADAM_LR, N_TEST = 16, (0.9, 0.98), 0.02, 2e-3, 200
TIERS = {"figuras": SHAPE_SCENES, "apretadas": CROWDED_SCENES}
# Mask2Former con y sin cada una de sus dos piezas; el paso por turnos lo llevan los cuatro.
_PLAIN = {"masked": False, "seeded": False}
PIECES = {
    "por turnos": _PLAIN,
    "+ enmascarada": _PLAIN | {"masked": True},
    "+ sembradas": {"masked": True, "seeded": True},
    "sembradas, sin máscara": _PLAIN | {"seeded": True},
}
MODELS = ("SETR", "MaskFormer", *PIECES)


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


def measures(answers: Answers, test: Scenes, n_classes: int) -> dict[str, float]:
    """mIoU, PQ con sus dos factores, precisión media de las máscaras y objetos separados.

    «juntos» es la parte encontrada de los objetos que tocan a otro de su clase; «sueltos», la de
    los demás.
    """
    quality = panoptic_quality(answers.panoptic, panoptic_map(test), n_classes)
    precision = mask_average_precision(answers.instances, test)
    found, close = found_objects(answers.panoptic, test), touches_its_kind(test)
    apart = test.present & ~close
    shares = {"juntos": float(found[close].float().mean()),
              "sueltos": float(found[apart].float().mean())}  # fmt: skip
    semantic = {"mIoU": mean_iou(answers.semantic, test.semantic, n_classes)}
    return semantic | quality | precision | shares


def build(name: str, n_classes: int, **sizes) -> nn.Module:
    """Un modelo con pesos al azar; sin decir tamaños, los de «mini». `n_classes`, con el fondo.

    Errores: `ValueError` si no hay ninguno con ese nombre.
    """
    if name not in MODELS:
        raise ValueError(f"no hay ningún segmentador «{name}»: usa {', '.join(MODELS)}")
    if name == "SETR":
        return SETR(SETRConfig(n_classes, **sizes))
    config = MaskFormerConfig(n_classes, **VARIANTS["mini"] | sizes | PIECES.get(name, _PLAIN))
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
    # Con los canales seguidos en memoria, las convoluciones hacen lo mismo en menos tiempo.
    model = build(name, len(scenes.classes) + 1).to(memory_format=torch.channels_last)
    loss = pixel_loss if name == "SETR" else MaskLoss()
    optimizer = Muon(*split_parameters(model), lr=MUON_LR, adam_lr=ADAM_LR, betas=BETAS)
    stream = segment_batches(batch_size, seed, scenes)
    history = train_either(
        model, stream, loss, optimizer=optimizer, steps=steps, cpu_seconds=cpu_seconds
    )
    return Segmenter(model, scenes, history)


# Los pesos que vienen con el curso: los tres modelos, con el mismo tiempo y las mismas escenas.
SHIPPED = {
    "setr": ("SETR", "apretadas"),
    "maskformer": ("MaskFormer", "apretadas"),
    "mask2former": ("+ sembradas", "apretadas"),
}
SHIPPED_SECONDS, SHIPPED_TEST = 110.0, 500


def train_shipped(name: str) -> tuple[nn.Module, WeightsCard]:
    """Entrena unos pesos de los que vienen con el curso; su medida, junto a la de no saber nada."""
    model, tier = SHIPPED[name]
    started = time.process_time()
    trained = train_segmenter(model, tier, 0, cpu_seconds=SHIPPED_SECONDS)
    spent = time.process_time() - started
    measured, blind = trained.score(SHIPPED_TEST), blind_score(tier, SHIPPED_TEST)
    card = WeightsCard(
        config=asdict(trained.model.config),
        recipe={"model": model, "tier": tier, "steps": len(trained.history.loss)}
        | {"batch_size": BATCH_SIZE, "muon_lr": MUON_LR, "adam_lr": ADAM_LR},
        seed=0,
        cpu_seconds=round(spent, 1),
        quality={key: round(value, 4) for key, value in measured.items()}
        | {f"{key} sin mirar": round(blind[key], 4) for key in ("mIoU", "PQ")},
        data="escenas generadas con formas de color que se pisan",
    )
    return trained.model, card


# El registro de pesos pide funciones sin argumentos.
train_setr, train_maskformer, train_mask2former = (partial(train_shipped, name) for name in SHIPPED)


def load_shipped(name: str) -> Segmenter:
    """Un segmentador de los que vienen con el curso. Errores: `ValueError` si no es ninguno."""
    if name not in SHIPPED:
        raise ValueError(f"no hay ningún segmentador «{name}»: usa {', '.join(SHIPPED)}")
    kind, tier = SHIPPED[name]
    model = build(kind, len(TIERS[tier].classes) + 1).eval()
    load_weights(name, model)
    return Segmenter(model, TIERS[tier])


def blind_score(tier: str, n_scenes: int = N_TEST) -> dict[str, float]:
    """El listón: contestar a cada escena con las anotaciones de otra."""
    scenes = TIERS[tier]
    test = reserved_scenes(n_scenes, scenes)
    other = Scenes(*(part.roll(1, 0) for part in test))
    instances = Instances(other.masks, other.classes + 1, other.present.float())
    answers = Answers(other.semantic, instances, panoptic_map(other))
    return measures(answers, test, len(scenes.classes) + 1)
