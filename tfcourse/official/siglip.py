"""SigLIP: sus dos torres."""

from collections.abc import Collection

from tfcourse.models.gpt import GPTConfig
from tfcourse.models.siglip_published import PublishedSiglip, SiglipImageTower, SiglipTextTower
from tfcourse.models.vit import ViTConfig
from tfcourse.official.clip import clip_tower
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Table, bare, fresh, fused, linear, norm, patches, table

_SIZES = {
    "d_model": "hidden_size", "n_heads": "num_attention_heads", "n_layers": "num_hidden_layers",
    "d_hidden": "intermediate_size",
}  # fmt: skip
# Lo que no dice el archivo de la variante base, porque es lo de siempre.
_BASE = {
    "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12,
    "intermediate_size": 3072,
}  # fmt: skip


def _siglip(config: Settings, names: Collection[str]) -> PublishedSiglip:
    image_side = sizes(
        _BASE | {"image_size": 224, "patch_size": 16} | dict(config["vision_config"]),
        image_size="image_size", patch_size="patch_size", **_SIZES,
    )  # fmt: skip
    text_side = sizes(
        _BASE | {"vocab_size": 32_000, "max_position_embeddings": 64} | dict(config["text_config"]),
        n_tokens="vocab_size", max_length="max_position_embeddings", **_SIZES,
    )  # fmt: skip
    return PublishedSiglip(
        SiglipImageTower(ViTConfig(1, channels=3, pool="media", **image_side)),
        SiglipTextTower(GPTConfig(**text_side)),
        image_side["d_model"],
    )


_SEEN, _POOL = "vision_model.embeddings", "vision_model.head"
SIGLIP = Family(
    "siglip", ("siglip",),
    Table(
        (
            *patches("image_tower.embedding.projection", f"{_SEEN}.patch_embedding"),
            *table("image_tower.positions.table", f"{_SEEN}.position_embedding"),
            *clip_tower("image_tower", "vision_model"),
            *norm("image_tower.norm", "vision_model.post_layernorm"),
            *bare(
                "image_tower.pooling.question", f"{_POOL}.probe",
                lambda probe: fresh(probe.flatten()),
            ),
            *fused("image_tower.pooling.attention", f"{_POOL}.attention", joint="in_proj_{kind}"),
            *linear("image_tower.pooling.attention.out_proj", f"{_POOL}.attention.out_proj"),
            *norm("image_tower.pooling.around.norm", f"{_POOL}.layernorm"),
            *linear("image_tower.pooling.feed_forward.hidden", f"{_POOL}.mlp.fc1"),
            *linear("image_tower.pooling.feed_forward.output", f"{_POOL}.mlp.fc2"),
            *table("text_tower.embedding", "text_model.embeddings.token_embedding"),
            *table("text_tower.positions", "text_model.embeddings.position_embedding"),
            *clip_tower("text_tower", "text_model"),
            *norm("text_tower.closing_norm", "text_model.final_layer_norm"),
            *linear("text_projection", "text_model.head"),
            *bare("log_scale", "logit_scale", lambda one: fresh(one.reshape(()))),
            *bare("bias", "logit_bias", lambda one: fresh(one.reshape(()))),
        ),
        ignored=(r".*position_ids",),
    ),
    _siglip,
    eps=("layer_norm_eps", 1e-6),
)  # fmt: skip
