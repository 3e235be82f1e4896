"""ViT y DeiT: los de transformers y los de torchvision."""

from typing import Any

from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Table, attention, bare, fresh, fused, linear, norm, patches

_HF_BLOCK = "encoder.layer.{n}"
# Desde su versión 5, transformers llama de otro modo a estas piezas; en los archivos, como siempre.
BRANCHES = (
    (r"(^|\.)layers\.(\d+)\.attention\.q_proj", r"\1encoder.layer.\2.attention.attention.query"),
    (r"(^|\.)layers\.(\d+)\.attention\.k_proj", r"\1encoder.layer.\2.attention.attention.key"),
    (r"(^|\.)layers\.(\d+)\.attention\.v_proj", r"\1encoder.layer.\2.attention.attention.value"),
    (r"(^|\.)layers\.(\d+)\.attention\.o_proj", r"\1encoder.layer.\2.attention.output.dense"),
    (r"(^|\.)layers\.(\d+)\.mlp\.fc1", r"\1encoder.layer.\2.intermediate.dense"),
    (r"(^|\.)layers\.(\d+)\.mlp\.fc2", r"\1encoder.layer.\2.output.dense"),
    (r"(^|\.)layers\.(\d+)\.layernorm", r"\1encoder.layer.\2.layernorm"),
)
HF_VIT = (
    *patches("embedding.projection", "embeddings.patch_embeddings.projection"),
    *bare("class_token", "embeddings.cls_token", lambda token: fresh(token.flatten())),
    *bare(
        "positions.table.weight", "embeddings.position_embeddings", lambda rows: fresh(rows[0])
    ),
    *norm("blocks.{n}.around_attention.norm", f"{_HF_BLOCK}.layernorm_before"),
    *attention(
        "blocks.{n}.attention", f"{_HF_BLOCK}.attention",
        ("attention.query", "attention.key", "attention.value", "output.dense"),
    ),
    *norm("blocks.{n}.around_feed_forward.norm", f"{_HF_BLOCK}.layernorm_after"),
    *linear("blocks.{n}.feed_forward.hidden", f"{_HF_BLOCK}.intermediate.dense"),
    *linear("blocks.{n}.feed_forward.output", f"{_HF_BLOCK}.output.dense"),
    *norm("norm", "layernorm"),
)  # fmt: skip
VIT_NEEDS = {"hidden_act": ("gelu",), "qkv_bias": (True,)}
VIT_EPS = ("layer_norm_eps", 1e-12)


def n_classes(config: Settings) -> int:
    """Cuántas clases: en los archivos van con su nombre."""
    return len(config["id2label"]) if "id2label" in config else config.get("num_labels", 2)


def _vit_sizes(config: Settings) -> dict[str, Any]:
    found = sizes(
        config, image_size="image_size", patch_size="patch_size", d_model="hidden_size",
        n_heads="num_attention_heads", n_layers="num_hidden_layers", d_hidden="intermediate_size",
    )  # fmt: skip
    if not isinstance(found["image_size"], int):
        found["image_size"] = tuple(found["image_size"])
    return found | {"channels": config.get("num_channels", 3), "n_classes": n_classes(config)}


VIT = Family(
    "vit", ("vit",),
    Table(
        (*HF_VIT, *linear("head", "classifier")),
        ((r"^vit\.", ""), *BRANCHES), (r"pooler\.dense\.(weight|bias)",),
    ),
    lambda config, names: ViT(ViTConfig(**_vit_sizes(config))),
    needs=VIT_NEEDS, eps=VIT_EPS,
)  # fmt: skip
DEIT = Family(
    "deit", ("deit",),
    Table(
        (
            *HF_VIT,
            *bare(
                "distillation_token", "embeddings.distillation_token",
                lambda token: fresh(token.flatten()),
            ),
            *linear("head", "cls_classifier"),
            *linear("teacher_head", "distillation_classifier"),
        ),
        ((r"^deit\.", ""), *BRANCHES),
    ),
    lambda config, names: DeiT(DeiTConfig(**_vit_sizes(config))),
    needs=VIT_NEEDS, eps=VIT_EPS,
)  # fmt: skip

_TV_BLOCK = "encoder.layers.encoder_layer_{n}"
TORCHVISION_VIT = Table(
    (
        *patches("embedding.projection", "conv_proj"),
        *bare("class_token", "class_token", lambda token: fresh(token.flatten())),
        *bare("positions.table.weight", "encoder.pos_embedding", lambda rows: fresh(rows[0])),
        *norm("blocks.{n}.around_attention.norm", f"{_TV_BLOCK}.ln_1"),
        *fused(
            "blocks.{n}.attention", f"{_TV_BLOCK}.self_attention", joint="in_proj_{kind}"
        ),
        *linear("blocks.{n}.attention.out_proj", f"{_TV_BLOCK}.self_attention.out_proj"),
        *norm("blocks.{n}.around_feed_forward.norm", f"{_TV_BLOCK}.ln_2"),
        *linear("blocks.{n}.feed_forward.hidden", f"{_TV_BLOCK}.mlp.0"),
        *linear("blocks.{n}.feed_forward.output", f"{_TV_BLOCK}.mlp.3"),
        *norm("norm", "encoder.ln"),
        *linear("head", "heads.head"),
    ),
    ((r"mlp\.linear_1", "mlp.0"), (r"mlp\.linear_2", "mlp.3")),
)  # fmt: skip
