"""Lector del ejercicio de comprender sobre Gato."""

from math import log

from tests.exercises.statement_readers import (
    amounts,
    blocks,
    bullets,
    enumerated,
    in_order,
    only,
)


def robot_steps(statement):
    """Los pasos, puestos en la ventana de uno en uno."""
    rows, columns, down, right, *robot = amounts(
        r"una \*\*imagen\*\* de (\d+) × (\d+) píxeles, que se corta en parches de (\d+) × (\d+), y "
        r"\*\*(\w+) números\*\*: los ángulos de su brazo\. Contesta con una acción de "
        r"\*\*(\w+) componentes\*\*\. La ventana es de (\d+) tokens\.$",
        statement,
    )
    patch = (down, right)
    *image, action, window = amounts(
        r"Por ejemplo, con una imagen de (\d+) × (\d+), ningún número más, una acción de (\w+) "
        r"componente y una ventana de (\d+) tokens serían `",
        statement,
    )
    # El enunciado no habla del separador, que está en el capítulo; el ejemplo lo cuenta.
    listed = only("tokens serían `(.+)`", statement)
    assert enumerated(listed) == _steps(blocks(image, patch), 0, action, window)
    return in_order(statement, _steps(blocks((rows, columns), patch), *robot))


def _steps(patches, numbers, action, window):
    """Los tokens de un paso, los pasos enteros y los que se aprenden."""
    step = ["parche"] * patches + ["número"] * numbers + ["separador"] + ["acción"] * action
    row = []
    while len(row) + len(step) <= window:
        row += step
    return [len(step), row.count("separador"), row.count("acción")]


def bin_widths(statement):
    """Midiendo la casilla con la inversa de la ley, que no está en el enunciado."""
    far = float(only(r"cerca de \$x = (\d+)\$", statement))
    mu, span, bins = amounts(r"con μ = (\d+), M = (\d+) y (\d+) casillas", statement)
    assert bullets(statement) == ["en_cero", "lejos", "iguales"]

    def inverse(y):
        return ((mu * span + 1) ** y - 1) / mu

    def width(x):
        place, half = log(mu * x + 1) / log(mu * span + 1), 1e-6 / bins
        return (inverse(place + half) - inverse(place)) / half * 2 / bins

    return {"en_cero": width(0.0), "lejos": width(far), "iguales": 2 * span / bins}


READERS = {"pasos-en-la-ventana": robot_steps, "anchura-de-una-casilla": bin_widths}
