"""SepFormer, el de SpeechBrain."""

from collections.abc import Collection

from torch import Tensor

from tfcourse.models.sepformer import SepFormerConfig
from tfcourse.models.sepformer_published import PublishedSepFormer
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, bare, fresh, fused, linear, norm, patches

_MASK = "masknet"


def _matrix(kernel: Tensor) -> Tensor:
    """Una convolución de un solo paso, o de un canal, como matriz."""
    return fresh(kernel.flatten(1))


def _path(side: str) -> tuple[Rule, ...]:
    """Un camino, con la norma que le sigue."""
    ours, theirs = f"mask_net.blocks.{{b}}.{side}", f"{_MASK}.dual_mdl.{{b}}.{side}_mdl.mdl"
    mine, other = f"{ours}.blocks.{{n}}", f"{theirs}.layers.{{n}}"
    return (
        *norm(f"{mine}.around_attention.norm", f"{other}.norm1.norm"),
        *fused(f"{mine}.attention", f"{other}.self_att.att", joint="in_proj_{kind}"),
        *linear(f"{mine}.attention.out_proj", f"{other}.self_att.att.out_proj"),
        *norm(f"{mine}.around_feed_forward.norm", f"{other}.norm2.norm"),
        *linear(f"{mine}.feed_forward.hidden", f"{other}.pos_ffn.ffn.0"),
        *linear(f"{mine}.feed_forward.output", f"{other}.pos_ffn.ffn.3"),
        *norm(f"{ours}.norm", f"{theirs}.norm.norm"),
        *linear(f"{ours}_norm", f"{_MASK}.dual_mdl.{{b}}.{side}_norm"),
    )


_RULES = (
    *bare("front.encoder.weight", "encoder.conv1d.weight", _matrix),
    *bare("front.decoder.weight", "decoder.weight", lambda kernel: fresh(kernel[:, 0].T)),
    *linear("mask_net.norm", f"{_MASK}.norm"),
    *bare("mask_net.input.weight", f"{_MASK}.conv1d.weight", _matrix),
    *_path("intra"),
    *_path("inter"),
    *bare("mask_net.activation.weight", f"{_MASK}.prelu.weight"),
    *patches("mask_net.split", f"{_MASK}.conv2d"),
    *patches("mask_net.content", f"{_MASK}.output.0"),
    *patches("mask_net.gate", f"{_MASK}.output_gate.0"),
    *bare("mask_net.output.weight", f"{_MASK}.end_conv1x1.weight", _matrix),
)


def _sepformer(config: Settings, names: Collection[str]) -> PublishedSepFormer:
    found = sizes(
        config, n_speakers="num_spks", n_filters="n_filters", kernel="kernel_size",
        d_model="intra_d_model", n_heads="intra_nhead", d_hidden="intra_d_ffn",
        n_intra="intra_num_layers", n_inter="inter_num_layers", n_blocks="num_layers", chunk="K",
    )  # fmt: skip
    same = [config[f"intra_{name}"] == config[f"inter_{name}"] for name in ("nhead", "d_ffn")]
    if not all(same):
        raise ValueError("los dos caminos tienen otros tamaños: aquí son los mismos")
    return PublishedSepFormer(
        SepFormerConfig(front="aprendido", mask="relu", stride=found["kernel"] // 2, **found)
    )


SEPFORMER = Family(
    "sepformer", ("sepformer",),
    Table(_RULES, ignored=(r".*\.pos_enc\.pe",)),
    _sepformer,
    needs={
        "norm": ("ln",), "linear_layer_after_inter_intra": (False,), "skip_around_intra": (True,),
        "intra_norm_before": (True,), "inter_norm_before": (True,),
        "intra_use_positional_encoding": (True,), "inter_use_positional_encoding": (True,),
    },
    eps=("layer_norm_eps", 1e-6),
)  # fmt: skip
