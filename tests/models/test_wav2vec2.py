"""wav2vec 2.0: igual que el de transformers, y lo que no puede ver no lo ve."""

import copy

import pytest
import torch

from tfcourse.datasets.sounds.wave_masking import masked_spans, sample_distractors
from tfcourse.layers.similarity import contrastive_logits
from tfcourse.losses.contrastive import contrastive_loss, diversity_loss, hit_share
from tfcourse.models.wav2vec2 import (
    VARIANTS,
    Wav2Vec2,
    Wav2Vec2Config,
    Wav2Vec2Pretraining,
    WaveTagger,
    normalized,
)

TINY = Wav2Vec2Config(
    channels=(8, 12), kernels=(6, 4), strides=(4, 2), d_model=16, n_heads=2, n_layers=2,
    d_hidden=24, position_kernel=5, position_groups=4, n_groups=2, n_codes=6, d_code=8,
)  # fmt: skip


def reference_model():
    """El de transformers, diminuto y al azar, en float64."""
    from transformers import Wav2Vec2Config as TheirConfig
    from transformers import Wav2Vec2ForPreTraining

    config = TheirConfig(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
        conv_dim=(8, 12), conv_kernel=(6, 4), conv_stride=(4, 2), num_feat_extract_layers=2,
        num_conv_pos_embeddings=5, num_conv_pos_embedding_groups=4, do_stable_layer_norm=True,
        num_codevectors_per_group=6, num_codevector_groups=2, codevector_dim=8,
        proj_codevector_dim=8,
        hidden_dropout=0.0, attention_dropout=0.0, activation_dropout=0.0, feat_proj_dropout=0.0,
        feat_quantizer_dropout=0.0, layerdrop=0.0, diversity_loss_weight=0.1, num_negatives=7,
        attn_implementation="eager",
    )  # fmt: skip
    torch.manual_seed(0)
    model = Wav2Vec2ForPreTraining(config).double()
    with torch.no_grad():  # que ningún sesgo ni ganancia se quede en 0 o en 1
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model


def copy_linear(ours, theirs):
    ours.load_state_dict(theirs.state_dict())


def copy_norm(ours, theirs):
    ours.gain.copy_(theirs.weight)
    ours.bias.copy_(theirs.bias)


@torch.no_grad()
def with_their_weights(theirs):
    ours = Wav2Vec2Pretraining(TINY).double()
    mine, source = ours.wav2vec2, theirs.wav2vec2
    layers = source.feature_extractor.conv_layers
    for convolution, layer in zip(mine.encoder.convolutions, layers, strict=True):
        copy_linear(convolution, layer.conv)
    copy_linear(mine.encoder.norm, layers[0].layer_norm)
    copy_norm(mine.feature_norm, source.feature_projection.layer_norm)
    copy_linear(mine.projection, source.feature_projection.projection)
    mine.mask_vector.copy_(source.masked_spec_embed)
    positions = source.encoder.pos_conv_embed.conv
    mine.positions.convolution.weight.copy_(positions.weight)
    mine.positions.convolution.bias.copy_(positions.bias)
    copy_norm(mine.norm, source.encoder.layer_norm)
    for block, layer in zip(mine.blocks, source.encoder.layers, strict=True):
        copy_block(block, layer)
    copy_linear(ours.quantizer.scores, theirs.quantizer.weight_proj)
    ours.quantizer.codebook.copy_(theirs.quantizer.codevectors.view(2, 6, 4))
    copy_linear(ours.project_context, theirs.project_hid)
    copy_linear(ours.project_code, theirs.project_q)
    return ours


def copy_block(block, layer):
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        copy_linear(getattr(block.attention, name), getattr(layer.attention, name))
    copy_norm(block.around_attention.norm, layer.layer_norm)
    copy_norm(block.around_feed_forward.norm, layer.final_layer_norm)
    copy_linear(block.feed_forward.hidden, layer.feed_forward.intermediate_dense)
    copy_linear(block.feed_forward.output, layer.feed_forward.output_dense)


