"""Los pesos del curso con los nombres del proyecto, y el paso en que se traducen."""

import re
from collections.abc import Callable
from functools import cache

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.piece import Step
from tfcourse.weights.shipped import shipped_tensors, weights_card

NAME = "gpt_espanol"


def rename(weights: dict[str, Tensor], flaw: str = "") -> dict[str, Tensor]:
    """De los nombres del curso a los del proyecto, y de media precisión a simple."""
    found = {}
    for name, value in weights.items():
        inner, outer = ("norm2", "norm1") if flaw == "cruzadas" else ("norm1", "norm2")
        name = re.sub(r"around_attention\.norm", inner, name)
        if flaw != "una":
            name = re.sub(r"around_feed_forward\.norm", outer, name)
        found[name] = value.float()
    if flaw == "traspuestas":
        found = {k: v.T if v.ndim == 2 and "embedding" not in k else v for k, v in found.items()}
    return found


@cache
def course_weights() -> tuple[dict[str, int], dict[str, Tensor]]:
    """Los tamaños y los pesos de `gpt_espanol`, con los nombres del proyecto."""
    config = weights_card(NAME).config
    sizes = {name: config[name] for name in ("n_tokens", "d_model", "n_heads", "n_layers")}
    return sizes, rename(shipped_tensors(NAME))


def _case(n_layers: int, d_model: int, seed: int) -> Callable:
    names = ["embedding.weight", "closing_norm.gain"]
    for depth in range(n_layers):
        names += [
            f"blocks.{depth}.{part}"
            for part in (
                "around_attention.norm.gain", "around_feed_forward.norm.gain",
                "attention.q_proj.weight", "attention.q_proj.bias", "attention.out_proj.weight",
                "feed_forward.hidden.weight", "feed_forward.output.bias",
            )
        ]  # fmt: skip

    def make() -> tuple:
        shapes = [(d_model, d_model) if n.endswith("weight") else (d_model,) for n in names]
        drawn = random_tensors(*shapes, seed=seed)
        return ({name: value.half() for name, value in zip(names, drawn, strict=True)},)

    return make


def _wrong(*flaws: str) -> tuple[Callable, ...]:
    return tuple(lambda weights, flaw=flaw: rename(weights, flaw) for flaw in flaws)


RENAME = Step(
    Card(
        "gpt-pesos", "Los pesos del curso", "codigo", 1, 15, 2,
        "cargar en un modelo propio los pesos que guardó otro",
        (
            "Recorre `weights.items()` y haz un diccionario nuevo con el nombre cambiado: "
            "`name.replace(antes, después)`.",
            "Solo cambian los nombres de las dos normas de cada bloque; y los números, a "
            "`.float()`.",
        ),
    ),
    Task(
        "rename",
        (
            Case("un modelo de 2 bloques", _case(2, 3, seed=70)),
            Case("uno de 12 bloques, con números de dos cifras", _case(12, 2, seed=71)),
        ),
        lambda weights: rename(weights),
        (
            Mistake("cruzadas", "has cruzado las normas: la de la atención es `norm1` y la de la "
                    "red, "
                    "`norm2`", _wrong("cruzadas")),
            Mistake("una-norma", "cambias el nombre de la norma de la atención y no el de la "
                    "norma de "
                    "la red", _wrong("una")),
            Mistake("traspuestas", "traspones las matrices: `nn.Linear` las guarda igual que el "
                    "curso, "
                    "de salida por entrada", _wrong("traspuestas")),
        ),
        tolerance=0.0, differentiable=False, fixed_type=True,
    ),
    wrong_dtype="los nombres están bien y el tipo de los números, no: pásalos a `float32` con "
    "`.float()`",
)  # fmt: skip
