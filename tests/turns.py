"""Lo que se prueba por turnos: en cada cambio, una parte; de noche, todo.

De los cuatro turnos de un capítulo, en dos, que no van seguidos, se compara con lo que dice; en
otro corre en el acelerador simulado, y en el que queda se prueba con otra semilla lo que afirma. Su
cuaderno de ejercicios, tal como lo recibe el estudiante, se ejecuta en un turno, y en uno se da por
respuesta a cada ejercicio lo que no lo es. El turno sale de la revisión (el `Makefile` lo calcula),
así que la misma prueba siempre lo mismo. `TFCOURSE_TURNO=0`, `1`, `2` o `3` lo elige; sin él, van
todos.
"""

import os
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

MARK = "por_turnos"
TURNS = 4


def turn_of(name: str, other: bool = False) -> int:
    """El turno de algo por su nombre; con `other`, el que va dos después."""
    return (crc32(name.encode()) + (TURNS // 2 if other else 0)) % TURNS


def _name(item, by: str) -> str:
    return item.callspec.id if by == "caso" else item.path.stem.removeprefix("test_")


def rests(item, turn: int) -> bool:
    """Si a una prueba no le toca en este turno.

    Su marca dice por qué se reparte, «archivo» o «caso», y si va dos turnos después; con
    `al_lado`, en lugar de en ese va en el de antes y en el de después.
    """
    mark = item.get_closest_marker(MARK)
    if mark is None:
        return False
    own = turn_of(_name(item, mark.kwargs["por"]), mark.kwargs.get("otro", False))
    beside = (turn - own) % 2 == 1
    return not beside if mark.kwargs.get("al_lado", False) else turn != own


def pages_in_turn(pages: list[Path]) -> list[Path]:
    """De muchas páginas que se miran una a una, las de este turno; sin turno, todas."""
    turn = os.environ.get("TFCOURSE_TURNO", "todos")
    return pages if turn == "todos" else [page for page in pages if turn_of(page.stem) == int(turn)]


def leave_out(items: list, deselected: Callable[[list], None]) -> None:
    """Quita de la lista las pruebas a las que no les toca, y avisa de cuáles son."""
    turn = os.environ.get("TFCOURSE_TURNO", "todos")
    if turn == "todos":
        return
    awake, resting = [], []
    for item in items:
        (resting if rests(item, int(turn)) else awake).append(item)
    items[:] = awake
    deselected(resting)
