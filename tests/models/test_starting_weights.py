"""Con qué números empieza cada modelo: la escala que dice su artículo, tabla a tabla."""

import pytest
import torch
from torch import nn

from tfcourse.layers.alignment.hierarchical import AttentivePooling
from tfcourse.layers.image.shifted_windows import WindowBias
from tfcourse.layers.positions import LearnedPositions
from tfcourse.layers.recurrent.state import orthogonal_recurrence_
from tfcourse.layers.relative import RelativeAttention
from tfcourse.layers.sound.quantizer import ProductQuantizer
from tfcourse.models.bert import BertConfig
from tfcourse.models.bottom_up import BottomUpConfig, BottomUpPose
from tfcourse.models.classifier import Classifier
from tfcourse.models.deit import DeiT, DeiTConfig
from tfcourse.models.fasttext import SubwordSkipGram
from tfcourse.models.glove import GloVe
from tfcourse.models.permutation import PermutationLM
from tfcourse.models.pix2seq import SPREAD, Pix2Seq, Pix2SeqConfig
from tfcourse.models.pose import KeypointTransformer, PoseConfig
from tfcourse.models.t5 import T5, T5Config
from tfcourse.models.transformer import TokenEmbedding, TransformerConfig
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.models.word2vec import SkipGram

BLOCK = {"n_heads": 4, "n_layers": 1, "d_hidden": 256}
T5_SIZES = {"d_model": 64, "n_heads": 4, "d_head": 32, "n_layers": 1, "d_hidden": 256}
# Quién → cómo se crea y la desviación con que nacen sus parámetros.
NORMAL = {
    "posiciones aprendidas": (lambda: LearnedPositions(100, 64), {"table.weight": 0.02}),
    "sesgos de ventana": (lambda: WindowBias(4, 16), {"table.weight": 0.02}),
    "Transformer-XL": (
        lambda: RelativeAttention(1024, 8),
        {"content_bias": 0.02, "distance_bias": 0.02},
    ),
    "resumen con atención": (lambda: AttentivePooling(8, 1024), {"query": 1024**-0.5}),
    "cuantizador": (lambda: ProductQuantizer(32, 16, 2, 40), {"scores.weight": 1.0}),
    "Transformer": (
        lambda: TokenEmbedding(100, TransformerConfig(100, 100, d_model=64, **BLOCK)),
        {"table.weight": 64**-0.5},
    ),
    "DeiT": (
        lambda: DeiT(DeiTConfig(5, image_size=16, patch_size=8, d_model=1024, **BLOCK)),
        {"class_token": 0.02, "distillation_token": 0.02},
    ),
    "T5": (
        lambda: T5(T5Config(100, **T5_SIZES)),
        {
            "table.weight": 1.0,
            "encoder.relative_bias.table.weight": 1.0,
            "encoder.blocks.0.attention.q_proj.weight": (64 * 32) ** -0.5,
            "encoder.blocks.0.attention.k_proj.weight": 64**-0.5,
            "encoder.blocks.0.attention.v_proj.weight": 64**-0.5,
            "encoder.blocks.0.attention.out_proj.weight": 128**-0.5,
            "decoder.blocks.0.feed_forward.hidden.weight": 64**-0.5,
            "decoder.blocks.0.feed_forward.output.weight": 256**-0.5,
        },
    ),
    "permutaciones": (
        lambda: PermutationLM(BertConfig(9, d_model=1024, **BLOCK)),
        {"unknown": 0.02},
    ),
    "puntos clave": (
        lambda: KeypointTransformer(PoseConfig(n_keypoints=16, d_model=64, **BLOCK)),
        {"keypoints": 0.02},
    ),
    "Pix2Seq": (lambda: Pix2Seq(Pix2SeqConfig(4)), {"places.weight": SPREAD}),
    "Whisper": (
        lambda: Whisper(WhisperConfig(100, n_mels=8, max_frames=20, max_length=64, d_model=64)),
        {"decoder.table.weight": 1 / 8, "decoder.places.weight": 1 / 8},
    ),
    "clasificador": (lambda: Classifier(nn.Identity(), 512, 4), {"output.weight": 0.02}),
}


@pytest.mark.parametrize("name", NORMAL)
def test_each_table_has_its_scale(name):
    torch.manual_seed(0)
    build, expected = NORMAL[name]
    parameters = dict(build().named_parameters())
    for parameter, std in expected.items():
        values = parameters[parameter].detach()
        assert values.numel() >= 128
        # Cinco desviaciones de la desviación de una muestra de ese tamaño.
        margin = 5 / (2 * values.numel()) ** 0.5
        assert values.std().item() == pytest.approx(std, rel=margin), parameter
        assert abs(values.mean().item()) < 5 * std / values.numel() ** 0.5, parameter


@pytest.mark.parametrize(
    "build",
    [
        lambda: SkipGram(200, 50),
        lambda: SubwordSkipGram([f"palabra{n}" for n in range(50)], 50),
        lambda: GloVe(200, 50),
    ],
)
def test_word_vectors_start_uniform_and_small(build):
    torch.manual_seed(0)
    table = build().centre.weight.detach()
    bound = 0.5 / 50
    assert table.max().item() == pytest.approx(bound, rel=0.01)
    assert table.min().item() == pytest.approx(-bound, rel=0.01)
    assert table.std().item() == pytest.approx(2 * bound / 12**0.5, rel=0.03)


def test_what_starts_in_zero():
    zeros = [
        SkipGram(9, 5).context.weight,
        GloVe(9, 5).centre_bias.weight,
        GloVe(9, 5).context_bias.weight,
        Classifier(nn.Identity(), 8, 3).output.bias,
        BottomUpPose(BottomUpConfig(n_keypoints=2, d_model=16, n_heads=2)).head.bias,
        ProductQuantizer(8, 4, 2, 3).scores.bias,
    ]
    assert not any(values.any() for values in zeros)


@pytest.mark.parametrize("kind", [nn.RNN, nn.GRU, nn.LSTM])
def test_orthogonal_recurrence_neither_shrinks_nor_stretches(kind):
    rnn = orthogonal_recurrence_(kind(5, 7, num_layers=2))
    for weight in (rnn.weight_hh_l0, rnn.weight_hh_l1):
        for block in weight.detach().split(7):
            torch.testing.assert_close(block @ block.T, torch.eye(7))
