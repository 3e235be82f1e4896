"""GPT: paridad con transformers, causalidad, caché y tamaños publicados."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tfcourse.decoding import continue_tokens, sampler
from tfcourse.decoding.beam import beam_search
from tfcourse.layers.norms import LayerNorm, RMSNorm
from tfcourse.losses import next_token_loss
from tfcourse.models.gpt import GPT, VARIANTS, GPTConfig

SMALL = {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_length": 24}
KINDS = [("aprendidas", "capa"), ("rotatorias", "cuadratica")]


def small(positions="aprendidas", norm="capa", **changes):
    torch.manual_seed(0)
    config = GPTConfig(50, positions=positions, norm=norm, **SMALL | changes)
    model = GPT(config).double().eval()
    for parameter in model.parameters():  # que nada valga 0 ni 1 al empezar
        torch.nn.init.normal_(parameter, std=0.2)
    return model


def tokens(*shape, seed=0):
    return torch.randint(50, shape, generator=torch.Generator().manual_seed(seed))


def test_same_as_gpt2_of_transformers_with_its_weights():
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(
        vocab_size=50, n_positions=24, n_embd=32, n_layer=2, n_head=4,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    )  # fmt: skip
    torch.manual_seed(1)
    reference = transformers.GPT2LMHeadModel(config).double().eval()
    for parameter in reference.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    model = small()
    theirs = reference.transformer
    with torch.no_grad():
        model.embedding.weight.copy_(theirs.wte.weight)
        model.positions.weight.copy_(theirs.wpe.weight)
        model.closing_norm.gain.copy_(theirs.ln_f.weight)
        model.closing_norm.bias.copy_(theirs.ln_f.bias)
        for ours, block in zip(model.blocks, theirs.h, strict=True):
            attention = ours.attention
            q, k, v = block.attn.c_attn.weight.T.chunk(3)
            q_bias, k_bias, v_bias = block.attn.c_attn.bias.chunk(3)
            pairs = [
                (attention.q_proj, q, q_bias), (attention.k_proj, k, k_bias),
                (attention.v_proj, v, v_bias),
                (attention.out_proj, block.attn.c_proj.weight.T, block.attn.c_proj.bias),
                (ours.feed_forward.hidden, block.mlp.c_fc.weight.T, block.mlp.c_fc.bias),
                (ours.feed_forward.output, block.mlp.c_proj.weight.T, block.mlp.c_proj.bias),
            ]  # fmt: skip
            for layer, weight, bias in pairs:
                layer.weight.copy_(weight)
                layer.bias.copy_(bias)
            for norm, source in (
                (ours.around_attention.norm, block.ln_1),
                (ours.around_feed_forward.norm, block.ln_2),
            ):
                norm.gain.copy_(source.weight)
                norm.bias.copy_(source.bias)
    x = tokens(3, 20)
    torch.testing.assert_close(model(x), reference(x).logits)
    prompt = tokens(2, 5, seed=3)
    expected = reference.generate(
        prompt, max_new_tokens=15, do_sample=False, pad_token_id=0, eos_token_id=None
    )
    assert torch.equal(continue_tokens(model, prompt, max_length=15), expected[:, 5:])


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15, deadline=None)
@given(place=st.integers(1, 19), token=st.integers(0, 49))
def test_changing_the_future_never_alters_the_past(kind, place, token):
    model, x = small(*kind), tokens(1, 20)
    changed = x.clone()
    changed[0, place] = token
    with torch.no_grad():
        torch.testing.assert_close(model(x)[:, :place], model(changed)[:, :place], atol=0, rtol=0)


@pytest.mark.parametrize("kind", KINDS)
def test_cached_writing_is_uncached_writing(kind):
    model, prompt = small(*kind), tokens(3, 4)
    for make in (lambda: sampler(temperature=1e-3), lambda: sampler(p=0.9, generator=seeded())):
        written = [
            continue_tokens(model, prompt, max_length=20, choose=make(), cached=cached)
            for cached in (True, False)
        ]
        assert torch.equal(*written)
    state, logits = model.start(prompt[:, :2]), []
    for place in (2, 3):
        step, state = model.step(prompt[:, place : place + 1], state)
        logits.append(step)
    torch.testing.assert_close(torch.stack(logits, 1), model(prompt)[:, 2:])


def seeded():
    return torch.Generator().manual_seed(5)


def test_uncached_writing_slides_past_the_end_and_cached_writing_says_no():
    model, prompt = small(), tokens(1, 4)
    written = continue_tokens(model, prompt, max_length=30, cached=False)
    assert written.shape == (1, 30)
    with pytest.raises(ValueError, match="mide 25 y el modelo solo tiene 24"):
        continue_tokens(model, prompt, max_length=30)


def test_beam_search_follows_the_cache():
    model = small("rotatorias", "cuadratica")
    options = {"first": 7, "stop_id": 49, "max_length": 6, "beam_size": 3}
    with_cache = beam_search(model.step, model.start(tokens(1, 3)), select, **options)

    def reread(last, written):
        written = torch.cat([written, last], dim=1)
        return model(written)[:, -1], written

    without = beam_search(reread, tokens(1, 3), lambda state, rows: state[rows], **options)
    assert with_cache[0] == without[0] and with_cache[1] == pytest.approx(without[1])


def select(cache, rows):
    return cache.select(rows)


def test_post_ln_has_no_closing_norm_and_norms_can_be_chosen():
    assert isinstance(small(norm_first=False).closing_norm, torch.nn.Identity)
    assert isinstance(small(norm="capa").blocks[0].around_attention.norm, LayerNorm)
    assert isinstance(small(norm="cuadratica").closing_norm, RMSNorm)


# Recuentos propios de OpenAI (GPT-1 y GPT-2, con embeddings atados) y de Brown et al. (2020).
@pytest.mark.parametrize(
    "name, n_tokens, published",
    [
        ("gpt-1", 40_478, 116_534_784),
        ("gpt-2", 50_257, 124_439_808),
        ("gpt-2-medium", 50_257, 354_823_168),
        ("gpt-2-large", 50_257, 774_030_080),
        ("gpt-2-xl", 50_257, 1_557_611_200),
    ],
)
def test_published_sizes(name, n_tokens, published):
    with torch.device("meta"):
        model = GPT(GPTConfig(n_tokens, **VARIANTS[name]))
    assert sum(p.numel() for p in model.parameters()) == published


def test_gpt3_has_175_thousand_million():
    with torch.device("meta"):
        model = GPT(GPTConfig(50_257, **VARIANTS["gpt-3"]))
    assert sum(p.numel() for p in model.parameters()) == pytest.approx(175e9, rel=0.005)


def test_initial_weights_follow_the_paper():
    torch.manual_seed(0)
    model = GPT(GPTConfig(500, d_model=256, n_layers=8))
    block = model.blocks[0]
    assert float(block.attention.q_proj.weight.detach().std()) == pytest.approx(0.02, rel=0.02)
    for closing in (block.attention.out_proj, block.feed_forward.output):
        assert float(closing.weight.detach().std()) == pytest.approx(0.02 / 4, rel=0.02)
        assert not closing.bias.any()


@pytest.mark.lento
@pytest.mark.parametrize("kind", KINDS)
def test_it_memorises_one_batch(kind):
    torch.manual_seed(0)
    model = GPT(GPTConfig(50, positions=kind[0], norm=kind[1], **SMALL))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    batch = (tokens(4, 17),)
    for _ in range(60):
        optimizer.zero_grad()
        loss = next_token_loss(model, batch)
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.1


def test_the_loss_pairs_each_token_with_the_next():
    model, x = small(), tokens(2, 9)
    logs = model(x[:, :-1]).log_softmax(-1)
    by_hand = -sum(logs[b, t, x[b, t + 1]] for b in range(2) for t in range(8)) / 16
    torch.testing.assert_close(next_token_loss(model, (x,)), by_hand)


def test_errors_say_what_to_do():
    with pytest.raises(ValueError, match="positions='otras': usa aprendidas o rotatorias"):
        GPTConfig(10, positions="otras")
    with pytest.raises(ValueError, match="norm='lote': usa capa o cuadratica"):
        GPTConfig(10, norm="lote")
    with pytest.raises(ValueError, match="n_layers=0: debe ser al menos 1"):
        GPTConfig(10, n_layers=0)
    with pytest.raises(ValueError, match="la secuencia mide 25"):
        small()(tokens(1, 25))
