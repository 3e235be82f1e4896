"""Lo que se usa si no se dice otra cosa: lo del artículo, o lo de la biblioteca de referencia."""

import inspect
from dataclasses import fields

import pytest
import torch
from torch import nn

from tfcourse.audio import decibels, mel, mfcc
from tfcourse.layers import norms, relative_bias, rotary
from tfcourse.layers.alignment import distributions
from tfcourse.layers.image import coordinate_waves, rollout
from tfcourse.layers.kernels import KernelSizes
from tfcourse.losses import sequences
from tfcourse.metrics import calibration, intervals
from tfcourse.models import bert, clip, fasttext, glove, lexicon, t5, transformer, vit, word2vec
from tfcourse.tokenizers import bpe, mu_law
from tfcourse.training import muon, optimizers, schedules

# Dónde → qué vale cada argumento y quién lo dice.
SAID = {
    distributions.entmax: ({"alpha": 1.5}, "Peters et al. (2019), § 3"),
    coordinate_waves.coordinate_waves: ({"temperature": 10_000.0}, "Vaswani et al. (2017), § 3.5"),
    rotary.rotary_angles: ({"base": 10_000.0, "start": 0}, "Su et al. (2024), § 3.2.2"),
    rotary.RotaryPositions: ({"base": 10_000.0}, "Su et al. (2024), § 3.2.2"),
    rollout.attention_rollout: ({"residual": 0.5}, "Abnar y Zuidema (2020), § 3"),
    sequences.smoothed_loss: ({"smoothing": 0.1}, "Vaswani et al. (2017), § 5.4"),
    glove.glove_loss: ({"cap": 100.0, "power": 0.75}, "Pennington et al. (2014), § 3"),
    word2vec.negative_sampling_loss: ({"n_negatives": 5.0}, "Mikolov et al. (2013), § 2.2"),
    fasttext.word_ngrams: ({"smallest": 3}, "Bojanowski et al. (2017), § 3.2"),
    schedules.slanted_triangular: (
        {"cut_fraction": 0.1, "ratio": 32.0}, "Howard y Ruder (2018), § 3.2",
    ),
    muon.Muon: ({"lr": 0.02, "momentum": 0.95, "weight_decay": 0.0}, "Jordan et al. (2024)"),
    muon.orthogonalize: ({"steps": 5, "eps": 1e-7}, "Jordan et al. (2024)"),
    mfcc.mfcc: ({"n_coefficients": 13}, "Davis y Mermelstein (1980)"),
    calibration.reliability: ({"n_bins": 10}, "Guo et al. (2017), figura 1"),
    intervals.mean_interval: ({"confidence": 0.95}, "el 95 % de siempre"),
    decibels.to_decibels: ({"reference": 1.0, "floor_db": None}, "potencia 1, sin suelo"),
    decibels.from_decibels: ({"reference": 1.0}, "deshace la anterior"),
    mel.hz_to_mel: ({"scale": "htk"}, "Young et al. (2006)"),
    bpe.learn_merges: ({"min_count": 2}, "una pareja que sale una vez no enseña nada"),
    bpe.BPETokenizer: ({"byte_level": True}, "Radford et al. (2019), § 2.2"),
}  # fmt: skip


def default(where, name):
    return inspect.signature(where).parameters[name].default


@pytest.mark.parametrize("where", SAID, ids=lambda where: where.__qualname__)
def test_what_is_not_said_is_what_the_paper_says(where):
    for name, value in SAID[where][0].items():
        assert default(where, name) == value, SAID[where][1]


# El nuestro, el de la biblioteca y los argumentos que tienen que valer lo mismo.
LIBRARY = [
    (norms.LayerNorm, nn.LayerNorm, ["eps"]),
    (optimizers.Adam, torch.optim.Adam, ["lr", "betas", "eps"]),
    (optimizers.RAdam, torch.optim.RAdam, ["lr", "betas", "eps"]),
    (optimizers.AdamW, torch.optim.AdamW, ["lr", "betas", "eps", "weight_decay"]),
]


@pytest.mark.parametrize(("ours", "theirs", "names"), LIBRARY)
def test_what_is_not_said_is_what_torch_does(ours, theirs, names):
    for name in names:
        assert default(ours, name) == default(theirs, name)


def test_what_is_not_said_is_what_transformers_does():
    transformers = pytest.importorskip("transformers")
    library = transformers.T5Config()
    for place in (relative_bias.relative_bucket, relative_bias.RelativeBias):
        assert default(place, "n_buckets") == library.relative_attention_num_buckets
        assert default(place, "max_distance") == library.relative_attention_max_distance
        assert default(place, "bidirectional") is True
    ours = {field.name: field.default for field in fields(t5.T5Config)}
    assert ours["n_buckets"] == library.relative_attention_num_buckets
    assert ours["max_distance"] == library.relative_attention_max_distance
    assert default(norms.RMSNorm, "eps") == transformers.LlamaConfig().rms_norm_eps
    assert bert.BertNorm(4).eps == transformers.BertConfig().layer_norm_eps
    ours = {field.name: field.default for field in fields(bert.BertConfig)}
    assert ours["max_length"] == transformers.BertConfig().max_position_embeddings
    assert ours["n_segments"] == transformers.BertConfig().type_vocab_size
    assert ours["pooler"] is True and ours["shared_layers"] is False
    temperature = transformers.CLIPConfig().logit_scale_init_value
    assert torch.tensor(1 / clip.FIRST_TEMPERATURE).log().item() == pytest.approx(
        temperature, abs=1e-4
    )


def test_the_first_vit_norm_is_that_of_its_authors():
    torchvision = pytest.importorskip("torchvision")
    assert vit.ViTNorm(4).eps == torchvision.models.vit_b_16().encoder.ln.eps


def test_post_ln_is_what_the_transformer_does_if_nothing_is_said():
    ours = {field.name: field.default for field in fields(transformer.TransformerConfig)}
    assert ours["norm_first"] is default(nn.Transformer, "norm_first") is False


def test_constants_of_the_papers():
    # Hutto y Gilbert (2014), y su programa.
    assert (lexicon.BOOST, lexicon.NEGATION, lexicon.FADING) == (0.293, -0.74, 0.05)
    assert (lexicon.YIELDS, lexicon.RULES) == (0.5, 1.5)
    assert (lexicon.NORMALIZER, lexicon.THRESHOLD) == (15.0, 0.05)
    # Reed et al. (2022), § 2.1 y apéndice B.
    assert (mu_law.MU, mu_law.SPAN, mu_law.N_BINS) == (100.0, 256.0, 1024)
    # Jordan et al. (2024).
    assert muon.COEFFICIENTS == (3.4445, -4.775, 2.0315)
    # El cuantil de la normal, con la de Python.
    from statistics import NormalDist

    assert pytest.approx(NormalDist().inv_cdf(0.975)) == intervals.Z95
    assert KernelSizes(8, 1, 4).budget == 32
