"""Escenas: imágenes pequeñas con varios objetos, sus cajas, sus clases y sus máscaras.

Se hacen sobre la marcha, un lote entero a la vez. Hay dos niveles: «figuras», formas de color casi
lisas que se reparten el sitio, y «cifras», dígitos escritos a mano con ruido, fondo desigual y
solape.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from tfcourse.datasets.scenes.scene_objects import (
    SHAPES,
    digit_masks,
    random_backgrounds,
    random_colors,
    shape_masks,
)

CLASSES = {"figuras": SHAPES, "cifras": tuple("0123456789")}
# Área de la caja en píxeles: por debajo de 16 × 16, pequeño; desde 21 × 21, grande.
AREAS = {"pequeños": (0.0, 256.0), "medianos": (256.0, 441.0), "grandes": (441.0, 4096.0)}
TEST_SEED = 1_000_000  # las semillas de entrenar van muy por debajo


@dataclass(frozen=True)
class SceneConfig:
    """Cómo son las escenas: nivel, cuántos objetos, de qué lado (en píxeles) y cuánto se tapan.

    Para cada objeto se sortean `tries` sitios y se queda en el que menos pisa a los anteriores.
    `min_visible` es la parte de cada objeto que se tiene que ver; el que no llega no se pinta.
    Errores: `ValueError` si el nivel no existe o los números no encajan.
    """

    tier: str = "figuras"
    size: int = 64
    min_objects: int = 1
    max_objects: int = 4
    sides: tuple[float, float] = (14.0, 28.0)
    tries: int = 16
    min_visible: float = 0.9
    noise: float = 0.03

    def __post_init__(self):
        if self.tier not in CLASSES:
            raise ValueError(f"nivel desconocido: {self.tier!r}; usa {' o '.join(CLASSES)}")
        if not 0 <= self.min_objects <= self.max_objects or self.max_objects < 1:
            raise ValueError(
                f"min_objects={self.min_objects} y max_objects={self.max_objects}: el primero no "
                "puede ser negativo ni pasar del segundo, y el segundo es al menos 1"
            )
        if not 4 <= self.sides[0] <= self.sides[1] < self.size:
            raise ValueError(
                f"sides={self.sides}: los lados van de 4 píxeles a menos que la imagen, "
                f"{self.size}, el menor delante"
            )
        if self.tries < 1:
            raise ValueError(f"tries={self.tries}: hace falta al menos un sitio para cada objeto")

    @property
    def classes(self) -> tuple[str, ...]:
        """Los nombres de las clases, por su número."""
        return CLASSES[self.tier]


SHAPE_SCENES = SceneConfig()
DIGIT_SCENES = SceneConfig("cifras", sides=(16.0, 28.0), tries=1, min_visible=0.5, noise=0.08)
# Las figuras donde caigan: se pisan, y a menudo con otras de su misma clase.
CROWDED_SCENES = SceneConfig(min_objects=3, max_objects=5, tries=1, min_visible=0.4)


class Scenes(NamedTuple):
    """Un lote de B escenas, con sitio para M objetos en cada una.

    De los M, solo los `counts` primeros existen; el resto es relleno: caja de ceros, clase 0 y
    máscara vacía. `semantic` vale 0 en el fondo y clase + 1 en cada objeto.
    """

    images: Float[Tensor, "B 3 S S"]  # entre 0 y 1
    boxes: Float[Tensor, "B M 4"]  # centro, ancho y alto, en partes de la imagen
    classes: Int[Tensor, "B M"]
    counts: Int[Tensor, "B"]
    masks: Bool[Tensor, "B M S S"]  # solo lo que se ve de cada objeto
    semantic: Int[Tensor, "B S S"]

    @property
    def present(self) -> Bool[Tensor, "B M"]:
        """Qué sitios tienen un objeto."""
        return torch.arange(self.boxes.shape[1]) < self.counts[:, None]


def make_scenes(
    batch_size: int,
    generator: torch.Generator,
    config: SceneConfig = SHAPE_SCENES,
    *,
    reserved: bool = False,
) -> Scenes:
    """Un lote de escenas: todas a la vez, sin un solo bucle por imagen.

    Con `reserved`, las cifras salen de la parte de los dígitos que no se usa para entrenar.
    Los objetos van del de delante al de detrás. Errores: `ValueError` si el lote está vacío.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size={batch_size}: hace falta al menos una escena")
    many = (batch_size, config.max_objects)
    classes = torch.randint(len(config.classes), many, generator=generator)
    alphas = _object_masks(classes, generator, config, reserved)
    visible, kept = _occlude(alphas > 0.5, _how_many(many, generator, config), config.min_visible)
    colors = random_colors(many, generator)
    images = random_backgrounds(batch_size, config.size, generator, uneven=config.tier == "cifras")
    # Un punto solo lo pinta el objeto que se ve en él; el borde se mezcla con el fondo.
    alphas = alphas * visible
    images = images * (1 - alphas.sum(1, keepdim=True)) + torch.einsum(
        "bmyx, bmc -> bcyx", alphas, colors
    )
    images += config.noise * torch.randn(images.shape, generator=generator)
    order = (~kept).int().argsort(dim=1, stable=True)  # los que existen, delante
    return _labelled(
        images.clamp(0, 1),
        classes.gather(1, order),
        visible[torch.arange(batch_size)[:, None], order],
    )


