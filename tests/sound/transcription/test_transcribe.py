"""Transcribir: lo que se arregla, lo que se rechaza, y lo que se escribe."""

import math

import pytest
import soundfile
import torch

from tfcourse.audio.mel import VARIANTS as MELS
from tfcourse.audio.signals import tone
from tfcourse.audio.speech_mel import SPEECH_MEL, speech_mel, whisper_mel
from tfcourse.decoding.beam import beam_search
from tfcourse.models.whisper import Whisper, WhisperConfig
from tfcourse.sound.transcription.pretrained import OfficialVocabulary
from tfcourse.sound.transcription.transcribe import (
    prepared,
    transcribe,
    transcribe_file,
    write,
    write_with_beam,
)
from tfcourse.tokenizers.speech import TRANSLATE, SpeechVocabulary

VOCABULARY = SpeechVocabulary()


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Whisper(WhisperConfig(len(VOCABULARY), d_model=16, d_hidden=16)).eval()


def test_the_spectrogram_equals_the_one_of_transformers():
    from transformers import WhisperFeatureExtractor

    wave = tone(440, 2.0, 16_000) + 0.1 * tone(3_000, 2.0, 16_000)
    theirs = WhisperFeatureExtractor()(wave.numpy(), sampling_rate=16_000, return_tensors="pt")
    padded = torch.nn.functional.pad(wave, (0, 30 * 16_000 - len(wave)))[None]
    ours = whisper_mel(padded, MELS["whisper"])
    assert ours.shape == (1, 80, 3_000)
    torch.testing.assert_close(ours, theirs.input_features, rtol=0, atol=2e-3)


def test_silence_after_the_phrase_does_not_change_its_columns():
    wave = tone(440, 0.5, 8_000)[None]
    longer = torch.nn.functional.pad(wave, (0, 2_000))
    short, long = (whisper_mel(x, SPEECH_MEL) for x in (wave, longer))
    torch.testing.assert_close(short[..., :-1], long[..., : short.shape[-1] - 1])


def test_our_scale_does_not_depend_on_the_volume():
    waves = torch.randn(2, 8_000) * torch.tensor([[1.0], [0.05]])
    x = speech_mel(waves)
    torch.testing.assert_close(x.mean(dim=(1, 2)), torch.zeros(2), rtol=0, atol=1e-5)
    torch.testing.assert_close(x.std(dim=(1, 2), correction=0), torch.ones(2), rtol=0, atol=1e-3)
    torch.testing.assert_close(speech_mel(0.1 * waves), x, rtol=0, atol=1e-3)


def test_other_rates_and_stereo_are_put_right():
    wave = tone(440, 1.0, 44_100, amplitude=0.05)
    ready = prepared(torch.stack([wave, wave]), 44_100)
    assert ready.shape == (8_000,) and abs(float(ready.abs().max()) - 0.5) < 0.02
    torch.testing.assert_close(ready[500:-500], tone(440, 1.0, 8_000)[500:-500], rtol=0, atol=2e-2)


def test_both_channels_are_heard():
    both = torch.stack([tone(440, 1.0, 8_000), tone(1_000, 1.0, 8_000)])
    spectrum = torch.fft.rfft(prepared(both, 8_000)).abs()  # un coeficiente por hercio
    assert sorted(spectrum.topk(2).indices.tolist()) == [440, 1_000]


@pytest.mark.parametrize(
    ("wave", "message"),
    [
        (torch.zeros(8_000), "la grabación es un silencio"),
        (tone(440, 1.0, 8_000, amplitude=5e-4), "la grabación es un silencio"),
        (torch.tensor([0.1, math.nan]), "no son números"),
        (torch.zeros(0), "está vacía"),
        (torch.zeros(8_000, 2), r"pasa wave\.T"),
        (torch.zeros(1, 2, 8_000), r"se espera \(T,\) o \(canales, T\)"),
    ],
)
def test_what_cannot_be_heard_is_rejected(wave, message):
    with pytest.raises(ValueError, match=message):
        prepared(wave, 8_000)


def test_whole_numbers_are_rejected():
    with pytest.raises(TypeError, match="divide entre 32 768"):
        prepared(torch.ones(8, dtype=torch.int16), 8_000)


def test_files_are_read_or_refused(model, tmp_path):
    soundfile.write(tmp_path / "tono.wav", tone(440, 1.0, 22_050).numpy(), 22_050)
    assert isinstance(transcribe_file(model, tmp_path / "tono.wav", VOCABULARY), str)
    (tmp_path / "carta.wav").write_text("esto no es un sonido", encoding="utf-8")
    with pytest.raises(ValueError, match="no es un archivo de sonido"):
        transcribe_file(model, tmp_path / "carta.wav", VOCABULARY)
    with pytest.raises(FileNotFoundError, match="no existe el archivo"):
        transcribe_file(model, tmp_path / "nada.wav", VOCABULARY)


