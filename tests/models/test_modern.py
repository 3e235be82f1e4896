"""El bloque de hoy: paridad con transformers, con GPT y consigo mismo al escribir con caché."""

import pytest
import torch

from tfcourse.decoding import continue_tokens
from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.models.modern import FAMILIES, ModernConfig, ModernLM

SMALL = {"d_model": 32, "n_heads": 4, "n_layers": 2, "max_length": 24, "d_hidden": 40}
SHRUNK = {  # los tamaños publicados, encogidos
    "mistral": {"window": 5, "n_kv_heads": 2},
    "llama": {"n_kv_heads": 2},
    "qwen3": {"n_kv_heads": 1},
    "gemma-3": {"n_kv_heads": 1, "window": 5, "full_every": 2},
    "mixtral": {"n_experts": 4, "n_kv_heads": 2},
    "deepseek-v3": {"n_experts": 4, "n_chosen": 2, "d_latent": 6, "d_rotary": 4},
}
CLOSE = {"rtol": 1e-4, "atol": 1e-5}  # transformers normaliza en float32 aunque se le pida más


def tokens(*shape, seed=0):
    return torch.randint(50, shape, generator=torch.Generator().manual_seed(seed))


def small(family, **changes):
    torch.manual_seed(0)
    options = SMALL | FAMILIES[family] | SHRUNK.get(family, {}) | {"tied": False} | changes
    model = ModernLM(ModernConfig(50, **options)).double().eval()
    for parameter in model.parameters():  # que nada valga 0 ni 1 al empezar
        torch.nn.init.normal_(parameter, std=0.2)
    for mixture in model.mixtures():
        mixture.router.correction.normal_(std=0.2)
    return model


def reference(family, **options):
    """El de transformers, diminuto, con los mismos tamaños."""
    transformers = pytest.importorskip("transformers")
    kind = {
        "mistral": "Mistral", "llama": "Llama", "qwen3": "Qwen3", "mixtral": "Mixtral",
        "deepseek-v3": "DeepseekV3",
    }[family]  # fmt: skip
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=40, max_position_embeddings=24, rms_norm_eps=1e-6,
        tie_word_embeddings=False, attn_implementation="eager", experts_implementation="eager",
        rope_parameters={"rope_type": "default", "rope_theta": 10_000.0},
        **{"head_dim": 8} | options,
    )  # fmt: skip
    return getattr(transformers, f"{kind}ForCausalLM")(config).double().eval()


def test_the_families_have_the_experts_they_were_published_with():
    transformers = pytest.importorskip("transformers")
    ours, told = FAMILIES["deepseek-v3"], transformers.DeepseekV3Config()
    assert ours["n_experts"] == told.n_routed_experts
    assert ours["n_chosen"] == told.num_experts_per_tok
    assert ours["n_shared"] == told.n_shared_experts
    assert (ours["d_latent"], ours["d_rotary"]) == (told.kv_lora_rank, told.qk_rope_head_dim)
    ours, told = FAMILIES["mixtral"], transformers.MixtralConfig()
    assert ours["n_experts"] == told.num_local_experts
    assert ours["n_chosen"] == told.num_experts_per_tok


def expected_weights(model):
    """Los pesos de un `ModernLM`, con los nombres de transformers."""
    found = {
        "model.embed_tokens.weight": model.embedding.weight,
        "model.norm.weight": model.closing_norm.gain,
        "lm_head.weight": model.head.weight,
    }
    for depth, block in enumerate(model.blocks):
        mine = {
            "input_layernorm.weight": block.attention_norm.gain,
            "post_attention_layernorm.weight": block.mixer_norm.gain,
            **attention_weights(block.attention),
            **mixer_weights(block.mixer),
        }
        found |= {f"model.layers.{depth}.{name}": value for name, value in mine.items()}
    return {name: value.detach() for name, value in found.items()}


def attention_weights(attention):
    names = {"q_proj": "q_proj.weight", "out_proj": "o_proj.weight"}
    if hasattr(attention, "down_proj"):
        names |= {"down_proj": "kv_a_proj_with_mqa.weight", "latent_norm": "kv_a_layernorm.weight"}
    else:
        names |= {"k_proj": "k_proj.weight", "v_proj": "v_proj.weight"}
        if not isinstance(attention.q_norm, torch.nn.Identity):
            names |= {"q_norm": "q_norm.weight", "k_norm": "k_norm.weight"}
    found = {}
    for ours, theirs in names.items():
        layer = getattr(attention, ours)
        found[f"self_attn.{theirs}"] = layer.gain if hasattr(layer, "gain") else layer.weight
    if hasattr(attention, "key_up"):
        ups = [
            up.weight.unflatten(0, (attention.n_heads, -1))
            for up in (attention.key_up, attention.value_up)
        ]
        found["self_attn.kv_b_proj.weight"] = torch.cat(ups, dim=1).flatten(0, 1)
    return found


