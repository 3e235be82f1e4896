"""Los GPT de OpenAI: el primero y GPT-2."""

from collections.abc import Collection
from typing import Any

from tfcourse.models.gpt import GPT, GPTConfig
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Table, fused, norm, table, transposed

_GPT_BLOCKS = (
    *fused("blocks.{n}.attention", "h.{n}.attn.c_attn", transpose=True),
    *transposed("blocks.{n}.attention.out_proj", "h.{n}.attn.c_proj"),
    *transposed("blocks.{n}.feed_forward.hidden", "h.{n}.mlp.c_fc"),
    *transposed("blocks.{n}.feed_forward.output", "h.{n}.mlp.c_proj"),
    *norm("blocks.{n}.around_attention.norm", "h.{n}.ln_1"),
    *norm("blocks.{n}.around_feed_forward.norm", "h.{n}.ln_2"),
)
_GPT_RENAMES = ((r"^transformer\.", ""),)
_GPT_EXTRAS = (r"lm_head\.weight", r"h\.\d+\.attn\.(bias|masked_bias)", r"position_ids")


def _gpt_sizes(config: Settings) -> dict[str, Any]:
    return sizes(
        config, n_tokens="vocab_size", d_model="n_embd", n_heads="n_head", n_layers="n_layer",
        max_length="n_positions",
    )  # fmt: skip


def _gpt2(config: Settings, names: Collection[str]) -> GPT:
    return GPT(GPTConfig(**_gpt_sizes(config), d_hidden=config.get("n_inner")))


def _gpt1(config: Settings, names: Collection[str]) -> GPT:
    return GPT(GPTConfig(**_gpt_sizes(config), norm_first=False))


GPT2 = Family(
    "gpt-2", ("gpt2",),
    Table(
        (
            *table("embedding", "wte"), *table("positions", "wpe"), *norm("closing_norm", "ln_f"),
            *_GPT_BLOCKS,
        ),
        _GPT_RENAMES, _GPT_EXTRAS,
    ),
    _gpt2,
    needs={
        "activation_function": ("gelu_new", "gelu_pytorch_tanh"),
        "scale_attn_weights": (True,),
        "scale_attn_by_inverse_layer_idx": (False,),
        "tie_word_embeddings": (True,),
    },
    eps=("layer_norm_epsilon", 1e-5),
)  # fmt: skip
GPT1 = Family(
    "gpt-1", ("openai-gpt",),
    Table(
        (
            *table("embedding", "tokens_embed"), *table("positions", "positions_embed"),
            *_GPT_BLOCKS,
        ),
        _GPT_RENAMES, _GPT_EXTRAS,
    ),
    _gpt1,
    needs={"afn": ("gelu",), "tie_word_embeddings": (True,)},
    eps=("layer_norm_epsilon", 1e-5),
)  # fmt: skip
