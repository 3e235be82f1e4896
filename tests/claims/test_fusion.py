"""Fusión de modalidades: dos modalidades estropeadas valen más que la mejor de las dos."""

import pytest
import torch

from tests.recipes import SEEDS, recipe, report
from tfcourse.datasets.sounds.digit_pairs import reserved_pairs
from tfcourse.metrics.ranking import area_under_roc
from tfcourse.models.fusion import UNIMODAL
from tfcourse.multimodal.fusion.metrics import pair_logits

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/fusion.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_two_damaged_senses_beat_the_best_one(chapter, seed):
    models, accuracy = chapter["contest"](seed)
    report(seed, " · ".join(f"{name} {value:.1%}" for name, value in accuracy.items()))
    alone = [accuracy[name] for name in UNIMODAL]
    assert all(0.5 < value < 0.9 for value in alone)
    assert accuracy["varios a uno"] > max(alone) + 0.05
    assert accuracy["concatenación temprana"] > max(alone) - 0.02
    agreed_and_torn(models, chapter["test"], seed)


def agreed_and_torn(models, fair, seed):
    """Las cifras de los dos dicen si son la misma, y una contradicción baja la confianza."""
    liars = reserved_pairs(lying=True)
    said = [
        [pair_logits(model, pairs).softmax(1) for model in models.values()]
        for pairs in (fair, liars)
    ]
    scores = torch.cat([(seen * heard).sum(1) for seen, heard, *_ in said])
    area = area_under_roc(scores, torch.tensor([1, 0]).repeat_interleave(len(fair)))
    calm, torn = ([float(p.amax(1).mean()) for p in both[2:]] for both in said)
    report(
        seed, f"¿la misma cifra?, AUROC {area:.3f}; seguridad {calm} y, si se contradicen, {torn}"
    )
    assert area > 0.7
    assert all(low < high for low, high in zip(torn, calm, strict=True))
