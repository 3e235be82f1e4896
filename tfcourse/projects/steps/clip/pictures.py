"""La torre de imagen: una etapa de convoluciones y la torre entera."""

from collections.abc import Callable

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.clip import sums
from tfcourse.projects.steps.clip.shapes import drawn, image_shapes, stage_shapes
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step

CLOSE = 1e-4


def _stage(sizes: dict, weights: dict, x: Tensor, flaw: str = "") -> dict[str, Tensor]:
    kept = {"norm1": weights["norm1.running_mean"], "norm2": weights["norm2.running_mean"]}
    return {
        "al usar el modelo": sums.stage(x, weights, flaw, kept=kept),
        "mientras aprende": sums.stage(x, weights, flaw, learning=True, kept=kept),
        "media que guarda norm1": kept["norm1"],
    }


def _stage_case(d_in: int, d_out: int, *shape: int, seed: int) -> Callable:
    def make() -> tuple:
        weights = drawn(stage_shapes(d_in, d_out), seed)
        (x,) = random_tensors((shape[0], d_in, *shape[1:]), seed=seed + 1)
        return {"d_in": d_in, "d_out": d_out}, weights, x

    return make


STAGE = Step(
    Card(
        "clip-etapa", "Una etapa de la torre de imagen", "codigo", 1, 20, 2,
        "encadenar convoluciones, normas por lotes y ReLU",
        (
            "`nn.Conv2d(d_in, d_out, 3, padding=1, bias=False)` conserva el tamaño del mapa; el "
            "sesgo lo pone la norma, `nn.BatchNorm2d(d_out)`.",
            "Dos renglones iguales: convolución, su norma y `F.relu`.",
        ),
    ),
    Task(
        "ConvStage",
        (
            Case("2 mapas de 5 × 5, de 3 a 4 canales", _stage_case(3, 4, 2, 5, 5, seed=1110)),
            Case("más ancho que alto, con los mismos canales",
                    _stage_case(3, 3, 3, 4, 6, seed=1114)),
        ),
        lambda sizes, weights, x: _stage(sizes, weights, x),
        (
            Mistake("sin-norma", "falta la norma por lotes detrás de cada convolución",
                    with_flaw(_stage, "sin-norma")),
            Mistake("de-este-lote", "normalizas con la media y la varianza de estos mapas: al usar "
                    "el modelo valen las guardadas, `running_mean` y `running_var`, que es lo que "
                    "hace `nn.BatchNorm2d`",
                    with_flaw(_stage, "de-este-lote", "de-este-lote-sin-guardar")),
            Mistake("siempre-guardadas", "mientras aprende, la norma usa la media y la varianza de "
                    "estos mapas, y va guardando las suyas: llama a `norm1` y a `norm2`, que ya lo "
                    "hacen", with_flaw(_stage, "siempre-guardadas")),
            Mistake("una-norma", "cada convolución lleva su propia norma: la segunda, `norm2`",
                    with_flaw(_stage, "una-norma")),
            Mistake("relu-delante", "la ReLU va detrás de la norma, y la pones delante",
                    with_flaw(_stage, "relu-delante")),
            Mistake("falta-una-relu", "las dos convoluciones acaban en una ReLU, y falta una",
                    with_flaw(_stage, "sin-relu-final", "sin-relu-media")),
            Mistake("residuo", "sumas la entrada a la salida: esta etapa no tiene residuo",
                    with_flaw(_stage, "residuo")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="etapa",
)  # fmt: skip


def _see(sizes: dict, weights: dict, images: Tensor, flaw: str = "") -> Tensor:
    return sums.image_tower(images, weights, flaw)


def _image_case(
    batch: int, side: int, channels: int, widths: tuple[int, ...], d_shared: int, seed: int
) -> Callable:
    def make() -> tuple:
        weights = drawn(image_shapes(channels, widths, d_shared), seed)
        (images,) = random_tensors((batch, channels, side, side), seed=seed + 1)
        sizes = {"channels": channels, "widths": widths, "d_shared": d_shared}
        return sizes, weights, images

    return make


IMAGE = Step(
    Card(
        "clip-imagen", "La torre de imagen", "codigo", 2, 25, 3,
        "reducir una imagen a un solo vector",
        (
            "Los canales de entrada de cada etapa son los de salida de la anterior: `zip` de "
            "`(channels, *widths[:-1])` con `widths`. Las etapas van en un `nn.ModuleList`.",
            "`F.max_pool2d(x, 2)` va **entre** dos etapas: ni antes de la primera ni después de la "
            "última. Al final, `x.mean((2, 3))` y `head`.",
        ),
    ),
    Task(
        "ImageTower",
        (
            Case("3 etapas", _image_case(3, 8, 3, (4, 6, 5), 7, seed=1120)),
            Case("2 etapas y un canal", _image_case(2, 6, 1, (3, 4), 5, seed=1124)),
            Case("una sola etapa", _image_case(2, 4, 2, (4,), 4, seed=1128)),
        ),
        lambda sizes, weights, images: _see(sizes, weights, images),
        (
            Mistake("sin-reducir", "el mapa se reduce a la mitad entre etapa y etapa, y el tuyo no",
                    with_flaw(_see, "sin-reducir")),
            Mistake("media-al-reducir", "al reducir se toma el mayor de cada cuadrado de 2 × 2, "
                    "no la media", with_flaw(_see, "media-al-reducir")),
            Mistake("donde-se-reduce", "el mapa se reduce solo **entre** dos etapas: ni antes de "
                    "la primera ni después de la última",
                    with_flaw(_see, "reduce-al-entrar", "reduce-al-salir")),
            Mistake("resumen", "de cada canal del último mapa queda su media en todas las casillas",
                    with_flaw(_see, "maximo", "suma", "una-esquina")),
            Mistake("normalizada", "todavía no se lleva a longitud 1: eso lo hará `Clip`",
                    with_flaw(_see, "normalizada")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa", needs=(STAGE,),
)  # fmt: skip
