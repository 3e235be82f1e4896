"""Whisper: igual que el de transformers, y las propiedades que lo hacen fiable."""

import pytest
import torch

from tfcourse.decoding.beam import beam_search
from tfcourse.models.whisper import VARIANTS, Whisper, WhisperConfig, whisper_sinusoids
from tfcourse.sound.transcription.pretrained import whisper_from_transformers

CONFIG = WhisperConfig(20, n_mels=8, max_frames=40, max_length=12, d_model=16, d_hidden=32)


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Whisper(CONFIG).eval()


def _theirs(**sizes):
    from transformers import WhisperConfig as TheirConfig
    from transformers import WhisperForConditionalGeneration

    torch.manual_seed(0)
    config = TheirConfig(
        vocab_size=30, num_mel_bins=8, d_model=24, encoder_layers=2, decoder_layers=3,
        encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=40,
        decoder_ffn_dim=40, max_source_positions=15, max_target_positions=10, pad_token_id=0,
        bos_token_id=1, eos_token_id=2, decoder_start_token_id=3, attn_implementation="eager",
        **sizes,
    )  # fmt: skip
    theirs = WhisperForConditionalGeneration(config).double().eval()
    for parameter in theirs.parameters():  # los sesgos y las ganancias también deben contar
        if parameter.ndim == 1:
            torch.nn.init.normal_(parameter, mean=0.5, std=0.3)
    return theirs


def test_the_forward_equals_transformers():
    theirs = _theirs()
    ours = whisper_from_transformers(theirs)
    mels = torch.randn(3, 8, 30, dtype=torch.float64)
    written = torch.randint(30, (3, 7))
    expected = theirs(input_features=mels, decoder_input_ids=written).logits
    torch.testing.assert_close(ours(mels, written), expected, rtol=1e-9, atol=1e-9)


def test_the_cross_attention_equals_transformers():
    theirs = _theirs()
    ours = whisper_from_transformers(theirs)
    mels = torch.randn(2, 8, 30, dtype=torch.float64)
    written = torch.randint(30, (2, 5))
    expected = theirs(
        input_features=mels, decoder_input_ids=written, output_attentions=True
    ).cross_attentions
    torch.testing.assert_close(ours.attention_maps(mels, written).cross, list(expected))


def test_what_the_original_does_not_have_is_zero():
    ours = whisper_from_transformers(_theirs())
    assert not ours.ctc(torch.randn(2, 24, dtype=torch.float64)).any()
    attentions = [block.attention for block in [*ours.encoder.blocks, *ours.decoder.blocks]]
    attentions += [block.cross_attention for block in ours.decoder.blocks]
    assert not any(attention.k_proj.bias.any() for attention in attentions)


def test_sinusoids_equal_the_ones_of_transformers():
    theirs = _theirs().model.encoder.embed_positions.weight
    torch.testing.assert_close(whisper_sinusoids(15, 24).double(), theirs)


def test_a_key_bias_changes_nothing(model):
    mels, written = torch.randn(2, 8, 20), torch.randint(20, (2, 5))
    before = model(mels, written)
    for block in [*model.encoder.blocks, *model.decoder.blocks]:
        torch.nn.init.normal_(block.attention.k_proj.bias, std=3)
    for block in model.decoder.blocks:
        torch.nn.init.normal_(block.cross_attention.k_proj.bias, std=3)
    torch.testing.assert_close(model(mels, written), before, rtol=1e-4, atol=1e-4)


def test_writing_with_a_cache_equals_rereading(model):
    mels, written = torch.randn(2, 8, 20), torch.randint(20, (2, 6))
    whole, state = model(mels, written), model.start(mels)
    logits, state = model.step(written[:, :3], state)
    torch.testing.assert_close(logits, whole[:, 2])
    for place in range(3, 6):
        logits, state = model.step(written[:, place : place + 1], state)
        torch.testing.assert_close(logits, whole[:, place])


