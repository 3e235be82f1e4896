"""Todas las anchuras distintas: así un eje no se puede confundir con otro."""

import pytest
import torch

from tfcourse.layers.alignment.aligned import AlignedAttention, DeAttention
from tfcourse.layers.alignment.coattention import CoAttention
from tfcourse.layers.alignment.functions import AdditiveAlignment, GeneralAlignment
from tfcourse.layers.alignment.hierarchical import AttentivePooling
from tfcourse.layers.alignment.local import MonotonicAttention, PredictiveAttention
from tfcourse.layers.alignment.networks import DeepAlignment, FeatureAlignment, LocationAlignment
from tfcourse.layers.alignment.products import (
    ActivatedGeneralAlignment,
    BiasedGeneralAlignment,
    KernelAlignment,
)
from tfcourse.layers.alignment.representations import (
    MultiDimensionalAttention,
    RepresentationAttention,
)
from tfcourse.layers.blocks import DecoderBlock, EncoderBlock
from tfcourse.layers.image.detection_blocks import ConvBackbone, QueryHead
from tfcourse.layers.image.keypoint_heads import HeatmapHead, RegressionHead, SimCCHead
from tfcourse.layers.image.patch_block import ResidualPatchEmbedding
from tfcourse.layers.image.patch_head import PER_SIDE, PatchHead
from tfcourse.layers.image.patches import ConvStem, PatchEmbedding
from tfcourse.layers.image.segmentation_blocks import PixelDecoder
from tfcourse.layers.image.video import TubeEmbedding
from tfcourse.layers.recurrent.cells import GRUCell, LSTMCell, RNNCell, unroll
from tfcourse.layers.sound.quantizer import ProductQuantizer
from tfcourse.layers.sound.wave_fronts import LearnedFront

B, LQ, LK, DQ, DK, DV, HIDDEN = 2, 3, 4, 5, 6, 7, 8
Q, K, V = torch.randn(B, LQ, DQ), torch.randn(B, LK, DK), torch.randn(B, LK, DV)
ALIGNMENTS = {
    "aditivo": lambda: AdditiveAlignment(DQ, DK, HIDDEN),
    "general": lambda: GeneralAlignment(DQ, DK),
    "sesgo": lambda: BiasedGeneralAlignment(DQ, DK),
    "activado": lambda: ActivatedGeneralAlignment(DQ, DK),
    "profundo": lambda: DeepAlignment(DQ, DK, HIDDEN),
    "posicion": lambda: LocationAlignment(DQ, 9),
    "rasgos": lambda: FeatureAlignment(DQ, DK, HIDDEN),
}
ATTENTIONS = {
    "alineada": lambda: AlignedAttention(AdditiveAlignment(DQ, DK, HIDDEN)),
    "monótona": lambda: MonotonicAttention(AdditiveAlignment(DQ, DK, HIDDEN), 1),
    "predicha": lambda: PredictiveAttention(AdditiveAlignment(DQ, DK, HIDDEN), 1, DQ),
    "des-atención": lambda: DeAttention(DQ, DK, HIDDEN),
}


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_a_score_per_query_and_key(name):
    layer = ALIGNMENTS[name]()
    assert layer(Q, layer.prepare_keys(K)).shape == (B, LQ, LK)


def test_the_kernel_has_one_width_for_queries_and_keys():
    layer = KernelAlignment(DQ, 9)
    assert layer(Q, layer.prepare_keys(torch.randn(B, LK, DQ))).shape == (B, LQ, LK)


@pytest.mark.parametrize("name", ATTENTIONS)
def test_a_mix_per_query(name):
    layer = ATTENTIONS[name]()
    mask = torch.ones(B, 1, LK, dtype=torch.bool)
    mixed, weights = layer(Q, layer.prepare_keys(K), V, mask)
    assert mixed.shape == (B, LQ, DV) and weights.shape == (B, LQ, LK)


