"""Preguntar a la imagen: el bloque de las consultas y la cabeza que detecta."""

from collections.abc import Callable

from torch import Tensor

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import drawn_weights, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.vision import sums
from tfcourse.projects.steps.vision.patches import ATTENTION, CLOSE, block_sizes
from tfcourse.projects.steps.vision.shapes import block_shapes, detector_shapes
from tfcourse.projects.steps.vision.weights import course_weights


def _ask(sizes, weights, x, memory, places, positions, flaw: str = "") -> Tensor:
    return sums.object_block(x, memory, places, positions, weights, sizes["n_heads"], flaw)


def _block_case(n_queries: int, n_cells: int, sizes: dict, seed: int) -> Callable:
    def make() -> tuple:
        d_model = sizes["d_model"]
        weights = drawn_weights(block_shapes(d_model, sizes["d_hidden"], objects=True), seed)
        queries, cells = (2, n_queries, d_model), (2, n_cells, d_model)
        shapes = (queries, cells, queries[1:], cells[1:])
        return sizes, weights, *random_tensors(*shapes, seed=seed + 1)

    return make


OBJECTS = Step(
    Card(
        "vis-objetos", "El bloque de las consultas", "codigo", 2, 30, 3,
        "sumar las posiciones solo donde se comparan",
        (
            "Tres renglones, por este orden: las consultas se miran, miran la imagen y pasan por "
            "la red, con una ReLU; cada uno con su norma delante.",
            "`places` se suma a lo que pregunta en las dos atenciones, y en la primera también a "
            "las claves; `positions`, a las claves de la imagen. A los valores, nada.",
        ),
    ),
    Task(
        "ObjectBlock",
        (
            Case("4 consultas y 6 casillas", _block_case(4, 6, block_sizes(8, 2, 12), seed=610)),
            Case("3 cabezas", _block_case(5, 4, block_sizes(12, 3, 6), seed=614)),
        ),
        lambda sizes, weights, x, memory, places, positions: _ask(
            sizes, weights, x, memory, places, positions
        ),
        (
            Mistake("posicion-en-los-valores", "sumas la posición a los valores: solo va a "
                    "consultas y claves", with_flaw(_ask, "valores", "valores-al-hablar",
                                                           "valores-al-mirar")),
            Mistake("sin-posicion", "falta una posición: `places` va en las dos atenciones, y "
                    "`positions`, en las claves de la imagen",
                    with_flaw(_ask, "habla-sin-posicion", "mira-sin-posicion",
                              "memoria-sin-posicion")),
            Mistake("orden", "primero se hablan las consultas y después miran la imagen: lo haces "
                    "al revés", with_flaw(_ask, "orden")),
            Mistake("memoria-normada", "normalizas la memoria: llega ya normalizada, y solo se "
                    "normaliza quien pregunta", with_flaw(_ask, "memoria-normada")),
            Mistake("activacion", "la red de este bloque lleva una ReLU",
                    with_flaw(_ask, "gelu")),
            Mistake("sin-residuo", "falta el residuo: lo que da cada subcapa se suma a su entrada",
                    with_flaw(_ask, "sin-residuo")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="capa-con-norma", needs=(ATTENTION,),
)  # fmt: skip


def _detect(sizes: dict, weights: dict, memory: Tensor, positions: Tensor, flaw: str = "") -> dict:
    return sums.detector(memory, positions, weights, sizes, flaw)


def _detector_case(n_cells: int, numbers: tuple[int, ...], seed: int) -> Callable:
    names = ("n_classes", "n_queries", "d_model", "n_heads", "d_hidden", "n_layers")

    def make() -> tuple:
        sizes = dict(zip(names, numbers, strict=True))
        shapes = [(2, n_cells, sizes["d_model"]), (n_cells, sizes["d_model"])]
        weights = drawn_weights(detector_shapes(sizes), seed)
        return sizes, weights, *random_tensors(*shapes, seed=seed + 1)

    return make


def _course_case() -> tuple:
    sizes, weights = course_weights()
    memory, positions = random_tensors((2, 64, 64), (64, 64), seed=632)
    return sizes, weights, memory, positions


DETECTOR = Step(
    Card(
        "vis-detector", "La cabeza que detecta", "codigo", 2, 30, 4,
        "convertir unas consultas en clases y cajas",
        (
            "El contenido empieza a cero; lo que se aprende, `queries.weight`, es la posición que "
            "se le suma en cada bloque.",
            "Detrás de **cada** bloque, la misma norma y las dos mismas cabezas; al bloque "
            "siguiente pasa el vector sin esa norma.",
            "`box_head` es un `nn.Sequential` de lineal, ReLU, lineal, ReLU y lineal, y su "
            "sigmoide deja la caja entre 0 y 1.",
        ),
    ),
    Task(
        "Detector",
        (
            Case("3 bloques", _detector_case(6, (3, 4, 8, 2, 12, 3), seed=620)),
            Case("un bloque y 3 cabezas", _detector_case(4, (2, 5, 12, 3, 8, 1), seed=626)),
            Case("los pesos de `detr_figuras`, los del curso", _course_case),
        ),
        lambda sizes, weights, memory, positions: _detect(sizes, weights, memory, positions),
        (
            Mistake("norma", "detrás de cada bloque va la norma, pero solo para responder: al "
                    "bloque siguiente le llega el vector sin ella",
                    with_flaw(_detect, "sin-norma", "norma-que-pasa", "norma-al-final")),
            Mistake("contenido", "el contenido de las consultas empieza a cero; `queries` es su "
                    "posición", with_flaw(_detect, "empieza-en-consultas")),
            Mistake("cajas-sin-acotar", "falta la sigmoide de las cajas: van de 0 a 1",
                    with_flaw(_detect, "cajas-sin-acotar")),
            Mistake("probabilidades", "devuelves probabilidades: se piden logits, sin softmax",
                    with_flaw(_detect, "softmax")),
        ),
        tolerance=5e-4, differentiable=False,
    ),
    driver="detector", needs=(OBJECTS,),
)  # fmt: skip