def test_the_chosen_rows_go_on_with_their_own_sound_and_words(model):
    mels, written = torch.randn(3, 8, 20), torch.randint(20, (3, 5))
    rows = torch.tensor([2, 0, 0, 1])
    _, state = model.step(written[:, :4], model.start(mels))
    last = written[rows, 4:]
    logits, _ = model.step(last, model.select(state, rows))
    torch.testing.assert_close(logits, model(mels[rows], written[rows])[:, -1])


def test_the_future_does_not_alter_the_past(model):
    mels, written = torch.randn(1, 8, 20), torch.randint(20, (1, 6))
    changed = written.clone()
    changed[0, 4] = (changed[0, 4] + 1) % 20
    before, after = model(mels, written), model(mels, changed)
    torch.testing.assert_close(before[:, :4], after[:, :4])
    assert not torch.allclose(before[:, 4], after[:, 4])


def test_the_sound_is_read_in_both_directions(model):
    mels = torch.randn(1, 8, 20)
    changed = mels.clone()
    changed[..., -1] += 3
    assert not torch.allclose(model.encoder(mels)[:, 0], model.encoder(changed)[:, 0])


def test_a_beam_of_one_is_greedy_and_a_wider_one_is_never_less_probable(model):
    torch.manual_seed(3)
    for parameter in model.parameters():
        parameter.data.mul_(2)
    mels = torch.randn(1, 8, 20)
    options = {"first": 1, "stop_id": 0, "max_length": 5}
    greedy, _ = beam_search(model.step, model.start(mels), model.select, beam_size=1, **options)
    state, token, written = model.start(mels), torch.tensor([[1]]), []
    for _ in range(5):
        logits, state = model.step(token, state)
        token = logits.argmax(-1, keepdim=True)
        written.append(int(token))
    assert greedy == written[: written.index(0)] if 0 in written else greedy == written


@pytest.mark.lento
def test_it_memorizes_one_batch():
    from tfcourse.sound.transcription.recipe import VOCABULARY, speech_loss

    torch.manual_seed(0)
    model = Whisper(WhisperConfig(len(VOCABULARY), n_mels=8, d_model=32, d_hidden=64))
    mels, counts = torch.randn(4, 8, 60), torch.full((4,), 3)
    labels = torch.randint(10, (4, 3))
    written = torch.tensor([VOCABULARY.encode(row) for row in labels.tolist()])
    heard = written[:, 4:-1]
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(250):
        loss, _ = speech_loss(0.3)(model, (mels, written, heard, counts))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(loss.detach()) < 0.1
    assert torch.equal(model(mels, written[:, :-1]).argmax(-1)[:, 3:], written[:, 4:])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_encoder": 0}, "n_encoder=0: tiene que ser al menos 1"),
        ({"max_frames": 0}, "max_frames=0: tiene que ser al menos 1"),
        ({"d_model": 15}, "d_model=15: tiene que ser par"),
        ({"d_model": 2}, "d_model=2: tiene que ser par y al menos 4"),
    ],
)
def test_bad_sizes_are_rejected(options, message):
    with pytest.raises(ValueError, match=message):
        WhisperConfig(20, **options)


def test_a_wrong_spectrogram_is_rejected(model):
    with pytest.raises(ValueError, match="tiene 9 bandas y el modelo lee 8"):
        model.encoder(torch.zeros(1, 9, 20))
    with pytest.raises(ValueError, match="tiene 41 columnas y caben 40"):
        model.encoder(torch.zeros(1, 8, 41))
    with pytest.raises(ValueError, match="13"):
        model(torch.zeros(1, 8, 20), torch.zeros(1, 13, dtype=torch.long))


def test_the_variants_have_the_published_sizes():
    # Radford et al. (2023), tabla 1: millones de parámetros.
    published = {"tiny": 39, "base": 74, "small": 244}
    for name, millions in published.items():
        config = WhisperConfig(51_865, n_mels=80, max_frames=3000, max_length=448, **VARIANTS[name])
        with torch.device("meta"):
            model = Whisper(config)
        count = sum(p.numel() for p in model.parameters()) - sum(
            p.numel() for p in model.ctc.parameters()
        )
        # El artículo cuenta también la tabla fija de senos y cosenos.
        count += config.max_frames // 2 * config.d_model
        assert abs(count / 1e6 / millions - 1) < 0.04
