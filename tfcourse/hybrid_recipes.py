"""Receta del híbrido: aprender cifras nuevas con lo que una red convolucional sabe de otras."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn

from tfcourse.datasets.digits import LabelledImages, few_per_class, split_digits
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.hybrid import Hybrid
from tfcourse.models.vit import VARIANTS, ViT, ViTConfig
from tfcourse.training import seed_everything
from tfcourse.vision_recipes import ImageRecipe, image_accuracy, train_classifier

OLD, NEW = (0, 1, 2, 3, 4), (5, 6, 7, 8, 9)
BACKBONE = {"widths": (16, 32)}  # una casilla por cada 2 × 2 píxeles, como los parches del ViT
PRETRAINING, ADAPTATION = ImageRecipe(steps=100), ImageRecipe(steps=120)
NAME, PER_CLASS = "hibridos", 10
LEARNERS = (
    "ViT desde cero",
    "media y capa lineal",
    "híbrido congelado",
    "híbrido ajustado",
    "híbrido desde cero",
)


def only(examples: LabelledImages, classes: tuple[int, ...]) -> LabelledImages:
    """Las imágenes de esas clases, numeradas de nuevo desde 0."""
    wanted = torch.tensor(classes)
    rows = torch.isin(examples.labels, wanted).nonzero().flatten()
    return LabelledImages(examples.images[rows], torch.searchsorted(wanted, examples.labels[rows]))


class PooledFeatures(nn.Module):
    """Una capa lineal sobre la media del mapa de una red congelada: lo más barato que se puede."""

    def __init__(self, backbone: SmallCnn, n_classes: int):
        super().__init__()
        self.backbone = backbone.requires_grad_(False)
        self.head = nn.Linear(backbone.config.widths[-1], n_classes)

    def forward(self, images: Tensor) -> Tensor:
        """Logits de cada clase."""
        self.backbone.eval()
        return self.head(self.backbone.features(images).mean(dim=(-2, -1)))


def learner(name: str, backbone: SmallCnn) -> nn.Module:
    """La red de ese nombre, sin entrenar. Errores: `ValueError` si el nombre no se conoce."""
    if name not in LEARNERS:
        raise ValueError(f"no hay ninguna red {name!r}: usa {', '.join(LEARNERS)}")
    config = ViTConfig(len(NEW))
    if name == "ViT desde cero":
        return ViT(config)
    if name == "media y capa lineal":
        return PooledFeatures(backbone, len(NEW))
    if name == "híbrido desde cero":
        backbone = SmallCnn(CnnConfig(len(NEW), **BACKBONE))
    return Hybrid(config, backbone, frozen=name == "híbrido congelado")


@dataclass(frozen=True)
class Transfer:
    """Lo que da `transfer`: la red que ya sabía, lo que acierta con lo suyo y cada aprendiz."""

    backbone: SmallCnn
    old_accuracy: float
    accuracy: dict[str, float]


def transfer(seed: int, per_class: int = PER_CLASS, names: tuple[str, ...] = LEARNERS) -> Transfer:
    """Una CNN aprende las cifras del 0 al 4; después, cada aprendiz ve unas pocas del 5 al 9."""
    train, test = split_digits()
    seed_everything(seed)
    backbone = SmallCnn(CnnConfig(len(OLD), **BACKBONE))
    train_classifier(backbone, only(train, OLD), PRETRAINING, seed)
    known = image_accuracy(backbone, only(test, OLD))
    few, accuracy = few_per_class(only(train, NEW), per_class, seed), {}
    for name in names:
        seed_everything(seed)
        model = learner(name, deepcopy(backbone.cpu()))
        train_classifier(model, few, ADAPTATION, seed)
        accuracy[name] = image_accuracy(model, only(test, NEW))
    return Transfer(backbone, known, accuracy)


def settings() -> dict:
    """La receta de la comparación."""
    return {
        "old_new_per_class": [OLD, NEW, PER_CLASS],
        "backbone": BACKBONE,
        "pretraining": asdict(PRETRAINING),
        "adaptation": asdict(ADAPTATION),
        "vit": VARIANTS["aula"],
        "learners": list(LEARNERS),
    }


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por aprendiz y semilla."""
    for seed in seeds:
        found = transfer(seed)
        for name, accuracy in found.accuracy.items():
            yield {"seed": seed, "learner": name, "accuracy": accuracy}
