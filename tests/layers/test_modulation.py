"""adaLN-Zero: la fórmula escrita aparte, el bloque publicado, y la identidad al empezar."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from tfcourse.layers.modulation import (
    AdaLNZeroBlock,
    ModulatedHead,
    TimeEmbedding,
    modulate,
    time_waves,
)

WIDTH, HEADS = 8, 2


def block(seed=0):
    """Un bloque con pesos al azar, también donde empieza en cero."""
    torch.manual_seed(seed)
    made = AdaLNZeroBlock(WIDTH, HEADS, 20).double()
    for value in made.parameters():
        torch.nn.init.normal_(value, std=0.4)
    return made


class Given(nn.Module):
    """La condición ya hecha, donde el bloque publicado la haría del instante y la clase."""

    def __init__(self, condition):
        super().__init__()
        self.condition = condition

    def forward(self, *_, **__):
        return self.condition


def inputs(length=5):
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(3, length, WIDTH, generator=generator, dtype=torch.double)
    return x, torch.randn(3, WIDTH, generator=generator, dtype=torch.double)


def test_modulation_is_the_norm_scaled_and_shifted():
    x, shift = inputs()
    scale = shift.flip(0)
    mean, spread = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)
    wanted = (x - mean) / (spread + 1e-6).sqrt() * (1 + scale).unsqueeze(1) + shift.unsqueeze(1)
    torch.testing.assert_close(modulate(x, shift, scale), wanted)


def by_hand(layer, x, condition):
    """El bloque con bucles: un ejemplo y una cabeza cada vez."""
    rows = []
    for one, about in zip(x, condition, strict=True):
        told = layer.modulation.weight @ (about * about.sigmoid()) + layer.modulation.bias
        b1, s1, g1, b2, s2, g2 = told.view(6, WIDTH)
        look, y = layer.attention, F.layer_norm(one, (WIDTH,), eps=1e-6) * (1 + s1) + b1
        q, k, v = (f(y) for f in (look.q_proj, look.k_proj, look.v_proj))
        size, mixed = WIDTH // HEADS, []
        for head in range(HEADS):
            part = slice(head * size, (head + 1) * size)
            weights = (q[:, part] @ k[:, part].T / math.sqrt(size)).softmax(-1)
            mixed.append(weights @ v[:, part])
        one = one + g1 * look.out_proj(torch.cat(mixed, -1))
        y = F.layer_norm(one, (WIDTH,), eps=1e-6) * (1 + s2) + b2
        hidden = F.gelu(layer.feed_forward.hidden(y), approximate="tanh")
        rows.append(one + g2 * layer.feed_forward.output(hidden))
    return torch.stack(rows)


def test_the_block_equals_the_formula_with_gradients():
    layer, (x, condition) = block(), inputs()
    x.requires_grad_()
    torch.testing.assert_close(layer(x, condition), by_hand(layer, x, condition))
    mine, yours = (
        torch.autograd.grad(f.square().sum(), x)[0]
        for f in (layer(x, condition), by_hand(layer, x, condition))
    )
    torch.testing.assert_close(mine, yours)


def test_the_block_equals_the_published_one():
    """El de `diffusers`, con los mismos pesos; se omite si no está instalada."""
    attention = pytest.importorskip("diffusers.models.attention", reason="falta diffusers")
    theirs = attention.BasicTransformerBlock(
        WIDTH, HEADS, WIDTH // HEADS, activation_fn="gelu-approximate", num_embeds_ada_norm=3,
        attention_bias=True, norm_type="ada_norm_zero", norm_elementwise_affine=False,
        ff_inner_dim=20, norm_eps=1e-6,
    ).double()  # fmt: skip
    ours, (x, condition) = block(), inputs()
    names = {
        "norm1.linear": "modulation", "attn1.to_q": "attention.q_proj",
        "attn1.to_k": "attention.k_proj", "attn1.to_v": "attention.v_proj",
        "attn1.to_out.0": "attention.out_proj", "ff.net.0.proj": "feed_forward.hidden",
        "ff.net.2": "feed_forward.output",
    }  # fmt: skip
    theirs.norm1.emb = Given(condition)
    state = ours.state_dict()
    theirs.load_state_dict(
        {f"{t}.{p}": state[f"{o}.{p}"] for t, o in names.items() for p in ("weight", "bias")}
    )
    torch.testing.assert_close(theirs(x), ours(x, condition))


def test_a_new_block_is_the_identity_and_still_learns():
    layer, (x, condition) = AdaLNZeroBlock(WIDTH, HEADS, 20).double(), inputs()
    assert torch.equal(layer(x, condition), x)
    layer(x, condition).pow(3).sum().backward()
    grads = {name: value.grad for name, value in layer.named_parameters()}
    moved = {name for name, grad in grads.items() if grad is not None and grad.abs().max() > 0}
    assert moved == {"modulation.weight", "modulation.bias"}  # las compuertas se abren primero


def test_a_new_head_says_zero():
    head, (x, condition) = ModulatedHead(WIDTH, 3).double(), inputs()
    assert head(x, condition).shape == (3, 5, 3) and not head(x, condition).any()
    torch.nn.init.normal_(head.output.weight)
    torch.nn.init.normal_(head.modulation.weight)
    shift, scale = head.modulation(F.silu(condition)).chunk(2, -1)
    torch.testing.assert_close(head(x, condition), modulate(x, shift, scale) @ head.output.weight.T)


def test_each_example_obeys_its_own_condition():
    layer, (x, condition) = block(), inputs()
    other = condition.clone()
    other[1] += 1
    moved = (layer(x, other) - layer(x, condition)).abs().amax((1, 2))
    assert moved[1] > 1e-3 and moved[0] == moved[2] == 0


def test_waves_are_cosines_and_sines_of_a_thousand_times():
    times = torch.tensor([0.0, 0.25, 1.0], dtype=torch.double)
    waves = time_waves(times, 6)
    for row, time in zip(waves, times.tolist(), strict=True):
        angles = [1000 * time / 10_000 ** (place / 3) for place in range(3)]
        wanted = [math.cos(a) for a in angles] + [math.sin(a) for a in angles]
        torch.testing.assert_close(row, torch.tensor(wanted, dtype=torch.double))
    layer = TimeEmbedding(6).double()
    wanted = layer.output(F.silu(layer.hidden(waves)))
    torch.testing.assert_close(layer(times), wanted)


def test_an_odd_width_is_explained():
    with pytest.raises(ValueError, match="d_model=5: hace falta un número par"):
        TimeEmbedding(5)
