"""Whisper con frases leídas: cómo se cuentan los errores y qué se aprende de cada frase."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.audio.mel import VARIANTS as MELS
from tfcourse.audio.signals import tone
from tfcourse.audio.speech_mel import whisper_mel
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.transcription.full import dictation_loss, errors, mel_of
from tfcourse.sound.transcription.pretrained import official_whisper
from tfcourse.sound.transcription.transcribe import padded_to, transcribe, transcribe_together
from workshop.rehearsal.sounds import make_whisper


class Fixed(torch.nn.Module):
    """Una red que siempre da los mismos logits."""

    def __init__(self, logits):
        super().__init__()
        self.logits = logits

    def forward(self, mels, given):
        return self.logits


def test_errors_do_not_count_capitals_or_punctuation():
    texts = ["¡Hola, Ana!", "Buenos días.", "…"]  # en la última no hay nada que oír
    found = errors(["hola ana", "Buenas días", "ruido"], texts)
    assert found["WER"] == pytest.approx(1 / 4)
    assert found["CER"] == pytest.approx(1 / len("hola anabuenos días"))
    assert errors(["", "", ""], texts) == {"WER": 1.0, "CER": 1.0}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """Unos pesos diminutos, guardados como los oficiales y leídos de la carpeta de datos."""
    folder = tmp_path_factory.mktemp("datos")
    make_whisper(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TFCOURSE_DATOS", str(folder))
        yield *official_whisper(), folder / "openai" / "whisper-tiny"


def test_the_loss_counts_the_text_and_its_first_end(tiny):
    model, vocabulary, _ = tiny
    ids = vocabulary.encode("sol")
    assert ids[:4] == vocabulary.prompt() and ids[-1] == vocabulary.stop_id and len(ids) == 8
    assert vocabulary.decode(ids) == "sol"
    written = torch.tensor([ids + [vocabulary.stop_id] * 3])
    logits = torch.randn(1, written.shape[1] - 1, model.config.n_tokens)
    found = dictation_loss(vocabulary.stop_id)(Fixed(logits), (None, written))
    wanted = F.cross_entropy(logits[0, 3:7], written[0, 4:8])
    torch.testing.assert_close(found, wanted)


def test_several_at_once_write_the_same_as_one_by_one(tiny):
    model, vocabulary, _ = tiny
    mel = MELS["whisper"]
    waves = [tone(300 + 50 * i, 0.2 + 0.1 * i, 16_000) for i in range(3)]
    together = transcribe_together(
        model, waves, vocabulary, mel=mel, seconds=1, max_length=9, batch_size=2
    )
    alone = transcribe(model, waves, vocabulary, mel=mel, features=whisper_mel, seconds=1)
    assert [text[: len(short)] for text, short in zip(alone, together, strict=True)] == together
    assert padded_to(waves[0], 1, mel).shape == (16_000,)
    assert torch.equal(padded_to(waves[0], 0.1, mel), waves[0][:1_600])


def test_half_of_the_weights_is_told(tiny, monkeypatch):
    _, _, folder = tiny
    monkeypatch.setenv("TFCOURSE_DATOS", str(folder.parents[1]))
    weights = folder / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match="no tiene un Whisper entero"):
        official_whisper()
    weights.write_bytes(whole)


def test_the_spectrogram_has_the_bands_that_the_model_reads():
    """Desde large-v3 son 128; con las 80 de antes, el codificador se negaría."""
    sizes = {"d_model": 8, "n_heads": 2, "d_hidden": 8, "n_encoder": 1, "n_decoder": 1}
    for bands in (80, 128):
        model = Whisper(WhisperConfig(9, n_mels=bands, max_frames=20, **sizes)).eval()
        mels = whisper_mel(torch.randn(1, 3_200), mel_of(model))
        assert model.encoder(mels).shape == (1, 10, 8)
    odd = Whisper(WhisperConfig(9, n_mels=40, max_frames=20, **sizes))
    with pytest.raises(ValueError, match="este modelo lee 40 bandas"):
        mel_of(odd)
