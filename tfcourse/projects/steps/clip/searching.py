"""Buscar y clasificar con los vectores: recuperación y un clasificador escrito con palabras."""

from collections.abc import Callable

import torch

from tfcourse.exercises.data import chance, random_tensors
from tfcourse.exercises.engine import Card, Case, Mistake, Task
from tfcourse.projects.steps.clip import loss_sums
from tfcourse.projects.steps.drawing import with_flaw
from tfcourse.projects.steps.piece import Step


def _scores(n: int, levels: int, k: int, seed: int) -> Callable:
    """Una tabla de pocos valores distintos, con empates, en la que la pareja suele ser alta."""

    def make() -> tuple:
        drawn = chance(seed)
        rows = [[drawn.randrange(levels) for _ in range(n)] for _ in range(n)]
        for place in range(n):
            rows[place][place] = drawn.choice((levels // 2, levels - 1))
        # En estas dos filas se sabe qué pasa: un empate delante de la pareja, y detrás.
        rows[0] = [levels - 1, levels - 1] + [0] * (n - 2)
        rows[1] = [levels, levels] + [0] * (n - 2)
        return torch.tensor(rows, dtype=torch.float32), k

    return make


def _flat(n: int, k: int) -> Callable:
    return lambda: (torch.full((n, n), 0.25), k)


RECALL = Step(
    Card(
        "clip-recuerdo", "En qué puesto queda la pareja", "codigo", 2, 20, 2,
        "medir una búsqueda sin regalar los empates",
        (
            "La pareja de la fila i está en la columna i: `scores.diagonal()`.",
            "Su puesto es cuántas hay con tanto como ella o más, ella incluida: "
            "`(scores >= own[:, None]).sum(1)`.",
            "En el otro sentido, lo mismo con `scores.T`.",
        ),
    ),
    Task(
        "recall",
        (
            Case("7 parejas, la primera", _scores(7, 5, 1, seed=1240)),
            Case("8 parejas, entre las 3 primeras", _scores(8, 6, 3, seed=1241)),
            Case("sin empates", lambda: (*random_tensors((9, 9), seed=1242), 2)),
            Case("a todo lo mismo", _flat(6, 2)),
            Case("tantas como hay", _flat(4, 4)),
        ),
        lambda scores, k: loss_sums.recall(scores, k),
        (
            Mistake("empates", "a igual puntuación, la pareja cuenta como **detrás**: un modelo "
                    "que da a todo lo mismo no acierta",
                    with_flaw(loss_sums.recall, "empate-delante", "empate-por-orden")),
            Mistake("un-sentido", "das dos veces el mismo sentido: el segundo es por columnas",
                    with_flaw(loss_sums.recall, "un-sentido")),
            Mistake("cruzados", "primero va la parte de las filas y después la de las columnas",
                    with_flaw(loss_sums.recall, "cruzados")),
            Mistake("corrido", "el primer puesto es el 1, y entra si no pasa de `k`",
                    with_flaw(loss_sums.recall, "corrido")),
            Mistake("cuantas", "cuentas cuántas hay, y se pide qué parte",
                    with_flaw(loss_sums.recall, "cuantas")),
        ),
        outputs=("por filas", "por columnas"), tolerance=1e-5, differentiable=False,
    ),
)  # fmt: skip


def _phrases(counts: tuple[int, ...], d: int, seed: int) -> Callable:
    """Frases de cada clase, barajadas; cada una mide lo suyo."""

    def make() -> tuple:
        order = [kind for kind, count in enumerate(counts) for _ in range(count)]
        chance(seed).shuffle(order)
        directions, noise, sizes = random_tensors(
            (len(counts), d), (len(order), d), (len(order), 1), seed=seed
        )
        vectors = (directions[order] + noise) * (0.3 + 2 * sizes.abs())
        return vectors, torch.tensor(order), len(counts)

    return make


CLASSES = Step(
    Card(
        "clip-clases", "Un clasificador escrito con palabras", "codigo", 2, 20, 2,
        "convertir varias frases en el vector de una clase",
        (
            "Primero, cada frase a longitud 1: si no, la más larga mandaría en la media.",
            "`vectors[owners == clase].mean(0)` es la media de sus frases; `torch.stack` las "
            "junta, y otra vez a longitud 1.",
        ),
    ),
    Task(
        "class_vectors",
        (
            Case("3 clases, con distintas frases", _phrases((3, 1, 4), 5, seed=1250)),
            Case("2 clases, con las mismas frases", _phrases((3, 3), 4, seed=1251)),
        ),
        lambda vectors, owners, n_classes: loss_sums.class_vectors(vectors, owners, n_classes),
        (
            Mistake("frases-sin-normalizar", "antes de la media, cada frase se lleva a longitud "
                    "1: si no, manda la más larga",
                    with_flaw(loss_sums.class_vectors, "sin-normalizar-las-frases")),
            Mistake("media-sin-normalizar", "la media de varios vectores de longitud 1 mide "
                    "menos: llévala otra vez a longitud 1",
                    with_flaw(loss_sums.class_vectors, "sin-normalizar-la-media",
                              "entre-todas")),
            Mistake("una-frase", "de cada clase usas una sola frase: es la media de todas las "
                    "suyas", with_flaw(loss_sums.class_vectors, "una-frase")),
            Mistake("de-quien-es", "las frases llegan mezcladas: `owners` dice de qué clase es "
                    "cada una", with_flaw(loss_sums.class_vectors, "a-partes-iguales")),
        ),
        tolerance=1e-5,
    ),
)  # fmt: skip
