"""LoRA contra `peft`, si está instalada: la salida, lo que se aprende y la matriz fundida."""

from copy import deepcopy

import pytest
import torch
from torch import nn

from tfcourse.text.assistant.lora import LoRALinear


@pytest.fixture
def layers():
    """La misma capa con LoRA, la nuestra y la de la biblioteca, con los mismos números."""
    peft = pytest.importorskip("peft")
    torch.manual_seed(0)
    plain = nn.Sequential(nn.Linear(6, 10)).double()
    config = peft.LoraConfig(r=3, lora_alpha=12, target_modules=["0"], lora_dropout=0.0)
    theirs = peft.get_peft_model(deepcopy(plain), config).double()
    ours = LoRALinear(plain[0], rank=3, alpha=12.0)
    nn.init.normal_(ours.up)
    low = {name: value for name, value in theirs.named_parameters() if "lora_" in name}
    down, up = (next(low[name] for name in low if mark in name) for mark in ("lora_A", "lora_B"))
    with torch.no_grad():
        down.copy_(ours.down)
        up.copy_(ours.up)
    return ours, theirs, down, up


def test_it_says_and_learns_what_the_library_does(layers):
    ours, theirs, down, up = layers
    x = torch.randn(7, 6).double()
    torch.testing.assert_close(ours(x), theirs(x), rtol=0, atol=1e-12)
    ours(x).square().sum().backward()
    theirs(x).square().sum().backward()
    torch.testing.assert_close(ours.down.grad, down.grad, rtol=0, atol=1e-10)
    torch.testing.assert_close(ours.up.grad, up.grad, rtol=0, atol=1e-10)
    learning = sum(p.numel() for p in theirs.parameters() if p.requires_grad)
    assert sum(p.numel() for p in ours.parameters() if p.requires_grad) == learning


def test_merging_gives_the_library_s_matrix(layers):
    ours, theirs, _, _ = layers
    merged = theirs.merge_and_unload()[0]
    torch.testing.assert_close(ours.merged().weight, merged.weight, rtol=0, atol=1e-12)
