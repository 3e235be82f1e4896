"""Los codificadores de imágenes sin clasificador: MAE y DINOv2, con registros y sin ellos."""

from typing import Any

from tfcourse.models.vit import ViTConfig
from tfcourse.models.vit_published import DinoEncoder, RegisteredDino, ViTEncoder
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Table, attention, bare, fresh, linear, norm, patches
from tfcourse.official.vit import BRANCHES, HF_VIT, VIT_EPS, VIT_NEEDS

_DINO_BLOCK = "encoder.layer.{n}"
_DINO_BRANCHES = (
    (r"^dinov2(_with_registers)?\.", ""),
    (r"\.attention\.q_proj", ".attention.attention.query"),
    (r"\.attention\.k_proj", ".attention.attention.key"),
    (r"\.attention\.v_proj", ".attention.attention.value"),
    (r"\.attention\.o_proj", ".attention.output.dense"),
)
_DINO = (
    *patches("embedding.projection", "embeddings.patch_embeddings.projection"),
    *bare("class_token", "embeddings.cls_token", lambda token: fresh(token.flatten())),
    *bare(
        "positions.table.weight", "embeddings.position_embeddings", lambda rows: fresh(rows[0])
    ),
    *norm("blocks.{n}.around_attention.norm", f"{_DINO_BLOCK}.norm1"),
    *attention(
        "blocks.{n}.attention", f"{_DINO_BLOCK}.attention",
        ("attention.query", "attention.key", "attention.value", "output.dense"),
    ),
    *bare("blocks.{n}.around_attention.scale", f"{_DINO_BLOCK}.layer_scale1.lambda1"),
    *norm("blocks.{n}.around_feed_forward.norm", f"{_DINO_BLOCK}.norm2"),
    *linear("blocks.{n}.feed_forward.hidden", f"{_DINO_BLOCK}.mlp.fc1"),
    *linear("blocks.{n}.feed_forward.output", f"{_DINO_BLOCK}.mlp.fc2"),
    *bare("blocks.{n}.around_feed_forward.scale", f"{_DINO_BLOCK}.layer_scale2.lambda1"),
    *norm("norm", "layernorm"),
)  # fmt: skip


def _encoder_config(config: Settings) -> ViTConfig:
    """Los tamaños; el codificador no clasifica nada."""
    found: dict[str, Any] = sizes(
        config, image_size="image_size", patch_size="patch_size", d_model="hidden_size",
        n_heads="num_attention_heads", n_layers="num_hidden_layers",
    )  # fmt: skip
    hidden = config.get("intermediate_size") or int(config.get("mlp_ratio", 4) * found["d_model"])
    return ViTConfig(1, channels=config.get("num_channels", 3), d_hidden=hidden, **found)


MAE = Family(
    "mae-codificador", ("vit_mae",),
    # Lo que reconstruye los parches solo sirve para preentrenar.
    Table(HF_VIT, ((r"^vit\.", ""), *BRANCHES), (r"decoder\..*",)),
    lambda config, names: ViTEncoder(_encoder_config(config)),
    needs=VIT_NEEDS, eps=VIT_EPS,
)  # fmt: skip
DINOV2 = Family(
    "dinov2-codificador", ("dinov2",),
    Table(_DINO, _DINO_BRANCHES, (r"embeddings\.mask_token",)),
    lambda config, names: DinoEncoder(_encoder_config(config)),
    needs=VIT_NEEDS | {"use_swiglu_ffn": (False,)}, eps=("layer_norm_eps", 1e-6),
)  # fmt: skip
DINOV2_REGISTERS = Family(
    "dinov2-registros", ("dinov2_with_registers",),
    Table(
        (
            *_DINO,
            *bare("registers", "embeddings.register_tokens", lambda tokens: fresh(tokens[0])),
        ),
        _DINO_BRANCHES, (r"embeddings\.mask_token",),
    ),
    lambda config, names: RegisteredDino(
        _encoder_config(config), config.get("num_register_tokens", 4)
    ),
    needs=VIT_NEEDS | {"use_swiglu_ffn": (False,)}, eps=("layer_norm_eps", 1e-6),
)  # fmt: skip
