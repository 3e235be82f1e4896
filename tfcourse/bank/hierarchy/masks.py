"""Ejercicio de código: quién se ve en un mapa rodado."""

import torch

from tfcourse.exercises.data import chance
from tfcourse.exercises.engine import Card, Case, Exercise, Mistake, Task, example


def _places(side, size, shift):
    """Fila y columna, en el mapa sin rodar, de cada casilla de cada ventana."""
    place = torch.arange(side)
    rows, columns = torch.meshgrid(place, place, indexing="ij")
    rolled = torch.stack([rows, columns]).roll((-shift, -shift), dims=(1, 2))
    cells = rolled.unfold(1, size, size).unfold(2, size, size)  # 2 filas columnas m m
    return cells.flatten(3).flatten(1, 2)  # 2 ventanas casillas


def _reference(side, size, shift):
    """Se ven las casillas que en la imagen están a menos de una ventana en los dos lados."""
    cells = _places(side, size, shift)
    distance = (cells[..., :, None] - cells[..., None, :]).abs()
    return (distance < size).all(dim=0)


def _everyone(side, size, shift):
    return torch.ones_like(_reference(side, size, shift))


def _opposite(side, size, shift):
    return ~_reference(side, size, shift)


def _one_axis(axis):
    def mask(side, size, shift):
        cells = _places(side, size, shift)[axis]
        return (cells[:, :, None] - cells[:, None, :]).abs() < size

    return mask


def _other_way(side, size, shift):
    return _reference(side, size, size - shift) if shift else _reference(side, size, 0)


def _columns_first(side, size, shift):
    count = side // size
    mask = _reference(side, size, shift).unflatten(0, (count, count))
    return mask.transpose(0, 1).flatten(0, 1).roll(1, dims=0)


def _case(side, size, shift):
    return lambda: (side, size, shift)


def _random_case(seed):
    def make():
        random = chance(seed)
        size = random.randint(3, 6)
        return size * random.randint(2, 4), size, random.randint(1, size - 1)

    return make


MASK = Exercise(
    Card(
        id="quien-se-ve-en-la-ventana",
        title="Quién se ve en la ventana",
        kind="codigo",
        difficulty=3,
        minutes=25,
        points=3,
        objective="construir la máscara de las ventanas desplazadas",
        hints=(
            "Numera los trozos del mapa rodado: cada lado tiene tres tramos, que acaban en "
            "side − size, side − shift y side.",
            "Corta ese mapa de números en ventanas, como la imagen, y aplana cada una.",
            "Dos casillas de una ventana se ven si su número es el mismo: compara el vector "
            "puesto en columna con él mismo puesto en fila.",
        ),
    ),
    Task(
        function="window_mask",
        cases=(
            Case("cuatro ventanas", _case(4, 2, 1)),
            Case("ventanas de 4", _case(8, 4, 1)),
            Case("nueve ventanas", _case(9, 3, 1)),
            Case("desplazadas 2 de 3", _case(6, 3, 2)),
            Case("sin desplazar", _case(6, 3, 0)),
            Case("un mapa al azar", _random_case(0)),
            Case("otro mapa al azar", _random_case(1)),
            example(4, 2, 1),
        ),
        reference=_reference,
        mistakes=(
            Mistake(
                "todas-se-ven",
                "se ven todas: en las ventanas del borde hay casillas de extremos opuestos",
                (_everyone,),
            ),
            Mistake(
                "al-reves",
                "la máscara está al revés: True significa «puede mirar»",
                (_opposite,),
            ),
            Mistake(
                "solo-un-lado",
                "solo has separado en un sentido: al rodar se mezclan filas y también columnas",
                (_one_axis(0), _one_axis(1)),
            ),
            Mistake(
                "otro-desplazamiento",
                "has partido la ventana por el otro lado: las últimas shift casillas son las que "
                "han dado la vuelta",
                (_other_way,),
            ),
            Mistake(
                "ventanas-desordenadas",
                "las ventanas no van por filas, de izquierda a derecha",
                (_columns_first,),
            ),
        ),
        tolerance=0.0,
        differentiable=False,
    ),
)
