"""SepFormer: en unos segundos ya separa algo, y sin permutar los hablantes no se aprende."""

import pytest
import torch

from tests.recipes import SEEDS, recipe, report
from tfcourse.audio.pitch import semitones

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("5_audio/sepformer.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_it_separates_voices_not_heard_and_order_matters(chapter, seed):
    runs, test = chapter["race"](seed), chapter["test"]
    found = {name: float(chapter["gains"](run.model, test).mean()) for name, run in runs.items()}
    report(seed, ", ".join(f"{name} {gain:.2f} dB" for name, gain in found.items()))
    assert found["la que mejor encaja"] > 0.6
    assert found["la que mejor encaja"] > found["siempre la misma"] + 0.4


def test_the_ratio_mask_is_not_the_ceiling_and_the_weights_are_below_it(chapter):
    found = chapter["bounds"]()
    report(0, ", ".join(f"{name} {gain:.2f} dB" for name, gain in found.items()))
    ratio, binary, wiener, phase = (
        found[f"máscara {name}"]
        for name in ("de razón", "binaria", "de Wiener", "sensible a la fase")
    )
    assert 4.0 < found["SepFormer del curso"] < ratio < binary < wiener < phase
    assert phase > ratio + 1.5


def test_close_tones_separate_worse(chapter):
    test, model = chapter["test"], chapter["load"]("sepformer_cifras")
    each = chapter["gains"](model, test)
    apart = torch.tensor([semitones(*pair) for pair in test.pitches.tolist()])
    near, far = float(each[apart < 3].mean()), float(each[apart > 7].mean())
    report(0, f"a menos de 3 semitonos, {near:.2f} dB; a más de 7, {far:.2f}")
    assert far > near + 2
