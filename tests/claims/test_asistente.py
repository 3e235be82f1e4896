"""De modelo a asistente: lo que se mide en la página, con otras semillas."""

import math
from statistics import mean

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/asistente.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_few_steps_learn_the_form(chapter, seed):
    losses, live = chapter["tune"](seed)
    report(
        seed, f"SFT, de {losses[0]:.2f} a {mean(losses[-5:]):.2f} nats; lista, {live['lista']:.0%}"
    )
    assert mean(losses[-5:]) < 0.6 * losses[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_dpo_starts_at_log_two_and_separates_the_pairs(chapter, seed):
    history = chapter["prefer"](seed)
    chosen, rejected = (mean(history.terms[name][-5:]) for name in ("preferidas", "descartadas"))
    report(seed, f"DPO, preferidas {chosen:+.2f} y descartadas {rejected:+.2f} nats")
    assert abs(history.loss[0] - math.log(2)) < 1e-4 and chosen > rejected + 0.3


@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_reward_makes_it_stop_saying_it_does_not_know(chapter, seed):
    _, counts, _ = chapter["reinforce"](seed)
    report(seed, f"«No lo sé» con razón, {counts[0][0]} antes y {counts[1][0]} después")
    assert counts[1][0] < counts[0][0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_learned_reward_knows_its_pairs_and_not_the_others(chapter, seed):
    own, found = chapter["learn_reward"](seed)
    (order, one, best), likely = (
        found["la recompensa"]["las dos"],
        found["la probabilidad"]["las dos"],
    )
    report(
        seed,
        f"la recompensa ordena {own:.0%} de las suyas y {order:.0%} de las otras (la probabilidad, "
        f"{likely[0]:.0%}); una cualquiera acierta {one:.0%} y la mejor, {best:.0%}",
    )
    assert own > order + 0.1 and likely[0] > order
    assert best < found["el verificador"]["las dos"][2] - 0.1
