"""Ejercicio de código: leer en las dos direcciones."""

import torch

from tfcourse.exercises.data import random_tensors
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _leaky(decay, d_output):
    """Una red de juguete: acumula lo leído, cada vez más tenue, y lo repite `d_output` veces."""

    def read(x):
        total, states = torch.zeros_like(x[:, 0, :1]), []
        for x_t in x.unbind(1):
            weights = torch.arange(1, x.shape[2] + 1, dtype=x.dtype)
            total = decay * total + (x_t * weights).sum(-1, keepdim=True)
            states.append(total * torch.arange(1, d_output + 1, dtype=x.dtype))
        return torch.stack(states, dim=1)

    return read


def _by_positions(x, read_forward, read_backward):
    """Cada posición por separado: lee hasta ella desde un lado y desde el otro."""
    length, rows = x.shape[1], []
    for t in range(length):
        ahead = read_forward(x[:, : t + 1])[:, -1]
        backwards = torch.stack([x[:, i] for i in range(length - 1, t - 1, -1)], dim=1)
        rows.append(torch.cat([ahead, read_backward(backwards)[:, -1]], dim=-1))
    return torch.stack(rows, dim=1)


def _both(turn=1, undo=1, order="fb", same=False, join=-1):
    """La lectura doble con alguna pieza cambiada: así se fabrican los errores típicos."""

    def read(x, read_forward, read_backward):
        turned = x if turn is None else x.flip(turn)
        behind = (read_forward if same else read_backward)(turned)
        behind = behind if undo is None else behind.flip(undo)
        sides = {"f": read_forward(x), "b": behind}
        return torch.cat([sides[name] for name in order], dim=join)

    return read


def _added(x, read_forward, read_backward):
    return read_forward(x) + read_backward(x.flip(1)).flip(1)


def _case(batch, length, d_input, seed, sizes=(3, 3), dtype=torch.float32):
    def make():
        (x,) = random_tensors((batch, length, d_input), seed=seed, dtype=dtype)
        return x, _leaky(0.5, sizes[0]), _leaky(0.8, sizes[1])

    return make


BIDIRECTIONAL = Exercise(
    Card(
        id="dos-direcciones",
        title="Tres fallos al leer en las dos direcciones",
        kind="codigo",
        difficulty=2,
        minutes=12,
        points=3,
        objective="encontrar y arreglar los fallos de una lectura doble que se ejecuta sin errores",
        hints=(
            "La segunda red solo sabe leer de izquierda a derecha: dale la secuencia del revés. "
            "¿Por qué eje se le da la vuelta?",
            "Sus estados salen también del revés: el primero corresponde a la última posición. Hay "
            "que volver a darles la vuelta antes de juntarlos.",
            "x.flip(1) invierte el tiempo; torch.cat([ida, vuelta], dim=-1) junta los rasgos de "
            "cada posición.",
        ),
    ),
    Task(
        function="both_directions",
        cases=(
            Case("2 secuencias de 4 pasos", _case(2, 4, 3, seed=0)),
            Case("redes de distinto tamaño", _case(3, 5, 2, seed=1, sizes=(2, 4))),
            Case("una sola secuencia", _case(1, 6, 2, seed=2)),
            Case("secuencias de un paso", _case(2, 1, 3, seed=3)),
            Case("todos los ejes iguales", _case(3, 3, 3, seed=4)),
            Case("números de 64 bits", _case(2, 4, 2, seed=5, dtype=torch.float64)),
            example(
                torch.tensor([[[1.0], [2.0], [4.0]]]),
                lambda x: x.cumsum(dim=1),
                lambda x: x.cumsum(dim=1),
            ),
        ),
        reference=_by_positions,
        mistakes=(
            Mistake(
                "sin-dar-la-vuelta",
                "la segunda red ha leído en el mismo sentido que la primera: dale `x.flip(1)`",
                (_both(turn=None, undo=None),),
            ),
            Mistake(
                "sin-deshacer",
                "los estados de la segunda red están del revés: dales la vuelta antes de juntarlos",
                (_both(undo=None),),
            ),
            Mistake(
                "vuelta-solo-al-salir",
                "has dado la vuelta a los estados, pero no a lo que lee la segunda red",
                (_both(turn=None),),
            ),
            Mistake(
                "lote-invertido",
                "has invertido el eje 0, que es el lote: el tiempo es el eje 1",
                # Deshacerla después equivale a no dar ninguna vuelta.
                (_both(turn=0, undo=None), _both(turn=0)),
            ),
            Mistake(
                "rasgos-invertidos",
                "has invertido el último eje, el de los rasgos: el tiempo es el eje 1",
                (_both(turn=-1, undo=-1), _both(turn=-1, undo=None)),
            ),
            Mistake(
                "orden-al-concatenar",
                "has puesto primero la vuelta: se pide [ida ; vuelta]",
                (_both(order="bf"),),
            ),
            Mistake(
                "la-misma-red",
                "has usado la misma red en los dos sentidos: hay dos, con sus propios pesos",
                (_both(same=True),),
            ),
            Mistake(
                "sumados",
                "has sumado los dos estados: se concatenan, para que la salida los distinga",
                (_added,),
            ),
            Mistake(
                "juntados-en-el-tiempo",
                "has concatenado por el eje del tiempo: se juntan los rasgos, `dim=-1`",
                (_both(join=1),),
            ),
        ),
    ),
)
