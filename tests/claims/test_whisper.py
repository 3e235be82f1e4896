"""Whisper: transcribe y traduce cifras dichas por voces que no ha oído."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("5_audio/whisper.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_writes_what_new_voices_say(chapter, seed):
    _, _, wer, translated = chapter["contest"](seed)
    report(seed, f"WER {wer:.1%} al transcribir y {translated:.1%} al traducir")
    assert wer <= 0.15 and translated <= 0.17
