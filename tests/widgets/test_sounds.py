"""Figura de un sonido: el navegador hace la misma cuenta que Python, y con el teclado."""

import re

import pytest
import torch

from tests.site.static_page import told, widget_page
from tfcourse.audio.mel import MelConfig, mel_filter_bank
from tfcourse.audio.signals import sweep, tone
from tfcourse.audio.stft import power_spectrogram
from tfcourse.plots.players import Sound
from tfcourse.widgets import SoundWidget

RATE = 8_000
WAVE = sweep(100, 3_900, 0.3, RATE)
SOUNDS = [Sound("barrido", WAVE, RATE), Sound("tono", tone(3_000, 0.2, RATE), RATE)]


@pytest.fixture(params=[360, 1200])
def page(browser, tmp_path, request):
    """La figura en una página, ancha y estrecha; sin errores, red ni desborde."""
    widget = SoundWidget(SOUNDS, n_mels=12)
    with widget_page(browser, tmp_path, widget, width=request.param) as opened:
        yield opened


def level(page):
    return float(re.search(r"(−?\d+,\d) dB", told(page))[1].replace(",", ".").replace("−", "-"))


def decibels(wave, n_fft, hop, bank=None):
    power = power_spectrogram(wave.double(), n_fft, hop)
    power = power if bank is None else bank @ power
    return (10 * (power / power.max()).log10()).clamp(min=-60)


def move(page, label, key, times=1):
    slider = page.get_by_role("slider", name=label)
    for _ in range(times):
        slider.press(key)


def test_the_levels_are_those_of_python(page):
    expected = decibels(WAVE, 256, 40)
    move(page, "Instante", "Home")
    move(page, "Altura", "Home")
    assert level(page) == pytest.approx(float(expected[0, 0]), abs=0.11)
    move(page, "Instante", "End")
    move(page, "Altura", "End")
    assert level(page) == pytest.approx(float(expected[-1, -1]), abs=0.11)
    assert "4000 Hz" in told(page) and "Cada casilla abarca 31 Hz" in told(page)


def test_another_window_and_the_mel_scale(page):
    move(page, "Ventana", "ArrowRight")
    page.get_by_label("mel", exact=True).check()
    bank = mel_filter_bank(MelConfig(n_fft=512, n_mels=12), torch.float64)
    expected = decibels(WAVE, 512, 40, bank)
    move(page, "Altura", "End")
    column = round(0.5 * (expected.shape[1] - 1))
    assert "banda 12 de 12" in told(page)
    assert level(page) == pytest.approx(float(expected[-1, column]), abs=0.11)


def test_sampling_less_shows_the_alias(page):
    page.get_by_role("combobox").select_option("1")
    move(page, "Muestreo", "ArrowRight")
    expected = decibels(SOUNDS[1].wave[::2], 128, 20)
    assert "se han doblado" in told(page) and "hasta 2000 Hz" in told(page)
    top = int(expected[:, expected.shape[1] // 2].argmax())
    assert top * 4_000 / 128 == 1_000  # el tono de 3000 Hz
    move(page, "Altura", "Home")
    move(page, "Altura", "ArrowRight", 50)
    assert "1000 Hz" in told(page) and level(page) > -1


def test_the_button_plays_without_the_network(page):
    page.evaluate(
        "() => { window.played = []; HTMLMediaElement.prototype.play = function () {"
        " window.played.push(this.src); return Promise.resolve(); }; }"
    )
    page.get_by_role("button", name="Oír").press("Enter")
    sources = page.evaluate("window.played")
    assert len(sources) == 1 and sources[0].startswith("blob:")


def test_dark(page):
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    paper = "getComputedStyle(document.querySelector('.tfc')).backgroundColor"
    assert page.evaluate(paper) == "rgb(27, 34, 43)"


def test_bad_arguments_are_explained():
    other = Sound("otro", tone(100, 0.1, 16_000), 16_000)
    for call, message in (
        (lambda: SoundWidget([]), "hace falta uno o más"),
        (lambda: SoundWidget([SOUNDS[0], other]), r"\[8000, 16000\]"),
        (lambda: SoundWidget(SOUNDS, windows=(100,)), "potencias de dos"),
        (lambda: SoundWidget(SOUNDS, hop=41), "múltiplo de 2"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    assert repr(SoundWidget(SOUNDS)) == "SoundWidget(2 sonidos a 8000 Hz)"
