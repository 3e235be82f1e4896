"""Lo que se sabe de un valor sin ejecutar nada: si depende de un reloj, y qué parte de él.

Un valor es `True` (depende), `False` (no depende), una tupla de valores, una colección o una
función.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """Una colección: lo que tiene dentro, sea cual sea el elemento; las claves de una tabla, no."""

    inside: object
    is_table: bool = False


@dataclass(frozen=True)
class Function:
    """Una función, y lo que se sabe de lo que devuelve."""

    returns: object


def depends(value: object) -> bool:
    """Si algo de un valor depende de un reloj."""
    match value:
        case Box(inside):
            return depends(inside)
        case Function(returns):
            return depends(returns)
        case tuple():
            return any(map(depends, value))
    return bool(value)


def inside(value: object) -> object:
    """Lo que hay dentro de un valor, si es una colección."""
    return value.inside if isinstance(value, Box) else depends(value)


def element(value: object) -> object:
    """Lo que se saca de un valor al recorrerlo: de una tabla, sus claves."""
    return False if isinstance(value, Box) and value.is_table else inside(value)


def join(first: object, second: object) -> object:
    """Lo que puede ser uno u otro: depende de un reloj lo que dependa en cualquiera de los dos."""
    match first, second:
        case tuple(), tuple() if len(first) == len(second):
            return tuple(map(join, first, second))
        case Box(a), Box(b):
            return Box(join(a, b), first.is_table or second.is_table)
        case Function(a), Function(b):
            return Function(join(a, b))
    if depends(first) and depends(second):
        return True
    return second if depends(second) or not first else first
