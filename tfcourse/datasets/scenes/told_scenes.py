"""Escenas contadas: una o dos figuras de color, su descripción en español y preguntas."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from tfcourse.datasets.scenes.scene_objects import SHAPES, random_backgrounds, shape_masks

SIZE, NOISE = 32, 0.04
ROWS, COLUMNS = ("arriba", "abajo"), ("izquierda", "derecha")
COLOURS = {
    "rojo": (0.95, 0.15, 0.15),
    "verde": (0.15, 0.85, 0.25),
    "azul": (0.25, 0.4, 1.0),
    "amarillo": (0.95, 0.9, 0.15),
}
QUARTERS = tuple((row, column) for row in ROWS for column in COLUMNS)
SIDES, SHIFT = (9.0, 13.0), 2.0
PATCH = 16


@dataclass(frozen=True)
class ToldScene:
    """Una escena: su imagen y, en cada cuadrante ocupado, qué figura hay y de qué color."""

    image: Float[Tensor, "3 32 32"]
    things: tuple[tuple[int, str, str], ...]  # cuadrante, figura y color

    @property
    def caption(self) -> list[str]:
        """La descripción, en palabras: «una cruz roja y un círculo azul»."""
        names = [named(shape, colour) for _, shape, colour in self.things]
        return [word for i, name in enumerate(names) for word in (["y"] if i else []) + name]


def scene_patches(image: Float[Tensor, "3 32 32"]) -> Float[Tensor, "4 3 16 16"]:
    """Los cuatro parches de una escena, por filas."""
    cells = image.unfold(1, PATCH, PATCH).unfold(2, PATCH, PATCH)
    return cells.permute(1, 2, 0, 3, 4).flatten(0, 1)


def named(shape: str, colour: str) -> list[str]:
    """«un círculo rojo», con la concordancia que pide «cruz»."""
    if shape == "cruz":
        return ["una", shape, colour[:-1] + "a" if colour.endswith("o") else colour]
    return ["un", shape, colour]


def told_scenes(n: int, generator: torch.Generator) -> list[ToldScene]:
    """Escenas con una o dos figuras, cada una en un cuadrante: todas las imágenes a la vez.

    Errores: `ValueError` si no se pide ninguna.
    """
    if n < 1:
        raise ValueError(f"n={n}: pide al menos una escena")
    shapes = torch.randint(len(SHAPES), (n, 2), generator=generator)
    colours = torch.randint(len(COLOURS), (n, 2), generator=generator)
    quarters = torch.rand(n, 4, generator=generator).argsort(dim=1)[:, :2].sort(dim=1).values
    # Se pinta una sola figura la mitad de las veces: la primera o la segunda, igual da.
    alone = torch.rand(n, generator=generator) < 0.5
    corner = torch.stack([quarters % 2, quarters // 2], dim=-1) * (SIZE / 2) + SIZE / 4
    centers = corner + SHIFT * (2 * torch.rand(n, 2, 2, generator=generator) - 1)
    sides = SIDES[0] + (SIDES[1] - SIDES[0]) * torch.rand(n, 2, 1, generator=generator)
    masks = shape_masks(shapes, centers, sides.expand(-1, -1, 2), SIZE)
    masks[:, 1] *= ~alone[:, None, None]
    palette = torch.tensor(list(COLOURS.values()))[colours]
    paint = (palette + 0.08 * torch.randn(n, 2, 3, generator=generator)).clamp(0, 1)
    images = random_backgrounds(n, SIZE, generator, uneven=False)
    for k in range(2):
        images = torch.where(masks[:, k, None] > 0.5, paint[:, k, :, None, None], images)
    images = (images + NOISE * torch.randn(images.shape, generator=generator)).clamp(0, 1)
    names = tuple(COLOURS)
    return [
        ToldScene(
            images[i],
            tuple(
                (int(quarters[i, k]), SHAPES[shapes[i, k]], names[colours[i, k]])
                for k in range(1 if alone[i] else 2)
            ),
        )
        for i in range(n)
    ]


def questions(scene: ToldScene) -> dict[str, tuple[list[str], list[str]]]:
    """Una pregunta de cada clase sobre una escena, con su respuesta: cuántas, color y lugar.

    La del color solo se hace de una figura que no se repite.
    """
    count = ["dos"] if len(scene.things) == 2 else ["una"]
    asked = {"cuántas": (["¿", "cuántas", "figuras", "hay", "?"], count)}
    shapes = [shape for _, shape, _ in scene.things]
    for _, shape, colour in scene.things:
        if shapes.count(shape) == 1:
            article = "la" if shape == "cruz" else "el"
            asked[f"color {shape}"] = (f"¿ de qué color es {article} {shape} ?".split(), [colour])
    by_quarter = {quarter: shape for quarter, shape, _ in scene.things}
    for quarter, (row, column) in enumerate(QUARTERS):
        answer = by_quarter.get(quarter, "nada")
        asked[f"lugar {quarter}"] = (f"¿ qué hay {row} a la {column} ?".split(), [answer])
    return asked


def ask(scene: ToldScene, generator: torch.Generator) -> tuple[list[str], list[str]]:
    """Una pregunta al azar y su respuesta: primero la clase, después cuál.

    En las de lugar, la mitad de las veces se pregunta por un sitio ocupado.
    """
    asked = questions(scene)
    kinds = [
        kind for kind in ("cuántas", "color", "lugar") if any(k.startswith(kind) for k in asked)
    ]
    kind = kinds[_draw(len(kinds), generator)]
    options = [pair for key, pair in asked.items() if key.startswith(kind)]
    if kind == "lugar" and _draw(2, generator):
        options = [pair for pair in options if pair[1] != ["nada"]]
    return options[_draw(len(options), generator)]


def scene_words() -> set[str]:
    """Todas las palabras que pueden salir en una descripción, una pregunta o una respuesta."""
    every = [word for shape in SHAPES for colour in COLOURS for word in named(shape, colour)]
    fixed = "y una dos nada el la a de qué color es hay ¿ ? cuántas figuras arriba abajo"
    return {*every, *COLOURS, *fixed.split(), "izquierda", "derecha"}


def _draw(n: int, generator: torch.Generator) -> int:
    return int(torch.randint(n, (), generator=generator))
