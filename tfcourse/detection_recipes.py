"""Recetas para entrenar un detector de conjuntos, de DETR a las anclas, a igual tiempo.

Cada paso de la escalera añade una cosa al anterior.
"""

import time
from dataclasses import asdict, dataclass, replace
from functools import partial

import torch
from torch import nn

from tfcourse.datasets.scenes import (
    DIGIT_SCENES,
    SHAPE_SCENES,
    SceneConfig,
    reserved_scenes,
    scene_batches,
)
from tfcourse.detection_losses import ANCHORED_LOSS, DETR_LOSS, SetLoss
from tfcourse.detection_metrics import Found, average_precision, detect
from tfcourse.models.anchored_detr import AnchoredConfig, AnchoredDETR
from tfcourse.models.detr import DETR, VARIANTS, DETRConfig
from tfcourse.muon import Muon, split_parameters
from tfcourse.shipped import WeightsCard, load_weights
from tfcourse.timed import train_either
from tfcourse.training import History, seed_everything

BATCH_SIZE, BETAS, N_TEST = 16, (0.9, 0.98), 300
TIERS = {"figuras": SHAPE_SCENES, "cifras": DIGIT_SCENES}


@dataclass(frozen=True)
class DetectionRecipe:
    """Un paso de la escalera: qué lleva el modelo, con qué pérdida y a qué ritmo.

    Sin `anchored` es DETR, y las dos mejoras que dependen de las anclas no se pueden pedir.
    Errores: `ValueError` si se piden.
    """

    auxiliary: bool = True
    anchored: bool = True
    gaussian: bool = True
    two_stage: bool = True
    muon_lr: float = 0.02
    adam_lr: float = 2e-3

    def __post_init__(self):
        if not self.anchored and (self.gaussian or self.two_stage):
            raise ValueError(
                "la atención gaussiana y las dos etapas necesitan anclas: pon anchored=True"
            )

    def build(self, n_classes: int, **sizes) -> tuple[nn.Module, SetLoss]:
        """El modelo, con pesos al azar, y su pérdida; sin decir tamaños, los de «mini»."""
        sizes = VARIANTS["mini"] | sizes
        if not self.anchored:
            model = DETR(DETRConfig(n_classes, **sizes))
            return model, replace(DETR_LOSS, auxiliary=self.auxiliary)
        options = {"gaussian": self.gaussian, "two_stage": self.two_stage}
        model = AnchoredDETR(AnchoredConfig(n_classes, **options, **sizes))
        return model, replace(ANCHORED_LOSS, auxiliary=self.auxiliary)


_PLAIN = {"anchored": False, "gaussian": False, "two_stage": False}
LADDER = {
    "DETR": DetectionRecipe(auxiliary=False, **_PLAIN),
    "+ auxiliares": DetectionRecipe(**_PLAIN),
    "+ anclas": DetectionRecipe(gaussian=False, two_stage=False),
    "+ gaussiana": DetectionRecipe(two_stage=False),
    "+ dos etapas": DetectionRecipe(),
}
BEST = LADDER["+ dos etapas"]


@dataclass
class Detector:
    """Un detector entrenado, con su pérdida, sus escenas y su historia."""

    model: nn.Module
    loss: SetLoss
    scenes: SceneConfig
    history: History

    def detect(self, images: torch.Tensor) -> Found:
        """Una caja, una clase y una confianza por consulta."""
        return detect(self.model, images, self.loss.scores)

    def score(self, n_scenes: int = N_TEST) -> dict[str, float]:
        """Precisión media en escenas reservadas."""
        test = reserved_scenes(n_scenes, self.scenes)
        return average_precision(self.detect(test.images), test)


def train_detector(
    recipe: DetectionRecipe,
    tier: str,
    seed: int,
    *,
    steps: int | None = None,
    cpu_seconds: float | None = None,
    batch_size: int = BATCH_SIZE,
) -> Detector:
    """Entrena un detector con una receta, unos pasos dados o unos segundos de procesador.

    Errores: `ValueError` si no se da una de las dos cosas, y solo una.
    """
    scenes = TIERS[tier]
    seed_everything(seed)
    model, loss = recipe.build(len(scenes.classes))
    optimizer = Muon(
        *split_parameters(model), lr=recipe.muon_lr, adam_lr=recipe.adam_lr, betas=BETAS
    )
    stream = scene_batches(batch_size, seed, scenes)
    history = train_either(
        model, stream, loss, optimizer=optimizer, steps=steps, cpu_seconds=cpu_seconds
    )
    return Detector(model, loss, scenes, history)


# Los pesos que vienen con el curso: qué peldaño, en qué nivel. Los tres con el mismo tiempo.
SHIPPED = {
    "detr_figuras": ("+ auxiliares", "figuras"),
    "anclas_figuras": ("+ dos etapas", "figuras"),
    "detr_cifras": ("+ dos etapas", "cifras"),
}
SHIPPED_SECONDS, SHIPPED_TEST = 150.0, 1_000


def train_shipped(name: str) -> tuple[nn.Module, WeightsCard]:
    """Entrena unos pesos de los que vienen con el curso; su medida, junto a la de no saber nada."""
    step, tier = SHIPPED[name]
    started = time.process_time()
    trained = train_detector(LADDER[step], tier, 0, cpu_seconds=SHIPPED_SECONDS)
    spent = time.process_time() - started
    measured, blind = trained.score(SHIPPED_TEST), untrained_score(tier, SHIPPED_TEST)
    recipe = {"steps": len(trained.history.loss), "batch_size": BATCH_SIZE}
    card = WeightsCard(
        config=asdict(trained.model.config),
        recipe={"step": step, "tier": tier} | asdict(LADDER[step]) | recipe,
        seed=0,
        cpu_seconds=round(spent, 1),
        quality={name: round(measured[name], 4) for name in ("AP", "AP50")}
        | {"AP sin entrenar": round(blind["AP"], 4)},
        data=_SOURCES[tier],
    )
    return trained.model, card


_SOURCES = {
    "figuras": "escenas generadas con formas de color",
    "cifras": "escenas generadas con los dígitos de scikit-learn (CC BY 4.0)",
}
# El registro de pesos pide funciones sin argumentos.
train_plain_shapes, train_anchored_shapes, train_digits = (
    partial(train_shipped, name) for name in SHIPPED
)


def load_shipped(name: str) -> Detector:
    """Un detector de los que vienen con el curso. Errores: `ValueError` si no es ninguno."""
    if name not in SHIPPED:
        raise ValueError(f"no hay ningún detector «{name}»: usa {', '.join(SHIPPED)}")
    step, tier = SHIPPED[name]
    model, loss = LADDER[step].build(len(TIERS[tier].classes))
    load_weights(name, model.eval())
    return Detector(model, loss, TIERS[tier], History())


def untrained_score(tier: str, n_scenes: int = N_TEST) -> dict[str, float]:
    """El punto de comparación: la misma red antes de aprender nada."""
    scenes = TIERS[tier]
    seed_everything(0)
    model, loss = BEST.build(len(scenes.classes))
    return Detector(model.eval(), loss, scenes, History()).score(n_scenes)


def blind_score(config: SceneConfig = SHAPE_SCENES, n_scenes: int = N_TEST) -> dict[str, float]:
    """Precisión de quien no mira: contesta con las anotaciones de otra escena."""
    test = reserved_scenes(n_scenes, config)
    found = Found(test.boxes.roll(1, 0), test.classes.roll(1, 0), test.present.roll(1, 0).float())
    return average_precision(found, test)
