"""Gato: las cinco tareas se aprenden a la vez, con otras semillas."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("6_multimodal/gato.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_one_network_learns_the_five_tasks_at_once(chapter, seed):
    loss = chapter["start_training"](seed)
    report(seed, f"Gato: pérdida de {loss[0]:.2f} a {sum(loss[-4:]) / 4:.2f}")
    assert sum(loss[-4:]) / 4 < 0.7 * loss[0]
