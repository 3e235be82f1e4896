"""MaskFormer, con Swin."""

from collections.abc import Collection

from tfcourse.models.maskformer_published import PublishedMaskFormer
from tfcourse.models.segmentation import MaskFormerConfig
from tfcourse.official.detr import decoder_block
from tfcourse.official.family import Family, Settings, check_needs, sizes
from tfcourse.official.rules import Rule, Table, linear, norm, table
from tfcourse.official.swin import SWIN_BRANCHES, SWIN_NEEDS, swin_config, swin_trunk
from tfcourse.official.vit import n_classes

_PIXELS, _DECODER = "pixel_level_module", "transformer_module"


def _convolution(ours: str, theirs: str) -> tuple[Rule, ...]:
    """Una convolución sin sesgo y su normalización por grupos."""
    return linear(f"{ours}.0", f"{theirs}.0", bias=False) + linear(f"{ours}.1", f"{theirs}.1")


def _build(config: Settings, names: Collection[str]) -> PublishedMaskFormer:
    found = sizes(
        config["decoder_config"], n_queries="num_queries", d_model="d_model",
        n_heads="decoder_attention_heads", n_decoder="decoder_layers", d_hidden="decoder_ffn_dim",
    )  # fmt: skip
    pixel = sizes(config, d_pixel="mask_feature_size", d_fpn="fpn_feature_size")
    swin = config["backbone_config"]
    if swin.get("model_type") not in ("swin", "maskformer-swin"):
        raise ValueError(
            f"la imagen la lee un {swin.get('model_type')}: nuestra clase solo hace MaskFormer con "
            "Swin"
        )
    check_needs(swin, SWIN_NEEDS)
    ours = MaskFormerConfig(
        n_classes(config), n_encoder=0, norm_first=False, masked=False, seeded=False,
        d_pixel=pixel["d_pixel"], **found,
    )  # fmt: skip
    return PublishedMaskFormer(ours, swin_config(swin, 1), pixel["d_fpn"])


_FPN = f"{_PIXELS}.decoder.fpn"
MASKFORMER = Family(
    "maskformer", ("maskformer",),
    Table(
        (
            *swin_trunk("reader.backbone.", f"{_PIXELS}.encoder.model."),
            *norm("reader.norms.{s}", f"{_PIXELS}.encoder.hidden_states_norms.{{s}}"),
            *_convolution("reader.pixel_decoder.top", f"{_FPN}.stem"),
            *_convolution("reader.pixel_decoder.lateral.{n}", f"{_FPN}.layers.{{n}}.proj"),
            *_convolution("reader.pixel_decoder.smooth.{n}", f"{_FPN}.layers.{{n}}.block"),
            *linear("reader.pixel_decoder.to_masks", f"{_PIXELS}.decoder.mask_projection"),
            *linear("reader.projection", f"{_DECODER}.input_projection"),
            *table("queries", f"{_DECODER}.queries_embedder"),
            *decoder_block("decoder.{n}", f"{_DECODER}.decoder.layers.{{n}}"),
            *linear("norm", f"{_DECODER}.decoder.layernorm"),
            *linear("class_head", "class_predictor"),
            *linear("mask_head.0", "mask_embedder.0.0"),
            *linear("mask_head.2", "mask_embedder.1.0"),
            *linear("mask_head.4", "mask_embedder.2.0"),
        ),
        (
            (r"^model\.", ""), (r"\.hidden_states_norms\.stage(\d)", r".hidden_states_norms.\1"),
            (rf"^({_DECODER}.*)\.o_proj\.", r"\1.out_proj."),
            (rf"^({_DECODER}.*)\.mlp\.fc", r"\1.fc"), *SWIN_BRANCHES,
        ),
        (r".*relative_position_index", r"criterion\.empty_weight"),
    ),
    _build,
    eps=("layer_norm_eps", 1e-5),
)  # fmt: skip
