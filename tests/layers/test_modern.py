"""Las piezas de hoy: compuerta, giros estirados, ventana, expertos y pesos de pocos bits."""

import math

import pytest
import torch
import torch.nn.functional as F

from tfcourse.layers.attention import attention
from tfcourse.layers.experts import (
    ExpertMixture,
    Router,
    Routing,
    balance_loss,
    effective_experts,
)
from tfcourse.layers.gated import GatedFeedForward, equal_cost_width
from tfcourse.layers.kernels.sinks import SinkAttention
from tfcourse.layers.masks import causal_mask
from tfcourse.layers.modern_attention import ModernAttention, window_mask
from tfcourse.layers.norms import RMSNorm
from tfcourse.layers.quantized import (
    QuantizedLinear,
    dequantize,
    linear_bytes,
    pack_nibbles,
    quantize,
    quantize_model,
    unpack_nibbles,
)
from tfcourse.layers.rotary import RotaryPositions
from tfcourse.layers.stretched import (
    StretchedRotary,
    attention_scale,
    kept_share,
    stretched_copy,
    stretched_frequencies,
)


def floats(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_swiglu_by_hand():
    layer = GatedFeedForward(3, 5).double()
    x = floats(2, 3)
    g, h, o = (m.weight for m in (layer.gate, layer.hidden, layer.output))
    gate = x @ g.T
    torch.testing.assert_close(layer(x), (gate / (1 + (-gate).exp()) * (x @ h.T)) @ o.T)


def test_equal_cost_width_is_llamas():
    assert equal_cost_width(4 * 4096, 256) == 11_008  # LLaMA 7B
    assert equal_cost_width(512) == 344


@pytest.mark.parametrize("kind", ["interpolar", "yarn"])
@pytest.mark.parametrize("trained", [64, 4096])
def test_stretches_are_those_of_transformers(kind, trained):
    transformers = pytest.importorskip("transformers")
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    names = {"interpolar": "linear", "yarn": "yarn"}
    config = transformers.LlamaConfig(
        hidden_size=64, num_attention_heads=2, max_position_embeddings=4 * trained,
        rope_parameters={
            "rope_type": names[kind], "rope_theta": 10_000.0, "factor": 4.0,
            "original_max_position_embeddings": trained,
        },
    )  # fmt: skip
    theirs = LlamaRotaryEmbedding(config)
    mine = stretched_frequencies(kind, 32, 4.0, trained)
    torch.testing.assert_close(mine.float(), theirs.inv_freq)
    assert attention_scale(kind, 4.0) == pytest.approx(theirs.attention_scaling)


def test_yarn_never_ramps_past_the_last_pair():
    """Con la última pareja por debajo de una vuelta, la rampa acaba donde la de Transformers."""
    d_head, base, trained = 32, 10.0, 962
    low = d_head * math.log(trained / (32 * 2 * math.pi)) / (2 * math.log(base))
    high = d_head * math.log(trained / (2 * math.pi)) / (2 * math.log(base))
    assert 0 < low < d_head // 2 - 1 and high > d_head
    ramp = (torch.arange(d_head // 2) - math.floor(low)) / (d_head - 1 - math.floor(low))
    mine = kept_share(d_head, trained, base)
    torch.testing.assert_close(mine, 1 - ramp.double().clamp(0, 1))


def test_ntk_divides_the_slowest_and_leaves_the_fastest():
    plain = stretched_frequencies("nada", 32, 4.0, 64)
    ntk = stretched_frequencies("ntk", 32, 4.0, 64)
    assert float(ntk[0]) == float(plain[0]) == 1
    assert float(plain[-1] / ntk[-1]) == pytest.approx(4)
    assert ((plain / ntk).diff() > 0).all()


def test_stretching_once_is_not_stretching():
    x = floats(1, 2, 9, 8)
    for kind in ("nada", "interpolar", "ntk", "yarn"):
        stretched = StretchedRotary(9, 8, kind=kind, trained_length=4).double()
        torch.testing.assert_close(stretched(x), RotaryPositions(9, 8).double()(x))
    assert kept_share(32, 4096).min() == 0 and kept_share(32, 4096).max() == 1


def test_stretching_a_model_changes_its_turns_and_nothing_else():
    torch.manual_seed(0)
    layer = ModernAttention(16, 2, 2, RotaryPositions(6, 8))
    weights = {name: value.clone() for name, value in layer.state_dict().items()}
    with pytest.raises(ValueError, match="max_length mayor"):
        layer(torch.zeros(1, 12, 16))
    layer = stretched_copy(layer, "interpolar", 2.0, 12, 6)
    assert layer(torch.zeros(1, 12, 16)).shape == (1, 12, 16)
    torch.testing.assert_close(layer.rotary.cos[::2], RotaryPositions(6, 8).cos)
    assert all(torch.equal(value, weights[name]) for name, value in layer.state_dict().items())
    with pytest.raises(ValueError, match="un factor de 1 o más"):
        stretched_frequencies("yarn", 8, 0.5, 6)


def test_the_window_mask_is_the_kernel_with_sinks():
    q, k, v = floats(3, 2, 2, 11, 4)
    mask = causal_mask(11)[0, 0] & window_mask(11, 11, window=3, n_sinks=2)
    torch.testing.assert_close(attention(q, k, v, mask=mask), SinkAttention(3, 2)(q, k, v))
    assert torch.equal(window_mask(2, 11, 3, 1), window_mask(11, 11, 3, 1)[-2:])


def test_qk_norm_forgets_the_size_of_queries_and_keys():
    torch.manual_seed(0)
    layer = ModernAttention(16, 4, 2, RotaryPositions(9, 4), qk_norm=True).double()
    x = floats(1, 9, 16)
    before = layer(x)
    with torch.no_grad():
        layer.q_proj.weight *= 50
        layer.k_proj.weight *= 50
    torch.testing.assert_close(layer(x), before, rtol=1e-4, atol=1e-6)
    assert isinstance(layer.q_norm, RMSNorm) and layer.q_proj.bias is None


@pytest.mark.parametrize("n_chosen", [1, 2, 3])
@pytest.mark.parametrize("n_shared", [0, 1])
def test_a_mixture_is_the_sum_token_by_token(n_chosen, n_shared):
    torch.manual_seed(0)
    mixture = ExpertMixture(6, 4, 5, n_chosen, n_shared).double()
    mixture.router.correction.normal_()
    x, routes = floats(2, 7, 6), []
    found = mixture(x, routes)
    (routing,) = routes
    for row, vector in enumerate(x.flatten(0, 1)):
        scores = (mixture.router.scorer.weight @ vector).softmax(0)
        best = sorted(
            range(5), key=lambda e: -float(scores.detach()[e] + mixture.router.correction[e])
        )
        total = sum(scores[e] for e in best[:n_chosen]) if n_chosen > 1 else 1
        expected = sum(scores[e] / total * mixture.experts[e](vector) for e in best[:n_chosen])
        if n_shared:
            expected = expected + mixture.shared(vector)
        torch.testing.assert_close(found.flatten(0, 1)[row], expected)
        assert sorted(routing.chosen[row].tolist()) == sorted(best[:n_chosen])


@pytest.mark.parametrize("n_chosen", [1, 2])
def test_every_router_learns_from_the_answer(n_chosen):
    mixture = ExpertMixture(6, 4, 5, n_chosen).double()
    mixture(floats(9, 6)).square().sum().backward()
    assert mixture.router.scorer.weight.grad.abs().sum() > 0


def test_balance_is_that_of_transformers():
    pytest.importorskip("transformers")
    from transformers.models.mixtral.modeling_mixtral import load_balancing_loss_func

    logits = floats(40, 5).float()
    router = Router(5, 5, 2)
    with torch.no_grad():
        router.scorer.weight.copy_(torch.eye(5))
    theirs = load_balancing_loss_func((logits,), num_experts=5, top_k=2)
    assert 2 * balance_loss(router(logits)).item() == pytest.approx(float(theirs), rel=1e-5)


def test_balance_is_one_when_even_and_the_number_of_experts_when_collapsed():
    even = Routing(torch.full((4, 4), 0.25), torch.arange(4)[:, None], torch.ones(4, 1))
    alone = torch.eye(4)[torch.zeros(4, dtype=torch.long)]
    collapsed = Routing(alone, torch.zeros(4, 1, dtype=torch.long), torch.ones(4, 1))
    assert float(balance_loss(even)) == pytest.approx(1)
    assert float(balance_loss(collapsed)) == pytest.approx(4)
    assert effective_experts(even.load()) == pytest.approx(4)
    assert effective_experts(collapsed.load()) == pytest.approx(1)


def test_the_correction_spreads_what_the_scores_do_not():
    torch.manual_seed(0)
    router = Router(6, 4, 1, "sigmoide")
    x = torch.randn(400, 6) + 2.0
    before = effective_experts(router(x).load())
    for _ in range(400):
        router.adjust(router(x), speed=0.01)
    assert effective_experts(router(x).load()) > max(3.8, before)
    with pytest.raises(ValueError, match="entre 1 y"):
        Router(6, 4, 5)


@pytest.mark.parametrize("bits", [8, 4])
@pytest.mark.parametrize("group", [None, 4])
def test_rounding_is_that_of_pytorch(bits, group):
    weight = floats(6, 12).float()
    codes, scales = quantize(weight, bits, group)
    most = 2 ** (bits - 1) - 1
    rows = weight.reshape(-1, group or 12)
    theirs = torch.fake_quantize_per_channel_affine(
        rows, scales.flatten(), torch.zeros(len(rows), dtype=torch.int32), 0, -most, most
    )
    torch.testing.assert_close(dequantize(codes, scales), theirs.reshape(6, 12))
    error = (dequantize(codes, scales) - weight).abs().reshape(-1, group or 12).amax(1)
    assert (error <= scales.flatten() / 2 + 1e-6).all()
    assert codes.abs().reshape(-1, group or 12).amax(1).tolist() == [most] * len(rows)


def test_nibbles_come_back():
    codes = torch.randint(-7, 8, (3, 10), dtype=torch.int8)
    assert torch.equal(unpack_nibbles(pack_nibbles(codes)), codes)
    assert pack_nibbles(codes).nbytes == 15
    with pytest.raises(ValueError, match="han de ser pares"):
        pack_nibbles(codes[:, :3])


@pytest.mark.parametrize(("bits", "group"), [(8, None), (4, None), (4, 4)])
def test_a_model_of_few_bits(bits, group):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(8, 6), torch.nn.GELU(), torch.nn.Linear(6, 4))
    group_2 = group and 2
    small = quantize_model(model, bits, None)
    assert isinstance(model[0], torch.nn.Linear) and isinstance(small[0], QuantizedLinear)
    layer = QuantizedLinear(model[2], bits, group_2)
    x = torch.randn(5, 6)
    expected = F.linear(x, layer.weight, model[2].bias)
    torch.testing.assert_close(layer(x), expected)
    assert linear_bytes(model) == 4 * (48 + 24)
    assert linear_bytes(small) == (48 + 24) * bits // 8 + 2 * (6 + 4)
    y = torch.randn(5, 8)
    torch.testing.assert_close(small(y), model(y), atol=0.5, rtol=0)
    with pytest.raises(ValueError, match="un divisor de la fila"):
        quantize(model[0].weight, bits, 3)


def test_groups_of_four_bits_lose_less_than_rows():
    weight = floats(16, 64) * torch.logspace(-1, 1, 64, dtype=torch.float64)
    errors = [
        float((dequantize(*quantize(weight, 4, group)) - weight).square().mean())
        for group in (None, 16, 4)
    ]
    assert errors == sorted(errors, reverse=True) and math.isfinite(errors[0])
