"""Lo que CLIP aprende: su pérdida, el gradiente, la de SigLIP y un lote que no cabe."""

from collections.abc import Callable
from dataclasses import replace

import torch

from tfcourse.exercises.data import random_tensors, seeded
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.clip import loss_sums
from tfcourse.projects.steps.clip.words import drawn_texts
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step
from tfcourse.watch import Rules

CLOSE = 1e-4
BY_HAND = Rules(banned=("autograd",))


def _table(n: int, factor: float, seed: int) -> Callable:
    return lambda: (factor * random_tensors((n, n), seed=seed)[0],)


TABLES = (
    Case("5 parejas", _table(5, 2.0, seed=1200)),
    Case("2 parejas", _table(2, 1.0, seed=1201)),
    Case("logits muy grandes, que desbordan una exponencial", _table(4, 150.0, seed=1202)),
)

LOSS = Step(
    Card(
        "clip-perdida", "La pérdida de CLIP", "codigo", 1, 15, 2,
        "preguntar a la vez por filas y por columnas",
        (
            "En la fila i, la respuesta correcta es la columna i: `F.cross_entropy(logits, "
            "torch.arange(N))`.",
            "Por columnas es lo mismo con `logits.T`; la pérdida es la media de las dos.",
        ),
    ),
    Task(
        "symmetric_loss", TABLES, lambda logits: loss_sums.symmetric_loss(logits),
        (
            Mistake("un-sentido", "solo preguntas en un sentido: falta el otro, que es la tabla "
                    "traspuesta", with_flaw(loss_sums.symmetric_loss, "filas", "columnas")),
            Mistake("sin-mitad", "sumas los dos sentidos, y se pide su media",
                    with_flaw(loss_sums.symmetric_loss, "suma-de-sentidos")),
            Mistake("suma", "sumas las parejas, y se pide su media",
                    with_flaw(loss_sums.symmetric_loss, "suma")),
            Mistake("tabla-entera", "haces un solo softmax con toda la tabla: son N preguntas por "
                    "filas y N por columnas",
                    with_flaw(loss_sums.symmetric_loss, "tabla-entera")),
            Mistake("signo", "el signo está al revés: la pérdida es menos el logaritmo de la "
                    "probabilidad", with_flaw(loss_sums.symmetric_loss, "signo")),
        ),
        tolerance=CLOSE,
    ),
)  # fmt: skip


GRADIENT = Step(
    Card(
        "clip-gradiente", "El gradiente, en una fórmula", "codigo", 2, 30, 3,
        "derivar una pérdida a mano y decir qué empuja",
        (
            "La derivada de −log p(i) en una fila es su softmax, menos 1 en la pareja.",
            "Por columnas es igual, con el softmax por columnas, `logits.softmax(0)`, que ya está "
            "en su sitio: no hay que trasponer nada.",
            "Se suman las dos, y todo se divide entre 2N, que es lo que dividía la pérdida.",
        ),
    ),
    Task(
        "symmetric_gradient",
        (
            *(replace(case, rules=BY_HAND) for case in TABLES),
            Case("logits enormes", _table(3, 1e8, seed=1203), BY_HAND),
        ),
        lambda logits: loss_sums.symmetric_gradient(logits),
        (
            Mistake("un-sentido", "falta la mitad que viene del otro sentido",
                    with_flaw(loss_sums.symmetric_gradient, "filas", "columnas")),
            Mistake("resta-una", "la pareja está en los dos sentidos: se resta 1 por filas y 1 por "
                    "columnas",
                    with_flaw(loss_sums.symmetric_gradient, "resta-una", "sin-restar")),
            Mistake("entre-2n", "se divide entre 2N: la pérdida es la media de N parejas y de dos "
                    "sentidos",
                    with_flaw(loss_sums.symmetric_gradient, "sin-dividir", "sin-mitad")),
            Mistake("columnas-traspuestas", "el softmax por columnas te queda traspuesto",
                    with_flaw(loss_sums.symmetric_gradient, "columnas-traspuestas")),
            Mistake("signo", "el signo está al revés: al subir el logit de la pareja, la pérdida "
                    "baja", with_flaw(loss_sums.symmetric_gradient, "signo")),
        ),
        tolerance=1e-5, differentiable=False,
    ),
)  # fmt: skip


def _cosines(n: int, scale: float, bias: float, seed: int) -> Callable:
    def make() -> tuple:
        cosines = 2 * torch.rand(n, n, generator=seeded(seed)) - 1
        return cosines, torch.tensor(scale), torch.tensor(bias)

    return make


