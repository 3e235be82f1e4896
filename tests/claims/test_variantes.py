"""Variantes: destilar compensa con pocas etiquetas; a igual tiempo, Swin lee mejor que el ViT."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("4_vision/variantes.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_teacher_pays_and_windows_win_in_equal_time(chapter, seed):
    _, models = chapter["classroom"](seed)
    measure, test = chapter["image_accuracy"], chapter["test"]
    taught = {name: measure(model, test) for name, model in models.items()}
    read = {name: run[2] for name, run in chapter["race"](seed).items()}
    shares = ", ".join(f"{name} {share:.1%}" for name, share in (taught | read).items())
    report(seed, shares)
    assert taught["alumno destilado"] > taught["alumno solo"] + 0.02
    assert read["Swin"] > read["ViT"]
