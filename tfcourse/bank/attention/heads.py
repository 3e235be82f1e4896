"""Ejercicio de código: la capa multicabeza entera, desde sus matrices."""

import math

import torch

from tfcourse.exercises.data import random_tensors, softmax_by_exp
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example
from tfcourse.watch import Rules


def _multihead_by_loops(x, w_q, w_k, w_v, w_o, n_heads):
    """En 64 bits: lo que se aparte de ella será el redondeo de la respuesta, y no el suyo."""
    exact = [tensor.double() for tensor in (x, w_q, w_k, w_v, w_o)]
    return _exact_by_loops(*exact, n_heads).to(x.dtype)


def _exact_by_loops(x, w_q, w_k, w_v, w_o, n_heads):
    size = x.shape[-1] // n_heads
    batch = []
    for sentence in x:
        found = []
        for h in range(n_heads):
            mine = slice(h * size, (h + 1) * size)
            q, k, v = (sentence @ w[mine].T for w in (w_q, w_k, w_v))
            rows = []
            for query in q:
                scores = [(query @ key / math.sqrt(size)).item() for key in k]
                weights = torch.tensor(softmax_by_exp(scores), dtype=x.dtype)
                rows.append(weights @ v)
            found.append(torch.stack(rows))
        batch.append(torch.cat(found, dim=-1) @ w_o.T)
    return torch.stack(batch)


def _multihead(*, scale=None, join=True, output=True, dim=-1, heads=None, transpose=True):
    def layer(x, w_q, w_k, w_v, w_o, n_heads):
        n_heads = heads or n_heads
        b, length, width = x.shape
        turn = (lambda w: w.T) if transpose else (lambda w: w)
        q, k, v = (
            (x @ turn(w)).unflatten(-1, (n_heads, -1)).transpose(1, 2) for w in (w_q, w_k, w_v)
        )
        divisor = math.sqrt(q.shape[-1]) if scale is None else scale(width)
        mixed = (q @ k.mT / divisor).softmax(dim) @ v
        mixed = mixed.transpose(1, 2).flatten(2) if join else mixed.reshape(b, length, width)
        return mixed @ turn(w_o) if output else mixed

    return layer


def _layer_case(batch, length, width, n_heads, seed):
    """Con las matrices a la escala con que se empiezan: los puntajes no se disparan."""

    def make():
        x, *matrices = random_tensors((batch, length, width), *[(width, width)] * 4, seed=seed)
        return x, *(2 * matrix / math.sqrt(width) for matrix in matrices), n_heads

    return make


MULTIHEAD = Exercise(
    Card(
        id="capa-multicabeza",
        title="La capa entera",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=4,
        objective="montar la autoatención multicabeza desde las matrices, sin bucles",
        hints=(
            "Cinco pasos: proyectar, repartir, atender, juntar y mezclar. Comprueba la forma "
            "después de cada uno.",
            "Cada cabeza compara vectores de D/H dimensiones: esa es la d de la raíz.",
            "Para juntar, deshaz los dos movimientos de repartir en orden inverso: primero "
            "`transpose(1, 2)` y después `flatten(2)`. Al final, `@ w_o.T`.",
        ),
    ),
    Task(
        function="multihead_attention",
        cases=(
            Case("2 frases, 4 tokens, 2 cabezas", _layer_case(2, 4, 6, 2, seed=0)),
            Case("3 cabezas", _layer_case(1, 5, 12, 3, seed=1)),
            Case("una sola cabeza", _layer_case(2, 3, 4, 1, seed=2)),
            Case("tantas cabezas como dimensiones", _layer_case(2, 3, 4, 4, seed=3)),
            Case(
                "8 frases y 8 cabezas, sin bucles",
                _layer_case(8, 2, 8, 8, seed=4),
                Rules(operations=40),
            ),
            example(
                torch.tensor([[[2.0, 0.0], [0.0, 4.0]]]),
                torch.zeros(2, 2),
                torch.eye(2),
                torch.eye(2),
                torch.eye(2),
                1,
                in_words=True,
            ),
            Case(
                "el otro ejemplo del enunciado",
                lambda: (torch.zeros(1, 3, 2), *[torch.eye(2)] * 4, 2),
            ),
        ),
        reference=_multihead_by_loops,
        mistakes=(
            Mistake(
                "escala-del-modelo",
                "has dividido entre √D: cada cabeza compara vectores de D/H dimensiones, y esa es "
                "la que va en la raíz",
                (_multihead(scale=math.sqrt),),
            ),
            Mistake(
                "sin-escalar",
                "te falta dividir los puntajes entre √(D/H)",
                (_multihead(scale=lambda width: 1.0),),
            ),
            Mistake(
                "junta-sin-intercambiar",
                "al juntar has aplanado sin intercambiar antes cabezas y longitud: cada fila "
                "mezcla posiciones distintas",
                (_multihead(join=False),),
            ),
            Mistake(
                "sin-salida",
                "te falta la última mezcla, la de `w_o`",
                (_multihead(output=False),),
            ),
            Mistake(
                "una-sola-cabeza",
                "no has repartido: has hecho una sola atención con las D dimensiones",
                (_multihead(heads=1),),
            ),
            Mistake(
                "softmax-por-consultas",
                "tus pesos suman 1 por columnas: el softmax va en el último eje, el de las claves",
                (_multihead(dim=-2),),
            ),
            Mistake(
                "matrices-traspuestas",
                "has multiplicado por las matrices sin trasponer: por filas se proyecta con "
                "`x @ W.T`",
                (_multihead(transpose=False),),
            ),
        ),
        tolerance=1e-4,
    ),
)
