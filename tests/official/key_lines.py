"""Cómo se escriben los nombres de muchos tensores en pocas líneas.

`{0-11}` son números seguidos y `(a|b)`, alternativas: cada línea vale por todos los nombres que
salen de combinarlos.
"""

import itertools
import re
from dataclasses import dataclass, field

WB = "(weight|bias)"
BERT_LAYER = "(attention.self.query|attention.self.key|attention.self.value|attention.output.dense|intermediate.dense|output.dense)"  # noqa: E501
BERT_NORM = "(attention.output.LayerNorm|output.LayerNorm)"
VIT_LAYER = "(attention.attention.query|attention.attention.key|attention.attention.value|attention.output.dense|intermediate.dense|output.dense|layernorm_before|layernorm_after)"  # noqa: E501
SWIN_BLOCK = "(attention.self.query|attention.self.key|attention.self.value|attention.output.dense|intermediate.dense|output.dense|layernorm_before|layernorm_after)"  # noqa: E501
LOOK = "(q_proj|k_proj|v_proj|out_proj)"
BATCH_NORM = "(weight|bias|running_mean|running_var)"
BASE = {
    "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072,
}  # fmt: skip
SMALL = BASE | {"hidden_size": 384, "num_attention_heads": 12, "intermediate_size": 1536}
QWEN3 = {
    "model_type": "qwen3", "vocab_size": 151936, "num_key_value_heads": 8, "head_dim": 128,
    "max_position_embeddings": 40960, "rms_norm_eps": 1e-6, "rope_theta": 1000000,
    "rope_scaling": None, "use_sliding_window": False,
}  # fmt: skip
T5_SMALL = {
    "d_model": 512, "d_kv": 64, "relative_attention_num_buckets": 32, "vocab_size": 32128,
}  # fmt: skip
RESNET50 = {
    "model_type": "resnet", "embedding_size": 64, "hidden_sizes": [256, 512, 1024, 2048],
    "depths": [3, 4, 6, 3], "layer_type": "bottleneck", "out_features": ["stage4"],
}  # fmt: skip
MASKFORMER = {
    "model_type": "maskformer", "fpn_feature_size": 256, "mask_feature_size": 256,
    "num_labels": 133,
    "backbone_config": {
        "model_type": "swin", "image_size": 384, "patch_size": 4, "num_channels": 3,
        "embed_dim": 96, "depths": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24], "window_size": 7,
        "mlp_ratio": 4.0,
    },
    "decoder_config": {
        "model_type": "detr", "num_queries": 100, "d_model": 256, "decoder_layers": 6,
        "decoder_attention_heads": 8, "decoder_ffn_dim": 2048,
    },
}  # fmt: skip


@dataclass(frozen=True)
class Checkpoint:
    """Un archivo publicado: su familia, la clase de transformers, su configuración y sus nombres.

    `absent` es lo que la clase de transformers tiene y el archivo no; `extra`, lo contrario, con
    lo que mide. `each` son los bytes de cada número, y `twice`, los números que el archivo repite.
    """

    family: str
    library: str
    config: dict
    patterns: str
    absent: tuple[str, ...] = ()
    extra: dict[str, tuple[int, ...]] = field(default_factory=dict)
    each: int = 4
    twice: int = 0

    def names(self) -> list[str]:
        found = [name for line in self.patterns.split() for name in expanded(line)]
        assert len(found) == len(set(found)), "hay nombres repetidos"
        return found


def expanded(line: str) -> list[str]:
    """Todos los nombres de una línea."""
    choices = []
    for piece in re.split(r"(\{\d+-\d+\}|\([^)]*\))", line):
        if piece.startswith("{"):
            low, high = map(int, piece[1:-1].split("-"))
            choices.append([str(number) for number in range(low, high + 1)])
        else:
            choices.append(piece[1:-1].split("|") if piece.startswith("(") else [piece])
    return ["".join(pieces) for pieces in itertools.product(*choices)]


def bert_lines(prefix: str, layers: int, weight: str = "weight", bias: str = "bias") -> str:
    """Las líneas del codificador de BERT; sus archivos de 2018 llaman de otro modo a las normas."""
    return f"""
        {prefix}embeddings.(word|position|token_type)_embeddings.weight
        {prefix}embeddings.LayerNorm.({weight}|{bias})
        {prefix}encoder.layer.{{0-{layers - 1}}}.{BERT_LAYER}.{WB}
        {prefix}encoder.layer.{{0-{layers - 1}}}.{BERT_NORM}.({weight}|{bias})
        {prefix}pooler.dense.{WB}
    """


def modern_lines(layers: int, inside: str = "") -> str:
    """Las líneas de Llama; con `inside`, también las de sus normas por cabeza."""
    return f"""
        model.(embed_tokens|norm).weight
        model.layers.{{0-{layers - 1}}}.self_attn.(q_proj|k_proj|v_proj|o_proj{inside}).weight
        model.layers.{{0-{layers - 1}}}.mlp.(gate_proj|up_proj|down_proj).weight
        model.layers.{{0-{layers - 1}}}.(input_layernorm|post_attention_layernorm).weight
    """