def test_a_file_is_heard_at_the_rate_and_volume_of_the_model(model, tmp_path, monkeypatch):
    heard, path = [], tmp_path / "tono.wav"

    def listen(_, waves, vocabulary, task):
        heard.extend(waves)
        return ["cuatro"]

    soundfile.write(path, tone(440, 1.0, 22_050, amplitude=0.05).numpy(), 22_050)
    wave = torch.from_numpy(soundfile.read(path, dtype="float32")[0])
    monkeypatch.setattr("tfcourse.sound.transcription.transcribe.transcribe", listen)
    assert transcribe_file(model, path, VOCABULARY) == "cuatro"
    torch.testing.assert_close(heard, [prepared(wave, 22_050)])


def _wordy(seed):
    """Un modelo al azar que casi no repite y que nunca escribe el fin."""
    torch.manual_seed(seed)
    model = Whisper(WhisperConfig(len(VOCABULARY), n_mels=8, d_model=16, d_hidden=16)).eval()
    with torch.no_grad():
        model.decoder.places.weight.mul_(8)  # cada lugar pide un token
        model.decoder.table.weight[VOCABULARY.stop_id] = 0  # siempre hay otro que puntúa más de 0
    return model


@pytest.mark.parametrize("seed", range(3))
def test_writing_goes_on_after_the_whole_prompt(seed):
    model, mels = _wordy(seed), torch.randn(2, 8, 20)
    prompt = VOCABULARY.prompt(TRANSLATE)
    ids = torch.tensor([prompt] * 2)
    for _ in range(5):  # sin caché: se relee todo en cada paso
        ids = torch.cat([ids, model(mels, ids)[:, -1].argmax(-1, keepdim=True)], dim=1)
    options = {"stop_id": VOCABULARY.stop_id, "max_length": 5}
    assert torch.equal(write(model, mels, prompt, **options), ids[:, 4:])
    for row in range(2):
        found, _ = write_with_beam(model, mels[row : row + 1], prompt, beam_size=1, **options)
        assert found == ids[row, 4:].tolist()


def test_the_beam_is_the_one_of_rereading_everything():
    model, mels, prompt = _wordy(0), torch.randn(1, 8, 20), VOCABULARY.prompt()

    def reread(tokens, rows):
        rows = torch.cat([rows, tokens], dim=1)
        return model(mels.expand(len(rows), -1, -1), rows)[:, -1], rows

    options = {"stop_id": VOCABULARY.stop_id, "max_length": 4, "beam_size": 3}
    found, score = write_with_beam(model, mels, prompt, **options)
    wanted, best = beam_search(
        reread, torch.tensor([prompt[:-1]]), lambda rows, chosen: rows[chosen],
        first=prompt[-1], **options,
    )  # fmt: skip
    assert found == wanted and score == pytest.approx(best, rel=1e-4)


def test_it_writes_until_the_model_is_full_and_hears_the_silence_asked_for():
    model, heard = _wordy(0), []

    def listen(waves, config):
        heard.append(waves)
        return torch.zeros(1, 8, 20)

    class Names(SpeechVocabulary):
        def decode(self, ids):
            return str(len(ids))

    wave = tone(440, 0.5, 8_000)
    texts = transcribe(model, [wave, wave, wave], Names(), features=listen, seconds=0.75)
    assert texts == [str(model.config.max_length - 4)] * 3
    silent = torch.cat([wave, torch.zeros(2_000)])[None]
    assert all(torch.equal(waves, silent) for waves in heard)
    transcribe(model, [wave], Names(), features=listen)
    transcribe(model, [wave], Names(), features=listen, seconds=0.1)
    assert all(torch.equal(waves, wave[None]) for waves in heard[3:])


def test_a_recording_that_does_not_fit_is_rejected(model):
    with pytest.raises(ValueError, match="parte la grabación"):
        transcribe(model, [torch.randn(8_000 * 30)], VOCABULARY)


def test_each_recording_is_written_alone(model):
    waves = [tone(440, 1.0, 8_000), tone(900, 1.7, 8_000)]
    both = transcribe(model, waves, VOCABULARY, TRANSLATE)
    assert both == [transcribe(model, [wave], VOCABULARY, TRANSLATE)[0] for wave in waves]


def test_the_official_prompt_has_its_four_symbols():
    class Fake:
        names = ("<|startoftranscript|>", "<|es|>", "<|translate|>", "<|transcribe|>",
                 "<|notimestamps|>", "<|endoftext|>")  # fmt: skip

        def convert_tokens_to_ids(self, found):
            if isinstance(found, str):
                return self.names.index(found)
            return [self.names.index(name) for name in found]

        def decode(self, ids, skip_special_tokens):
            return f" {len(ids)} tokens"

    vocabulary = OfficialVocabulary(Fake())
    assert vocabulary.prompt() == [0, 1, 3, 4] and vocabulary.prompt(TRANSLATE) == [0, 1, 2, 4]
    assert vocabulary.stop_id == 5 and vocabulary.decode([8, 9]) == "2 tokens"
    with pytest.raises(ValueError, match="task='otra'"):
        vocabulary.prompt("otra")


def test_the_mel_of_the_course_has_forty_columns_per_second():
    assert SPEECH_MEL.sample_rate / SPEECH_MEL.hop == 40
    assert speech_mel(torch.randn(1, 8_000)).shape == (1, 40, 40)
