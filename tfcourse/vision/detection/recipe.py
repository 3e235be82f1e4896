"""Recetas para entrenar un detector de conjuntos, de DETR a las anclas.

Cada paso de la escalera añade una cosa al anterior.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial

import torch
from torch import nn

from tfcourse.datasets.scenes.scenes import (
    DIGIT_SCENES,
    SHAPE_SCENES,
    SceneConfig,
    Scenes,
    reserved_scenes,
    scene_batches,
)
from tfcourse.models.anchored_detr import AnchoredConfig, AnchoredDETR
from tfcourse.models.detr import DETR, VARIANTS, DETRConfig
from tfcourse.training import History, seed_everything
from tfcourse.training.budget import Budget, CpuSeconds
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.detection.losses import DETR_LOSS, YES_OR_NO_LOSS, SetLoss
from tfcourse.vision.detection.metrics import Found, average_precision, detect
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights

BATCH_SIZE, N_TEST = 16, 300
TIERS = {"figuras": SHAPE_SCENES, "cifras": DIGIT_SCENES}


# Lo que se añade a DETR, en este orden, y cómo se llama en la receta y en el modelo.
ADDITIONS = {
    "auxiliares": "auxiliary",
    "anclas": "anchored",
    "corrección": "refined",
    "varifocal": "yes_or_no",
    "posiciones": "spatial",
    "separada": "separated",
    "gaussiana": "gaussian",
    "dos etapas": "two_stage",
}
_OF_ANCHORS = tuple(ADDITIONS.values())[2:]


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Un peldaño de la escalera: qué se le añade a DETR, y a qué ritmo aprende.

    `auxiliary`: responde cada capa. `anchored`: cada consulta es una caja, y su respuesta se cuenta
    desde ella. Lo demás es de las anclas, y está en `AnchoredConfig`.
    Errores: `ValueError` si se pide algo que necesita anclas sin `anchored`.
    """

    auxiliary: bool = True
    anchored: bool = True
    refined: bool = True
    yes_or_no: bool = True
    spatial: bool = True
    separated: bool = True
    gaussian: bool = True
    two_stage: bool = True
    muon_lr: float = 0.02
    adam_lr: float = 2e-3
    steps = 550
    betas = (0.9, 0.98)
    warmup = 0.1

    def __post_init__(self):
        asked = [name for name in _OF_ANCHORS if getattr(self, name)]
        if asked and not self.anchored:
            raise ValueError(f"{', '.join(asked)}: sin anclas no se puede; pon anchored=True")

    @property
    def loss(self) -> SetLoss:
        """Su pérdida."""
        base = YES_OR_NO_LOSS if self.yes_or_no else DETR_LOSS
        return replace(base, auxiliary=self.auxiliary)


def rung(n_additions: int) -> Recipe:
    """DETR con las `n_additions` primeras de `ADDITIONS`."""
    return Recipe(**{field: i < n_additions for i, field in enumerate(ADDITIONS.values())})


LADDER = {"DETR": rung(0)} | {f"+ {name}": rung(n) for n, name in enumerate(ADDITIONS, start=1)}
WITHOUT_SEPARATING = "todo menos separada"
RECIPES = LADDER | {WITHOUT_SEPARATING: replace(LADDER["+ dos etapas"], separated=False)}
BEST = RECIPES[WITHOUT_SEPARATING]  # la de los pesos que vienen con el curso


@dataclass
class Detector(Trained):
    """Un detector entrenado, con su receta, su historia y sus escenas."""

    scenes: SceneConfig

    def detect(self, images: torch.Tensor) -> Found:
        """Una caja, una clase y una confianza por consulta."""
        return detect(self.model, images, self.recipe.loss.scores)

    def score(self, n_scenes: int = N_TEST) -> dict[str, float]:
        """Precisión media en escenas reservadas."""
        test = reserved_scenes(n_scenes, self.scenes)
        return average_precision(self.detect(test.images), test)


