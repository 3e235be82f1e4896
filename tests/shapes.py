"""Comprueba en las pruebas las formas y los tipos anotados, sin comprobar dos veces lo mismo.

Lo que pone la biblioteca en cada función cuesta, en las pequeñas, diez veces lo que la función, y
al entrenar se repite en cada paso con lo mismo. Aquí el que comprueba se hace la primera vez que se
llama a la función, y dentro de una prueba no se vuelve a mirar una llamada con los mismos objetos y
con tensores de las mismas formas y tipos. Una prueba no se fía de lo que miró otra.
"""

import dataclasses
import functools
import inspect
import sys
import typing
from collections.abc import Callable

import beartype
import jaxtyping

PACKAGES = ["tfcourse", "benchmarks", "workshop"]
CONF = beartype.BeartypeConf(is_pep484_tower=True)
ATOMS = {int, float, complex, bool, str, bytes, type(None)}
LOOKED = 8  # de una lista larga se miran unos cuantos: beartype mira uno, al azar
# Función y qué recibió → de qué clase fue lo que devolvió; se vacía en cada prueba.
_seen: dict[tuple, object] = {}
_jaxtyped = jaxtyping.jaxtyped


def install() -> None:
    """Comprueba lo anotado en los paquetes que se importen desde ahora."""
    jaxtyping.jaxtyped = checked
    jaxtyping.install_import_hook(PACKAGES, "beartype.beartype")


def forget() -> None:
    """Empieza otra prueba: se vuelve a comprobar todo."""
    _seen.clear()


def checked(thing=None, *, typechecker=None):
    """El decorador que pone `jaxtyping` al importar, a una función o a una clase."""
    if thing is None:
        return functools.partial(checked, typechecker=typechecker)
    if inspect.isclass(thing):
        own = vars(thing).get("__init__")
        if dataclasses.is_dataclass(thing) and own and not hasattr(own, "__wrapped__"):
            thing.__init__ = checked(own)
        return thing
    hints = thing.__annotations__
    if not hints:
        return thing
    return _once(thing) if any(map(_has_shape, hints.values())) else _always(thing)


def kind(value: object, identity: Callable = id) -> object:
    """De un tensor, su forma y su tipo; de un número, su clase; de lo demás, cuál es.

    De una lista, lo de sus elementos. `identity` dice cuál es un objeto; con `type`, solo su clase.
    Todo se le pregunta a la clase: hay pruebas con objetos que fallan si se les pregunta algo.
    """
    own = type(value)
    if own in ATOMS:
        return own
    if hasattr(own, "shape") and hasattr(own, "dtype"):  # de PyTorch o de NumPy
        return own, value.shape, value.dtype
    if issubclass(own, (tuple, list)):
        return own, len(value), *(kind(one, identity) for one in value[:LOOKED])
    if issubclass(own, dict):
        some = [kind(one, identity) for one, _ in zip(value.values(), range(LOOKED), strict=False)]
        return own, len(value), *value.keys(), *some
    return own, identity(value)


def _has_shape(hint: object) -> bool:
    """Si en una anotación hay un tensor; escrita como texto, puede haberlo."""
    if isinstance(hint, str):
        return True
    if inspect.isclass(hint) and issubclass(hint, jaxtyping.AbstractArray):
        return True
    return any(map(_has_shape, typing.get_args(hint)))


def _is_off() -> bool:
    """Si una prueba lo ha apagado. Lo que se compila tampoco se mira: se compilaría la mirada."""
    return jaxtyping.config.jaxtyping_disable or sys.modules["torch"].compiler.is_compiling()


def _always(function: Callable) -> Callable:
    """Sin tensores anotados: los tipos, en cada llamada, que así cuesta poco."""
    made = None

    @functools.wraps(function)
    def call(*args, **kwargs):
        nonlocal made
        if _is_off():
            return function(*args, **kwargs)
        if made is None:
            made = beartype.beartype(conf=CONF)(function)
        return made(*args, **kwargs)

    return call


def _once(function: Callable) -> Callable:
    """Con tensores: una llamada como otra de esta prueba no se comprueba.

    Si devuelve algo de otra forma que entonces, la siguiente sí se comprueba.
    """
    made = None

    @functools.wraps(function)
    def call(*args, **kwargs):
        nonlocal made
        if _is_off():
            return function(*args, **kwargs)
        given = function, kind(args), kind(kwargs)
        if given in _seen:
            found = function(*args, **kwargs)
            if kind(found, type) != _seen[given]:
                _seen.pop(given, None)
            return found
        if made is None:
            made = _with_shapes(function)
        found = made(*args, **kwargs)
        _seen[given] = kind(found, type)
        return found

    return call


def _with_shapes(function: Callable) -> Callable:
    """La función, con lo que recibe y lo que devuelve comprobado a la vez."""
    by_hand = inspect.isgeneratorfunction(function) or any(
        isinstance(hint, str) for hint in function.__annotations__.values()
    )
    checker = beartype.beartype(conf=CONF)
    if by_hand:  # la biblioteca sabe leer una anotación escrita como texto
        return _jaxtyped(function, typechecker=checker)
    return _jaxtyped(checker(function), typechecker=None)
