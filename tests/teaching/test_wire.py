"""Los mensajes llevan datos y nada más: lo que llega mal se rechaza y nunca se ejecuta."""

import json
import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.teaching.wire import (
    HEADER,
    Decoder,
    Encoder,
    Opaque,
    WireError,
    pack,
    unpack,
)

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def round_trip(value):
    encoder = Encoder()
    message, blob = unpack(reader(pack({"v": encoder.encode(value)}, bytes(encoder.blob))))
    return Decoder(blob).decode(message["v"])


def reader(data):
    position = [0]

    def read(size):
        piece = data[position[0] : position[0] + size]
        position[0] += size
        if len(piece) != size:
            raise WireError("corto")
        return piece

    return read


@settings(max_examples=100, deadline=None)
@given(PLAIN)
def test_plain_values_travel(value):
    assert repr(round_trip(value)) == repr(value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool])
@pytest.mark.parametrize("shape", [(), (0,), (3, 4), (2, 0, 1)])
def test_tensors_travel(dtype, shape):
    value = (torch.rand(shape) * 5).to(dtype)
    back = round_trip([value, value.T if value.ndim == 2 else value])
    assert torch.equal(back[0], value) and back[0].dtype == dtype


def test_a_repeated_number_travels():
    """El paso 0 de `expand` con un elemento pasa por contiguo: así llegan los gradientes."""
    value = torch.tensor(2.5).expand(1)
    assert value.stride() == (0,) and value.is_contiguous()
    assert torch.equal(round_trip(value), value)
    assert torch.equal(round_trip(torch.tensor(2.5).expand(3, 2)), torch.full((3, 2), 2.5))


def test_arrays_travel_and_stay_arrays():
    back = round_trip(np.arange(6.0).reshape(2, 3))
    assert isinstance(back, np.ndarray) and back.shape == (2, 3)


@pytest.mark.parametrize(
    "value", [object(), {1}, torch.zeros(3).to_sparse(), torch.zeros(3, device="meta"), print]
)
def test_what_does_not_travel_leaves_only_its_name(value):
    back = round_trip([value])[0]
    assert isinstance(back, Opaque) and type(back).__name__ == type(value).__name__


class Trap:
    """Si alguien lo deshiciera con pickle, se ejecutaría."""

    def __reduce__(self):
        return (pytest.fail, ("se ha ejecutado",))


def test_nothing_is_pickled():
    assert isinstance(round_trip(Trap()), Opaque)


@pytest.mark.parametrize(
    "tree",
    [
        {"t": "tensor", "d": "float32", "s": [10**9], "at": 0},
        {"t": "tensor", "d": "float32", "s": [-1], "at": 0},
        {"t": "tensor", "d": "object", "s": [1], "at": 0},
        {"t": "array", "d": "object", "s": [1], "at": 0},
        {"t": "tensor", "d": "float32", "s": [1], "at": 3},
        {"t": "tensor", "s": [1]}, {"t": "dict", "v": [[1]]}, {"t": "dict", "v": [[[], 1]]},
        {"t": "int", "v": "zz"}, {"t": "otro"}, {}, [], "suelto", {"t": "funcion", "n": 1},
        {"t": "list", "v": 3},
    ],
)  # fmt: skip
def test_malformed_values_are_rejected(tree):
    with pytest.raises(WireError):
        Decoder(b"1234").decode(tree)


def test_huge_or_broken_messages_are_rejected():
    for data in (
        HEADER.pack(2**32 - 1, 0), HEADER.pack(10, 2**32 - 1), HEADER.pack(3, 0) + b"[1]",
        HEADER.pack(3, 0) + b"{{{", HEADER.pack(4, 0) + b"\xff\xfe\x00\x00",
    ):  # fmt: skip
        with pytest.raises(WireError):
            unpack(reader(data))


def test_random_damage_never_escapes():
    """Un mensaje estropeado al azar da un valor o un `WireError`, nada más."""
    chance = random.Random(0)
    encoder = Encoder()
    tree = encoder.encode([torch.rand(3), {"a": (1, 2.5, "x")}, np.ones(2)])
    good = json.dumps({"v": tree}).encode()
    for _ in range(500):
        bad = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            bad[chance.randrange(len(bad))] = chance.randrange(32, 127)
        try:
            data = HEADER.pack(len(bad), len(encoder.blob)) + bytes(bad) + bytes(encoder.blob)
            message, blob = unpack(reader(data))
            Decoder(blob).decode(message.get("v"))
        except WireError:
            pass