def mixer_weights(mixer):
    if not hasattr(mixer, "experts"):
        return gated_weights("mlp", mixer)
    found = {
        "mlp.gate.weight": mixer.router.scorer.weight,
        "mlp.experts.gate_up_proj": torch.stack(
            [torch.cat([e.gate.weight, e.hidden.weight]) for e in mixer.experts]
        ),
        "mlp.experts.down_proj": torch.stack([e.output.weight for e in mixer.experts]),
    }
    if mixer.router.score == "sigmoide":
        found["mlp.gate.e_score_correction_bias"] = mixer.router.correction
    else:
        mixer.router.correction.zero_()  # Mixtral no la tiene
    return found | (gated_weights("mlp.shared_experts", mixer.shared) if mixer.shared else {})


def gated_weights(name, mixer):
    theirs = {"gate": "gate_proj", "hidden": "up_proj", "output": "down_proj"}
    return {f"{name}.{there}.weight": getattr(mixer, here).weight for here, there in theirs.items()}


@pytest.mark.parametrize(
    ("family", "options"),
    [
        ("llama", {"num_key_value_heads": 2}),
        ("mistral", {"num_key_value_heads": 2, "sliding_window": 6}),
        ("qwen3", {"num_key_value_heads": 1}),
        ("mixtral", {"num_key_value_heads": 2, "num_local_experts": 4, "sliding_window": None}),
        (
            "deepseek-v3",
            {
                "q_lora_rank": None, "kv_lora_rank": 6, "qk_nope_head_dim": 8,
                "qk_rope_head_dim": 4, "v_head_dim": 8, "n_routed_experts": 4,
                "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1,
                "routed_scaling_factor": 1.0, "first_k_dense_replace": 0,
                "moe_intermediate_size": 40, "rope_interleave": False, "head_dim": 4,
                "num_key_value_heads": 4,
            },
        ),
    ],
)  # fmt: skip
def test_same_as_transformers_with_its_weights(family, options):
    model, theirs = small(family), reference(family, **options)
    missing, unexpected = theirs.load_state_dict(expected_weights(model), strict=False)
    assert not missing and not unexpected
    x = tokens(3, 20)
    torch.testing.assert_close(model(x), theirs(x).logits, **CLOSE)


def gemma_reference():
    """Gemma 3, con sus capas de ventana y sus dos bases; su salida, aquí, no es la de entrada."""
    transformers = pytest.importorskip("transformers")
    config = transformers.Gemma3TextConfig(
        vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=1, head_dim=8, query_pre_attn_scalar=8, intermediate_size=40,
        max_position_embeddings=24, rms_norm_eps=1e-6, sliding_window=6,
        tie_word_embeddings=False, attn_implementation="eager",
        layer_types=["sliding_attention", "full_attention"],
        rope_parameters={
            "sliding_attention": {"rope_type": "default", "rope_theta": 10_000.0},
            "full_attention": {"rope_type": "default", "rope_theta": 1_000_000.0},
        },
    )  # fmt: skip
    return transformers.Gemma3ForCausalLM(config).double().eval()


def gemma_weights(model):
    """Los de `expected_weights`, con las normas de Gemma: cuatro por bloque, y guardan 1 menos.

    Lo que multiplica a los embeddings se divide aquí, que no lo lleva.
    """
    found = expected_weights(model)
    for depth, block in enumerate(model.blocks):
        layer = f"model.layers.{depth}"
        found[f"{layer}.post_attention_layernorm.weight"] = block.after_attention.gain.detach()
        found[f"{layer}.pre_feedforward_layernorm.weight"] = block.mixer_norm.gain.detach()
        found[f"{layer}.post_feedforward_layernorm.weight"] = block.after_mixer.gain.detach()
    found = {name: value - 1 if "norm" in name else value for name, value in found.items()}
    scale = model.config.d_model**0.5
    return found | {"model.embed_tokens.weight": found["model.embed_tokens.weight"] / scale}