def build(recipe: Recipe, n_classes: int, **sizes) -> nn.Module:
    """El modelo de la receta, con pesos al azar; sin decir tamaños, los de «mini»."""
    sizes = VARIANTS["mini"] | sizes
    if not recipe.anchored:
        return DETR(DETRConfig(n_classes, **sizes))
    options = {name: getattr(recipe, name) for name in _OF_ANCHORS}
    return AnchoredDETR(AnchoredConfig(n_classes, **options, **sizes))


def batches(
    recipe: Recipe, seed: int, tier: str = "figuras", batch_size: int = BATCH_SIZE
) -> Iterator[Scenes]:
    """Lotes sin fin de escenas de un nivel, las mismas con cualquier receta."""
    return scene_batches(batch_size, seed, TIERS[tier])


def train(
    recipe: Recipe,
    seed: int,
    budget: Budget | None = None,
    *,
    tier: str = "figuras",
    batch_size: int = BATCH_SIZE,
) -> Detector:
    """Entrena un detector desde cero con las escenas de un nivel."""
    scenes = TIERS[tier]
    network = partial(build, recipe, len(scenes.classes))
    stream = batches(recipe, seed, tier, batch_size)
    done = trained(network, stream, recipe.loss.with_terms, recipe, seed, budget)
    return Detector(done.model, recipe, done.history, scenes)


# Los pesos que vienen con el curso: qué receta, en qué nivel. Los tres con el mismo tiempo.
_SHIPPED = {
    "detr_figuras": ("+ auxiliares", "figuras"),
    "anclas_figuras": (WITHOUT_SEPARATING, "figuras"),
    "detr_cifras": (WITHOUT_SEPARATING, "cifras"),
}
WEIGHTS_SECONDS, WEIGHTS_SCENES = 150.0, 1_000
_SOURCES = {
    "figuras": "escenas generadas con formas de color",
    "cifras": "escenas generadas con los dígitos de scikit-learn (CC BY 4.0)",
}


def load(name: str) -> Detector:
    """Un detector de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    step, tier = _SHIPPED[name]
    model = build(RECIPES[step], len(TIERS[tier].classes))
    load_weights(name, model.eval())
    return Detector(model, RECIPES[step], History(), TIERS[tier])


def _shipped(step: str, tier: str) -> Shipped:
    """Cómo se hacen los pesos de un peldaño; su medida, junto a la de no saber nada."""
    recipe, source = RECIPES[step], {"step": step, "tier": tier}

    def score(model: nn.Module) -> dict[str, float]:
        found = Detector(model, recipe, History(), TIERS[tier]).score(WEIGHTS_SCENES)
        return {name: found[name] for name in ("AP", "AP50")}

    def told(done: Detector) -> dict:
        spent = {"steps": len(done.history.loss), "batch_size": BATCH_SIZE}
        return source | asdict(recipe) | spent

    return Shipped(
        train=lambda: train(recipe, 0, CpuSeconds(WEIGHTS_SECONDS), tier=tier),
        score=score,
        blind=lambda: {"AP sin entrenar": untrained_score(tier, WEIGHTS_SCENES)["AP"]},
        data=_SOURCES[tier],
        recipe=told,
    )


WEIGHTS = {name: _shipped(step, tier) for name, (step, tier) in _SHIPPED.items()}


def untrained_score(tier: str, n_scenes: int = N_TEST) -> dict[str, float]:
    """El punto de comparación: la misma red antes de aprender nada."""
    scenes = TIERS[tier]
    seed_everything(0)
    model = build(BEST, len(scenes.classes))
    return Detector(model.eval(), BEST, History(), scenes).score(n_scenes)


def blind_score(config: SceneConfig = SHAPE_SCENES, n_scenes: int = N_TEST) -> dict[str, float]:
    """Precisión de quien no mira: contesta con las anotaciones de otra escena."""
    test = reserved_scenes(n_scenes, config)
    found = Found(test.boxes.roll(1, 0), test.classes.roll(1, 0), test.present.roll(1, 0).float())
    return average_precision(found, test)
