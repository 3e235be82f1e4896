"""Las dos torres juntas: CLIP."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.clip import sums
from tfcourse.projects.steps.clip.pictures import IMAGE
from tfcourse.projects.steps.clip.shapes import clip_shapes, drawn
from tfcourse.projects.steps.clip.weights import course_weights
from tfcourse.projects.steps.clip.words import TEXT, TEXT_SIZES, drawn_texts
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step

SIZES = ("channels", "widths", "d_shared", *TEXT_SIZES)


def _clip(
    sizes: dict, weights: dict, images: Tensor, tokens: Tensor, lengths: Tensor, flaw: str = ""
) -> dict[str, Tensor]:
    return sums.clip(images, tokens, lengths, weights, sizes, flaw)


def _case(n_images: int, n_texts: int, numbers: tuple, log_scale: float, seed: int) -> Callable:
    def make() -> tuple:
        sizes = dict(zip(SIZES, numbers, strict=True))
        weights = drawn(clip_shapes(sizes), seed) | {"log_scale": torch.tensor(log_scale)}
        (images,) = random_tensors((n_images, sizes["channels"], 8, 8), seed=seed + 1)
        return sizes, weights, images, *drawn_texts(n_texts, 4, sizes["n_tokens"], seed + 2)

    return make


def _course_case() -> tuple:
    sizes, weights = course_weights()
    images = torch.rand(2, 3, 32, 32, generator=seeded(1190))
    return sizes, weights, images, *drawn_texts(3, 6, sizes["n_tokens"], 1191)


CLIP = Step(
    Card(
        "clip-modelo", "CLIP", "codigo", 2, 25, 3, "llevar dos modalidades a un mismo espacio",
        (
            "`F.normalize(y, dim=-1)` lleva cada vector a longitud 1; se hace al final, después de "
            "proyectar.",
            "`log_scale` es un `nn.Parameter(torch.tensor(…))` que empieza en ln(1/0,07); la "
            "escala es su exponencial, con `.clamp(max=100)`.",
            "La tabla es `escala * dibujos @ textos.T`: una fila por dibujo.",
        ),
    ),
    Task(
        "Clip",
        (
            Case("3 dibujos y 4 textos",
                    _case(3, 4, (3, (4, 6), 5, 11, 6, 8, 2, 12, 1), 1.5, seed=1180)),
            Case("la escala, en el tope",
                    _case(4, 3, (1, (3, 4, 5), 6, 9, 5, 12, 3, 8, 2), 6.0, seed=1185)),
            Case("los pesos de `clip_dibujos`, los del curso", _course_case),
        ),
        lambda sizes, weights, images, tokens, lengths: _clip(
            sizes, weights, images, tokens, lengths
        ),
        (
            Mistake("sin-normalizar", "los vectores de los dos lados se llevan a longitud 1, ya "
                    "proyectados: si no, no son cosenos",
                    with_flaw(_clip, "sin-normalizar", "imagen-sin-normalizar",
                              "texto-sin-normalizar", "normaliza-antes")),
            Mistake("tope", "la escala, ya sin logaritmo, no pasa de 100: `.exp().clamp(max=100)`",
                    with_flaw(_clip, "sin-tope", "tope-en-el-logaritmo")),
            Mistake("temperatura", "los cosenos se **multiplican** por la exponencial de "
                    "`log_scale`: es el inverso de la temperatura",
                    with_flaw(_clip, "temperatura")),
            Mistake("sin-exponencial", "lo que se aprende es un logaritmo: la escala es su "
                    "exponencial", with_flaw(_clip, "sin-exponencial")),
            Mistake("textos-por-filas", "la tabla te sale traspuesta: una fila por dibujo y una "
                    "columna por texto", with_flaw(_clip, "textos-por-filas")),
            Mistake("sin-escala", "los logits son los cosenos por la escala, y falta",
                    with_flaw(_clip, "sin-escala")),
        ),
        tolerance=5e-4, differentiable=False,
    ),
    driver="clip", needs=(IMAGE, TEXT),
)  # fmt: skip
