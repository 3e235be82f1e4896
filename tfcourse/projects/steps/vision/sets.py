"""Aprender un conjunto: cajas, parecidos, costes, parejas y pérdida."""

from collections.abc import Callable

import torch
from torch import Tensor

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.vision import set_sums
from tfcourse.projects.steps.vision.set_sums import CENTER, CORNERS

CLOSE = 1e-4


def drawn_boxes(*shape: int, seed: int) -> Tensor:
    """Cajas dentro de la imagen, por su centro y su tamaño."""
    generator = seeded(seed)
    size = 0.1 + 0.5 * torch.rand(*shape, 2, generator=generator)
    center = size / 2 + (1 - size) * torch.rand(*shape, 2, generator=generator)
    return torch.cat([center, size], dim=-1)


def drawn_corners(*shape: int, seed: int) -> Tensor:
    """Las mismas, por sus esquinas."""
    return set_sums.convert(drawn_boxes(*shape, seed=seed), CORNERS)


CONVERT = Step(
    Card(
        "vis-cajas", "Las dos formas de una caja", "codigo", 1, 15, 2,
        "pasar de centro y tamaño a esquinas, y al revés",
        (
            "Parte el último eje en dos mitades, `boxes[..., :2]` y `boxes[..., 2:]`: son centro y "
            "tamaño, o las dos esquinas.",
            "Las esquinas son centro ∓ tamaño/2; el centro es la media de las esquinas, y el "
            "tamaño, su diferencia.",
        ),
    ),
    Task(
        "convert",
        (
            Case("de centro y tamaño a esquinas", lambda: (drawn_boxes(2, 3, seed=640), CORNERS)),
            Case("de esquinas a centro y tamaño", lambda: (drawn_corners(2, 3, seed=641), CENTER)),
            Case("cajas que se salen de la imagen",
                    lambda: (drawn_boxes(3, seed=643) * 1.6 - 0.3 * torch.tensor([1, 1, 0, 0]),
                             CORNERS)),
            Case("una caja suelta", lambda: (drawn_boxes(seed=642), CORNERS)),
        ),
        lambda boxes, to: set_sums.convert(boxes, to),
        (
            Mistake("sin-mitad", "del centro a una esquina hay **media** anchura y media altura, y "
                    "el centro es la media de las esquinas",
                    with_flaw(set_sums.convert, "sin-mitad")),
            Mistake("desde-la-esquina", "los dos primeros números de la otra forma son el centro, "
                    "no una esquina", with_flaw(set_sums.convert, "desde-la-esquina")),
            Mistake("intercaladas", "el orden de las esquinas es x₁, y₁, x₂, y₂",
                    with_flaw(set_sums.convert, "intercaladas")),
            Mistake("un-solo-sentido", "conviertes siempre a esquinas: mira lo que dice `to`",
                    with_flaw(set_sums.convert, "siempre-a-esquinas")),
        ),
    ),
)  # fmt: skip


def _pairs_case(n: int, m: int, seed: int) -> Callable:
    return lambda: (drawn_corners(n, seed=seed), drawn_corners(m, seed=seed + 1))


def _apart() -> tuple:
    """Cajas pequeñas en dos rincones opuestos: no se tocan."""
    low, high = (0.4 * drawn_boxes(3, seed=seed) for seed in (653, 654))
    high[..., :2] += 0.6
    return set_sums.convert(low, CORNERS), set_sums.convert(high, CORNERS)


def _flat() -> tuple:
    """Una caja sin área y otra con ella, con dos rellenos, que están en otro lugar."""
    point = drawn_boxes(seed=659)[:2].repeat(2)
    return torch.stack([point, drawn_corners(seed=660)]), torch.zeros(2, 4)


GIOU = Step(
    Card(
        "vis-giou", "El parecido de dos cajas", "codigo", 2, 30, 3,
        "medir cuánto se parecen dos cajas, aunque no se toquen",
        (
            "`first[..., :, None, :]` y `second[..., None, :, :]` enfrentan todas con todas, haya "
            "o no ejes delante.",
            "La intersección empieza en el mayor de los comienzos y acaba en el menor de los "
            "finales; si sale un lado negativo, no se tocan: `.clamp(min=0)`.",
            "La envoltura es al revés: empieza en el menor y acaba en el mayor. GIoU = IoU − (C − "
            "U)/C.",
        ),
    ),
    Task(
        "giou",
        (
            Case("4 cajas con otras 3", _pairs_case(4, 3, seed=650)),
            Case("cajas que no se tocan", _apart),
            Case("un lote de 2 imágenes",
                    lambda: (drawn_corners(2, 3, seed=656), drawn_corners(2, 2, seed=657))),
            Case("cajas sin área", _flat),
            Case("una caja consigo misma", lambda: (drawn_corners(1, seed=658),) * 2),
        ),
        lambda first, second: set_sums.giou(first, second),
        (
            Mistake("sin-cortar", "dos cajas que no se tocan te dan intersección: corta los lados "
                    "negativos antes de multiplicar", with_flaw(set_sums.giou, "sin-cortar")),
            Mistake("union-doble", "la unión cuenta dos veces lo común: réstalo una",
                    with_flaw(set_sums.giou, "union-doble")),
            Mistake("hueco", "lo que se resta es la parte de la envoltura que no es de ninguna, "
                    "(C − U)/C",
                    with_flaw(set_sums.giou, "entre-la-union", "hueco-entero", "suma")),
            Mistake("solo-iou", "la segunda salida es la GIoU y das la IoU dos veces",
                    with_flaw(set_sums.giou, "solo-iou")),
            Mistake("una-a-una", "comparas cada caja solo con la que está en su lugar: se piden "
                    "todas con todas, (N, M)", with_flaw(set_sums.giou, "una-a-una")),
        ),
        outputs=("IoU", "GIoU"), tolerance=CLOSE,
    ),
)  # fmt: skip


