"""Una clase que hereda se llama igual que su madre: donde vale una, vale la otra.

Lo que redefine conserva los argumentos de la madre, con su nombre, su orden y su valor por omisión,
y devuelve algo de la misma forma. Solo puede añadir argumentos con nombre que no haga falta dar.
"""

import inspect
import re
from collections.abc import Callable, Iterator

import pytest
from torch import nn

from tests.pieces import shelf_classes

# Método que no sigue a su madre → por qué.
EXCEPTIONS = {
    "SingleOutput.forward": "es lo que enseña: la misma red, pero contesta una sola vez",
    "ViTEncoder.forward": "se publicó sin cabeza: da los vectores de los parches, y no una clase",
    "PublishedPose.forward": "su cabeza da un mapa por articulación, y no una clase por imagen",
}
Method = tuple[str, Callable, Callable]


def overridden() -> Iterator[Method]:
    """Nombre, método y método de la madre, del curso o de `torch.nn`, de todo lo redefinido."""
    for child in shelf_classes():
        for name, method in vars(child).items():
            if name.startswith("_") or not inspect.isfunction(method):
                continue
            mother = next((vars(c)[name] for c in child.__mro__[1:] if name in vars(c)), None)
            # `nn.Module.forward` no dice nada: su firma es «lo que sea».
            if mother is not None and mother is not nn.Module.forward:
                yield f"{child.__name__}.{name}", method, mother


def arguments(method: Callable) -> list[tuple]:
    return [(p.name, p.kind, p.default) for p in inspect.signature(method).parameters.values()]


def returned(method: Callable) -> str:
    """Lo que devuelve, sin los nombres de los ejes: cuántos son, y de qué."""
    text = str(inspect.signature(method).return_annotation)
    return re.sub(r"(?<=Tensor, )'([^']*)'", lambda axes: f"{len(axes[1].split())} ejes", text)


def disagreement(method: Callable, mother: Callable) -> str:
    """En qué se aparta un método del de su madre; nada, si no se aparta."""
    wanted, found = arguments(mother), arguments(method)
    if found[: len(wanted)] != wanted:
        return f"recibe {inspect.signature(method)} y la madre, {inspect.signature(mother)}"
    for name, kind, default in found[len(wanted) :]:
        if kind is not inspect.Parameter.KEYWORD_ONLY or default is inspect.Parameter.empty:
            return f"añade «{name}», que hay que dar o que no se da por su nombre"
    ours = mother.__module__.startswith("tfcourse")  # PyTorch no anota las formas
    if ours and returned(method) != returned(mother):
        return f"devuelve {returned(method)} y la madre, {returned(mother)}"
    return ""


def test_what_is_overridden_keeps_the_signature():
    found = {name: disagreement(method, mother) for name, method, mother in overridden()}
    assert len(found) > 20, "no se descubre nada: la prueba pasaría sin mirar"
    wrong = {name: reason for name, reason in found.items() if reason and name not in EXCEPTIONS}
    assert not wrong, "\n".join(f"{name}: {reason}" for name, reason in wrong.items())


def test_every_exception_is_needed():
    found = {name: disagreement(method, mother) for name, method, mother in overridden()}
    assert {name for name in EXCEPTIONS if not found.get(name)} == set()


def mother(x: int, mask: int | None = None) -> int: ...


def renamed(y: int, mask: int | None = None) -> int: ...


def without_mask(x: int) -> int: ...


def other_default(x: int, mask: int | None = 1) -> int: ...


def one_more_to_give(x: int, mask: int | None = None, *, memory: int) -> int: ...


def one_more_by_place(x: int, mask: int | None = None, memory: int | None = None) -> int: ...


@pytest.mark.parametrize(
    "child", [renamed, without_mask, other_default, one_more_to_give, one_more_by_place]
)
def test_a_changed_signature_is_noticed(child):
    assert disagreement(child, mother)


def test_an_optional_name_may_be_added():
    def child(x: int, mask: int | None = None, *, memory: int | None = None) -> int: ...

    assert not disagreement(child, mother)
