"""El núcleo que se dice es el que se ejecuta, y el tipo de número, el que ese núcleo admite."""

import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from tfcourse.layers.attention import MultiHeadAttention, attention, fused_attention
from tfcourse.layers.causal import CausalSelfAttention, causal_attention
from tfcourse.layers.kernels import KERNELS, KernelSizes, make_kernel
from tfcourse.metrics import backends
from tfcourse.metrics.backends import UNFUSED, attention_backend, kernel_dtype
from tfcourse.training import default_device

FLASH = "FlashAttention"
EVERYWHERE = {FLASH, "atención eficiente en memoria", "cuDNN", "Metal"}  # los que no son la fórmula


def heads(dtype=None, length=32):
    """Consultas, claves y valores donde haya, del tipo que admite su núcleo fusionado."""
    device = default_device()
    x = torch.randn(3, 2, 4, length, 32, device=device, dtype=dtype or kernel_dtype(device))
    return [part.requires_grad_() for part in x.unbind()]


@pytest.mark.parametrize(
    ("backend", "name"),
    [(SDPBackend.MATH, UNFUSED), (SDPBackend.FLASH_ATTENTION, FLASH)],
    ids=["MATH", "FLASH"],
)
def test_the_name_is_that_of_the_chosen_kernel(backend, name):
    q, k, v = torch.randn(3, 1, 2, 16, 8, requires_grad=True)
    with sdpa_kernel(backend):
        forward = attention_backend(lambda: F.scaled_dot_product_attention(q, k, v))
        both = attention_backend(lambda: F.scaled_dot_product_attention(q, k, v).sum().backward())
    assert forward == both == name


def test_a_kernel_is_named_once_and_no_attention_is_not_fused():
    q, k, v = torch.randn(3, 1, 2, 16, 8)
    assert attention_backend(lambda: fused_attention(q, k, fused_attention(q, k, v))) == FLASH
    assert attention_backend(lambda: q + k) == UNFUSED


def test_every_fused_operation_of_pytorch_has_a_name():
    """Un PyTorch más nuevo puede traer otro núcleo: que no pase por «sin fusionar»."""
    start, formula = "aten::_scaled_dot_product_", "aten::_scaled_dot_product_attention_math"
    every = {name.partition(".")[0] for name in torch._C._dispatch_get_all_op_names()}
    fused = {name for name in every if name.startswith(start) and "backward" not in name}
    assert formula in fused
    for name in fused - {formula}:
        assert any(name.startswith(start + part) for part in backends.FUSED), name


def test_full_and_causal_attention_run_fused():
    """Ni la completa ni la causal llevan una máscara que el núcleo no admita."""
    q, k, v = heads()
    assert attention_backend(lambda: fused_attention(q, k, v)) in EVERYWHERE
    assert attention_backend(lambda: causal_attention(q, k, v)) in EVERYWHERE
    assert attention_backend(lambda: attention(q, k, v)) == UNFUSED


def test_full_and_causal_attention_build_no_mask(monkeypatch):
    given = []
    monkeypatch.setattr(
        F, "scaled_dot_product_attention",
        lambda q, k, v, attn_mask=None, is_causal=False: given.append((attn_mask, is_causal)) or v,
    )  # fmt: skip
    x = torch.randn(1, 6, 8)
    MultiHeadAttention(8, 2)(x, x, x)
    CausalSelfAttention(8, 2)(x, x, x)
    assert given == [(None, False), (None, True)]


@pytest.mark.parametrize("name", KERNELS)
def test_every_kernel_works_with_sixteen_bits(name):
    """Es como se miden en una GPU, y como los entrena `completo`."""
    seen = {}
    for dtype in (torch.float32, torch.bfloat16):
        torch.manual_seed(0)
        kernel = make_kernel(name, KernelSizes(32, n_heads=4, d_head=32, budget=8))
        kernel = kernel.to(dtype) if isinstance(kernel, torch.nn.Module) else kernel
        torch.manual_seed(1)
        q, k, v = torch.randn(3, 2, 4, 32, 32).to(torch.bfloat16).to(dtype).unbind()
        q.requires_grad_()
        seen[dtype] = kernel(q, k, v)
        assert seen[dtype].dtype == dtype
        if seen[dtype].requires_grad:
            seen[dtype].sum().backward()
    if name != "LSH":  # un redondeo cambia de cubo a un vector
        torch.testing.assert_close(
            seen[torch.bfloat16].float(), seen[torch.float32], atol=0.06, rtol=0.06
        )


@pytest.mark.parametrize(
    ("capability", "expected"),
    [((7, 5), torch.float16), ((8, 0), torch.bfloat16), ((9, 0), torch.bfloat16)],
)
def test_the_type_is_the_one_flash_accepts(monkeypatch, capability, expected):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert kernel_dtype("cuda") == kernel_dtype("cuda:0") == expected
    assert kernel_dtype("cpu") == kernel_dtype(torch.device("mps")) == torch.float32