def drawn_answers(batch: int, n: int, m: int, n_classes: int, counts: list[int], seed: int):
    """Lo que responde un modelo y lo que había: logits, cajas, clases, cajas y cuántos objetos."""
    (logits,) = random_tensors((batch, n, n_classes + 1), seed=seed)
    classes = torch.randint(n_classes, (batch, m), generator=seeded(seed + 1))
    true = drawn_boxes(batch, m, seed=seed + 2)
    counted = torch.tensor(counts)
    real = torch.arange(m) < counted[:, None]
    boxes = drawn_boxes(batch, n, seed=seed + 3)
    return 2 * logits, boxes, classes * real, true * real[..., None], counted


def _costs_case(*sizes: int, counts: list[int], seed: int) -> Callable:
    return lambda: drawn_answers(*sizes, counts, seed)[:4]


COSTS = Step(
    Card(
        "vis-costes", "Los costes", "codigo", 2, 30, 3,
        "decir cuánto cuesta dar cada predicción a cada objeto",
        (
            "La probabilidad que cuenta es la de la clase **del objeto**: `gather` en el último "
            "eje, con `true_classes` repetidas en cada consulta.",
            "Para enfrentar todas con todas, `boxes[:, :, None] - true_boxes[:, None]`; la "
            "distancia es la suma de los cuatro valores absolutos.",
            "Tu `giou` quiere esquinas: pásalas antes por `convert`.",
        ),
    ),
    Task(
        "costs",
        (
            Case("2 imágenes, 5 consultas y 3 sitios", _costs_case(2, 5, 3, 4, counts=[3, 2],
                                                                   seed=660)),
            Case("una imagen, tantas consultas como sitios", _costs_case(1, 3, 3, 2, counts=[3],
                                                                         seed=666)),
        ),
        lambda logits, boxes, true_classes, true_boxes: set_sums.costs(
            logits, boxes, true_classes, true_boxes
        ),
        (
            Mistake("probabilidad", "lo que se resta es la probabilidad de la clase, con softmax "
                    "sobre todas, también «sin objeto», y sin logaritmo",
                    with_flaw(set_sums.costs, "logits", "logaritmo", "sigmoide",
                              "sin-nada-en-el-softmax")),
            Mistake("distancia", "la distancia es la suma de las cuatro diferencias, en valor "
                    "absoluto", with_flaw(set_sums.costs, "media", "euclidea")),
            Mistake("esquinas", "das a `giou` centro y tamaño: pásalos antes a esquinas",
                    with_flaw(set_sums.costs, "sin-esquinas")),
            Mistake("iou", "usas la IoU: con cajas que no se tocan no distingue lejos de cerca; "
                    "se pide la GIoU", with_flaw(set_sums.costs, "iou")),
            Mistake("signo", "cuanto más probable la clase y más parecida la caja, **menos** "
                    "cuesta", with_flaw(set_sums.costs, "clase-suma", "giou-suma")),
            Mistake("pesos", "los pesos son 1 para la clase, 5 para la distancia y 2 para la GIoU",
                    with_flaw(set_sums.costs, "pesos-cambiados", "sin-pesos")),
            Mistake("objetos-por-filas", "las filas son las consultas, y las columnas, los objetos",
                    with_flaw(set_sums.costs, "objetos-por-filas")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    needs=(CONVERT, GIOU),
)  # fmt: skip


def _match_case(n: int, m: int, counts: list[int], seed: int) -> Callable:
    """Costes con los que ir por orden no da lo mejor: cada objeto quiere la misma predicción."""

    def make() -> tuple:
        (table,) = random_tensors((len(counts), n, m), seed=seed)
        table[:, 0] -= 1.5
        return table.requires_grad_(), torch.tensor(counts)

    return make


MATCH = Step(
    Card(
        "vis-parejas", "Las parejas", "codigo", 2, 25, 3,
        "repartir los objetos entre las predicciones con el menor coste total",
        (
            "`linear_sum_assignment(tabla)` quiere un array de NumPy y da dos listas: las filas y "
            "las columnas que se emparejan.",
            "De la imagen i solo cuentan las `counts[i]` primeras columnas; lo demás se queda en "
            "−1.",
            "Para pasar a NumPy: `.detach().cpu().numpy()`.",
        ),
    ),
    Task(
        "match",
        (
            Case("3 imágenes con 3, 2 y ningún objeto", _match_case(5, 3, [3, 2, 0], seed=670)),
            Case("tantas consultas como objetos", _match_case(4, 4, [4, 4], seed=671)),
            Case("una imagen con un objeto", _match_case(3, 2, [1], seed=672)),
            Case("otras 4 imágenes", _match_case(6, 4, [4, 3, 4, 2], seed=673)),
        ),
        lambda table, counts: set_sums.match(table, counts),
        (
            Mistake("repite", "una predicción responde de dos objetos: cada objeto tiene la suya",
                    with_flaw(set_sums.match, "repite")),
            Mistake("voraz", "vas objeto a objeto, y el que llega antes se queda la mejor: se pide "
                    "el menor coste **total**", with_flaw(set_sums.match, "voraz")),
            Mistake("maximiza", "buscas el mayor coste: se pide el menor",
                    with_flaw(set_sums.match, "maximiza")),
            Mistake("relleno", "los sitios que pasan de `counts` no son objetos: no se emparejan y "
                    "valen −1",
                    with_flaw(set_sums.match, "cuenta-el-relleno", "relleno-a-cero")),
        ),
        differentiable=False, tolerance=0.0,
    ),
    wrong_dtype="los valores están bien, y son índices: han de ser enteros, `torch.long`",
)  # fmt: skip


def _loss_case(*sizes: int, counts: list[int], seed: int) -> Callable:
    return lambda: drawn_answers(*sizes, counts, seed)


LOSS = Step(
    Card(
        "vis-perdida", "La pérdida de conjunto", "codigo", 3, 40, 5,
        "castigar clase y caja de cada pareja, y nada más",
        (
            "Primero las parejas, sin gradiente: `match(costs(…), counts)`. Con `(matched >= "
            "0).nonzero(as_tuple=True)` salen la imagen y el objeto de cada pareja.",
            "El objetivo de las clases es un tensor (B, N) lleno de «sin objeto», la última clase, "
            "con la del objeto en las consultas emparejadas; `F.cross_entropy` admite un peso por "
            "clase.",
            "La distancia y 1 − GIoU se suman en las parejas y se dividen entre cuántas hay; si "
            "no hay ninguna, entre 1.",
        ),
    ),
    Task(
        "set_loss",
        (
            Case("3 imágenes con 3, 1 y 2 objetos", _loss_case(3, 6, 3, 4, counts=[3, 1, 2],
                                                               seed=680)),
            Case("una imagen sin objetos", _loss_case(2, 4, 2, 3, counts=[0, 2], seed=686)),
            Case("ningún objeto en el lote", _loss_case(2, 3, 2, 2, counts=[0, 0], seed=690)),
            Case("un solo objeto en el lote", _loss_case(2, 3, 2, 3, counts=[0, 1], seed=694)),
        ),
        lambda logits, boxes, true_classes, true_boxes, counts: set_sums.set_loss(
            logits, boxes, true_classes, true_boxes, counts
        ),
        (
            Mistake("sin-emparejar", "comparas cada predicción con el objeto de su mismo lugar: "
                    "un conjunto no tiene orden, así que antes hay que emparejar",
                    with_flaw(set_sums.set_loss, "en-su-orden")),
            Mistake("nada-pesa-igual", "las consultas sin objeto pesan 0,1, y no lo mismo que las "
                    "demás", with_flaw(set_sums.set_loss, "nada-pesa-igual")),
            Mistake("solo-emparejadas", "las consultas sin pareja también aprenden: su clase es "
                    "«sin objeto»", with_flaw(set_sums.set_loss, "solo-emparejadas")),
            Mistake("nada-es-la-cero", "«sin objeto» es la última clase, no la primera",
                    with_flaw(set_sums.set_loss, "nada-es-la-cero")),
            Mistake("media-de-las-clases", "la media de las clases es ponderada: se divide entre "
                    "la suma de los pesos, como hace `F.cross_entropy`",
                    with_flaw(set_sums.set_loss, "entre-consultas")),
            Mistake("media-de-cuatro", "la distancia de una pareja es la suma de sus cuatro "
                    "diferencias, no su media", with_flaw(set_sums.set_loss, "media-de-cuatro")),
            Mistake("por-imagen", "la distancia y la GIoU se dividen entre los objetos del lote, "
                    "no entre las imágenes", with_flaw(set_sums.set_loss, "cajas-por-imagen")),
            Mistake("giou-al-reves", "lo que se castiga es 1 − GIoU: así, dos cajas iguales dan 0",
                    with_flaw(set_sums.set_loss, "giou-al-reves")),
        ),
        outputs=("clase", "distancia", "GIoU"), tolerance=CLOSE,
    ),
    needs=(CONVERT, GIOU, COSTS, MATCH),
)  # fmt: skip