def batch(n_rows=3, samples=260):
    torch.manual_seed(1)
    waves = torch.randn(n_rows, samples, dtype=torch.float64)
    generator = torch.Generator().manual_seed(1)
    hidden = masked_spans(n_rows, TINY.frames(samples), 0.1, 4, generator)
    return waves, hidden, sample_distractors(hidden, 7, generator)


@pytest.mark.parametrize("training", [False, True])
def test_the_losses_are_those_of_transformers(training):
    theirs = reference_model().train(training)
    ours = with_their_weights(theirs).train(training)
    waves, hidden, distractors = batch()
    rows = torch.arange(3)[:, None, None] * hidden.shape[1]
    torch.manual_seed(5)  # el mismo ruido de Gumbel
    guess = ours(waves, hidden, distractors)
    torch.manual_seed(5)
    expected = theirs(
        normalized(waves), mask_time_indices=hidden, sampled_negative_indices=distractors + rows
    )
    count = hidden.sum()
    # transformers hace una parte de la cuenta en 32 bits; sumas en vez de medias.
    contrastive = contrastive_loss(guess.logits, hidden)
    diversity = diversity_loss(guess.used, TINY.n_codes)
    close = {"rtol": 1e-5, "atol": 1e-5, "check_dtype": False}
    torch.testing.assert_close(contrastive, expected.contrastive_loss / count, **close)
    torch.testing.assert_close(diversity, expected.diversity_loss / count, **close)
    torch.testing.assert_close(contrastive + 0.1 * diversity, expected.loss / count, **close)


def test_the_context_is_that_of_transformers():
    theirs = reference_model().eval()
    ours = with_their_weights(theirs).eval().wav2vec2
    waves, hidden, _ = batch()
    with torch.no_grad():
        context = ours.context(ours.features(waves), hidden)
        found = theirs.wav2vec2(normalized(waves), mask_time_indices=hidden).last_hidden_state
    torch.testing.assert_close(context, found)


def test_what_is_hidden_does_not_reach_the_context():
    torch.manual_seed(0)
    model = Wav2Vec2(TINY).double()
    waves, hidden, _ = batch()
    features = model.features(waves)
    other = torch.where(hidden[..., None], torch.randn_like(features), features)
    torch.testing.assert_close(model.context(features, hidden), model.context(other, hidden))
    assert not torch.allclose(model.context(features), model.context(other))


def test_volume_does_not_matter():
    model = Wav2Vec2(TINY).double()
    waves, _, _ = batch()
    torch.testing.assert_close(model(0.05 * waves + 0.3), model(waves), atol=1e-3, rtol=1e-3)
    assert (normalized(torch.full((1, 50), 0.25)) == 0).all()  # ni aun sin nada que suene
    louder = waves * torch.tensor([[1.0], [20.0], [0.3]]).double()  # cada onda, por su cuenta
    assert normalized(louder).std(1, correction=0).tolist() == pytest.approx([1] * 3, rel=1e-4)


def test_frames_and_reach_are_what_the_convolutions_do():
    config = Wav2Vec2Config()
    model = Wav2Vec2(config)
    for samples in (config.reach, config.reach + config.hop - 1, config.reach + config.hop, 6400):
        assert model(torch.randn(1, samples)).shape[1] == config.frames(samples)
    assert config.frames(config.reach) == 1 and config.frames(config.reach - 1) == 0
    assert config.hop == 160 and Wav2Vec2Config(**VARIANTS["base"]).hop == 320
    # El campo del artículo: 400 muestras, 25 milésimas a 16 kHz.
    assert Wav2Vec2Config(**VARIANTS["base"]).reach == 400


def test_the_logits_by_loops():
    torch.manual_seed(2)
    predicted, targets = torch.randn(2, 4, 3), torch.randn(2, 4, 3)
    targets[0, 2] = targets[0, 1]
    distractors = torch.tensor([[[1], [2], [0], [1]], [[3], [0], [1], [2]]])
    found = contrastive_logits(predicted, targets, distractors, kappa=0.5)
    for row in range(2):
        for place in range(4):
            c, q = predicted[row, place], targets[row, place]
            d = targets[row, distractors[row, place, 0]]
            cosines = [float(c @ x / (c.norm() * x.norm())) / 0.5 for x in (q, d)]
            if torch.equal(q, d):
                cosines[1] = -torch.inf
            torch.testing.assert_close(found[row, place], torch.tensor(cosines))
    assert found[0, 1, 1] == -torch.inf


