"""Cualquier cosa que se dé por respuesta se explica en español: nada rompe `comprobar`."""

import gc
import os
import random
import sys
import time

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exercises.test_exercises import complaint
from tests.sample import sampled
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises import student


class Hostile:
    """Un objeto que falla hagas lo que hagas con él."""

    def __getattribute__(self, name):
        if name == "__class__":
            return object.__getattribute__(self, name)
        raise RuntimeError("no me toques")

    def __repr__(self):
        raise RuntimeError("no me mires")

    def __eq__(self, other):
        raise RuntimeError("no me compares")

    __hash__ = None


class Mute(Exception):
    """Una excepción que no sabe decir qué pasó."""

    def __str__(self):
        raise ValueError("sin palabras")


class Odd(BaseException):
    """Una excepción que un `except Exception` no atrapa."""


JUNK = [
    None, ..., "hola", "", 3, 2.5, float("nan"), 10**400, True, b"x", [], {}, (), {1}, object(),
    print, int, Hostile, Hostile(), [Hostile()] * 2, NotImplemented, Mute(), random,
    [[1], 2], [None], {"fijo_A": "x"}, (None, None), ([], []), [torch.zeros(2)] * 4,
    torch.zeros(0), torch.tensor(1.0), torch.zeros(3, 5), torch.zeros(2, 3, 4),
    torch.zeros(1).expand(10**6), torch.full((3, 4), float("nan")), torch.zeros(3, 4).to_sparse(),
    torch.zeros(3, 4, dtype=torch.complex64), torch.zeros((3, 4), dtype=torch.bool),
    torch.zeros(3, 4, device="meta"), (torch.zeros(3, 5), torch.zeros(3, 5, device="meta")),
    np.zeros((3, 4)), np.float32(1),
]  # fmt: skip

RAISED = [
    ValueError(), KeyError("clave"), Mute(), Odd("raro"), SystemExit(1), KeyboardInterrupt(),
    MemoryError(), RecursionError(), StopIteration(), GeneratorExit(), AssertionError("x"),
    NotImplementedError(), RuntimeError("shape mismatch {0} {llave}"),
    UnicodeDecodeError("utf-8", b"x", 0, 1, "malo"),
]  # fmt: skip


def returning(value):
    return lambda *arguments: value


def raising(error):
    def answer(*arguments):
        raise error

    return answer


@pytest.mark.parametrize("name", sampled(EXERCISES))
def test_junk_instead_of_a_function(name):
    for junk in JUNK:
        if not callable(junk) or isinstance(junk, type):
            assert complaint(name, junk)[0].key == "no-es-funcion"


@pytest.mark.por_turnos(por="caso")
@pytest.mark.parametrize("name", sampled(EXERCISES))
def test_functions_that_return_junk(name):
    for junk in JUNK:
        diagnosis, _ = complaint(name, returning(junk))
        assert len(diagnosis.likely) > 20


@pytest.mark.por_turnos(por="caso")
@pytest.mark.parametrize("name", sampled(EXERCISES))
def test_functions_that_raise(name):
    for error in RAISED:
        diagnosis, _ = complaint(name, raising(error))
        assert len(diagnosis.likely) > 15


@pytest.mark.por_turnos(por="caso")
@pytest.mark.parametrize("name", sampled(EXERCISES))
def test_functions_that_are_not_what_they_seem(name):
    async def coroutine(*arguments):
        return None

    def generator(*arguments):
        yield from arguments

    for answer in (generator, returning(generator()), len, dict):
        complaint(name, answer)
    with pytest.warns(RuntimeWarning, match="never awaited"):  # lo dice Python al soltarla
        complaint(name, coroutine)
        gc.collect()  # de lo importado no mira nada: `conftest` se lo quita al recoger


@settings(max_examples=60, deadline=None)
@given(
    name=st.sampled_from([*EXERCISES]),
    shape=st.lists(st.integers(0, 5), max_size=4),
    dtype=st.sampled_from([torch.float32, torch.float64, torch.int64, torch.bool, torch.bfloat16]),
    as_pair=st.booleans(),
)
def test_tensors_of_any_shape_and_type(name, shape, dtype, as_pair):
    value = torch.zeros(shape, dtype=dtype)
    complaint(name, returning((value, value) if as_pair else value))


def test_endless_recursion_and_endless_loops(monkeypatch):
    calls = []

    def forever(alpha, h):
        return forever(alpha, h)

    def spin(alpha, h):
        calls.append(alpha)
        while True:
            try:
                time.sleep(0.001)
            except Exception:
                continue

    assert complaint("contexto", forever)[0].key == "recursion"
    monkeypatch.setattr(student, "CALL_SECONDS", 0.2)
    assert complaint("contexto", spin)[0].key == "no-termina"
    assert len(calls) == 1, "tras el primer corte no se la vuelve a llamar"


@pytest.mark.skipif(os.name == "nt", reason="Windows no ofrece alarmas")
def test_an_import_is_not_cut_in_half(monkeypatch, tmp_path):
    slow = "import time\nfor _ in range(50):\n    time.sleep(0.01)\nready = 1\n"
    (tmp_path / "a_slow_module.py").write_text(slow)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(student, "GLANCE", 0.05)
    with student.time_limit(0.2):
        import a_slow_module
    assert a_slow_module.ready
    with pytest.raises(student.StoppedByChecker), student.time_limit(0.2):
        del sys.modules["a_slow_module"]
        import a_slow_module

        while True:  # el reloj empieza de nuevo, y acaba
            time.sleep(0.01)
    monkeypatch.setattr(student, "GLANCES", 2)
    (tmp_path / "an_endless_module.py").write_text("import time\nwhile True: time.sleep(0.01)\n")
    with pytest.raises(student.StoppedByChecker), student.time_limit(0.1):
        import an_endless_module  # noqa: F401


@pytest.mark.skipif(os.name == "nt", reason="Windows no ofrece alarmas")
def test_the_alarm_is_put_back():
    import signal

    before = signal.getsignal(signal.SIGALRM)
    with student.time_limit(5):
        pass
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def context_in_place(alpha, h):
    return h.mul_(alpha[..., None]).sum(1)


def context_that_erases(alpha, h):
    context = (alpha[..., None] * h).sum(1)
    alpha.zero_()
    return context


def gradient_that_erases(alpha, h, g):
    asked = (h @ g[:, :, None])[:, :, 0]
    found = alpha * (asked - (alpha * asked).sum(1, keepdim=True))
    g.zero_()
    return found


def gradient_in_place(alpha, h, g):
    asked = (h @ g[:, :, None])[:, :, 0]
    return alpha.mul_(asked - (alpha * asked).sum(1, keepdim=True))


@pytest.mark.parametrize(
    ("name", "answer", "touched"),
    [
        ("contexto", context_in_place, "`h`"),
        ("contexto", context_that_erases, "`alpha`"),
        ("gradiente-del-reparto", gradient_that_erases, "`g`"),
        ("gradiente-del-reparto", gradient_in_place, "`alpha`"),
    ],
)
def test_changing_the_inputs_is_noticed(name, answer, touched):
    diagnosis, _ = complaint(name, answer)
    assert diagnosis.key == "modifica-entradas"
    assert touched in diagnosis.likely
