"""Voces sintéticas y archivos de sonido: se repiten, se separan y se leen bien."""

import math
from dataclasses import replace

import numpy as np
import pytest
import soundfile
import torch
from scipy.signal import stft as scipy_stft

from tfcourse.audio.signals import tone
from tfcourse.datasets.folders.speech_commands import (
    ARCHIVE,
    ENGLISH_DIGITS,
    INSIDE,
    WORDS,
    CommandClips,
    _unpack,
    speech_commands,
)
from tfcourse.datasets.sounds.audio_files import clipped_share, read_sound
from tfcourse.datasets.sounds.recorded_digits import recorded_digits
from tfcourse.datasets.sounds.spoken_words import (
    DIGITS,
    SoundChanges,
    at_speed,
    changed,
    move_waves,
    sound_batches,
    split_spoken_digits,
    spoken_words,
)
from tfcourse.datasets.sounds.synthesizer import ACCENTS, NATIVE_RATE, Voice, speak, speak_all
from tfcourse.datasets.sounds.voices import TEST_VARIANTS, TRAIN_VARIANTS, takes_of


def test_the_same_text_sounds_the_same_whatever_was_said_before():
    first = speak("siete", Voice("f1"))
    speak("una frase cualquiera", Voice("m3", rate=200))
    assert torch.equal(speak("siete", Voice("f1")).wave, first.wave)
    assert first.sample_rate == NATIVE_RATE and 0 < first.wave.abs().max() <= 1


def test_a_list_repeats_and_starts_like_a_single_one():
    requests = [("uno", Voice("f1")), ("dos", Voice("m1")), ("uno", Voice("f1"))]
    first, second = speak_all(requests), speak_all(requests)
    assert all(torch.equal(a.wave, b.wave) for a, b in zip(first, second, strict=True))
    assert torch.equal(first[0].wave, speak("uno", Voice("f1")).wave)


def test_voices_rates_pitches_and_accents_are_heard():
    plain = speak("cinco", Voice("f1", rate=150))
    slow = speak("cinco", Voice("f1", rate=110))
    assert len(slow.wave) > 1.2 * len(plain.wave)
    for other in (
        Voice("m1", rate=150),
        Voice("f1", "es-419", 150),
        Voice("f1", rate=150, pitch=9),
    ):
        assert not torch.equal(speak("cinco", other).wave, plain.wave)


def test_word_times_are_in_order_and_where_the_sound_is():
    speech = speak("uno dos, tres", Voice("f1"), sample_rate=8_000)
    assert [word.text for word in speech.words] == ["uno", "dos", "tres"]
    assert speech.words[0].start == 0
    for word, following in zip(speech.words, speech.words[1:], strict=False):
        assert word.start < word.end <= following.start
    assert speech.words[2].start - speech.words[1].end > 0.05  # la pausa de la coma
    loudness = [
        float(speech.wave[round(w.start * 8_000) : round(w.end * 8_000)].std())
        for w in speech.words
    ]
    pause = speech.wave[
        round(speech.words[1].end * 8_000) + 400 : round(speech.words[2].start * 8_000) - 200
    ]
    assert min(loudness) > 10 * float(pause.std())
    assert speech.words[-1].end <= len(speech.wave) / 8_000 + 1e-3


def test_accented_words_keep_their_letters():
    words = [w.text for w in speak("el camión pequeño", Voice("f1")).words]
    assert words == ["el", "camión", "pequeño"]


