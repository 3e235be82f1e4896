"""Whisper."""

from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, linear, table

_ATTENTION = ("q_proj", "k_proj", "v_proj", "out_proj")


def _whisper_block(side: str, crossed: bool) -> tuple[Rule, ...]:
    """Un bloque; en el original, las claves no llevan sesgo, y aquí es cero."""
    ours, theirs = f"{side}.blocks.{{n}}", f"{side}.layers.{{n}}"
    looks = [("attention", "self_attn")] + [("cross_attention", "encoder_attn")] * crossed
    rules = [
        *linear(f"{ours}.feed_forward.hidden", f"{theirs}.fc1"),
        *linear(f"{ours}.feed_forward.output", f"{theirs}.fc2"),
        *linear(f"{ours}.around_feed_forward.norm", f"{theirs}.final_layer_norm"),
    ]
    for mine, other in looks:
        rules += attention(f"{ours}.{mine}", f"{theirs}.{other}", _ATTENTION)
        rules += linear(f"{ours}.around_{mine}.norm", f"{theirs}.{other}_layer_norm")
    return tuple(rules)


def whisper_config(config: Settings) -> WhisperConfig:
    """Los tamaños de un Whisper publicado, en nuestra configuración."""
    found = sizes(
        config, n_tokens="vocab_size", n_mels="num_mel_bins", max_frames="max_source_positions",
        max_length="max_target_positions", d_model="d_model", n_heads="encoder_attention_heads",
        n_encoder="encoder_layers", n_decoder="decoder_layers", d_hidden="encoder_ffn_dim",
    )  # fmt: skip
    return WhisperConfig(**found | {"max_frames": 2 * found["max_frames"]})


WHISPER = Family(
    "whisper", ("whisper",),
    Table(
        (
            *linear("encoder.stem.first", "encoder.conv1"),
            *linear("encoder.stem.second", "encoder.conv2"),
            *_whisper_block("encoder", crossed=False),
            *linear("encoder.norm", "encoder.layer_norm"),
            *table("decoder.table", "decoder.embed_tokens"),
            *table("decoder.places", "decoder.embed_positions"),
            *_whisper_block("decoder", crossed=True),
            *linear("decoder.norm", "decoder.layer_norm"),
        ),
        ((r"^model\.", ""),),
        # Las posiciones del codificador son senos y cosenos fijos; la salida, la tabla de tokens.
        (r"encoder\.embed_positions\.weight", r"proj_out\.weight"),
        (r".*\.k_proj\.bias", r"ctc\.(weight|bias)"),
    ),
    lambda config, names: Whisper(whisper_config(config)),
    needs={"activation_function": ("gelu",)},
)  # fmt: skip
