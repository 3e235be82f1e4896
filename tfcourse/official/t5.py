"""T5 y sus herederos con compuerta: mT5 y Flan-T5."""

from tfcourse.models.t5 import T5, T5Config
from tfcourse.models.t5_gated import GatedT5
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, linear, norm, table

_T5_ATTENTION = ("q", "k", "v", "o")


def _t5_side(side: str, places: dict[str, int]) -> tuple[Rule, ...]:
    """Una pila; `places` dice en qué subcapa de cada bloque está cada pieza."""
    ours, theirs = f"{side}.blocks.{{n}}", f"{side}.block.{{n}}.layer"
    first, last = f"{theirs}.0", f"{theirs}.{places['network']}"
    rules = [
        *norm(f"{side}.norm", f"{side}.final_layer_norm", bias=False),
        *table(
            f"{side}.relative_bias.table",
            f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias",
        ),
        *attention(f"{ours}.attention", f"{first}.SelfAttention", _T5_ATTENTION, bias=False),
        *norm(f"{ours}.around_attention.norm", f"{first}.layer_norm", bias=False),
        *linear(f"{ours}.feed_forward.hidden", f"{last}.DenseReluDense.wi", bias=False),
        *linear(f"{ours}.feed_forward.hidden", f"{last}.DenseReluDense.wi_0", bias=False),
        *linear(f"{ours}.feed_forward.gate", f"{last}.DenseReluDense.wi_1", bias=False),
        *linear(f"{ours}.feed_forward.output", f"{last}.DenseReluDense.wo", bias=False),
        *norm(f"{ours}.around_feed_forward.norm", f"{last}.layer_norm", bias=False),
    ]
    if "cross" in places:
        cross = f"{theirs}.{places['cross']}"
        rules += attention(
            f"{ours}.cross_attention", f"{cross}.EncDecAttention", _T5_ATTENTION, bias=False
        )
        rules += norm(f"{ours}.around_cross_attention.norm", f"{cross}.layer_norm", bias=False)
    return tuple(rules)


_T5_SIDES = (
    *table("table", "shared"),
    *_t5_side("encoder", {"network": 1}),
    *_t5_side("decoder", {"cross": 1, "network": 2}),
)
_T5_EXTRAS = (
    r"(encoder|decoder)\.embed_tokens\.weight",
    r"decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight",
)


def _t5_config(config: Settings) -> T5Config:
    found = sizes(
        config, n_tokens="vocab_size", d_model="d_model", n_heads="num_heads", d_head="d_kv",
        n_layers="num_layers", d_hidden="d_ff", n_buckets="relative_attention_num_buckets",
    )  # fmt: skip
    decoder = config.get("num_decoder_layers")
    if decoder not in (None, found["n_layers"]):
        raise ValueError(
            f"el decodificador tiene {decoder} capas y el codificador {found['n_layers']}: en "
            "nuestro T5 los dos tienen las mismas"
        )
    return T5Config(**found, max_distance=config.get("relative_attention_max_distance", 128))


T5_FIRST = Family(
    "t5", ("t5",), Table(_T5_SIDES, ignored=(*_T5_EXTRAS, r"lm_head\.weight")),
    lambda config, names: T5(_t5_config(config)),
    needs={"feed_forward_proj": ("relu",)},
    eps=("layer_norm_epsilon", 1e-6),
)  # fmt: skip
T5_GATED = Family(
    "t5-compuerta", ("t5", "mt5"),
    Table((*_T5_SIDES, *linear("head", "lm_head", bias=False)), ignored=_T5_EXTRAS),
    lambda config, names: GatedT5(_t5_config(config)),
    needs={"feed_forward_proj": ("gated-gelu",)},
    eps=("layer_norm_epsilon", 1e-6),
)  # fmt: skip
