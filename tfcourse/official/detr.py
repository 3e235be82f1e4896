"""DETR, con la red convolucional que lo acompaña."""

from collections.abc import Collection

from torch import nn
from torchvision.models import resnet50
from torchvision.ops import FrozenBatchNorm2d

from tfcourse.models.detr import DETR, DETRConfig, ImageEncoder
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, bare, linear, table
from tfcourse.official.vit import n_classes

_ATTENTION = ("q_proj", "k_proj", "v_proj", "out_proj")
_STATISTICS = ("weight", "bias", "running_mean", "running_var")
# La red convolucional tiene los nombres de timm, que son los de torchvision; o los de transformers.
_DETR_RENAMES = (
    (r"^model\.", ""),
    (r"\.o_proj\.", ".out_proj."),
    (r"\.mlp\.fc", ".fc"),
    (r"^backbone\.(conv_encoder\.)?model\.", "backbone."),
    (r"^backbone\.embedder\.embedder\.convolution", "backbone.conv1"),
    (r"^backbone\.embedder\.embedder\.normalization", "backbone.bn1"),
    *((rf"^backbone\.encoder\.stages\.{s}\.layers\.", f"backbone.layer{s + 1}.") for s in range(4)),
    *(
        (rf"\.layer\.{k}\.{theirs}", f".{ours}{k + 1}")
        for k in range(3)
        for theirs, ours in (("convolution", "conv"), ("normalization", "bn"))
    ),
    (r"\.shortcut\.convolution", ".downsample.0"),
    (r"\.shortcut\.normalization", ".downsample.1"),
)


def _batch_norm(ours: str, theirs: str) -> tuple[Rule, ...]:
    return tuple(r for kind in _STATISTICS for r in bare(f"{ours}.{kind}", f"{theirs}.{kind}"))


def _resnet(prefix: str) -> tuple[Rule, ...]:
    """La red convolucional, cuyos nombres ya son los suyos."""
    rules = [
        *linear(f"{prefix}.conv1", "backbone.conv1", bias=False),
        *_batch_norm(f"{prefix}.bn1", "backbone.bn1"),
    ]
    for stage in range(1, 5):
        ours, theirs = f"{prefix}.layer{stage}.{{n}}", f"backbone.layer{stage}.{{n}}"
        for k in (1, 2, 3):
            rules += linear(f"{ours}.conv{k}", f"{theirs}.conv{k}", bias=False)
            rules += _batch_norm(f"{ours}.bn{k}", f"{theirs}.bn{k}")
        rules += linear(f"{ours}.downsample.0", f"{theirs}.downsample.0", bias=False)
        rules += _batch_norm(f"{ours}.downsample.1", f"{theirs}.downsample.1")
    return tuple(rules)


def _plain_norm(ours: str, theirs: str) -> tuple[Rule, ...]:
    """Una normalización de PyTorch, que aquí conserva sus nombres."""
    return linear(ours, theirs)


def _detr_block(ours: str, theirs: str, crossed: bool) -> tuple[Rule, ...]:
    rules = [
        *attention(f"{ours}.attention", f"{theirs}.self_attn", _ATTENTION),
        *_plain_norm(f"{ours}.around_attention.norm", f"{theirs}.self_attn_layer_norm"),
        *linear(f"{ours}.feed_forward.hidden", f"{theirs}.fc1"),
        *linear(f"{ours}.feed_forward.output", f"{theirs}.fc2"),
        *_plain_norm(f"{ours}.around_feed_forward.norm", f"{theirs}.final_layer_norm"),
    ]
    if crossed:
        rules += attention(f"{ours}.cross_attention", f"{theirs}.encoder_attn", _ATTENTION)
        rules += _plain_norm(
            f"{ours}.around_cross_attention.norm", f"{theirs}.encoder_attn_layer_norm"
        )
    return tuple(rules)


def decoder_block(ours: str, theirs: str) -> tuple[Rule, ...]:
    """Un bloque del decodificador: las consultas se hablan y miran la imagen."""
    return _detr_block(ours, theirs, crossed=True)


class FrozenResNet(nn.Module):
    """La ResNet-50 de DETR: sin clasificador, y con la normalización por lotes congelada."""

    def __init__(self, depths: Collection[int] = (3, 4, 6, 3)):
        super().__init__()
        whole = resnet50(norm_layer=FrozenBatchNorm2d)
        for name in ("conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3", "layer4"):
            setattr(self, name, getattr(whole, name))
        for stage, depth in enumerate(depths, start=1):
            setattr(self, f"layer{stage}", getattr(self, f"layer{stage}")[:depth])

    def forward(self, images):
        """El mapa de la última etapa, de lado S/32."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(images))))
        return self.layer4(self.layer3(self.layer2(self.layer1(x))))


def _detr(config: Settings, names: Collection[str]) -> DETR:
    found = sizes(
        config, n_queries="num_queries", d_model="d_model", n_heads="encoder_attention_heads",
        n_encoder="encoder_layers", n_decoder="decoder_layers", d_hidden="encoder_ffn_dim",
    )  # fmt: skip
    ours = DETRConfig(n_classes=n_classes(config), norm_first=False, **found)
    backbone = FrozenResNet((config.get("backbone_config") or {}).get("depths", (3, 4, 6, 3)))
    return DETR(ours, ImageEncoder(ours, backbone, n_features=2048))


DETR_FAMILY = Family(
    "detr", ("detr",),
    Table(
        (
            *_resnet("encoder.backbone"),
            *linear("encoder.projection", "input_projection"),
            *_detr_block("encoder.blocks.{n}", "encoder.layers.{n}", crossed=False),
            *decoder_block("decoder.{n}", "decoder.layers.{n}"),
            *_plain_norm("norm", "decoder.layernorm"),
            *table("queries", "query_position_embeddings"),
            *linear("class_head", "class_labels_classifier"),
            *linear("box_head.0", "bbox_predictor.layers.0"),
            *linear("box_head.2", "bbox_predictor.layers.1"),
            *linear("box_head.4", "bbox_predictor.layers.2"),
        ),
        _DETR_RENAMES, (r".*num_batches_tracked",),
    ),
    _detr,
    needs={
        "activation_function": ("relu",), "position_embedding_type": ("sine",),
        "dilation": (False, None),
    },
)  # fmt: skip