def t5_lines(layers: int, wi: str) -> str:
    last = layers - 1
    side = "layer.0.SelfAttention.(q|k|v|o).weight"
    return f"""
        shared.weight (encoder|decoder).final_layer_norm.weight
        (encoder|decoder).block.{{0-{last}}}.{side}
        (encoder|decoder).block.0.layer.0.SelfAttention.relative_attention_bias.weight
        (encoder|decoder).block.{{0-{last}}}.layer.(0|1).layer_norm.weight
        encoder.block.{{0-{last}}}.layer.1.DenseReluDense.({wi}|wo).weight
        decoder.block.{{0-{last}}}.layer.2.DenseReluDense.({wi}|wo).weight
        decoder.block.{{0-{last}}}.layer.2.layer_norm.weight
        decoder.block.{{0-{last}}}.layer.1.EncDecAttention.(q|k|v|o).weight
    """


def vit_lines(name: str) -> str:
    return f"""
        {name}.embeddings.(cls_token|position_embeddings)
        {name}.embeddings.patch_embeddings.projection.{WB}
        {name}.encoder.layer.{{0-11}}.{VIT_LAYER}.{WB}
        {name}.layernorm.{WB}
    """


def swin_lines(depths: tuple[int, ...], prefix: str = "swin") -> str:
    lines = [
        f"{prefix}.encoder.layers.{stage}.blocks.{{0-{depth - 1}}}.{rest}"
        for stage, depth in enumerate(depths)
        for rest in (
            f"{SWIN_BLOCK}.{WB}",
            "attention.self.(relative_position_bias_table|relative_position_index)",
        )
    ]
    return "\n".join(lines)


def maskformer_lines() -> str:
    """Las de MaskFormer con Swin-T: sus archivos llevan los nombres de antes de transformers 5."""
    reader, writer = "model.pixel_level_module", "model.transformer_module"
    trunk = f"{reader}.encoder.model"
    return f"""
        {trunk}.embeddings.(norm|patch_embeddings.projection).{WB} {trunk}.layernorm.{WB}
        {swin_lines((2, 2, 6, 2), trunk)}
        {trunk}.encoder.layers.{{0-2}}.downsample.norm.{WB}
        {trunk}.encoder.layers.{{0-2}}.downsample.reduction.weight
        {reader}.encoder.hidden_states_norms.{{0-3}}.{WB}
        {reader}.decoder.fpn.stem.0.weight {reader}.decoder.fpn.stem.1.{WB}
        {reader}.decoder.fpn.layers.{{0-2}}.(proj|block).0.weight
        {reader}.decoder.fpn.layers.{{0-2}}.(proj|block).1.{WB}
        {reader}.decoder.mask_projection.{WB} {writer}.input_projection.{WB}
        {writer}.queries_embedder.weight {writer}.decoder.layernorm.{WB}
        {writer}.decoder.layers.{{0-5}}.(self_attn|encoder_attn).{LOOK}.{WB}
        {writer}.decoder.layers.{{0-5}}.(self_attn|encoder_attn)_layer_norm.{WB}
        {writer}.decoder.layers.{{0-5}}.(fc1|fc2|final_layer_norm).{WB}
        class_predictor.{WB} mask_embedder.{{0-2}}.0.{WB} criterion.empty_weight
    """


def wave_lines(prefix: str, layers: int, convolutions: str) -> str:
    block = "(attention.q_proj|attention.k_proj|attention.v_proj|attention.out_proj|feed_forward.intermediate_dense|feed_forward.output_dense|layer_norm|final_layer_norm)"  # noqa: E501
    return f"""
        {convolutions}
        {prefix}feature_projection.(layer_norm|projection).{WB}
        {prefix}encoder.pos_conv_embed.conv.(weight_g|weight_v|bias)
        {prefix}encoder.layer_norm.{WB}
        {prefix}encoder.layers.{{0-{layers - 1}}}.{block}.{WB}
    """


VITPOSE = {
    "model_type": "vitpose", "num_labels": 17, "use_simple_decoder": True, "scale_factor": 4,
    "backbone_config": {
        "model_type": "vitpose_backbone", "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "image_size": [256, 192], "patch_size": [16, 16],
        "out_indices": [12],
    },
}  # fmt: skip


def pose_lines() -> str:
    look = "(query|key|value)"
    rest = "(attention.output.dense|layernorm_before|layernorm_after|mlp.fc1|mlp.fc2)"
    return f"""
        backbone.embeddings.position_embeddings backbone.layernorm.{WB}
        backbone.embeddings.patch_embeddings.projection.{WB}
        backbone.encoder.layer.{{0-11}}.attention.attention.{look}.{WB}
        backbone.encoder.layer.{{0-11}}.{rest}.{WB}
    """


def separator_lines() -> str:
    path = "masknet.dual_mdl.{0-1}.(intra|inter)_mdl"
    layer = "(self_att.att.out_proj|pos_ffn.ffn.0|pos_ffn.ffn.3|norm1.norm|norm2.norm)"
    return f"""
        {path}.mdl.layers.{{0-7}}.self_att.att.in_proj_{WB}
        {path}.mdl.layers.{{0-7}}.{layer}.{WB}
        {path}.mdl.norm.norm.{WB} {path}.pos_enc.pe
        masknet.dual_mdl.{{0-1}}.(intra_norm|inter_norm).{WB}
    """


WAVE = {
    "model_type": "wav2vec2", "conv_dim": [512] * 7, "conv_kernel": [10, 3, 3, 3, 3, 2, 2],
    "conv_stride": [5, 2, 2, 2, 2, 2, 2], "num_conv_pos_embeddings": 128,
    "num_conv_pos_embedding_groups": 16, "vocab_size": 32,
}  # fmt: skip
