"""Recetas de detección: la tabla guardada es la de esta escalera, y los pesos cumplen su ficha."""

import pytest
import torch

from tfcourse.detection_recipes import (
    BEST,
    LADDER,
    SHIPPED,
    SHIPPED_SECONDS,
    DetectionRecipe,
    load_shipped,
    train_detector,
)
from tfcourse.detection_table import (
    BUDGETS,
    DIGIT_SECONDS,
    DIGIT_STEPS,
    NAME,
    measure,
    settings,
)
from tfcourse.models.anchored_detr import AnchoredDETR
from tfcourse.models.detr import DETR
from tfcourse.results import load_results
from tfcourse.shipped import weights_card


def rows():
    return load_results(NAME, settings())


def found(step, seconds, tier="figuras"):
    wanted = tier, step, seconds
    return [r["AP"] for r in rows() if (r["tier"], r["step"], r["cpu_seconds"]) == wanted]


def test_the_stored_table_is_whole():
    """Cada semilla, con los dos tiempos y todos los peldaños; y otra vez, en las cifras."""
    ladder = [row for row in rows() if row["cpu_seconds"] in BUDGETS]
    seeds = {row["seed"] for row in ladder}
    assert len(seeds) >= 3 and len(ladder) == len(seeds) * len(LADDER) * len(BUDGETS)
    digits = {(r["step"], r["seed"]) for r in rows() if r["cpu_seconds"] == DIGIT_SECONDS}
    assert digits == {(step, seed) for step in DIGIT_STEPS for seed in seeds}
    (long,) = (row for row in rows() if row["cpu_seconds"] == SHIPPED_SECONDS)
    assert (long["tier"], long["step"]) == ("cifras", "+ auxiliares")


def test_what_the_table_says():
    """Con poco tiempo, las dos etapas sacan mucha ventaja; con más, se estrecha, pero queda."""
    short, long = BUDGETS
    assert min(found("+ dos etapas", short)) > max(found("+ auxiliares", short)) + 0.3
    assert min(found("+ dos etapas", long)) > max(found("+ auxiliares", long)) + 0.05
    assert min(found("+ auxiliares", long)) > 0.55


def test_what_the_table_says_of_digits():
    """Con el tiempo que le basta al de dos etapas, DETR no ha empezado a aprender."""
    assert min(found("+ dos etapas", DIGIT_SECONDS, "cifras")) > 0.45
    assert max(found("DETR", DIGIT_SECONDS, "cifras")) < 0.05
    assert max(found("+ auxiliares", SHIPPED_SECONDS, "cifras")) < 0.25


def test_each_step_adds_one_thing():
    ladder = list(LADDER.values())
    changes = [
        [name for name in vars(a) if getattr(a, name) != getattr(b, name)]
        for a, b in zip(ladder, ladder[1:], strict=False)
    ]
    assert changes == [["auxiliary"], ["anchored"], ["gaussian"], ["two_stage"]]


@pytest.mark.parametrize("name", LADDER)
def test_every_step_builds_its_model(name):
    model, loss = LADDER[name].build(4)
    assert isinstance(model, AnchoredDETR if LADDER[name].anchored else DETR)
    assert loss.auxiliary is LADDER[name].auxiliary
    outputs = loss.scores(model(torch.rand(1, 3, 64, 64))[-1].logits)
    assert outputs.shape == (1, 8, 4)  # las mismas clases, con «sin objeto» o sin ella


def test_same_seed_same_detector():
    first, again = (train_detector(BEST, "figuras", 0, steps=2, batch_size=2) for _ in range(2))
    assert first.history.loss == again.history.loss


def test_time_or_steps():
    trained = train_detector(BEST, "figuras", 0, cpu_seconds=0.2, batch_size=2)
    assert trained.history.loss and not trained.model.training
    for options in ({}, {"steps": 1, "cpu_seconds": 1.0}):
        with pytest.raises(ValueError, match="steps o cpu_seconds, uno de los dos"):
            train_detector(BEST, "figuras", 0, **options)


def test_improvements_need_anchors():
    with pytest.raises(ValueError, match="necesitan anclas"):
        DetectionRecipe(anchored=False, two_stage=True, gaussian=False)


def test_the_table_goes_step_by_step(monkeypatch):
    from tfcourse import detection_table

    monkeypatch.setattr(detection_table, "BUDGETS", (0.05,))
    monkeypatch.setattr(detection_table, "DIGIT_SECONDS", 0.06)
    monkeypatch.setattr(detection_table, "SHIPPED_SECONDS", 0.07)
    monkeypatch.setattr("tfcourse.detection_recipes.Detector.score", lambda self: {"AP": 0.0})
    measured = list(measure([3]))
    assert [row["step"] for row in measured[:5]] == list(LADDER)
    assert {row["tier"] for row in measured} == {"figuras", "cifras"}
    assert all(row["seed"] == 3 and row["updates"] > 0 for row in measured)
    seconds = [0.05] * 5 + [0.06] * len(DIGIT_STEPS) + [0.07]
    assert [row["cpu_seconds"] for row in measured] == seconds


BARS = {"detr_figuras": 0.55, "anclas_figuras": 0.85, "detr_cifras": 0.5}


@pytest.mark.lento
@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_weights_keep_their_word(name):
    """Con menos escenas que las de la ficha, la medida se mueve un poco."""
    card = weights_card(name)
    measured = load_shipped(name).score(200)
    assert measured["AP"] == pytest.approx(card.quality["AP"], abs=0.05)
    assert card.quality["AP"] > BARS[name] > card.quality["AP sin entrenar"] + 0.3


def test_an_unknown_detector_is_told():
    with pytest.raises(ValueError, match="no hay ningún detector «otro»: usa detr_figuras"):
        load_shipped("otro")
