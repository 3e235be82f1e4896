"""Espectrograma: reconoce cifras en voces nuevas, y centrar las bandas aguanta el ruido."""

from operator import eq, ge, gt

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.stored.results import load_results

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("5_audio/espectrograma.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_hears_digits_in_new_voices_and_stands_noise(chapter, seed):
    encoder, _, accuracy, linear = chapter["contest"](seed)
    robust = chapter["centred"](seed)
    plain, centered = (
        chapter["noise_curve"](model, chapter["test"]) for model in (encoder, robust)
    )
    clean = chapter["word_accuracy"](robust, chapter["test"])
    curve = ", ".join(
        f"{level} dB {one:.1%} y {other:.1%}"
        for level, one, other in zip(chapter["LEVELS"], plain, centered, strict=True)
    )
    report(
        seed,
        f"codificador {accuracy:.1%}, lineal {linear:.1%}, bandas centradas {clean:.1%}; "
        f"con ruido, sin centrar y centrando: {curve}",
    )  # fmt: skip
    assert accuracy >= 0.97 and clean >= 0.97 and linear < 0.9
    assert centered[3] > 0.9 and centered[3] > plain[3] + 0.2


@pytest.mark.parametrize("variant", ["f2", "f5", "m3", "m5"])
def test_the_stripes_are_the_beats_of_the_voice_only_with_a_short_hop(chapter, variant):
    """Con 125 columnas por segundo, los golpes de una voz aguda no caben: salen alias."""
    rate, voice = chapter["RATE"], chapter["Voice"](variant, rate=150)
    wave = chapter["speak"]("uno", voice, sample_rate=rate).wave[int(0.05 * rate) : int(0.2 * rate)]
    pitch = chapter["pitch_of"](wave, rate)
    found = {hop: chapter["stripes_per_second"](wave, 32, hop) for hop in (4, 64)}
    report(0, f"{variant}: {pitch:.0f} golpes; rayas, {found[4]:.0f} y {found[64]:.0f}")
    assert found[4] == pytest.approx(pitch, rel=0.12)
    # Con el salto largo, lo que se ve es el alias: lo que falta o sobra hasta las columnas.
    assert found[64] == pytest.approx(abs(pitch - rate / 64), abs=10)


def test_the_table_of_the_person_says_that_noise_does_not_teach_to_hear_her():
    rows = load_results("voz_real")
    hits = {
        name: [row["real"] for row in rows if row["training"] == name]
        for name in ("voz limpia", "con ruido", "bandas centradas")
    }
    assert sum(hits["con ruido"]) < sum(hits["voz limpia"]) - 0.2
    # Lo que la página dice de las semillas: con ruido, en una es al revés y en otra es lo mismo.
    clean, noisy, centred = hits.values()
    assert [sum(map(op, noisy, clean)) for op in (gt, eq)] == [1, 1]
    assert all(map(ge, centred, clean)) and sum(map(gt, centred, clean)) == 2
    assert [round(10 * value) for value in centred].count(10) == 1
