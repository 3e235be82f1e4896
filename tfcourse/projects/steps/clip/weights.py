"""Los pesos de `clip_dibujos` con los nombres del proyecto, y el paso en que se traducen."""

import re
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.weights.shipped import shipped_tensors, weights_card

NAME = "clip_dibujos"
SEGMENTS = "text_tower.embedding.segments.weight"
TEXT_NAMES = {
    "embedding.table.": "embedding.", "embedding.positions.table.": "positions.",
    "embedding.norm.": "norm.", "around_attention.norm.": "norm1.",
    "around_feed_forward.norm.": "norm2.", "feed_forward.": "", "gain": "weight",
}  # fmt: skip
PIECES = {0: "conv1", 1: "norm1", 3: "conv2", 4: "norm2"}


def rename(weights: dict[str, Tensor], flaw: str = "") -> dict[str, Tensor]:
    """De los nombres del curso a los del proyecto, y de media precisión a simple."""
    names = dict(TEXT_NAMES)
    if flaw == "cruzadas":
        first, second = "around_attention.norm.", "around_feed_forward.norm."
        names[first], names[second] = names[second], names[first]
    found = {}
    for name, value in weights.items():
        if name == SEGMENTS:
            continue
        parts = re.fullmatch(r"image_tower\.layers\.(\d+)\.(.+)", name)
        if parts:
            stage, piece = divmod(int(parts[1]), 7)
            name = f"image_tower.stages.{stage}.{PIECES.get(piece, piece)}.{parts[2]}"
        for before, after in names.items():
            name = name.replace(before, after)
        found[name] = value.float()
    if SEGMENTS in weights:
        first = weights[SEGMENTS].float()
        extra = {"sin-segmento": 0 * first[0], "segundo": first[1], "los-dos": first.sum(0)}
        found["text_tower.positions.weight"] = found["text_tower.positions.weight"] + extra.get(
            flaw, first[0]
        )
        if flaw == "en-media-precision":
            halves = weights["text_tower.embedding.positions.table.weight"] + weights[SEGMENTS][0]
            found["text_tower.positions.weight"] = halves.float()
        if flaw == "segmento-en-los-tokens":
            found["text_tower.positions.weight"] -= first[0]
            found["text_tower.embedding.weight"] += first[0]
    return found


def sizes_of(card) -> dict:
    """Los tamaños de un CLIP, de su ficha."""
    text, recipe = card.config["text"], card.recipe
    sizes = {"channels": 3, "widths": tuple(recipe["widths"]), "d_shared": recipe["d_shared"]}
    names = ("n_tokens", "max_length", "d_model", "n_heads", "d_hidden", "n_layers")
    return sizes | {name: text[name] for name in names}


@cache
def course_weights() -> tuple[dict, dict[str, Tensor]]:
    """Los tamaños y los pesos de `clip_dibujos`, con los nombres del proyecto."""
    found = rename(shipped_tensors(NAME))
    plain = {k: v for k, v in found.items() if not k.endswith("num_batches_tracked")}
    return sizes_of(weights_card(NAME)), plain


def _shapes(n_stages: int, n_layers: int, d: int) -> dict[str, tuple[int, ...]]:
    """Unos pocos pesos de cada clase, con los nombres del curso."""
    found = {"log_scale": (), "text_projection.weight": (d + 1, d), SEGMENTS: (2, d)}
    for stage in range(n_stages):
        for place in (0, 3):
            found[f"image_tower.layers.{7 * stage + place}.weight"] = (d, d, 3, 3)
            for part in ("weight", "bias", "running_mean"):
                found[f"image_tower.layers.{7 * stage + place + 1}.{part}"] = (d,)
    found |= {"image_tower.head.weight": (d + 1, d), "image_tower.head.bias": (d + 1,)}
    tower = "text_tower"
    found |= {
        f"{tower}.embedding.table.weight": (d + 4, d),
        f"{tower}.embedding.positions.table.weight": (d + 2, d),
        f"{tower}.embedding.norm.gain": (d,), f"{tower}.embedding.norm.bias": (d,),
    }  # fmt: skip
    for depth in range(n_layers):
        own = f"{tower}.blocks.{depth}"
        for part in ("around_attention.norm", "around_feed_forward.norm"):
            found |= {f"{own}.{part}.gain": (d,), f"{own}.{part}.bias": (d,)}
        for part in ("attention.q_proj", "attention.out_proj", "feed_forward.hidden"):
            found |= {f"{own}.{part}.weight": (d, d), f"{own}.{part}.bias": (d,)}
    return found


def _case(
    n_stages: int, n_layers: int, d: int, seed: int, dtype: torch.dtype = torch.float16
) -> Callable:
    def make() -> tuple:
        shapes = _shapes(n_stages, n_layers, d)
        drawn = random_tensors(*shapes.values(), seed=seed)
        return ({name: value.to(dtype) for name, value in zip(shapes, drawn, strict=True)},)

    return make


RENAME = Step(
    Card(
        "clip-pesos", "Los pesos del curso", "codigo", 2, 30, 3,
        "cargar en un modelo propio los pesos que guardó otro",
        (
            "En la torre de imagen, `divmod(número, 7)` da la etapa y el lugar dentro de ella: 0, "
            "1, 3 y 4 son `conv1`, `norm1`, `conv2` y `norm2`.",
            'Con `name.split(".")` se separa el número de lo que le sigue, y con `".".join(…)` se '
            "vuelve a juntar; en la torre de texto basta con `name.replace(antes, después)`.",
            "`segments` desaparece: su fila 0 se suma a todas las filas de `positions`, en "
            "`float32`.",
        ),
    ),
    Task(
        "rename",
        (
            Case("3 etapas y un bloque", _case(3, 1, 3, seed=1170)),
            Case("2 etapas y 11 bloques, con números de dos cifras", _case(2, 11, 2, seed=1171)),
            Case("unos pesos que ya están en `float32`", _case(1, 1, 2, 1172, torch.float32)),
        ),
        lambda weights: rename(weights),
        (
            Mistake("cruzadas", "has cruzado las normas: la de la atención es `norm1` y la de la "
                    "red, `norm2`", with_flaw(rename, "cruzadas")),
            Mistake("sin-segmento", "pierdes el vector del segmento: el del primero, la fila 0, se "
                    "suma a todas las posiciones", with_flaw(rename, "sin-segmento")),
            Mistake("segmento-equivocado", "todos los tokens son del primer segmento: se suma la "
                    "fila 0, y ninguna otra", with_flaw(rename, "segundo", "los-dos")),
            Mistake("segmento-en-los-tokens", "sumas el segmento a los vectores de los tokens: "
                    "daría lo mismo al leer, pero se pide en `positions`",
                    with_flaw(rename, "segmento-en-los-tokens")),
            Mistake("en-media-precision", "sumas el segmento en media precisión, que redondea: "
                    "pasa los dos a `float32` antes de sumar",
                    with_flaw(rename, "en-media-precision")),
        ),
        tolerance=0.0, differentiable=False, fixed_type=True,
    ),
    wrong_dtype="los nombres están bien y el tipo de los números, no: pásalos a `float32` con "
    "`.float()`",
)  # fmt: skip
