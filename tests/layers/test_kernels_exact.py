"""Ventanas y patrones: la cuenta por bloques es la fórmula con una máscara de L × L."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.layers.kernels import L, assert_same, padding, relation, tensors
from tfcourse.layers.attention import attention
from tfcourse.layers.kernels.partial import blockwise_attention, merge_parts, partial_attention
from tfcourse.layers.kernels.patterns import (
    FixedAttention,
    GlobalLocalAttention,
    StridedAttention,
)
from tfcourse.layers.kernels.segments import SegmentAttention
from tfcourse.layers.kernels.sinks import SinkAttention
from tfcourse.layers.kernels.windows import (
    BlockLocalAttention,
    LocalAttention,
    check_positive,
    deinterleave,
    interleave,
)


def near(window, causal=False, dilation=1):
    def rule(i, j):
        apart = i - j
        inside = abs(apart) <= window * dilation and apart % dilation == 0
        return inside and (j <= i or not causal)

    return rule


CASES = {
    "ventana": (LocalAttention(3), near(3)),
    "ventana de 1": (LocalAttention(1), near(1)),
    "ventana causal": (LocalAttention(5, causal=True), near(5, causal=True)),
    "dilatada": (LocalAttention(2, dilation=3), near(2, dilation=3)),
    "dilatada y causal": (
        LocalAttention(2, dilation=4, causal=True),
        near(2, dilation=4, causal=True),
    ),
    "bloques": (BlockLocalAttention(5), lambda i, j: abs(i // 5 - j // 5) <= 1),
    "bloques causal": (
        BlockLocalAttention(5, causal=True),
        lambda i, j: j <= i and i // 5 - j // 5 <= 1,
    ),
    "saltos": (StridedAttention(4), lambda i, j: abs(i - j) <= 4 or (i - j) % 4 == 0),
    "saltos causal": (
        StridedAttention(4, causal=True),
        lambda i, j: j <= i and (i - j <= 4 or (i - j) % 4 == 0),
    ),
    "fija": (FixedAttention(5, 2), lambda i, j: i // 5 == j // 5 or j % 5 >= 3),
    "fija causal": (
        FixedAttention(5, 1, causal=True),
        lambda i, j: j <= i and (i // 5 == j // 5 or j % 5 == 4),
    ),
    "fija sin resúmenes completos": (FixedAttention(40), lambda i, j: True),
    "Longformer": (
        GlobalLocalAttention(2, (0, -1)),
        lambda i, j: abs(i - j) <= 2 or {i, j} & {0, L - 1},
    ),
    "Longformer, si no se dice": (
        GlobalLocalAttention(2),
        lambda i, j: abs(i - j) <= 2 or 0 in (i, j),
    ),
    "Longformer dilatado": (
        GlobalLocalAttention(2, (7,), dilation=3),
        lambda i, j: near(2, dilation=3)(i, j) or 7 in (i, j),
    ),
}


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_blocks_equal_a_mask_over_every_pair(name, padded):
    kernel, rule = CASES[name]
    assert_same(kernel, *tensors(), relation(rule), padding() if padded else None)


def test_one_dilation_per_head():
    q, k, v = tensors()
    mixed = LocalAttention(2, dilation=(1, 3, 2))(q, k, v)
    for head, dilation in enumerate((1, 3, 2)):
        one = [x[:, head : head + 1] for x in (q, k, v)]
        expected = attention(*one, mask=relation(near(2, dilation=dilation)))
        torch.testing.assert_close(mixed[:, head : head + 1], expected)
    with pytest.raises(ValueError, match="2 dilataciones y 3 cabezas"):
        LocalAttention(2, dilation=(1, 2))(q, k, v)


everything = relation(lambda i, j: True)
causal = relation(lambda i, j: j <= i)
DEGENERATE = {
    "ventana = longitud": (LocalAttention(L), everything),
    "ventana causal = longitud": (LocalAttention(L, causal=True), causal),
    "bloque = longitud": (BlockLocalAttention(L), everything),
    "salto de 1": (StridedAttention(1), everything),
    "salto = longitud": (StridedAttention(L), everything),
    "salto de 1, causal": (StridedAttention(1, causal=True), causal),
    "todo resumen": (FixedAttention(5, 5), everything),
    "bloque fijo = longitud": (FixedAttention(L), everything),
    "todas globales": (GlobalLocalAttention(1, tuple(range(L))), everything),
    "ventana de Longformer = longitud": (GlobalLocalAttention(L), everything),
    "un solo segmento": (SegmentAttention(L), causal),
    "un solo segmento, sin causalidad": (SegmentAttention(L, causal=False), everything),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_case_is_full_attention(name):
    kernel, mask = DEGENERATE[name]
    assert_same(kernel, *tensors(), mask)
    assert_same(kernel, *tensors(seed=1), mask, padding())


def test_segments_read_the_previous_one_without_correcting_it():
    q, k, v = tensors()
    kernel = SegmentAttention(6)
    rule = relation(lambda i, j: j <= i and i // 6 - j // 6 <= 1)
    torch.testing.assert_close(kernel(q, k, v), attention(q, k, v, mask=rule))
    # El gradiente de un segmento no llega a las claves del anterior.
    gradient = torch.autograd.grad(kernel(q, k, v)[:, :, 6:12].sum(), [k, v])
    for g in gradient:
        assert g[:, :, :6].abs().max() == 0 and g[:, :, 6:12].abs().max() > 0


@settings(max_examples=25, deadline=None)
@given(length=st.integers(1, 40), window=st.integers(1, 12), dilation=st.integers(1, 5))
def test_any_length_and_window(length, window, dilation):
    kernel = LocalAttention(window, dilation=dilation)
    assert_same(kernel, *tensors(length), relation(near(window, dilation=dilation), length))


@settings(max_examples=25, deadline=None)
@given(length=st.integers(1, 40), stride=st.integers(1, 9), causal=st.booleans())
def test_any_length_and_stride(length, stride, causal):
    def rule(i, j):
        return (j <= i or not causal) and (abs(i - j) <= stride or (i - j) % stride == 0)

    kernel = StridedAttention(stride, causal=causal)
    assert_same(kernel, *tensors(length), relation(rule, length))


@given(length=st.integers(1, 30), stride=st.integers(1, 9))
def test_interleaving_can_be_undone(length, stride):
    x = torch.randn(2, 3, length, 4)
    torch.testing.assert_close(deinterleave(interleave(x, stride), stride, length), x)
    first = interleave(x, stride)[:, 0]
    torch.testing.assert_close(first[:, : len(x[0, 0, ::stride])], x[:, 0, ::stride])


def test_parts_are_put_together_without_error():
    q, k, v = tensors()
    parts = [partial_attention(q, k[:, :, s], v[:, :, s]) for s in (slice(0, 9), slice(9, L))]
    mixed, log_sums = merge_parts(*parts)
    whole, whole_logs = partial_attention(q, k, v)
    torch.testing.assert_close(mixed, attention(q, k, v))
    torch.testing.assert_close(mixed, whole)
    torch.testing.assert_close(log_sums, whole_logs)


def test_an_empty_part_weighs_nothing_and_gives_no_nan():
    q, k, v = tensors()
    nobody = torch.zeros(L, L, dtype=torch.bool)
    empty = partial_attention(q, k, v, mask=nobody)
    assert empty[0].abs().max() == 0 and (empty[1] == -torch.inf).all()
    mixed = merge_parts(empty, partial_attention(q, k, v))[0]
    torch.testing.assert_close(mixed, attention(q, k, v))
    none = merge_parts(empty, empty)[0]
    assert none.abs().max() == 0
    for g in torch.autograd.grad((mixed + none).sum(), [q, k, v]):
        assert g.isfinite().all()


@pytest.mark.parametrize("block", [1, 7, 23, 100])
def test_attention_by_blocks_is_exact(block):
    q, k, v = tensors()
    torch.testing.assert_close(blockwise_attention(q, k, v, block), attention(q, k, v))


def test_far_scores_do_not_overflow():
    q, k, v = (100 * x.detach() for x in tensors())
    assert blockwise_attention(q, k, v, 4).isfinite().all()
    torch.testing.assert_close(blockwise_attention(q, k, v, 4), attention(q, k, v))


def test_bad_sizes_are_explained():
    q, k, v = tensors()
    with pytest.raises(ValueError, match="window=0: debe ser al menos 1"):
        LocalAttention(0)
    with pytest.raises(ValueError, match="n_summary=6: debe estar entre 1 y block=5"):
        FixedAttention(5, 6)
    with pytest.raises(ValueError, match="no hay posiciones globales"):
        GlobalLocalAttention(3, ())
    with pytest.raises(ValueError, match="fuera de una secuencia de 23"):
        GlobalLocalAttention(3, (23,))(q, k, v)
    with pytest.raises(ValueError, match="block=0"):
        blockwise_attention(q, k, v, 0)
    alone = [kernel for kernel, _ in CASES.values()] + [SinkAttention(3), SegmentAttention(6)]
    for kernel in alone:
        with pytest.raises(ValueError, match="20 consultas y 23 claves"):
            kernel(q[:, :, :20], k, v)
    with pytest.raises(ValueError, match="solo admite máscaras de relleno.*causal=True"):
        LocalAttention(3)(q, k, v, mask=causal[None, None])
    with pytest.raises(ValueError, match="no admite bias"):
        LocalAttention(3)(q, k, v, bias=torch.zeros(L, L, dtype=torch.float64))


ONES = torch.ones(1, 1, 4, 2)
LIMITS = {
    "un solo resumen por bloque": (lambda n: FixedAttention(4, n), 1, 0),
    "todo el bloque resume": (lambda n: FixedAttention(4, n), 4, 5),
    "bloques de una clave": (lambda n: blockwise_attention(ONES, ONES, ONES, block=n), 1, 0),
    "el primer positivo": (lambda n: check_positive("n", n), 1, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name):
    build, last, first = LIMITS[name]
    build(last)
    with pytest.raises(ValueError):
        build(first)
