"""Swin: el de transformers y el de torchvision."""

from collections.abc import Collection

from tfcourse.models.swin import Swin, SwinConfig
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, bare, fused, linear, norm, patches
from tfcourse.official.vit import n_classes

SWIN_BRANCHES = (
    (r"\.attention\.q_proj", ".attention.self.query"),
    (r"\.attention\.k_proj", ".attention.self.key"),
    (r"\.attention\.v_proj", ".attention.self.value"),
    (r"\.attention\.o_proj", ".attention.output.dense"),
    (r"\.attention\.relative_position_bias\.relative", ".attention.self.relative"),
    (r"\.mlp\.fc1", ".intermediate.dense"),
    (r"\.mlp\.fc2", ".output.dense"),
)


def swin_block(ours: str, theirs: str, joint: bool) -> tuple[Rule, ...]:
    """Un bloque: con la atención en tres matrices (transformers) o en una (torchvision)."""
    inside = f"{ours}attention.attention"
    if joint:
        look = (
            *fused(inside, f"{theirs}attn.qkv", joint="{kind}"),
            *linear(f"{inside}.out_proj", f"{theirs}attn.proj"),
        )
        bias, norms, network = "attn", ("norm1", "norm2"), ("mlp.0", "mlp.3")
    else:
        look = attention(
            inside, f"{theirs}attention", ("self.query", "self.key", "self.value", "output.dense")
        )
        bias, norms = "attention.self", ("layernorm_before", "layernorm_after")
        network = ("intermediate.dense", "output.dense")
    return (
        *look,
        *bare(f"{ours}attention.bias.table.weight", f"{theirs}{bias}.relative_position_bias_table"),
        *norm(f"{ours}around_attention.norm", theirs + norms[0]),
        *norm(f"{ours}around_feed_forward.norm", theirs + norms[1]),
        *linear(f"{ours}feed_forward.hidden", theirs + network[0]),
        *linear(f"{ours}feed_forward.output", theirs + network[1]),
    )


def swin_config(config: Settings, classes: int) -> SwinConfig:
    """Los tamaños de un Swin publicado."""
    found = sizes(
        config, channels="num_channels", patch_size="patch_size", window="window_size",
        d_model="embed_dim", n_layers="depths", n_heads="num_heads",
    )  # fmt: skip
    both = {name: tuple(found[name]) for name in ("n_layers", "n_heads")}
    expansion = int(config.get("mlp_ratio", 4))
    return SwinConfig(**found | both, n_classes=classes, expansion=expansion)


def swin_trunk(ours: str, theirs: str) -> tuple[Rule, ...]:
    """Un Swin de transformers entero, menos lo que clasifica."""
    stage = f"{theirs}encoder.layers.{{s}}"
    return (
        *patches(f"{ours}embedding.projection", f"{theirs}embeddings.patch_embeddings.projection"),
        *norm(f"{ours}first_norm", f"{theirs}embeddings.norm"),
        *swin_block(f"{ours}stages.{{s}}.{{b}}.", f"{stage}.blocks.{{b}}.", joint=False),
        *norm(f"{ours}merges.{{s}}.norm", f"{stage}.downsample.norm"),
        *linear(f"{ours}merges.{{s}}.projection", f"{stage}.downsample.reduction", bias=False),
        *norm(f"{ours}norm", f"{theirs}layernorm"),
    )


def _swin(config: Settings, names: Collection[str]) -> Swin:
    return Swin(swin_config(config, n_classes(config)))


SWIN_NEEDS = {"hidden_act": ("gelu",), "qkv_bias": (True,), "use_absolute_embeddings": (False,)}
SWIN = Family(
    "swin", ("swin",),
    Table(
        (*swin_trunk("", ""), *linear("head", "classifier")),
        ((r"^swin\.", ""), *SWIN_BRANCHES), (r".*relative_position_index",),
    ),
    _swin,
    needs=SWIN_NEEDS,
    eps=("layer_norm_eps", 1e-5),
)  # fmt: skip
# En torchvision, las etapas y las fusiones van seguidas: las impares son etapas.
_SWIN_PLACES = tuple(
    (rf"^features\.{2 * stage + kind}\.", f"{name}.{stage}.")
    for stage in range(4)
    for kind, name in ((1, "stage"), (2, "merge"))
)
_TV_EXTRAS = (r".*relative_position_index",)
TORCHVISION_SWIN = Table(
    (
        *patches("embedding.projection", "features.0.0"),
        *norm("first_norm", "features.0.2"),
        *swin_block("stages.{s}.{b}.", "stage.{s}.{b}.", joint=True),
        *norm("merges.{s}.norm", "merge.{s}.norm"),
        *linear("merges.{s}.projection", "merge.{s}.reduction", bias=False),
        *norm("norm", "norm"),
        *linear("head", "head"),
    ),
    _SWIN_PLACES,
    _TV_EXTRAS,
)
TORCHVISION_SWIN_BLOCK = Table(swin_block("", "", joint=True), ignored=_TV_EXTRAS)
