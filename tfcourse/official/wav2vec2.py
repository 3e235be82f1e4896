"""wav2vec 2.0 y los multilingües: XLSR."""

from collections.abc import Collection

from torch import Tensor, nn

from tfcourse.models.wav2vec2 import Wav2Vec2Config, WaveTagger
from tfcourse.models.wav2vec2_published import PublishedWav2Vec2
from tfcourse.official.family import Family, Settings, sizes
from tfcourse.official.rules import Rule, Table, attention, bare, fresh, linear, norm, under

_ATTENTION = ("q_proj", "k_proj", "v_proj", "out_proj")


def weighted(size: Tensor, direction: Tensor) -> Tensor:
    """El núcleo de una convolución guardado como tamaño y dirección, y con un vecino más.

    El original mira un vecino más a la izquierda que a la derecha; el nuestro, tantos a un lado
    como al otro: el que sobra pesa cero. Fuente: Salimans y Kingma (2016), ec. 2.
    """
    length = direction.flatten(0, 1).norm(dim=0, keepdim=True)[None]
    return fresh(nn.functional.pad(size * direction / length, (0, 1)))


_LAYER = "encoder.layers.{n}"
_POSITIONS = "encoder.pos_conv_embed.conv"
_WAV2VEC2 = (
    *linear("encoder.convolutions.{n}", "feature_extractor.conv_layers.{n}.conv"),
    *linear("encoder.norm", "feature_extractor.conv_layers.0.layer_norm"),
    *norm("encoder.norms.{n}", "feature_extractor.conv_layers.{n}.layer_norm"),
    *norm("feature_norm", "feature_projection.layer_norm"),
    *linear("projection", "feature_projection.projection"),
    *bare("mask_vector", "masked_spec_embed"),
    Rule(
        ("positions.convolution.weight",),
        (f"{_POSITIONS}.weight_g", f"{_POSITIONS}.weight_v"),
        weighted,
    ),
    *bare("positions.convolution.bias", f"{_POSITIONS}.bias"),
    *attention("blocks.{n}.attention", f"{_LAYER}.attention", _ATTENTION),
    *norm("blocks.{n}.around_attention.norm", f"{_LAYER}.layer_norm"),
    *linear("blocks.{n}.feed_forward.hidden", f"{_LAYER}.feed_forward.intermediate_dense"),
    *linear("blocks.{n}.feed_forward.output", f"{_LAYER}.feed_forward.output_dense"),
    *norm("blocks.{n}.around_feed_forward.norm", f"{_LAYER}.final_layer_norm"),
    *norm("norm", "encoder.layer_norm"),
)


def _wave_rules(each_layer: bool) -> tuple[Rule, ...]:
    """Las reglas de una de las dos maneras de normalizar la onda."""
    other = r"encoder.norm." if each_layer else r"encoder.norms."
    return tuple(rule for rule in _WAV2VEC2 if not rule.ours[0].startswith(other))


def _encoder(config: Settings) -> PublishedWav2Vec2:
    found = sizes(
        config, channels="conv_dim", kernels="conv_kernel", strides="conv_stride",
        d_model="hidden_size", n_heads="num_attention_heads", n_layers="num_hidden_layers",
        d_hidden="intermediate_size", position_kernel="num_conv_pos_embeddings",
        position_groups="num_conv_pos_embedding_groups",
    )  # fmt: skip
    lists = {name: tuple(found[name]) for name in ("channels", "kernels", "strides")}
    if found["position_kernel"] % 2:
        raise ValueError(
            f"num_conv_pos_embeddings={found['position_kernel']}: los publicados lo tienen par"
        )
    ours = Wav2Vec2Config(**found | lists | {"position_kernel": found["position_kernel"] + 1})
    return PublishedWav2Vec2(
        ours,
        post_norm=not config.get("do_stable_layer_norm", False),
        each_layer=config.get("feat_extract_norm", "group") == "layer",
    )


def _tagger(config: Settings, names: Collection[str]) -> nn.Module:
    """Con su capa de letras si el archivo la trae; si no, solo el codificador."""
    if any(name.startswith("lm_head.") for name in names):
        classes = sizes(config, n_classes="vocab_size")["n_classes"]
        return WaveTagger(_encoder(config), classes, segments=None, frozen=False)
    return _encoder(config)


_WAVE_RENAMES = (
    (r"^wav2vec2\.", ""),
    (r"parametrizations\.weight\.original0", "weight_g"),
    (r"parametrizations\.weight\.original1", "weight_v"),
)
_WAVE_EXTRAS = (r"(quantizer|project_hid|project_q)\..*",)
_WAVE_BLANK = (r"(wav2vec2\.)?mask_vector",)  # no está en los que ya se han afinado


def _wave_family(name: str, *, each_layer: bool, tagged: bool) -> Family:
    rules = _wave_rules(each_layer)
    if tagged:
        rules = (*under("wav2vec2.", rules), *linear("head", "lm_head"))
    return Family(
        name, ("wav2vec2",), Table(rules, _WAVE_RENAMES, _WAVE_EXTRAS, _WAVE_BLANK), _tagger,
        needs={
            "hidden_act": ("gelu",),
            "feat_extract_activation": ("gelu",),
            "feat_extract_norm": ("layer",) if each_layer else ("group",),
            "conv_bias": (each_layer,),
            "add_adapter": (False, None),
        },
        eps=("layer_norm_eps", 1e-5), mark="lm_head" if tagged else "",
    )  # fmt: skip


WAV2VEC2 = _wave_family("wav2vec2", each_layer=False, tagged=True)
WAV2VEC2_ENCODER = _wave_family("wav2vec2-codificador", each_layer=False, tagged=False)
XLSR = _wave_family("xlsr", each_layer=True, tagged=True)
XLSR_ENCODER = _wave_family("xlsr-codificador", each_layer=True, tagged=False)
