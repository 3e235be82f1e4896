"""CLIP: sus dos torres."""

from collections.abc import Collection

from tfcourse.models.clip_published import ClipImageTower, ClipTextTower, PublishedClip
from tfcourse.models.gpt import GPTConfig
from tfcourse.models.vit import ViTConfig
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, bare, fresh, linear, norm, table

_ATTENTION = ("q_proj", "k_proj", "v_proj", "out_proj")


def clip_tower(ours: str, theirs: str) -> tuple[Rule, ...]:
    """Los bloques de una torre."""
    mine, other = f"{ours}.blocks.{{n}}", f"{theirs}.encoder.layers.{{n}}"
    return (
        *norm(f"{mine}.around_attention.norm", f"{other}.layer_norm1"),
        *attention(f"{mine}.attention", f"{other}.self_attn", _ATTENTION),
        *norm(f"{mine}.around_feed_forward.norm", f"{other}.layer_norm2"),
        *linear(f"{mine}.feed_forward.hidden", f"{other}.mlp.fc1"),
        *linear(f"{mine}.feed_forward.output", f"{other}.mlp.fc2"),
    )


def _clip(config: Settings, names: Collection[str]) -> PublishedClip:
    vision, text = config["vision_config"], config["text_config"]
    shared = sizes(config, n_classes="projection_dim")
    image_side = sizes(
        {"image_size": 224, "patch_size": 32, "num_channels": 3} | dict(vision),
        image_size="image_size", patch_size="patch_size", channels="num_channels",
        d_model="hidden_size", n_heads="num_attention_heads", n_layers="num_hidden_layers",
        d_hidden="intermediate_size",
    )  # fmt: skip
    text_side = sizes(
        {"vocab_size": 49408, "max_position_embeddings": 77} | dict(text),
        n_tokens="vocab_size", max_length="max_position_embeddings", d_model="hidden_size",
        n_heads="num_attention_heads", n_layers="num_hidden_layers", d_hidden="intermediate_size",
    )  # fmt: skip
    return PublishedClip(
        ClipImageTower(ViTConfig(**shared | image_side), vision.get("hidden_act", "quick_gelu")),
        ClipTextTower(GPTConfig(**text_side), text.get("hidden_act", "quick_gelu")),
        text_side["d_model"],
        shared["n_classes"],
    )


_SEEN = "vision_model.embeddings"
CLIP = Family(
    "clip", ("clip",),
    Table(
        (
            *bare(
                "image_tower.embedding.projection.weight", f"{_SEEN}.patch_embedding.weight",
                lambda kernel: fresh(kernel.flatten(1)),
            ),
            *bare("image_tower.class_token", f"{_SEEN}.class_embedding"),
            *table("image_tower.positions.table", f"{_SEEN}.position_embedding"),
            *norm("image_tower.first_norm", "vision_model.pre_layrnorm"),
            *clip_tower("image_tower", "vision_model"),
            *norm("image_tower.norm", "vision_model.post_layernorm"),
            *linear("image_tower.head", "visual_projection", bias=False),
            *table("text_tower.embedding", "text_model.embeddings.token_embedding"),
            *table("text_tower.positions", "text_model.embeddings.position_embedding"),
            *clip_tower("text_tower", "text_model"),
            *norm("text_tower.closing_norm", "text_model.final_layer_norm"),
            *linear("text_projection", "text_projection", bias=False),
            *bare("log_scale", "logit_scale"),
        ),
        ignored=(r".*position_ids",),
        blank=(r"image_tower\.(embedding\.projection|head)\.bias",),
    ),
    _clip,
    eps=("layer_norm_eps", 1e-5),
)  # fmt: skip
