"""Tokenización: la ganancia de una fusión, y que EM no baja nunca la verosimilitud."""

from random import Random

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def page():
    return recipe("2_transformer/tokenizacion.ipynb")


def test_many_pairs_above_chance_lose_likelihood(page):
    above, loses = page["above"].sum(), page["loses"].sum()
    assert 0.2 * above < loses < 0.4 * above
    assert page["error"].max() < 0.02
    # La asociación menos c es la aproximación: por eso se distingue de la ganancia.
    assert page["tops"]["asociación"] != page["tops"]["ganancia"]
    assert set(page["tops"]["cociente"]).isdisjoint(page["tops"]["ganancia"])


@pytest.mark.parametrize("seed", SEEDS)
def test_no_step_of_em_lowers_the_likelihood(page, seed):
    random = Random(seed)
    word = "".join(random.choices("as", k=9))
    weights = {piece: random.random() for piece in ("a", "s", "as", "sa", "asa", "ss")}
    chances = {piece: value / sum(weights.values()) for piece, value in weights.items()}
    reached = []
    for _ in range(8):
        forward, backward, uses = page["expected_uses"](word, chances)
        assert forward[-1] == pytest.approx(backward[0])
        assert sum(len(piece) * times for piece, times in uses.items()) == pytest.approx(len(word))
        reached.append(forward[-1])
        chances = {piece: uses[piece] / sum(uses.values()) for piece in chances}
    report(seed, f"P({word}) sube de {reached[0]:.2e} a {reached[-1]:.2e}")
    assert all(
        after >= before * (1 - 1e-9) for before, after in zip(reached, reached[1:], strict=False)
    )
