"""Recetas para entrenar los segmentadores, del píxel a la máscara, a igual tiempo."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

import torch
from torch import nn

from tfcourse.datasets.scenes.scenes import (
    CROWDED_SCENES,
    SHAPE_SCENES,
    SceneConfig,
    Scenes,
    reserved_scenes,
)
from tfcourse.datasets.scenes.segments import (
    SegmentedImages,
    panoptic_map,
    segment_batches,
    touches_its_kind,
)
from tfcourse.models.segmentation import VARIANTS, Mask2Former, MaskFormer, MaskFormerConfig
from tfcourse.models.setr import SETR, SETRConfig
from tfcourse.training import History
from tfcourse.training.budget import Budget, CpuSeconds
from tfcourse.training.recipe import MuonRecipe, Trained, trained
from tfcourse.vision.segmentation.decoding import (
    Instances,
    as_instances,
    connected_parts,
    enlarge,
    instance_answer,
    panoptic_answer,
    semantic_answer,
)
from tfcourse.vision.segmentation.losses import MaskLoss, pixel_loss
from tfcourse.vision.segmentation.metrics import (
    found_objects,
    mask_average_precision,
    mean_iou,
    panoptic_quality,
)
from tfcourse.weights.shipped import Shipped, check_shipped, load_weights

N_TEST = 200
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


@dataclass(frozen=True)
class Recipe(MuonRecipe):
    """Qué segmentador, con qué escenas y a qué ritmo; los pasos son los de un entrenamiento corto.

    Errores: `ValueError` si no hay ninguno con ese nombre.
    """

    model: str = "+ sembradas"
    tier: str = "apretadas"
    steps: int = 300
    batch_size: int = 16
    muon_lr: float = 0.02
    adam_lr: float = 2e-3
    betas = (0.9, 0.98)
    warmup = 0.1

    def __post_init__(self):
        if self.model not in MODELS:
            raise ValueError(f"no hay ningún segmentador «{self.model}»: usa {', '.join(MODELS)}")

    @property
    def scenes(self) -> SceneConfig:
        """Las escenas con las que se entrena."""
        return TIERS[self.tier]

    @property
    def n_classes(self) -> int:
        """Cuántas clases hay, con el fondo."""
        return len(self.scenes.classes) + 1

    @property
    def loss(self) -> Callable:
        """Su pérdida, con sus términos si los tiene."""
        return pixel_loss if self.model == "SETR" else MaskLoss().with_terms


@dataclass
class Answers:
    """Las tres respuestas de un segmentador a un lote."""

    semantic: torch.Tensor
    instances: Instances
    panoptic: torch.Tensor


@dataclass
class Segmenter(Trained):
    """Un segmentador entrenado, con su receta y su historia."""

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

    def score(self, n_scenes: int = N_TEST, scenes: SceneConfig | None = None) -> dict[str, float]:
        """Las tres medidas en escenas reservadas: sin decir cuáles, de las de su receta."""
        test = reserved_scenes(n_scenes, scenes or self.recipe.scenes)
        answers = self.answer(test.images)
        return measures(answers, test, self.recipe.n_classes)


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


def build(recipe: Recipe, n_classes: int | None = None, **sizes) -> nn.Module:
    """El modelo de una receta, con pesos al azar; sin decir tamaños, los de «mini».

    Sin `n_classes`, que cuentan el fondo, las de las escenas de la receta.
    """
    n_classes = n_classes or recipe.n_classes
    if recipe.model == "SETR":
        return SETR(SETRConfig(n_classes, **sizes))
    pieces = PIECES.get(recipe.model, _PLAIN)
    config = MaskFormerConfig(n_classes, **VARIANTS["mini"] | sizes | pieces)
    return (MaskFormer if recipe.model == "MaskFormer" else Mask2Former)(config)


def batches(recipe: Recipe, seed: int) -> Iterator[SegmentedImages]:
    """Lotes sin fin de las escenas de la receta, con el fondo entre sus segmentos."""
    return segment_batches(recipe.batch_size, seed, recipe.scenes)


def train(recipe: Recipe, seed: int, budget: Budget | None = None) -> Segmenter:
    """Entrena un segmentador; sin `budget`, los pasos de la receta."""
    # Con los canales seguidos en memoria, las convoluciones hacen lo mismo en menos tiempo.
    done = trained(
        lambda: build(recipe).to(memory_format=torch.channels_last),
        batches(recipe, seed), recipe.loss, recipe, seed, budget,
    )  # fmt: skip
    return Segmenter(done.model, recipe, done.history)


def blind_score(tier: str, n_scenes: int = N_TEST) -> dict[str, float]:
    """El listón: contestar a cada escena con las anotaciones de otra."""
    scenes = TIERS[tier]
    test = reserved_scenes(n_scenes, scenes)
    other = Scenes(*(part.roll(1, 0) for part in test))
    instances = Instances(other.masks, other.classes + 1, other.present.float())
    answers = Answers(other.semantic, instances, panoptic_map(other))
    return measures(answers, test, len(scenes.classes) + 1)


# Los pesos que vienen con el curso: los tres modelos, con el mismo tiempo y las mismas escenas.
RECIPES = {
    "setr": Recipe("SETR"),
    "maskformer": Recipe("MaskFormer"),
    "mask2former": Recipe("+ sembradas"),
}
SHIPPED_SECONDS, SHIPPED_TEST = 110.0, 500


def _shipped(recipe: Recipe) -> Shipped:
    return Shipped(
        train=partial(train, recipe, 0, CpuSeconds(SHIPPED_SECONDS)),
        score=lambda model: Segmenter(model, recipe, History()).score(SHIPPED_TEST),
        blind=partial(_without_looking, recipe),
        data="escenas generadas con formas de color que se pisan",
        recipe=lambda done: asdict(recipe) | {"steps": len(done.history.loss)},
    )


def _without_looking(recipe: Recipe) -> dict[str, float]:
    blind = blind_score(recipe.tier, SHIPPED_TEST)
    return {f"{key} sin mirar": blind[key] for key in ("mIoU", "PQ")}


WEIGHTS = {name: _shipped(recipe) for name, recipe in RECIPES.items()}


def load(name: str) -> Segmenter:
    """Un segmentador de los que vienen con el curso. Errores: los de `check_shipped`."""
    check_shipped(name, WEIGHTS)
    model = build(RECIPES[name]).eval()
    load_weights(name, model)
    return Segmenter(model, RECIPES[name], History())
