"""Los límites de cada modelo: lo más pequeño que admite, y lo primero que ya no."""

from dataclasses import replace

import pytest
import torch

from tfcourse.layers.image.patches import ConvStem
from tfcourse.models.bert import BertConfig
from tfcourse.models.bottom_up import BottomUpConfig
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.dit import DiTConfig
from tfcourse.models.fusion import Variant
from tfcourse.models.gato import MARKS, GatoConfig
from tfcourse.models.gpt import GPTConfig
from tfcourse.models.language import LanguageConfig
from tfcourse.models.lexicon import LexiconScorer, Scope
from tfcourse.models.masked_autoencoder import MAEConfig
from tfcourse.models.mmbt import MmbtConfig
from tfcourse.models.ngrams import CountModel
from tfcourse.models.pix2seq import Pix2SeqConfig
from tfcourse.models.pose import CELL, PoseConfig
from tfcourse.models.sepformer import SepFormerConfig
from tfcourse.models.seq2seq import check_source
from tfcourse.models.setr import SETRConfig
from tfcourse.models.sound_classifier import SoundConfig
from tfcourse.models.swin import SwinConfig
from tfcourse.models.t5 import T5Config
from tfcourse.models.vit import ViTConfig
from tfcourse.models.wav2vec2 import Wav2Vec2Config
from tfcourse.models.whisper import WhisperConfig, check_mels

# Cada configuración y los tamaños que tienen que ser al menos 1.
AT_LEAST_ONE = {
    BertConfig(1): "n_tokens d_model n_heads n_layers d_hidden max_length",
    GPTConfig(1): "n_tokens d_model n_heads n_layers max_length",
    T5Config(1): "n_tokens d_model n_heads d_head n_layers d_hidden",
    LanguageConfig(1): "n_tokens d_embedding d_hidden n_layers",
    ViTConfig(1): "n_classes channels d_model n_heads n_layers d_hidden",
    MAEConfig(): "channels d_model n_heads n_layers d_hidden decoder_width decoder_heads "
    "decoder_layers decoder_hidden",
    DiTConfig(1): "n_classes channels d_model n_heads n_layers d_hidden",
    SwinConfig(1): "n_classes channels patch_size window d_model expansion",
    CnnConfig(1): "n_classes channels",
    SoundConfig(1): "n_classes d_model n_heads n_layers d_hidden max_tokens",
    WhisperConfig(1): "n_tokens n_mels max_frames max_length n_encoder n_decoder",
    PoseConfig(1): "n_keypoints",
    BottomUpConfig(1): "n_keypoints",
    Pix2SeqConfig(1): "max_objects",
}
SIZES = [(config, size) for config, sizes in AT_LEAST_ONE.items() for size in sizes.split()]


@pytest.mark.parametrize(
    ("config", "size"), SIZES, ids=[f"{type(c).__name__}-{size}" for c, size in SIZES]
)
def test_one_is_enough_and_zero_is_not(config, size):
    assert getattr(replace(config, **{size: 1}), size) == 1
    with pytest.raises(ValueError):
        replace(config, **{size: 0})


# Lo último que se admite y lo primero que no, con lo que dice el error.
LIMITS = {
    "SETR: dos clases": (SETRConfig, 2, 1, "n_classes=1"),
    "SETR: parche": (lambda patch: SETRConfig(2, patch=patch), 2, 1, "patch=1"),
    "SETR: potencia de dos": (lambda patch: SETRConfig(2, patch=patch), 8, 6, "patch=6"),
    "MMBT: dos clases": (lambda n: MmbtConfig(n, cls_id=0, sep_id=1), 2, 1, "n_classes=1"),
    "SepFormer: dos voces": (lambda n: SepFormerConfig(n_speakers=n), 2, 1, "n_speakers=1"),
    "BERT: sin segmentos": (lambda n: BertConfig(9, n_segments=n), 0, -1, "n_segments=-1"),
    "Swin: una etapa": (
        lambda n: SwinConfig(2, n_layers=(1,) * n, n_heads=(1,) * n), 1, 0, "por etapa",
    ),
    "Swin: sin capas": (lambda n: SwinConfig(2, n_layers=(n,), n_heads=(1,)), 1, 0, "al menos 1"),
    "Swin: sin cabezas": (lambda n: SwinConfig(2, n_layers=(1,), n_heads=(n,)), 1, 0, "al menos 1"),
    "CNN: una etapa": (lambda n: CnnConfig(2, widths=(4,) * n), 1, 0, "una etapa o más"),
    "CNN: un canal por etapa": (lambda n: CnnConfig(2, widths=(4, n)), 1, 0, "positivos"),
    "Gato: una palabra": (
        lambda n: GatoConfig(8 + MARKS + n, n_bins=8), 1, 0, "alguna palabra",
    ),
    "Gato: parche": (lambda n: GatoConfig(2_000, patch_side=n), 4, 0, "patch_side=0"),
    "Gato: de cuatro en cuatro": (lambda n: GatoConfig(2_000, patch_side=n), 8, 6, "p. ej. 4"),
    "Whisper: par": (lambda n: WhisperConfig(9, d_model=n), 4, 2, "d_model=2"),
    "pose: una casilla": (lambda n: PoseConfig(image_size=n), CELL, 0, "image_size=0"),
    "fusión: dos capas": (Variant("propia", "todas").looks, 2, 0, "n_layers=0"),
    "fusión: en dos mitades": (Variant("propia", "todas").looks, 4, 3, "n_layers=3"),
    "léxico: una posición": (
        lambda n: LexiconScorer({"bien": 2.0}, Scope((), {}, window=n)), 1, 0, "window=0",
    ),
    "n-gramas: orden": (lambda n: CountModel(n, 5), 1, 0, ""),
    "n-gramas: tokens": (lambda n: CountModel(2, n), 1, 0, ""),
    "n-gramas: fuerza": (lambda s: CountModel(2, 5, strength=s), 0.5, 0.0, ""),
    "n-gramas: caben en 63 bits": (lambda n: CountModel(n, 2), 62, 63, ""),
    "tallo: dos píxeles": (lambda n: ConvStem(3, n, 8), 2, 1, ""),
    "wav2vec 2.0: una capa": (
        lambda n: Wav2Vec2Config(channels=(4,) * n, kernels=(4,) * n, strides=(2,) * n), 1, 0, "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name):
    build, last, first, message = LIMITS[name]
    build(last)
    with pytest.raises(ValueError, match=message):
        build(first)


def test_a_lot_may_have_the_first_and_the_last_token():
    source = torch.tensor([[0, 4, 2]])
    check_source(source, torch.tensor([1]), 5)
    for wrong, lengths in (([[0, 5, 2]], [3]), ([[-1, 4, 2]], [3]), ([[0, 4, 2]], [0])):
        with pytest.raises(ValueError, match="vocabulario va de 0 a 4|secuencia vacía"):
            check_source(torch.tensor(wrong), torch.tensor(lengths), 5)


def test_a_recording_may_fill_the_whole_window():
    config = WhisperConfig(9, n_mels=4, max_frames=6)
    check_mels(torch.zeros(1, 4, 6), config)
    with pytest.raises(ValueError, match="tiene 7 columnas y caben 6"):
        check_mels(torch.zeros(1, 4, 7), config)


def test_an_image_as_small_as_the_stride():
    model = SmallCnn(CnnConfig(2, widths=(4, 4))).eval()
    assert model(torch.zeros(1, 1, 2, 2)).shape == (1, 2)
    with pytest.raises(ValueError):
        model(torch.zeros(1, 1, 1, 2))
