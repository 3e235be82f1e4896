"""Figuras vivas que oyen, en Chromium: dictar, mezclar y elegir, sin oír nada."""

import re

import pytest
import torch

from tests.site.static_page import told
from tests.widgets.conftest import reproaches
from tfcourse.datasets.sounds.spoken_phrases import reserved_speakers
from tfcourse.datasets.sounds.voice_mixtures import STEADY, talk
from tfcourse.sound.transcription.recipe import VOCABULARY, load
from tfcourse.sound.transcription.transcribe import transcribe
from tfcourse.widgets import SeparatingWidget, TranscribingWidget

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def people() -> dict:
    """Voces reservadas, por su nombre."""
    return {person.voice: person for person in reserved_speakers(1)}


@pytest.fixture(scope="module")
def dictation(people) -> TranscribingWidget:
    return TranscribingWidget({name: people[name].clips for name in ("victor", "shelby")})


@pytest.fixture(scope="module")
def mixer(people) -> SeparatingWidget:
    generator = torch.Generator().manual_seed(0)
    voices = {name: talk(people[name], STEADY, generator) for name in ("victor", "linda")}
    return SeparatingWidget(voices | {"otra": talk(people["victor"], STEADY, generator)})


def torch_hears(person, labels: list[int]) -> str:
    """Lo que escribe el modelo de Python de las mismas cifras, con las mismas pausas."""
    silence, edge = torch.zeros(960), torch.zeros(400)
    pieces = [piece for label in labels for piece in (silence, person.clips[label])]
    wave = torch.cat([edge, *pieces[1:], edge])
    return transcribe(load("whisper_cifras"), [wave], VOCABULARY)[0]


def test_it_writes_what_torch_writes(show, dictation, people):
    page = show(dictation, width=390)
    for labels in ([3, 5, 1], [6, 6, 7, 0], [2, 2, 2, 2, 2]):
        words = " ".join(VOCABULARY.words(labels))
        page.get_by_role("button", name=f"«{words}»").click()
        assert told(page).startswith(f"Escribe: «{torch_hears(people['victor'], labels)}».")
        assert f"Se esperaba: «{words}»" in told(page)
    page.get_by_role("button", name="«tres cinco uno»").click()
    page.locator(".tfc-strip [role=option]").first.focus()
    first, last = page.locator(".tfc-note").nth(1).inner_text(), "Al escribir «fin»"
    page.keyboard.press("End")
    assert page.locator(".tfc-note").nth(1).inner_text().startswith(last) and last not in first
    page.get_by_label("traducir al inglés").check()
    assert told(page) == "Escribe: «three five one». Se esperaba: «three five one». Errores: 0."
    for _ in range(3):
        page.get_by_role("button", name="Quitar la última").click()
    assert told(page) == "Añade alguna cifra."
    page.get_by_role("button", name="ocho", exact=True).click()
    page.get_by_label("Señal frente a ruido").fill("-5")
    assert "Se esperaba: «eight»" in told(page)


def test_a_microphone_that_is_not_allowed_is_explained(show, dictation):
    page = show(dictation)
    page.get_by_role("button", name="Grabar 4 s").click()
    page.get_by_text(re.compile("No se ha podido grabar|no deja usar el micrófono")).wait_for()
    page.get_by_role("button", name="tres", exact=True).click()
    assert told(page).startswith("Escribe: «tres cinco uno tres»")


def gains(page) -> list[float]:
    return [float(x.replace(",", ".")) for x in re.findall(r"(−?[\d,]+) dB", told(page))]


def test_two_voices_are_separated_and_a_voice_with_itself_is_not(show, mixer):
    page = show(mixer, width=390)
    assert min(gains(page)) > 3
    assert page.locator(".tfc-heard").count() == 3
    first = page.get_by_role("combobox", name="Voz B")
    first.select_option("otra")
    assert "no hay nada que las distinga" not in told(page)
    first.select_option("victor")
    assert "Las dos son la misma grabación" in told(page)
    first.select_option("linda")
    before = told(page)
    page.get_by_label("La voz B, respecto").fill("-15")
    assert told(page) != before
    page.get_by_label("La voz B empieza").fill("10")
    assert "2,0 segundos" in page.locator(".tfc-heard").first.get_attribute("aria-label")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["dictation", "mixer"])
def test_nothing_to_reproach(show, request, name, theme):
    assert reproaches(show(request.getfixturevalue(name), width=390, theme=theme)) == []