SIGMOID = Step(
    Card(
        "clip-sigmoide", "La pérdida de SigLIP", "codigo", 2, 25, 3,
        "preguntar en cada casilla si van juntos",
        (
            "Una tabla de signos, +1 en la diagonal y −1 fuera: `2 * torch.eye(N) - 1`.",
            "`F.logsigmoid` no desborda; el logaritmo de `torch.sigmoid`, sí.",
            "Se suman las N² casillas y se divide entre N, no entre N².",
        ),
    ),
    Task(
        "sigmoid_loss",
        (
            Case("5 parejas, como al empezar", _cosines(5, 10.0, -10.0, seed=1210)),
            Case("2 parejas y un sesgo pequeño", _cosines(2, 3.0, -0.5, seed=1211)),
            Case("una escala que desborda una exponencial", _cosines(4, 400.0, -30.0, seed=1212)),
        ),
        lambda cosines, scale, bias: loss_sums.sigmoid_loss(cosines, scale, bias),
        (
            Mistake("sin-sesgo", "a los cosenos, ya multiplicados, se les suma `bias`",
                    with_flaw(loss_sums.sigmoid_loss, "sin-sesgo", "sesgo-dentro")),
            Mistake("signo", "el signo está al revés: +1 en la diagonal, que van juntos, y −1 "
                    "fuera", with_flaw(loss_sums.sigmoid_loss, "signo")),
            Mistake("solo-las-parejas", "solo miras la diagonal: las demás casillas también "
                    "preguntan, y la respuesta es que no",
                    with_flaw(loss_sums.sigmoid_loss, "solo-las-parejas")),
            Mistake("entre-casillas", "se divide entre las N parejas, no entre las N² casillas ni "
                    "entre nada",
                    with_flaw(loss_sums.sigmoid_loss, "entre-casillas", "suma")),
            Mistake("desborda", "con logits muy grandes la sigmoide vale 0, y su logaritmo, −∞: "
                    "usa `F.logsigmoid`", with_flaw(loss_sums.sigmoid_loss, "desborda")),
            Mistake("mitad-y-mitad", "haces la media de la diagonal y la de lo demás por separado: "
                    "es una sola suma", with_flaw(loss_sums.sigmoid_loss, "mitad-y-mitad")),
        ),
        tolerance=CLOSE,
    ),
)  # fmt: skip


def _chunks_case(n: int, size: int, seed: int) -> Callable:
    def make() -> tuple:
        image, text, table, images = random_tensors((4, 6), (4, 5), (9, 5), (n, 6), seed=seed)
        weights = {"image": image, "text": text, "tokens": table, "log_scale": torch.tensor(1.2)}
        return weights, images, *drawn_texts(n, 4, 9, seed + 1), size

    return make


CHUNKS = Step(
    Card(
        "clip-trozos", "Un lote que no cabe", "codigo", 3, 45, 5,
        "aprender de un lote grande leyéndolo por trozos",
        (
            "Primera vuelta, con `torch.no_grad()`: todos los vectores de los dos lados, de trozo "
            "en trozo, y `torch.cat`.",
            "Con esos vectores como hojas, `.requires_grad_()`, haz la tabla entera con "
            "`model.scale()`, la pérdida y `.backward()`: en `.grad` de cada uno queda lo que la "
            "pérdida le pide, y la escala ya tiene su gradiente.",
            "Segunda vuelta, con gradiente: lee otra vez cada trozo y llama a "
            "`model.see(…).backward(lo que se le pide)`. Con los textos, lo mismo.",
        ),
    ),
    Task(
        "backward_in_chunks",
        (
            Case("6 parejas, de 2 en 2", _chunks_case(6, 2, seed=1220)),
            Case("7 parejas, de 3 en 3: el último trozo es menor", _chunks_case(7, 3, seed=1226)),
            Case("de 8 en 8, y caben todas", _chunks_case(5, 8, seed=1232)),
        ),
        lambda weights, images, tokens, lengths, size: loss_sums.chunked(
            weights, images, tokens, lengths, size
        ),
        (
            Mistake("por-trozos", "cada trozo se compara solo consigo mismo: así los distractores "
                    "son los de su trozo, y la pérdida es otra",
                    with_flaw(loss_sums.chunked, "por-trozos", "suma-de-trozos")),
            Mistake("de-una-vez", "los números salen, pero lees con gradiente el lote entero: no "
                    "más de `size` a la vez",
                    with_flaw(loss_sums.chunked, "de-una-vez", "relee-entero")),
            Mistake("un-lado", "el gradiente llega a una torre y no a la otra: la segunda vuelta "
                    "es de dibujos y de textos",
                    with_flaw(loss_sums.chunked, "sin-textos", "sin-imagenes")),
            Mistake("sin-escala", "la escala se queda sin gradiente: al hacer la tabla, "
                    "`model.scale()` va con gradiente", with_flaw(loss_sums.chunked, "sin-escala")),
            Mistake("traspuesta", "a la pérdida le das la tabla traspuesta: una fila por dibujo y "
                    "una columna por texto, como la de `Clip`",
                    with_flaw(loss_sums.chunked, "traspuesta")),
            Mistake("con-gradiente", "la pérdida se devuelve ya sin gradiente, con `.detach()`",
                    with_flaw(loss_sums.chunked, "con-gradiente")),
            Mistake("guarda-todo", "la primera vuelta va sin gradiente, con `torch.no_grad()`: si "
                    "no, se guarda lo que hace falta para derivar el lote entero",
                    with_flaw(loss_sums.chunked, "guarda-todo")),
            Mistake("escala-de-mas", "el gradiente de la escala se suma una vez por trozo: la "
                    "tabla se hace una sola vez", with_flaw(loss_sums.chunked, "escala-de-mas")),
            Mistake("sin-gradientes", "la pérdida sale, pero en los parámetros no queda ningún "
                    "gradiente", with_flaw(loss_sums.chunked, "sin-gradientes")),
        ),
        tolerance=CLOSE, differentiable=False,
    ),
    driver="por-trozos",
)  # fmt: skip
