"""Los modelos de lenguaje abiertos con el bloque de hoy: Llama, SmolLM2 y Qwen3."""

from collections.abc import Collection
from functools import partial
from typing import Any

from tfcourse.models.modern import ModernConfig, ModernLM
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, linear, norm, table

_NAMES = ("q_proj", "k_proj", "v_proj", "o_proj")
# Se puede leer tanto como se entrenó, pero la caché reserva su sitio entero al empezar.
MAX_LENGTH = 4096


def _block(qk_norm: bool) -> tuple[Rule, ...]:
    ours, theirs = "blocks.{n}", "layers.{n}"
    rules = (
        *norm(f"{ours}.attention_norm", f"{theirs}.input_layernorm", bias=False),
        *attention(f"{ours}.attention", f"{theirs}.self_attn", _NAMES, bias=False),
        *norm(f"{ours}.mixer_norm", f"{theirs}.post_attention_layernorm", bias=False),
        *linear(f"{ours}.mixer.gate", f"{theirs}.mlp.gate_proj", bias=False),
        *linear(f"{ours}.mixer.hidden", f"{theirs}.mlp.up_proj", bias=False),
        *linear(f"{ours}.mixer.output", f"{theirs}.mlp.down_proj", bias=False),
    )
    if not qk_norm:
        return rules
    inside = [
        rule
        for name in ("q_norm", "k_norm")
        for rule in norm(f"{ours}.attention.{name}", f"{theirs}.self_attn.{name}", bias=False)
    ]
    return (*rules, *inside)


def _table(*, qk_norm: bool, tied: bool) -> Table:
    """La conversión; si la salida es la tabla de tokens, su matriz sobra aunque esté escrita."""
    rules = (
        *table("embedding", "embed_tokens"), *norm("closing_norm", "norm", bias=False),
        *_block(qk_norm),
    )  # fmt: skip
    head = () if tied else linear("head", "lm_head", bias=False)
    ignored = (r".*rotary_emb\.inv_freq", *((r"lm_head\.weight",) if tied else ()))
    return Table((*rules, *head), ((r"^model\.", ""),), ignored)


def rotary_base(config: Settings) -> float:
    """La base de los giros. Errores: `ValueError` si están estirados, que aquí no se hace."""
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    kind = rope.get("rope_type", rope.get("type", "default"))
    if kind != "default":
        raise ValueError(
            f"sus posiciones rotatorias están estiradas ({kind}) y nuestra clase las lee sin "
            "estirar: usa un modelo sin rope_scaling"
        )
    return float(rope.get("rope_theta", config.get("rope_theta", 10_000.0)))


def modern_config(config: Settings, *, qk_norm: bool, tied: bool) -> ModernConfig:
    """Los tamaños de un modelo publicado, en nuestra configuración.

    Errores: los de `sizes` y los de `rotary_base`.
    """
    found: dict[str, Any] = sizes(
        config, n_tokens="vocab_size", d_model="hidden_size", n_heads="num_attention_heads",
        n_layers="num_hidden_layers", d_hidden="intermediate_size",
        max_length="max_position_embeddings",
    )  # fmt: skip
    found["max_length"] = min(found["max_length"], MAX_LENGTH)
    return ModernConfig(
        **found, n_kv_heads=config.get("num_key_value_heads"), head_size=config.get("head_dim"),
        base=rotary_base(config), qk_norm=qk_norm, tied=tied,
    )  # fmt: skip


def _build(config: Settings, _: Collection[str], *, qk_norm: bool, tied: bool) -> ModernLM:
    return ModernLM(modern_config(config, qk_norm=qk_norm, tied=tied))


def _family(name: str, kind: str, *, qk_norm: bool = False, tied: bool = False) -> Family:
    return Family(
        name, (kind,), _table(qk_norm=qk_norm, tied=tied),
        partial(_build, qk_norm=qk_norm, tied=tied),
        needs={
            "hidden_act": ("silu",),
            "attention_bias": (False,),
            "mlp_bias": (False,),
            "use_sliding_window": (False,),
            "tie_word_embeddings": (tied,),  # el último: si falla otro, el error habla de aquel
        },
        eps=("rms_norm_eps", 1e-6),
    )  # fmt: skip


LLAMA = _family("llama", "llama")
LLAMA_TIED = _family("llama-atada", "llama", tied=True)
QWEN3 = _family("qwen3", "qwen3", qk_norm=True)
QWEN3_TIED = _family("qwen3-atada", "qwen3", qk_norm=True, tied=True)
