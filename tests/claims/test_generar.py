"""Generar imágenes: lo que se entrena en la página, con otras semillas."""

from statistics import mean

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/generar.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_few_steps_learn_where_to_go(chapter, seed):
    losses = chapter["short_training"](seed)
    report(seed, f"pérdida, de {losses[0]:.2f} a {mean(losses[-10:]):.2f}")
    assert mean(losses[-10:]) < 0.8 * losses[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_guidance_gains_agreement_and_loses_variety(chapter, seed):
    plain, pushed = (chapter["drawn_with"](guidance, seed) for guidance in (1.0, 4.0))
    report(seed, f"guía 1 y 4: acuerdo {plain[0]:.0%} y {pushed[0]:.0%}, variedad {plain[1]:.2f} y "
           f"{pushed[1]:.2f}")  # fmt: skip
    assert pushed[0] >= plain[0] and pushed[1] < plain[1] - 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_exact_velocity_copies_and_the_network_does_not(chapter, seed):
    exact, network = chapter["copies_of"](seed)
    report(seed, f"copias: {exact:.0%} la velocidad exacta y {network:.0%} la red")
    assert exact > 0.9 and network < 0.3