def test_a_collapsed_quantizer_gets_no_hits_although_its_loss_is_zero():
    torch.manual_seed(2)
    hidden = torch.ones(1, 4, dtype=torch.bool)
    distractors = sample_distractors(hidden, 3, torch.Generator().manual_seed(0))
    logits = contrastive_logits(torch.randn(1, 4, 3), torch.ones(1, 4, 3), distractors)
    assert float(contrastive_loss(logits, hidden)) == 0 and hit_share(logits, hidden) == 0
    assert float(diversity_loss(torch.tensor([1.0, 1.0]), 10)) == pytest.approx(0.9)
    assert float(diversity_loss(torch.tensor([10.0, 10.0]), 10)) == 0


def test_only_what_is_hidden_counts_as_a_hit():
    logits = torch.tensor([[[2.0, 1.0], [0.0, 1.0], [3.0, 1.0], [0.0, 5.0]]])
    hidden = torch.tensor([[True, True, True, False]])
    assert hit_share(logits, hidden) == pytest.approx(2 / 3)


@pytest.mark.lento
def test_it_learns_one_batch():
    torch.manual_seed(0)
    model = Wav2Vec2Pretraining(TINY)
    waves, hidden, distractors = batch()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(150):
        guess = model(waves.float(), hidden, distractors)
        loss = contrastive_loss(guess.logits, hidden)
        losses.append(float(loss.detach()))
        optimizer.zero_grad()
        (loss + 0.1 * diversity_loss(guess.used, TINY.n_codes)).backward()
        optimizer.step()
    assert sum(losses[-10:]) < 0.6 * sum(losses[:10])


def test_the_frozen_convolutions_get_no_gradient_and_the_rest_does():
    torch.manual_seed(0)
    for frozen in (True, False):
        model = WaveTagger(Wav2Vec2(TINY), 4, segments=2, frozen=frozen)
        model(torch.randn(2, 200)).sum().backward()
        assert (model.wav2vec2.encoder.convolutions[0].weight.grad is None) == frozen
        assert model.wav2vec2.projection.weight.grad is not None
    each = WaveTagger(copy.deepcopy(model.wav2vec2), 4, segments=None, frozen=True)
    assert each(torch.randn(2, 200)).shape == (2, TINY.frames(200), 4)


def test_without_gradients_the_convolutions_keep_nothing():
    kept = []
    model = WaveTagger(Wav2Vec2(TINY), 4, segments=2, frozen=False)
    model.wav2vec2.encoder.register_forward_hook(lambda *call: kept.append(call[2].requires_grad))
    model(torch.randn(2, 200))
    with torch.no_grad():
        model(torch.randn(2, 200))
    assert kept == [True, False]


def test_the_tagger_reads_the_mean_of_each_segment_in_order():
    torch.manual_seed(0)
    model = WaveTagger(Wav2Vec2(TINY), 4, segments=2, frozen=False)
    waves = torch.randn(3, 206)  # da un número par de vectores
    context = model.wav2vec2(waves)
    half = context.shape[1] // 2
    assert context.shape[1] == 2 * half
    halves = torch.stack([context[:, :half].mean(1), context[:, half:].mean(1)], dim=2)
    torch.testing.assert_close(model(waves), model.head(halves.flatten(1)))


def test_misuse_is_explained():
    with pytest.raises(ValueError, match="hace falta uno de cada"):
        Wav2Vec2Config(channels=(8,), kernels=(3, 3), strides=(2,))
    with pytest.raises(ValueError, match="position_kernel=4: usa un impar, p. ej. 5"):
        Wav2Vec2Config(position_kernel=4)
    with pytest.raises(ValueError, match="5 muestras y hacen falta"):
        Wav2Vec2(TINY)(torch.randn(1, 5))
