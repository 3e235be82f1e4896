"""Las recetas profundas: doce capas, y nombres que se conocen."""

import pytest

from tfcourse.text.optimization import duel
from tfcourse.text.optimization.recipe import NORMS, PEAK, WARMUPS, Recipe, build


@pytest.mark.parametrize("norm", NORMS)
def test_twelve_layers(norm):
    model = build(Recipe(norm))
    assert len(model.encoder) + len(model.decoder) == 12


@pytest.mark.parametrize(
    "bad", [("Media-LN",), ("Post-LN", "rápido"), ("Post-LN", "lineal", "SGD")]
)
def test_unknown_names(bad):
    with pytest.raises(ValueError, match="no se conoce: usa"):
        Recipe(*bad)


def test_the_duel_moves_matrices_and_the_rest_apart():
    """Muon lleva su ritmo en las matrices; lo demás, el de la carrera. AdamW, su decaimiento."""
    model = build(Recipe("Pre-LN"), n_layers=1)
    matrices, others = duel.OPTIMIZERS["Muon"](model, 0.05).param_groups
    assert matrices["lr"] == 0.05 and others["lr"] == PEAK
    assert all(parameter.ndim == 2 for parameter in matrices["params"])
    (group,) = duel.OPTIMIZERS["AdamW"](model, 0.01).param_groups
    assert (
        group["weight_decay"] > 0 == duel.OPTIMIZERS["Adam"](model, 0.01).defaults["weight_decay"]
    )


def test_noam_can_come_down_to_zero():
    steps, tamed = duel.PACES["Noam, bajando a cero"]
    assert tamed(steps) == 0 < WARMUPS["Noam"](steps)
    assert 0 < tamed(steps - 1) < tamed(steps // 2) < 1
