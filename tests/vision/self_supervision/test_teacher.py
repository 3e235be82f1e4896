"""La receta del alumno y el maestro: las vistas, los lotes y lo que se entrena."""

import json
from dataclasses import asdict, replace

import pytest
import torch

from tfcourse.datasets.pictures.digits import split_digits
from tfcourse.training.budget import Steps
from tfcourse.vision.self_supervision.few_labels import features_of, few_label_score
from tfcourse.vision.self_supervision.teacher import (
    Recipe,
    batches,
    build,
    build_encoder,
    load,
    seen_again,
    train,
)
from tfcourse.weights.shipped import weights_card

SMALL = Recipe(
    batch_size=8,
    n_prototypes=6,
    options={"d_model": 16, "n_heads": 2, "n_layers": 1, "d_hidden": 16},
)


def weights(seed):
    """Los pesos que deja un entrenamiento muy corto, en una fila."""
    trained = train(SMALL, seed, Steps(2))
    return torch.cat([value.flatten() for value in trained.model.state_dict().values()])


def test_the_same_seed_gives_the_same_and_another_does_not():
    assert weights(0).equal(weights(0))
    assert not weights(0).equal(weights(1))


def test_views_are_of_the_same_picture_and_not_equal():
    views = next(batches(SMALL, 0))
    assert views.shape == (8, 2, 1, 8, 8)
    low, high = SMALL.prepared(torch.tensor([0.0, 1.0]).view(1, 1, 1, 2)).flatten().tolist()
    assert views.min() == pytest.approx(low) and low < views.max() <= high
    same, other = [(views[:, 0] - views[:, 1].roll(k, 0)).square().mean() for k in (0, 1)]
    assert 0 < same < other
    assert next(batches(replace(SMALL, n_views=3), 0)).shape[1] == 3


def test_prepared_pixels_have_no_mean_and_unit_scale():
    known = split_digits()[0].images
    assert known.mean() == pytest.approx(Recipe().pixel_mean, abs=1e-3)
    assert known.std() == pytest.approx(Recipe().pixel_scale, abs=1e-3)
    found = Recipe().prepared(known)
    assert abs(found.mean()) < 0.01 and found.std() == pytest.approx(1, abs=0.01)


def test_a_view_loses_a_square():
    still = replace(SMALL, moves=type(SMALL.moves)(0, 0, 0), noise=0.0, erased=3)
    seen = seen_again(torch.full((50, 1, 8, 8), 0.5), still, torch.Generator().manual_seed(0))
    assert ((seen == 0).flatten(1).sum(1) == 9).all()
    ink = seen.flatten(1).max(1).values
    assert ink.min() >= 0.4 and ink.max() <= 0.6 and ink.std() > 0.02


def test_the_two_entropies_come_with_the_loss_and_the_teacher_lags():
    done = train(SMALL, 0, Steps(3))
    assert set(done.history.terms) == {"entropía de la media", "media de las entropías"}
    assert all(len(values) == 3 for values in done.history.terms.values())
    student, teacher = (
        torch.cat([value.flatten() for value in part.parameters()]).detach()
        for part in (done.model.student, done.model.teacher)
    )
    assert not student.equal(teacher) and done.model.center.any()
    torch.manual_seed(0)
    start = torch.cat([value.flatten() for value in build(SMALL).student.parameters()]).detach()
    assert (teacher - start).norm() < 0.2 * (student - start).norm()


@pytest.mark.lento
def test_it_collapses_without_the_center_and_not_with_it():
    """La información de lo que dice el maestro, al cabo de unos pocos pasos."""
    said = {}
    for balance in ("centro", "nada"):
        terms = train(replace(Recipe(), balance=balance), 1, Steps(80)).history.terms
        of_mean, mean = (sum(terms[name][-10:]) / 10 for name in terms)
        said[balance] = of_mean - mean
    assert said["centro"] > 0.08 > 0.04 > said["nada"]


def test_registers_are_an_option():
    assert build_encoder(replace(SMALL, n_registers=2)).registers.shape == (2, 16)


def test_the_card_is_that_of_the_recipe_and_it_knows_something():
    card = weights_card("dino_cifras")
    assert card.recipe == json.loads(json.dumps(asdict(Recipe())))
    for name in ("acierto de los vecinos", "acierto de la sonda"):
        assert card.quality[name] > card.quality[f"{name}, sin entrenar"] + 0.2
    found = few_label_score(features_of(load("dino_cifras"), prepare=Recipe().prepared))
    for name, value in found.items():
        assert value == pytest.approx(card.quality[name], abs=0.02)


def test_other_weights_are_not_here():
    with pytest.raises(ValueError, match="aquí no hay pesos «otros»"):
        load("otros")
