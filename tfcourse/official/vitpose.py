"""ViTPose, con sus dos cabezas."""

from typing import Any

from torch import Tensor

from tfcourse.models.vit import ViTConfig
from tfcourse.models.vitpose_published import PublishedPose
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, bare, fresh, linear, norm, patches
from tfcourse.official.vit import n_classes

# Lo que no dice el archivo, porque es lo de siempre.
_BASE = {
    "image_size": (256, 192), "patch_size": (16, 16), "hidden_size": 768, "mlp_ratio": 4,
    "num_hidden_layers": 12, "num_attention_heads": 12, "num_channels": 3,
}  # fmt: skip


def _positions(rows: Tensor) -> Tensor:
    """La posición de cada parche; la del token de clase, que ya no está, se suma a todas."""
    return fresh(rows[0, 1:] + rows[0, :1])


_BLOCK = "backbone.encoder.layer.{n}"
_BACKBONE = (
    *patches("embedding.projection", "backbone.embeddings.patch_embeddings.projection"),
    *bare("positions.table.weight", "backbone.embeddings.position_embeddings", _positions),
    *norm("blocks.{n}.around_attention.norm", f"{_BLOCK}.layernorm_before"),
    *attention(
        "blocks.{n}.attention", f"{_BLOCK}.attention",
        ("attention.query", "attention.key", "attention.value", "output.dense"),
    ),
    *norm("blocks.{n}.around_feed_forward.norm", f"{_BLOCK}.layernorm_after"),
    *linear("blocks.{n}.feed_forward.hidden", f"{_BLOCK}.mlp.fc1"),
    *linear("blocks.{n}.feed_forward.output", f"{_BLOCK}.mlp.fc2"),
    *norm("norm", "backbone.layernorm"),
    *linear("head.last", "head.conv"),
)  # fmt: skip
_KINDS = ("weight", "bias", "running_mean", "running_var", "num_batches_tracked")


def _enlarging(ours: str, number: int) -> tuple[Rule, ...]:
    """Una convolución traspuesta y su normalización por lotes."""
    statistics = (
        rule
        for kind in _KINDS
        for rule in bare(f"head.{ours}_norm.{kind}", f"head.batchnorm{number}.{kind}")
    )
    return (*linear(f"head.{ours}", f"head.deconv{number}", bias=False), *statistics)


def _pose(config: Settings, simple: bool) -> PublishedPose:
    told = _BASE | dict(config.get("backbone_config") or {})
    if told.get("num_experts", 1) != 1:
        raise ValueError(
            f"num_experts={told['num_experts']}: esta variante reparte sus redes entre expertos y "
            "nuestra clase no lo hace"
        )
    found: dict[str, Any] = sizes(
        told, d_model="hidden_size", n_heads="num_attention_heads", n_layers="num_hidden_layers",
        channels="num_channels",
    )  # fmt: skip
    image, patch = told["image_size"], told["patch_size"]
    return PublishedPose(
        ViTConfig(
            n_classes(config), pool="media", d_hidden=int(told["mlp_ratio"] * found["d_model"]),
            image_size=image if isinstance(image, int) else tuple(image),
            patch_size=patch if isinstance(patch, int) else patch[0], **found,
        ),
        simple,
    )  # fmt: skip


def _family(name: str, simple: bool) -> Family:
    rules = _BACKBONE if simple else (*_BACKBONE, *_enlarging("first", 1), *_enlarging("second", 2))
    return Family(
        name, ("vitpose",), Table(rules), lambda config, names: _pose(config, simple),
        needs={"use_simple_decoder": (simple,), "scale_factor": (4,)},
        eps=("layer_norm_eps", 1e-12),
    )  # fmt: skip


# La sencilla, delante: es la que vale si la configuración no lo dice.
VITPOSE_SIMPLE = _family("vitpose-sencilla", simple=True)
VITPOSE = _family("vitpose", simple=False)