def gemma(**changes):
    """El nuestro, con consultas y claves lo bastante largas para que se note a quién mira."""
    model = small("gemma-3", **changes)
    with torch.no_grad():
        for block in model.blocks:
            block.attention.q_norm.gain.mul_(5)
            block.attention.k_norm.gain.mul_(5)
    return model


def test_the_pieces_of_gemma_are_those_of_transformers():
    """GeGLU, una norma más al salir, capas de ventana y enteras, y una base de giro para cada una.

    La raíz con que multiplica los embeddings la guarda transformers en 32 bits.
    """
    model, theirs = gemma(), gemma_reference()
    missing, unexpected = theirs.load_state_dict(gemma_weights(model), strict=False)
    assert not missing and not unexpected
    x = tokens(3, 20)
    torch.testing.assert_close(model(x), theirs(x).logits, **CLOSE)
    for piece in ({"mixer": "swiglu"}, {"near_base": None}, {"window": 6}, {"full_every": 1}):
        other = gemma(**piece)
        assert not torch.allclose(other(x), theirs(x).logits, atol=1e-3), piece


def test_near_and_whole_layers_take_turns_as_in_transformers():
    """La ventana de transformers cuenta el propio token; la nuestra, no."""
    model = small("qwen3", window=5, full_every=2)
    theirs = reference(
        "qwen3", num_key_value_heads=1, use_sliding_window=True, sliding_window=6,
        layer_types=["sliding_attention", "full_attention"],
    )  # fmt: skip
    theirs.load_state_dict(expected_weights(model), strict=True)
    x = tokens(3, 20)
    torch.testing.assert_close(model(x), theirs(x).logits, **CLOSE)
    whole = small("qwen3")
    assert not torch.allclose(whole(x), theirs(x).logits, atol=1e-3)


def test_with_the_pieces_of_gpt_2_it_is_the_gpt_of_the_course():
    torch.manual_seed(2)
    gpt = GPT(GPTConfig(50, **SMALL)).double().eval()
    for parameter in gpt.parameters():
        torch.nn.init.normal_(parameter, std=0.2)
    model = small("gpt-2", tied=True)
    names = {
        "around_attention.norm": "attention_norm", "around_feed_forward.norm": "mixer_norm",
        "feed_forward": "mixer",
    }  # fmt: skip
    weights = {}
    for name, value in gpt.state_dict().items():
        for old, new in names.items():
            name = name.replace(old, new)
        weights[name] = value
    model.load_state_dict(weights)
    torch.testing.assert_close(model(tokens(3, 20)), gpt(tokens(3, 20)))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_future_never_alters_the_past_and_the_cache_changes_nothing(family):
    model, x = small(family), tokens(1, 20)
    changed = x.clone()
    changed[0, 12:] = (changed[0, 12:] + 1) % 50
    with torch.no_grad():
        torch.testing.assert_close(model(x)[:, :12], model(changed)[:, :12])
        cache = model.start(x[:, :5])
        pieces = [model.step(x[:, place : place + 1], cache)[0] for place in range(5, 20)]
        torch.testing.assert_close(torch.stack(pieces, 1), model(x)[:, 5:])
    assert cache.nbytes() == 8 * model.config.cached_numbers() * model.config.max_length
    written = [continue_tokens(model, x[:, :4], max_length=12, cached=c) for c in (True, False)]
    assert torch.equal(*written)


def test_which_layers_look_near():
    config = ModernConfig(50, window=4, full_every=2, n_layers=4)
    assert [config.looks_near(layer) for layer in range(4)] == [True, False, True, False]
    assert all(ModernConfig(50, window=4).looks_near(layer) for layer in range(4))
    assert not ModernConfig(50).looks_near(0)


def test_idle_experts_are_not_active():
    dense, mixture = small("llama"), small("mixtral")
    assert dense.n_active() == sum(p.numel() for p in dense.parameters())
    expert = sum(p.numel() for p in mixture.mixtures()[0].experts[0].parameters())
    whole = sum(p.numel() for p in mixture.parameters())
    assert mixture.n_active() == whole - 2 * 2 * expert  # dos capas, dos parados en cada una


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mixer": "relu"}, "usa gelu, swiglu, geglu, expertos"),
        ({"n_layers": 0}, "n_layers=0"),
        ({"d_latent": 8, "window": 3}, "una sola atención"),
    ],
)
def test_what_can_not_be(changes, message):
    with pytest.raises(ValueError, match=message):
        ModernConfig(50, **changes)