def scene_batches(
    batch_size: int, seed: int, config: SceneConfig = SHAPE_SCENES
) -> Iterator[Scenes]:
    """Lotes de entrenamiento sin fin, con su propia semilla: ninguna escena se repite."""
    generator = torch.Generator().manual_seed(seed)
    while True:
        yield make_scenes(batch_size, generator, config)


def reserved_scenes(n_scenes: int, config: SceneConfig = SHAPE_SCENES) -> Scenes:
    """Las escenas de evaluar, siempre las mismas: con otra semilla y con otras cifras."""
    generator = torch.Generator().manual_seed(TEST_SEED)
    return make_scenes(n_scenes, generator, config, reserved=True)


def boxes_from_masks(masks: Bool[Tensor, "*B S S"]) -> Float[Tensor, "*B 4"]:
    """La caja más pequeña que contiene cada máscara, (cx, cy, w, h) en partes de la imagen.

    Una máscara vacía da una caja de ceros.
    """
    size = masks.shape[-1]
    edges = []
    for axis in (-2, -1):  # al juntar las filas quedan las columnas, y al revés
        line = masks.any(dim=axis).float()
        first, last = line.argmax(-1), size - line.flip(-1).argmax(-1)
        edges.append((first, last))
    (left, right), (top, bottom) = edges
    boxes = torch.stack([left + right, top + bottom, 2 * (right - left), 2 * (bottom - top)], -1)
    return (boxes / (2 * size)) * masks.any(dim=(-2, -1))[..., None]


def spread(
    sides: Float[Tensor, "B M 2"], corners: Float[Tensor, "B M K 2"]
) -> Float[Tensor, "B M 2"]:
    """De los K sitios sorteados para cada objeto, el que menos pisa a los objetos anteriores.

    Sitios y lados, en píxeles; un sitio es la esquina de arriba a la izquierda.
    """
    chosen = corners[:, :1, 0]
    for m in range(1, corners.shape[1]):
        first = corners[:, m, :, None]
        low = torch.maximum(first, chosen[:, None])
        high = torch.minimum(first + sides[:, m, None, None], (chosen + sides[:, :m])[:, None])
        overlap = (high - low).clamp(min=0).prod(-1).sum(-1)
        best = overlap.argmin(1)[:, None, None].expand(-1, 1, 2)
        chosen = torch.cat([chosen, corners[:, m].gather(1, best)], dim=1)
    return chosen


def _how_many(many: tuple[int, int], generator, config: SceneConfig) -> Bool[Tensor, "B M"]:
    """Cuántos objetos se intentan poner en cada escena, como una fila de sitios."""
    low, high = config.min_objects, config.max_objects
    wanted = torch.randint(low, high + 1, many[:1], generator=generator)
    return torch.arange(many[1]) < wanted[:, None]


def _object_masks(classes, generator, config: SceneConfig, reserved: bool):
    """La forma de cada objeto, entre 0 y 1, en un sitio al azar de la imagen y entera."""
    low, high = config.sides
    sides = low + (high - low) * torch.rand(*classes.shape, 1, generator=generator)
    stretch = 0.8 + 0.4 * torch.rand(*classes.shape, 2, generator=generator)
    sides = (sides * stretch).clamp(low, high)
    drawn = torch.rand(*classes.shape, config.tries, 2, generator=generator)
    centers = spread(sides, (config.size - sides)[..., None, :] * drawn) + sides / 2
    if config.tier == "figuras":
        return shape_masks(classes, centers, sides, config.size)
    return digit_masks(classes, centers, sides, config.size, generator, reserved=reserved)


def _occlude(masks, wanted, min_visible: float):
    """Lo que se ve de cada objeto, del de delante al de detrás, y cuáles se quedan."""
    taken = torch.zeros_like(masks[:, 0])
    visible, kept = torch.zeros_like(masks), wanted.clone()
    for m in range(masks.shape[1]):
        seen = masks[:, m] & ~taken
        enough = seen.sum((1, 2)) >= min_visible * masks[:, m].sum((1, 2))
        kept[:, m] &= enough
        visible[:, m] = seen & kept[:, m, None, None]
        taken |= visible[:, m]
    return visible, kept


def _labelled(images, classes, masks) -> Scenes:
    """Las anotaciones que salen de las máscaras: cajas, cuentas y mapa de clases."""
    present = masks.any(dim=(-2, -1))
    classes = classes * present
    semantic = (masks * (classes + 1)[..., None, None]).sum(dim=1)
    return Scenes(images, boxes_from_masks(masks), classes, present.sum(1), masks, semantic)
