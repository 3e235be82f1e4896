"""Las piezas y los modelos del curso: todas las clases de sus dos estanterías, que se descubren."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import tfcourse.layers
import tfcourse.models


def shelf_modules() -> Iterator[ModuleType]:
    """Los módulos de `tfcourse.layers` y de `tfcourse.models`."""
    for shelf in (tfcourse.layers, tfcourse.models):
        for info in pkgutil.walk_packages(shelf.__path__, f"{shelf.__name__}."):
            yield importlib.import_module(info.name)


def shelf_classes() -> Iterator[type]:
    """Las clases que definen, cada una una vez."""
    for module in shelf_modules():
        for thing in vars(module).values():
            if inspect.isclass(thing) and thing.__module__ == module.__name__:
                yield thing
