"""LoRA: al principio no cambia nada, fundida calcula lo mismo y solo se entrena la corrección."""

import pytest
import torch
from torch import nn

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.text.assistant.lora import LoRALinear, add_lora, merge_lora, set_strength, trainable

TINY = GPTConfig(n_tokens=11, d_model=8, n_heads=2, n_layers=2, max_length=6)


@pytest.fixture
def tokens():
    return torch.randint(11, (3, 6), generator=torch.Generator().manual_seed(1))


def tiny():
    torch.manual_seed(0)
    return GPT(TINY).double().eval()


def moved(model):
    """El mismo modelo, con las correcciones como si se hubieran entrenado."""
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in trainable(model):
            parameter.copy_(torch.randn(parameter.shape, generator=generator).double())
    return model


def test_at_the_start_nothing_changes(tokens):
    assert add_lora(tiny(), rank=2)(tokens).equal(tiny()(tokens))


def test_merged_and_unmerged_say_the_same(tokens):
    model = moved(add_lora(tiny(), rank=2))
    said, plain = model(tokens), tiny()(tokens)
    assert (said - plain).abs().max() > 0.1
    merged = merge_lora(model)
    assert not any(isinstance(layer, LoRALinear) for layer in merged.modules())
    torch.testing.assert_close(merged(tokens), said, rtol=0, atol=1e-9)


def test_the_sum_is_the_paper_s():
    linear = nn.Linear(5, 3).double()
    layer = LoRALinear(linear, rank=2, alpha=6.0)
    layer.up.data = torch.randn(3, 2).double()
    x = torch.randn(4, 5).double()
    by_hand = x @ (linear.weight + 6 / 2 * layer.up @ layer.down).T + linear.bias
    torch.testing.assert_close(layer(x), by_hand, rtol=0, atol=1e-12)
    assert torch.linalg.matrix_rank(layer.update()) == 2


def test_only_the_corrections_learn(tokens):
    model = add_lora(tiny(), rank=2)
    model(tokens).square().mean().backward()
    learning = {name for name, p in model.named_parameters() if p.grad is not None}
    assert learning and all(name.endswith((".down", ".up")) for name in learning)
    assert sum(p.numel() for p in trainable(model)) == sum(
        2 * (layer.linear.in_features + layer.linear.out_features)
        for layer in model.modules()
        if isinstance(layer, LoRALinear)
    )


def test_with_the_whole_rank_any_change_fits():
    """Con r = D, alguna pareja A, B da el ajuste entero: LoRA de rango completo lo contiene."""
    layer = LoRALinear(nn.Linear(4, 4).double(), rank=4, alpha=4.0)
    wanted = torch.randn(4, 4).double()
    layer.up.data = wanted @ torch.linalg.inv(layer.down.detach())
    torch.testing.assert_close(layer.update(), wanted, rtol=0, atol=1e-8)


def test_strength_turns_the_correction_off(tokens):
    model = moved(add_lora(tiny(), rank=2))
    assert set_strength(model, 0.0)(tokens).equal(tiny()(tokens))
    assert not set_strength(model, 0.5)(tokens).equal(tiny()(tokens))


def test_a_rank_that_is_not_one_is_told():
    with pytest.raises(ValueError, match="rank=0: debe ser al menos 1"):
        LoRALinear(nn.Linear(2, 2), rank=0)
