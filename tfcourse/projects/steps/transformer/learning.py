"""Los pesos del curso, aprender y traducir."""

from collections.abc import Callable

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.drawing import PAD, drawn_tokens, greedy_case, with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.projects.steps.transformer import sums
from tfcourse.projects.steps.transformer.weights import rename

PARTS = (
    "around_attention.norm.gain", "around_attention.norm.bias", "around_feed_forward.norm.gain",
    "attention.q_proj.weight", "attention.q_proj.bias", "feed_forward.hidden.weight",
)  # fmt: skip
CROSS = ("around_cross_attention.norm.gain", "cross_attention.out_proj.weight")


def _weights_case(n_layers: int, d_model: int, seed: int) -> Callable:
    names = ["source.table.weight", "encoder_norm.gain", "decoder_norm.bias"]
    for depth in range(n_layers):
        names += [f"encoder.{depth}.{part}" for part in PARTS]
        names += [f"decoder.{depth}.{part}" for part in (*PARTS, *CROSS)]

    def make() -> tuple:
        shapes = [(d_model, d_model) if n.endswith("weight") else (d_model,) for n in names]
        drawn = random_tensors(*shapes, seed=seed)
        return ({name: value.half() for name, value in zip(names, drawn, strict=True)},)

    return make


RENAME = Step(
    Card(
        "tf-pesos", "Los pesos del curso", "codigo", 1, 15, 2,
        "cargar en un modelo propio los pesos que guardó otro",
        (
            "Recorre `weights.items()` y haz un diccionario nuevo con el nombre cambiado.",
            "La norma de la red es `norm2` en el codificador y `norm3` en el decodificador: mira "
            "por "
            "dónde empieza el nombre.",
        ),
    ),
    Task(
        "rename",
        (
            Case("un modelo de 2 bloques", _weights_case(2, 3, seed=410)),
            Case("uno de 11 bloques", _weights_case(11, 2, seed=411)),
        ),
        lambda weights: rename(weights),
        (
            Mistake("norma-de-la-red", "la norma de la red es la última del bloque: `norm2` en el "
                    "codificador y `norm3` en el decodificador",
                    with_flaw(rename, "norm2-en-los-dos", "norm3-en-los-dos")),
            Mistake("embedding", "la tabla `source.table` se llama `embedding` en tu modelo",
                    with_flaw(rename, "embedding")),
            Mistake("traspuestas", "traspones las matrices: `nn.Linear` las guarda igual que el "
                    "curso",
                    with_flaw(rename, "traspuestas")),
        ),
        tolerance=0.0, differentiable=False, fixed_type=True,
    ),
    wrong_dtype="los nombres están bien y el tipo de los números, no: pásalos a `float32` con "
    "`.float()`",
)  # fmt: skip


def _loss_case(batch: int, length: int, n_tokens: int, smoothing: float, seed: int, factor=1.0):
    def make() -> tuple:
        (logits,) = random_tensors((batch, length, n_tokens), seed=seed)
        target = 1 + drawn_tokens(batch, length, n_tokens=n_tokens - 1, seed=seed + 1)
        target[0, -2:] = PAD
        return factor * logits, target, smoothing

    return make


LOSS = Step(
    Card(
        "tf-perdida", "La pérdida suavizada", "codigo", 2, 20, 2,
        "suavizar las etiquetas y no contar el relleno",
        (
            "`F.cross_entropy` tiene `label_smoothing` e `ignore_index`; si la escribes tú, el "
            "objetivo "
            "es (1 − ε) en el token bueno y ε/V más en todos.",
            "Aplana antes: (N, V) y (N,). La media es de los tokens que no son relleno.",
        ),
    ),
    Task(
        "smoothed_loss",
        (
            Case("3 textos de 5 tokens, con relleno", _loss_case(3, 5, 7, 0.1, seed=420)),
            Case("ε = 0,3 y logits de ±50", _loss_case(2, 4, 5, 0.3, seed=422, factor=25.0)),
            Case("sin suavizar", _loss_case(2, 3, 6, 0.0, seed=424)),
        ),
        lambda logits, target, smoothing: sums.smoothed(logits, target, smoothing),
        (
            Mistake("sin-suavizar", "no suavizas: con `smoothing` = 0,1 el objetivo no es un 1",
                    with_flaw(sums.smoothed, "sin-suavizar")),
            Mistake("reparto", "reparte ε entre los V tokens, también el bueno, que se queda con "
                    "1 − ε + ε/V", with_flaw(sums.smoothed, "entre-los-demas", "sin-quitar")),
            Mistake("relleno", "el relleno no cuenta: ni en la suma ni en el número por el que "
                    "divides",
                    with_flaw(sums.smoothed, "cuenta-el-relleno", "divide-entre-todos")),
            Mistake("suma", "se pide la media por token, y sumas",
                    with_flaw(sums.smoothed, "suma")),
        ),
        tolerance=1e-4,
    ),
)  # fmt: skip

