"""T5: los ritmos proporcionales aprenden antes, y la caja gana a lo trivial en todo."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("3_lenguaje/t5.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_proportional_rates_learn_sooner(chapter, seed):
    model, proportional = chapter["race"](seed, scaled=True)
    _, uniform = chapter["race"](seed, scaled=False)
    last = [sum(loss[-20:]) / 20 for loss in (proportional, uniform)]
    topic = chapter["score_task"](
        model, chapter["tokenizer"], "tema", chapter["tasks"]["tema"].test[:150]
    )
    report(
        seed,
        f"pérdida {last[0]:.2f} con ritmos proporcionales y {last[1]:.2f} con el mismo; tema "
        f"{topic['exacta']:.1%} (trivial {chapter['trivial']['tema']['exacta']:.1%})",
    )  # fmt: skip
    assert last[0] < last[1] - 0.1


def test_one_set_of_weights_beats_every_trivial_answer(chapter):
    shown = []
    for name, data in chapter["tasks"].items():
        found = chapter["score_task"](
            chapter["box"], chapter["box_tokenizer"], name, data.test[:200]
        )
        base = chapter["trivial"][name]
        shown.append(f"{name} {found['exacta']:.1%} ({base['exacta']:.1%})")
        assert found["exacta"] > base["exacta"] and found["chrF"] > base["chrF"], name
    report(0, "la caja: " + ", ".join(shown))
