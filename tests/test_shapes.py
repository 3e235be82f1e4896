"""Lo anotado se comprueba al llamar: una vez por prueba con lo mismo, y siempre con lo distinto."""

from collections.abc import Iterator
from dataclasses import dataclass

import jaxtyping
import pytest
import torch
from jaxtyping import Float
from torch import Tensor, nn

from tests import shapes


@pytest.fixture(autouse=True)
def anew():
    shapes.forget()


def complains(function, *args, **kwargs) -> bool:
    """Si quien comprueba se queja de la llamada."""
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error).__module__.split(".")[0] in ("beartype", "jaxtyping"), error
        return True
    return False


@shapes.checked
def product(a: Float[Tensor, "n m"], b: Float[Tensor, "m k"]) -> Float[Tensor, "n k"]:
    return a @ b


@shapes.checked
def wrong_shape(x: Float[Tensor, "n m"]) -> Float[Tensor, "m n"]:
    return x


@shapes.checked
def named(n: int, *, word: str = "a") -> str:
    return word * n if n < 9 else None


@shapes.checked
def quoted(a: "Float[Tensor, 'n m']", b: "Float[Tensor, 'm k']") -> "str":
    return "a"


@shapes.checked
def rows(x: Float[Tensor, "n m"]) -> Iterator[Float[Tensor, " m"]]:
    yield from x


def test_what_comes_in_and_what_goes_out_is_looked_at():
    assert product(torch.ones(2, 3), torch.ones(3, 4)).shape == (2, 4)
    assert complains(product, torch.ones(2, 3), torch.ones(2, 4))
    assert complains(product, torch.ones(2, 3), torch.ones(3, 4, dtype=torch.int64))
    assert complains(wrong_shape, torch.ones(2, 3)) and not complains(wrong_shape, torch.ones(2, 2))
    assert len([*rows(torch.ones(2, 3))]) == 2 and complains(rows, torch.ones(2))


def test_types_without_tensors_are_looked_at_in_every_call():
    for _ in range(3):
        assert named(2) == "aa" and complains(named, 2.5) and complains(named, 2, word=3)
        assert complains(named, 9)  # devuelve lo que no dice


def test_what_is_written_between_quotes_is_looked_at():
    assert quoted(torch.ones(2, 3), torch.ones(3, 4)) == "a"
    assert complains(quoted, torch.ones(2, 3), torch.ones(2, 4))


def test_what_has_nothing_written_is_left_as_it_is():
    def free(x):
        return x

    assert shapes.checked(free) is free


def counted(monkeypatch) -> list:
    """Apunta cada tensor que se comprueba."""
    looked, real = [], jaxtyping._storage.push_shape_memo
    monkeypatch.setattr(
        jaxtyping._decorator, "push_shape_memo", lambda given: looked.append(given) or real(given)
    )
    return looked


def test_the_same_call_is_looked_at_once_in_each_test(monkeypatch):
    looked = counted(monkeypatch)
    for n in (2, 2, 3, 2, 3):
        product(torch.ones(n, 3), torch.ones(3, 4))
    assert len(looked) == 2
    product(torch.ones(2, 3), b=torch.ones(3, 4))  # dada de otra manera
    product(torch.ones(2, 3), b=torch.ones(3, 5))
    product(torch.ones(2, 3).double(), torch.ones(3, 4).double())
    assert len(looked) == 5
    shapes.forget()
    product(torch.ones(2, 3), torch.ones(3, 4))
    assert len(looked) == 6


def test_each_object_is_looked_at():
    class Cut(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.size = size

        @shapes.checked
        def forward(self, x: Float[Tensor, "n m"]) -> Float[Tensor, "n m"]:
            return x[: self.size]

    right, wrong = Cut(4), Cut(3)
    assert right(torch.ones(4, 2)).shape == (4, 2)
    assert complains(wrong, torch.ones(4, 2))


def test_who_returns_another_shape_is_looked_at_again():
    kept = [2]

    @shapes.checked
    def first(x: Float[Tensor, "n m"]) -> Float[Tensor, "n m"]:
        return x[: kept[0]]

    given = torch.ones(2, 3)
    first(given)
    kept[0] = 1
    first(given)  # esta aún cuenta como vista
    assert complains(first, given)


def test_a_mistake_is_not_remembered_as_seen():
    for _ in range(2):
        assert complains(wrong_shape, torch.ones(2, 3))


def test_data_and_what_is_inside_a_list_are_looked_at():
    @shapes.checked
    @dataclass
    class Pair:
        x: Float[Tensor, "n m"]
        n: int

    @shapes.checked
    def total(xs: list[Float[Tensor, "n m"]], ys: list[Float[Tensor, "m k"]]) -> int:
        return len(xs) + len(ys)

    assert Pair(torch.ones(2, 3), 1).n == 1
    assert complains(Pair, torch.ones(2), 1) and complains(Pair, torch.ones(2, 3), "1")
    assert total([torch.ones(2, 3)], [torch.ones(3, 4)]) == 2
    assert complains(total, [torch.ones(2, 3)], [torch.ones(2, 4)])


def test_it_can_be_turned_off(sin_tipos):
    assert not complains(wrong_shape, torch.ones(2, 3)) and not complains(named, 2, word="b")
    assert named.__wrapped__("x" and 2) == "aa"


def test_nothing_is_asked_to_a_hostile_object():
    class Hostile:
        def __getattribute__(self, name):
            raise RuntimeError("no me toques")

    one = Hostile()
    assert shapes.kind([one]) == (list, 1, (Hostile, id(one)))


def test_the_packages_carry_it():
    import os

    from tfcourse.layers.attention import attention

    if os.environ.get("TFCOURSE_FORMAS") != "no":
        assert complains(attention, torch.ones(2, 3), torch.ones(4, 5), torch.ones(6, 7))
        assert attention.__code__.co_filename == shapes.__file__