RATE = Step(
    Card(
        "tf-ritmo", "El ritmo del artículo", "codigo", 1, 10, 1, "calentar y después enfriar",
        (
            "Es el menor de dos números, los dos por D^(−1/2).",
            "Con `step` = `warmup` los dos valen lo mismo: ahí está el máximo.",
        ),
    ),
    Task(
        "rate",
        (
            Case("al empezar", lambda: (1, 512, 4000)),
            Case("a mitad de subir", lambda: (50, 64, 100)),
            Case("en el máximo", lambda: (100, 64, 100)),
            Case("bajando", lambda: (900, 64, 100)),
        ),
        lambda step, d_model, warmup: sums.rate(step, d_model, warmup),
        (
            Mistake("maximo", "es el menor de los dos, no el mayor",
                    with_flaw(sums.rate, "maximo")),
            Mistake("un-tramo", "falta uno de los dos tramos: sube en línea recta hasta `warmup` y "
                    "después baja con la raíz", with_flaw(sums.rate, "sin-subir", "sin-bajar")),
            Mistake("con-d", "se divide entre √D: los modelos grandes van más despacio",
                    with_flaw(sums.rate, "crece-con-d")),
            Mistake("desde-cero", "el primer paso es el 1: no le sumes otro",
                    with_flaw(sums.rate, "desde-cero")),
        ),
        tolerance=1e-8, differentiable=False,
    ),
)  # fmt: skip


GREEDY = Step(
    Card(
        "tf-voraz", "La traducción voraz", "codigo", 3, 35, 4,
        "escribir varias traducciones a la vez, hasta que acaben",
        (
            "`memory, mask = model.encode(source)` una sola vez; en cada vuelta, "
            "`model.decode(written, memory, mask)[:, -1]`.",
            "Se sigue mientras quede alguna fila por acabar y no se llegue a `max_length`.",
            "Al final, de cada fila se quita `start` y se corta en su primer `stop`.",
        ),
    ),
    Task(
        "translate",
        (
            Case("4 entradas: unas acaban y otra no", greedy_case((2, 3, 0, 9), 6, 430)),
            Case("todas acaban antes del límite", greedy_case((1, 4, 2), 8, 431)),
        ),
        lambda table, stops, source, limit: sums.greedy(table, stops, source, limit),
        (
            Mistake("no-para", "sigues escribiendo después de `stop`: cada fila acaba en el suyo",
                    with_flaw(sums.greedy, "no-para")),
            Mistake("sigue", "se acaba en cuanto todas las filas han escrito `stop`, y tú sigues "
                    "hasta `max_length`", with_flaw(sums.greedy, "sigue")),
            Mistake("con-inicio", "devuelve lo escrito sin `start`",
                    with_flaw(sums.greedy, "con-inicio")),
            Mistake("con-fin", "devuelve lo escrito sin `stop`", with_flaw(sums.greedy, "con-fin")),
            Mistake("la-primera", "miras los logits de la primera posición: el token siguiente "
                    "sale de la "
                    "última, `[:, -1]`", with_flaw(sums.greedy, "la-primera")),
            Mistake("relee", "vuelves a leer la entrada en cada vuelta: `encode` se llama una "
                    "sola vez",
                    with_flaw(sums.greedy, "relee")),
            Mistake("solo-uno", "escribes un solo token: hay que volver a leer lo escrito y seguir",
                    with_flaw(sums.greedy, "solo-uno")),
        ),
        differentiable=False,
    ),
    driver="voraz",
)  # fmt: skip