def test_bad_requests_are_explained():
    for call, message in (
        (lambda: speak("  "), "no hay nada que decir"),
        (lambda: speak("uno", Voice("inventada")), "no tiene la voz 'es\\+inventada'"),
        (lambda: Voice(accent="fr"), "usa 'es' o 'es-419'"),
        (lambda: Voice(rate=20), "entre 80 y 450"),
        (lambda: Voice(pitch=120), "entre 0 y 99"),
        (lambda: takes_of(["f1"], 0), "al menos una toma"),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_train_and_test_share_no_voice_and_no_family():
    families = [{v.rstrip("0123456789") for v in side if len(v) > 2}
                for side in (TRAIN_VARIANTS, TEST_VARIANTS)]  # fmt: skip
    assert not families[0] & families[1]
    assert not set(TRAIN_VARIANTS) & set(TEST_VARIANTS)
    assert takes_of(["f1", "m1"], 2)[2:] == takes_of(["m1"], 2)


def test_the_takes_in_another_language_only_change_the_accent():
    takes = {language: takes_of(["f1", "m1"], 4, language=language) for language in ACCENTS}
    for language, accents in ACCENTS.items():
        assert {voice.accent for voice in takes[language]} == set(accents)
    for spanish, english in zip(takes["es"], takes["en"], strict=True):
        assert replace(spanish, accent=english.accent) == english
    assert len({len(speak("seis", Voice("f1", accent)).wave) for accent in ("es", "en")}) == 2


def test_clips_are_complete_and_do_not_depend_on_the_others():
    clips = spoken_words(DIGITS, takes_of(["f3", "m2"], 2))
    assert clips.waves.shape == (40, 8_000) and len(clips) == 40
    assert clips.labels.tolist() == list(range(10)) * 4
    assert clips.voices == ("f3",) * 20 + ("m2",) * 20
    torch.testing.assert_close(clips.waves.abs().amax(1), torch.full((40,), 0.5))
    alone = spoken_words(DIGITS, takes_of(["m2"], 2))
    assert torch.equal(alone.waves, clips.waves[20:])
    part = clips.take(torch.tensor([3, 25]))
    assert part.voices == ("f3", "m2") and part.labels.tolist() == [3, 5]


def test_the_split_reaches_every_word_without_cutting_it():
    train, test = split_spoken_digits()
    for side, variants in ((train, TRAIN_VARIANTS), (test, TEST_VARIANTS)):
        assert set(side.voices) == set(variants)
        assert side.labels.bincount().tolist() == [len(side) // 10] * 10
        assert not side.waves[:, :200].any() and not side.waves[:, -200:].any()


def test_speed_keeps_the_middle_and_moves_the_pitch():
    wave = tone(400, 1.0, 8_000)[None]
    same, fast = at_speed(wave.repeat(2, 1), torch.tensor([1.0, 1.25]))
    torch.testing.assert_close(same, wave[0], atol=1e-4, rtol=0)
    _, _, spectrum = scipy_stft(fast[1_000:-1_000].numpy(), 8_000, nperseg=800)
    assert np.abs(spectrum).mean(1).argmax() * 10 == 500
    assert not fast[:700].any() and fast[3_000:5_000].any()


def test_moves_and_noise_stay_within_bounds():
    wave = torch.zeros(40, 100)
    wave[:, 50] = 1
    places = move_waves(wave, 10, torch.Generator().manual_seed(0)).argmax(1)
    assert places.min() >= 40 and places.max() <= 60 and len(places.unique()) > 8
    changes = SoundChanges(speed=0, shift=0, noise_db=(10.0, 10.0))
    noisy = changed(wave, changes, 100, torch.Generator().manual_seed(0))
    ratio = 10 * torch.log10(wave.square().mean(1) / (noisy - wave).square().mean(1))
    torch.testing.assert_close(ratio, torch.full((40,), 10.0), atol=1e-3, rtol=0)


def test_batches_repeat_and_cover_everything():
    clips = spoken_words(("uno", "dos", "tres"), takes_of(["f3"], 2))
    first, second = (sound_batches(clips, 2, changes=SoundChanges(), seed=3) for _ in range(2))
    for _ in range(4):
        one, other = next(first), next(second)
        assert torch.equal(one[0], other[0]) and torch.equal(one[1], other[1])
    plain = sound_batches(clips, 2, seed=1)
    rows = torch.cat([next(plain)[0] for _ in range(3)])
    assert sorted(rows.sum(1).tolist()) == pytest.approx(sorted(clips.waves.sum(1).tolist()))
    with pytest.raises(ValueError, match="hay 6 clips"):
        next(sound_batches(clips, 7))


@pytest.mark.parametrize("kind", ["wav", "flac", "ogg"])
def test_files_are_read_in_mono_at_the_asked_rate(tmp_path, kind):
    stereo = torch.stack([tone(440, 0.5, 44_100), torch.zeros(22_050)], dim=1)
    path = tmp_path / f"sonido.{kind}"
    soundfile.write(path, stereo.numpy(), 44_100)
    wave, rate = read_sound(path)
    assert wave.shape == (22_050,) and rate == 44_100
    assert float(wave.abs().max()) == pytest.approx(0.25, abs=0.03)
    wave, rate = read_sound(path, 8_000)
    assert (len(wave), rate) == (4_000, 8_000)
    torch.testing.assert_close(wave[500:-500], 0.5 * tone(440, 0.5, 8_000)[500:-500],
                               atol=0.03, rtol=0)  # fmt: skip


def test_odd_files_are_refused_in_spanish(tmp_path):
    (tmp_path / "carta.wav").write_text("no soy un sonido")
    soundfile.write(tmp_path / "vacio.wav", np.zeros(0), 8_000)
    soundfile.write(tmp_path / "nan.wav", np.full(9, math.nan), 8_000, subtype="FLOAT")
    soundfile.write(tmp_path / "uno.wav", np.full(1, 0.5), 8_000)
    with pytest.raises(FileNotFoundError, match="no existe el archivo"):
        read_sound(tmp_path / "nada.wav")
    for name, message in (
        ("carta", "no es un archivo de sonido"), ("vacio", "ninguna muestra"), ("nan", "9 muestras")
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            read_sound(tmp_path / f"{name}.wav")
    assert read_sound(tmp_path / "uno.wav")[0].shape == (1,)
    assert clipped_share(torch.tensor([1.0, 0.5, -1.0, 0.0])) == 0.5


def test_recordings_are_read_or_say_how_to_get_them(tmp_path):
    for speaker, package in (("Allison Smith", "es"), ("Carlo Flora", "it")):
        with pytest.raises(
            FileNotFoundError, match=f"apt install asterisk-core-sounds-{package}-wav"
        ):
            recorded_digits(tmp_path, speaker=speaker)
    with pytest.raises(ValueError, match="no hay grabaciones de 'otra': usa Allison Smith, June"):
        recorded_digits(tmp_path, speaker="otra")
    for digit in range(10):
        soundfile.write(tmp_path / f"{digit}.wav", tone(300 + digit, 0.6, 8_000).numpy(), 8_000)
    clips = recorded_digits(tmp_path)
    assert clips.waves.shape == (10, 8_000) and clips.words == DIGITS
    torch.testing.assert_close(clips.waves.abs().amax(1), torch.full((10,), 0.5))


def test_speech_commands_follow_the_official_split(tmp_path):
    folder = tmp_path / INSIDE
    clips = {
        "one/a_nohash_0": 300,
        "two/a_nohash_0": 400,
        "one/b_nohash_1": 500,
        "bed/c_nohash_0": 9,
    }
    for place, (name, frequency) in enumerate(clips.items()):
        path = folder / f"{name}.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, tone(frequency, 0.5 + place / 10, 16_000).numpy(), 16_000)
    (folder / "testing_list.txt").write_text("one/b_nohash_1.wav\n")
    (folder / "validation_list.txt").write_text("")
    words = ("one", "two")
    train = speech_commands("training", words, sample_rate=8_000, folder=tmp_path)
    test = speech_commands("testing", words, folder=tmp_path)
    assert train.waves.shape == (2, 8_000) and train.labels.tolist() == [0, 1]
    assert test.waves.shape == (1, 16_000) and test.voices == ("b",)
    with pytest.raises(ValueError, match="usa 'training', 'testing', 'validation'"):
        speech_commands("prueba", folder=tmp_path)
    with pytest.raises(ValueError, match="no hay clips de six"):
        speech_commands("training", ("six",), folder=tmp_path)


@pytest.fixture
def commands(tmp_path):
    """Dos palabras y dos personas, en la carpeta y con las listas de Speech Commands."""
    folder = tmp_path / INSIDE
    for place, (word, person) in enumerate(
        [("yes", "a"), ("yes", "b"), ("no", "a"), ("no", "b"), ("no", "c")]
    ):
        path = folder / word / f"{person}_nohash_0.wav"
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, tone(300 + 100 * place, 0.5, 16_000).numpy(), 16_000)
    (folder / "testing_list.txt").write_text("no/c_nohash_0.wav\n")
    (folder / "validation_list.txt").write_text("")
    return tmp_path


def test_clips_are_read_when_asked_for_and_change_at_random(commands):
    clips = CommandClips("training", ("no", "yes"), folder=commands)
    assert len(clips) == 4 and sorted(clips.labels.tolist()) == [0, 0, 1, 1]
    wave, label = clips[0]
    assert wave.shape == (16_000,) and label == clips.labels[0]
    assert torch.equal(clips[0][0], wave)  # sin cambios, siempre lo mismo
    some = clips.take(torch.tensor([3, 0]))
    assert (
        torch.equal(some.waves[1], wave) and some.labels.tolist() == clips.labels[[3, 0]].tolist()
    )
    noisy = clips.with_changes(SoundChanges(noise_db=(10.0, 10.0)))
    torch.manual_seed(0)
    first = noisy[0][0]
    assert not torch.equal(first, noisy[0][0]) and not torch.equal(first, wave)
    torch.manual_seed(0)
    assert torch.equal(first, noisy[0][0]) and torch.equal(clips[0][0], wave)
    assert {person for _, _, person in clips.clips} == {"a", "b"}  # la c es de evaluar


def test_half_a_speech_commands_is_told(commands):
    (commands / INSIDE / "testing_list.txt").unlink()
    with pytest.raises(ValueError, match="falta testing_list.txt: la carpeta está a medias"):
        CommandClips("training", folder=commands)
    (commands / "otra").mkdir()
    (commands / "otra" / ARCHIVE.name).write_bytes(b"medio archivo")
    with pytest.raises(ValueError, match="no es un archivo .tar.gz entero"):
        _unpack(commands / "otra" / ARCHIVE.name, commands / "otra" / INSIDE)


def test_the_thirty_five_words():
    assert len(set(WORDS)) == 35 and set(ENGLISH_DIGITS) < set(WORDS)