def test_attentions_with_other_arguments():
    mixed, weights = MultiDimensionalAttention(DQ, DK, HIDDEN, DV)(Q, K, V)
    assert mixed.shape == (B, LQ, DV) and weights.shape == (B, LQ, DV, LK)
    mixed, weights = AttentivePooling(DK, HIDDEN)(K)
    assert mixed.shape == (B, DK) and weights.shape == (B, LK)
    mixed, weights = RepresentationAttention((DK, DV), HIDDEN)((K, V))
    assert mixed.shape == (B, LK, HIDDEN) and weights.shape == (B, LK, 2)
    summaries, weights = CoAttention(DQ, DK, HIDDEN)(Q, K)
    assert [part.shape for part in summaries] == [(B, DQ), (B, DK)]
    assert [part.shape for part in weights] == [(B, LQ), (B, LK)]


def test_blocks_have_their_hidden_width():
    x, memory = torch.randn(B, LQ, HIDDEN), torch.randn(B, LK, HIDDEN)
    encoder, decoder = EncoderBlock(HIDDEN, 2, 11), DecoderBlock(HIDDEN, 4, 13)
    assert encoder(x).shape == decoder(x, memory).shape == x.shape
    assert encoder.feed_forward.hidden.weight.shape == (11, HIDDEN)
    assert encoder.attention.n_heads == 2 and decoder.attention.n_heads == 4
    assert decoder.cross_attention.n_heads == 4
    assert decoder.feed_forward.output.weight.shape == (HIDDEN, 13)


@pytest.mark.parametrize("cell", [RNNCell, GRUCell, LSTMCell])
def test_cells_read_one_width_and_keep_another(cell):
    assert unroll(cell(DK, HIDDEN), K)[0].shape == (B, LK, HIDDEN)


def test_images():
    images = torch.randn(B, 3, 8, 16)
    assert PatchEmbedding(3, 4, 10)(images).shape == (B, 2 * 4, 10)
    assert ConvStem(3, 4, 10)(images).shape == (B, 2 * 4, 10)
    assert TubeEmbedding(3, (2, 4, 8), 10)(torch.randn(B, 3, 4, 8, 16)).shape == (B, 8, 10)
    assert ConvBackbone(10)(images).shape == (B, 10, 1, 2)
    assert ResidualPatchEmbedding(3, 8, (1, 2), 10)(torch.randn(6, 3, 8, 8)).shape == (6, 10)
    maps = [torch.randn(B, 5, 2, 4), torch.randn(B, 6, 4, 8), torch.randn(B, 7, 8, 16)]
    pixels = PixelDecoder((7, 6, 5), 9)(maps[::-1])
    assert [tuple(part.shape[1:]) for part in pixels] in (
        [(9, 2, 4), (9, 4, 8), (9, 8, 16)], [(9, 8, 16), (9, 4, 8), (9, 2, 4)],
    )  # fmt: skip


def test_heads():
    tokens = torch.randn(B, LK, DK)
    assert QueryHead(DK, 9)(tokens).shape == (B, LK, 9)
    assert RegressionHead(DK)(tokens).shape == (B, LK, 2)
    assert SimCCHead(DK, 9)(tokens).shape == (B, LK, 2, 9)
    assert HeatmapHead(DK, 9)(tokens).shape == (B, LK, 9, 9)
    assert PatchHead(DK, 9)(tokens).shape == (B, LK, PER_SIDE**2, 9 + 1)


def test_sound():
    quantizer = ProductQuantizer(DK, 12, 3, 5)
    assert quantizer.logits(torch.randn(B, LK, DK)).shape == (B, LK, 3, 5)
    assert quantizer.codebook.shape == (3, 5, 4)
    front = LearnedFront(9, 8, 2)
    coefficients = front.analyze(torch.randn(B, 20))
    assert coefficients.shape[-1] == front.n_coefficients == 9
    assert front.synthesize(coefficients[:, None], 20).shape == (B, 1, 20)
