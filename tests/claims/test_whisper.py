"""Whisper: transcribe y traduce cifras dichas por voces que no ha oído."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.stored.results import load_results

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("5_audio/whisper.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_writes_what_new_voices_say(chapter, seed):
    model, _, wer, translated = chapter["contest"](seed)
    alone = chapter["hearing_error"](model, chapter["test"])
    report(
        seed,
        f"WER {wer:.1%} al transcribir y {translated:.1%} al traducir; la CTC sola {alone:.1%}",
    )
    assert wer <= 0.15 and translated <= 0.17 and alone <= 0.15


def test_each_aid_is_read_with_the_same_rule():
    """Solo se dice que una ayuda sirve si quitarla empeora en todas las semillas."""
    wers = {}
    for row in load_results("whisper_ayudas"):
        wers.setdefault(row["recipe"], {})[row["seed"]] = row["wer"]
    whole = wers.pop("con las tres")
    gap = {name: [each[s] - whole[s] for s in whole] for name, each in wers.items()}
    assert min(gap["sin tapar bandas"]) > 0
    assert min(gap["sin CTC"]) < 0 < max(gap["sin CTC"])
    assert max(gap["sin frases cortas al principio"]) < 0.005


def test_a_second_language_costs_steps_and_the_symbol_commands():
    """Cada frase de la página sobre las dos lenguas vale en todas las semillas de la tabla."""
    said, rows = {}, load_results("whisper_lenguas")
    for row in rows:
        if row["spoken"] == row["symbol"]:
            said.setdefault((row["recipe"], row["spoken"]), []).append(row["said"])
            assert row["named"] is None or row["named"] >= 0.95
        elif row["recipe"] == "las dos, el doble de pasos":
            assert row["obeys"] > 0.8 and row["translated"] > 0.6
    for language, alone in (("es", "solo español"), ("en", "solo inglés")):
        one, both = said[alone, language], said["las dos", language]
        longer = said["las dos, el doble de pasos", language]
        assert all(b > a for a, b in zip(one, both, strict=True))
        assert all(c < b for b, c in zip(both, longer, strict=True))
