"""Un ejemplo de cada pieza y de cada modelo que dice a dónde mira, en pequeño."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import nn

from tfcourse.layers import attention, blocks, causal, writing_block
from tfcourse.layers.attention_maps import AttentionMaps, BlockMaps
from tfcourse.layers.fusion import CrossBlock, FusionStage
from tfcourse.layers.image.detection_blocks import (
    ImageEncoderBlock,
    ObjectDecoderBlock,
    QueryBlock,
    SeparatedDecoderBlock,
)
from tfcourse.layers.image.segmentation_blocks import MaskedDecoderBlock
from tfcourse.layers.modulation import AdaLNZeroBlock
from tfcourse.layers.rotary import RotaryPositions
from tfcourse.models.anchored_detr import AnchoredConfig, AnchoredDETR
from tfcourse.models.answer_classifier import AnswerClassifier
from tfcourse.models.bert import Bert, BertConfig
from tfcourse.models.clip_published import ClipImageTower, ClipTextTower
from tfcourse.models.cnn import CnnConfig, SmallCnn
from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.models.detr import DETR, DETRConfig, ImageEncoder
from tfcourse.models.dit import DiT, DiTConfig
from tfcourse.models.fusion import (
    VARIANTS,
    FusionClassifier,
    FusionConfig,
    FusionEncoder,
)
from tfcourse.models.gpt import GPT, GPTBlock, GPTConfig
from tfcourse.models.hybrid import Hybrid
from tfcourse.models.late_fusion import (
    BottleneckClassifier,
    BottleneckEncoder,
    JointHeadClassifier,
)
from tfcourse.models.lookup import LookupConfig, LookupReader
from tfcourse.models.masked_autoencoder import MAEConfig, MaskedAutoencoder
from tfcourse.models.modernbert_published import RotaryAttention
from tfcourse.models.pix2seq import Pix2Seq, Pix2SeqConfig
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.models.readers import AttentionEncoder
from tfcourse.models.seq2seq import Seq2Seq, Seq2SeqConfig
from tfcourse.models.siglip_published import AttentionPooling, SiglipImageTower
from tfcourse.models.sound_classifier import SoundClassifier, SoundConfig
from tfcourse.models.transformer import Transformer, TransformerConfig
from tfcourse.models.vision_language import VisionLanguage
from tfcourse.models.vit import ViT, ViTConfig
from tfcourse.models.vit_published import (
    DinoEncoder,
    RegisteredDino,
    RegisteredEncoder,
    ViTEncoder,
)
from tfcourse.models.vitpose_published import PublishedPose
from tfcourse.models.whisper import AudioEncoder, SpeechBlock, TextDecoder, Whisper, WhisperConfig


class Example(NamedTuple):
    """Cómo se hace, qué recibe y qué formas da: 2 ejemplos, 2 cabezas y 3 capas, si se puede."""

    build: Callable[[], nn.Module]
    inputs: Callable[[], tuple]
    shapes: object
    options: Callable[[], dict] = dict


SIZE = {"d_model": 16, "n_heads": 2, "d_hidden": 24}
STACK = SIZE | {"n_layers": 3}
EARLY = "concatenación temprana"
APART = "por separado"
LENGTHS = torch.tensor([5, 3])


def tokens(*shape: int):
    return torch.randint(1, 9, (2, *shape))


def reals(*shape: int):
    return torch.randn(2, *shape)


def maps(queries: int, keys: int, heads: int = 2) -> tuple[int, ...]:
    return 2, heads, queries, keys


def reading(length: int, layers: int = 3) -> list:
    return [maps(length, length)] * layers


def read_and_written(keys: int, queries: int, encoder: int, decoder: int) -> AttentionMaps:
    across = [maps(queries, keys)] * decoder
    return AttentionMaps(reading(keys, encoder), reading(queries, decoder), across)


def one_word():
    """Una secuencia de 4 y lo que mira, de 6."""
    return reals(4, 16), reals(6, 16)


def one_picture():
    return (reals(1, 8, 8),)


def queries_mask():
    mask = torch.rand(2, 1, 4, 6) > 0.4
    mask[..., 0] = True
    return mask


def places():
    return {"query_positions": torch.randn(4, 16), "positions": torch.randn(6, 16)}


WRITTEN = BlockMaps(maps(4, 4), maps(4, 6))
VIEW = {"image_size": 8, "patch_size": 2}
QUERIES = SIZE | {"n_queries": 5, "n_encoder": 1, "n_decoder": 2}
SPEECH = WhisperConfig(20, n_mels=8, max_frames=40, n_decoder=3, **SIZE)
ROW = {"d_model": 16, "n_heads": 2, "n_layers": 3}

EXAMPLES = {
    attention.MultiHeadAttention: Example(
        lambda: attention.MultiHeadAttention(16, 2),
        lambda: (reals(4, 16), *[reals(6, 16)] * 2),
        maps(4, 6),
    ),
    RotaryAttention: Example(
        lambda: RotaryAttention(16, 2, RotaryPositions(6, 8)),
        lambda: (reals(4, 16), *[reals(6, 16)] * 2),
        maps(4, 6),
    ),
    causal.CausalSelfAttention: Example(
        lambda: causal.CausalSelfAttention(16, 2), lambda: (reals(4, 16),) * 3, maps(4, 4)
    ),
    blocks.EncoderBlock: Example(
        lambda: blocks.EncoderBlock(**SIZE), lambda: (reals(4, 16),), maps(4, 4)
    ),
    blocks.DecoderBlock: Example(lambda: blocks.DecoderBlock(**SIZE), one_word, WRITTEN),
    CrossBlock: Example(
        lambda: CrossBlock(**SIZE),
        lambda: (reals(4, 16),),
        maps(4, 6),
        lambda: {"memory": reals(6, 16)},
    ),
    FusionStage: Example(lambda: FusionStage("todas", **SIZE), one_word, maps(10, 10)),
    ImageEncoderBlock: Example(
        lambda: ImageEncoderBlock(**SIZE),
        lambda: (reals(6, 16),),
        maps(6, 6),
        lambda: {"positions": torch.randn(6, 16)},
    ),
    QueryBlock: Example(lambda: QueryBlock(**SIZE), one_word, WRITTEN),
    ObjectDecoderBlock: Example(
        lambda: ObjectDecoderBlock(**SIZE),
        one_word,
        WRITTEN,
        lambda: places() | {"bias": reals(2, 4, 6)},
    ),
    SeparatedDecoderBlock: Example(
        lambda: SeparatedDecoderBlock(**SIZE),
        one_word,
        WRITTEN,
        lambda: places() | {"bias": reals(2, 4, 6)},
    ),
    MaskedDecoderBlock: Example(
        lambda: MaskedDecoderBlock(**SIZE),
        one_word,
        WRITTEN,
        lambda: places() | {"memory_mask": queries_mask()},
    ),
    writing_block.WritingBlock: Example(
        lambda: writing_block.WritingBlock(**SIZE), one_word, WRITTEN
    ),
    writing_block.WritingBlocks: Example(
        lambda: writing_block.WritingBlocks(writing_block.WritingBlock(**SIZE) for _ in range(3)),
        one_word,
        [WRITTEN] * 3,
    ),
    GPTBlock: Example(lambda: GPTBlock(GPTConfig(9, **ROW)), lambda: (reals(4, 16),), maps(4, 4)),
    SpeechBlock: Example(lambda: SpeechBlock(**SIZE), one_word, WRITTEN),
    Transformer: Example(
        lambda: Transformer(TransformerConfig(9, 9, **STACK)),
        lambda: (tokens(5), LENGTHS, tokens(4)),
        read_and_written(5, 4, 3, 3),
    ),
    Bert: Example(lambda: Bert(BertConfig(9, **STACK)), lambda: (tokens(5), LENGTHS), reading(5)),
    GPT: Example(lambda: GPT(GPTConfig(9, **ROW)), lambda: (tokens(5),), reading(5)),
    ClipTextTower: Example(
        lambda: ClipTextTower(GPTConfig(9, **ROW)), lambda: (tokens(5),), reading(5)
    ),
    AttentionEncoder: Example(
        lambda: AttentionEncoder(TransformerConfig(9, 9, **STACK)),
        lambda: (tokens(5), LENGTHS),
        reading(5),
    ),
    SoundClassifier: Example(
        lambda: SoundClassifier(SoundConfig(4, **STACK)), lambda: (reals(2_000),), reading(8)
    ),
    ViT: Example(lambda: ViT(ViTConfig(4, **VIEW, **STACK)), one_picture, reading(17)),
    ClipImageTower: Example(
        lambda: ClipImageTower(ViTConfig(4, **VIEW, **STACK)), one_picture, reading(17)
    ),
    AttentionPooling: Example(
        lambda: AttentionPooling(**SIZE), lambda: (reals(6, 16),), maps(1, 6)
    ),
    ViTEncoder: Example(
        lambda: ViTEncoder(ViTConfig(4, **VIEW, **STACK)), one_picture, reading(17)
    ),
    RegisteredEncoder: Example(
        lambda: RegisteredEncoder(ViTConfig(4, **VIEW, **STACK), 2), one_picture, reading(19)
    ),
    RegisteredDino: Example(
        lambda: RegisteredDino(ViTConfig(4, **VIEW, **STACK), 2), one_picture, reading(19)
    ),
    MaskedAutoencoder: Example(
        lambda: MaskedAutoencoder(MAEConfig(**VIEW, **STACK, decoder_heads=2)),
        lambda: (*one_picture(), torch.rand(2, 16).argsort(1)[:, :6]),
        [*reading(7), maps(17, 17)],
    ),
    DinoEncoder: Example(
        lambda: DinoEncoder(ViTConfig(4, **VIEW, **STACK)), one_picture, reading(17)
    ),
    PublishedPose: Example(
        lambda: PublishedPose(ViTConfig(4, pool="media", **VIEW, **STACK), simple=True),
        one_picture,
        reading(16),
    ),
    SiglipImageTower: Example(
        lambda: SiglipImageTower(ViTConfig(4, pool="media", **VIEW, **STACK)),
        one_picture,
        [*reading(16), (2, 2, 1, 16)],
    ),
    AdaLNZeroBlock: Example(
        lambda: AdaLNZeroBlock(**SIZE), lambda: (reals(4, 16), reals(16)), maps(4, 4)
    ),
    DiT: Example(
        lambda: DiT(DiTConfig(4, **VIEW, **STACK)),
        lambda: (reals(1, 8, 8), torch.rand(2), torch.tensor([0, 4])),
        reading(16),
    ),
    VisionLanguage: Example(
        lambda: VisionLanguage(
            ViT(ViTConfig(4, pool="media", **VIEW, **STACK)), GPT(GPTConfig(9, **ROW)), 0, factor=2
        ),
        lambda: (torch.tensor([[0, 0, 0, 0, 3, 5]] * 2), reals(1, 8, 8)),
        reading(16) + reading(6),
    ),
    AnswerClassifier: Example(
        lambda: AnswerClassifier(ViT(ViTConfig(4, pool="media", **VIEW, **STACK)), 9, 3, 16, 2),
        lambda: (tokens(5), reals(1, 8, 8)),
        [*reading(16), maps(1, 16)],
    ),
    DeiT: Example(lambda: DeiT(DeiTConfig(4, **VIEW, **STACK)), one_picture, reading(18)),
    Hybrid: Example(
        lambda: Hybrid(ViTConfig(4, **VIEW, **STACK), SmallCnn(CnnConfig(4, 1, (4, 8)))),
        one_picture,
        reading(17),
    ),
    KeypointTransformer: Example(
        lambda: KeypointTransformer(PoseConfig(3, 16, **STACK)),
        lambda: (reals(3, 16, 16),),
        reading(7),
    ),
    ImageEncoder: Example(
        lambda: ImageEncoder(DETRConfig(4, **QUERIES | {"n_encoder": 3})),
        lambda: (reals(3, 24, 16),),
        reading(6),
    ),
    DETR: Example(
        lambda: DETR(DETRConfig(4, **QUERIES)),
        lambda: (reals(3, 24, 16),),
        read_and_written(6, 5, 1, 2),
    ),
    AnchoredDETR: Example(
        lambda: AnchoredDETR(AnchoredConfig(4, **QUERIES)),
        lambda: (reals(3, 24, 16),),
        read_and_written(6, 5, 1, 2),
    ),
    Pix2Seq: Example(
        lambda: Pix2Seq(Pix2SeqConfig(4, n_decoder=3, **SIZE)),
        lambda: (reals(3, 24, 16), tokens(1, 5)),
        read_and_written(6, 5, 1, 3),
    ),
    AudioEncoder: Example(lambda: AudioEncoder(SPEECH), lambda: (reals(8, 20),), reading(10, 2)),
    TextDecoder: Example(
        lambda: TextDecoder(SPEECH), lambda: (tokens(4), reals(6, 16)), [WRITTEN] * 3
    ),
    Whisper: Example(
        lambda: Whisper(SPEECH),
        lambda: (reals(8, 20), tokens(4)),
        read_and_written(10, 4, 2, 3),
    ),
    FusionEncoder: Example(
        lambda: FusionEncoder(VARIANTS[EARLY], 2, **SIZE), one_word, reading(10, 2)
    ),
    FusionClassifier: Example(
        lambda: FusionClassifier(FusionConfig(EARLY, **SIZE)),
        lambda: (reals(1, 8, 8), reals(8_000)),
        reading(32, 2),
    ),
    BottleneckEncoder: Example(lambda: BottleneckEncoder(3, 2, **SIZE), one_word, reading(16, 2)),
    BottleneckClassifier: Example(
        lambda: BottleneckClassifier(FusionConfig(APART, **SIZE)),
        lambda: (reals(1, 8, 8), reals(8_000)),
        reading(40, 2),
    ),
    JointHeadClassifier: Example(
        lambda: JointHeadClassifier(FusionConfig(APART, **SIZE)),
        lambda: (reals(1, 8, 8), reals(8_000)),
        reading(32, 2),
    ),
    LookupReader: Example(
        lambda: LookupReader(LookupConfig(d_model=16)),
        lambda: (tokens(8), tokens(8), tokens(2)),
        [maps(1, 8)],
    ),
    Seq2Seq: Example(
        lambda: Seq2Seq(Seq2SeqConfig(9, 9, d_embedding=4, d_hidden=3)),
        lambda: (tokens(5), LENGTHS, tokens(4)),
        [maps(4, 5, heads=1)],
    ),
}
