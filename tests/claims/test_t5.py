"""T5: los ritmos proporcionales, los tramos que se copian, la caja y qué dice la tabla."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.stored.results import load_results
from tfcourse.text.tasks.filling import (
    another_source,
    blind_filling,
    filling_accuracy,
    held_out_spans,
)

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


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
    assert last[1] < uniform[0] / 2, "con el mismo ritmo también se aprende"


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_hidden_is_taken_from_what_is_read(chapter, seed):
    """En textos que no se han leído; quien cuenta, o lee otro texto, acierta mucho menos."""
    symbols, model = chapter["symbols"], chapter["train_filler"](seed)
    exam = held_out_spans(symbols, chapter["refrains"](500, 1_000 + seed), length=32)
    own, other = (filling_accuracy(model, symbols, batch) for batch in (exam, another_source(exam)))
    known = chapter["refrains"](3_000, seed)
    pairs, triples = (blind_filling(symbols, known, exam, order)[1] for order in (3, 4))
    report(
        seed,
        f"letras tapadas: {own:.1%}; leyendo otro texto {other:.1%}; contando 3-gramas "
        f"{pairs:.1%}, y 4-gramas {triples:.1%}",
    )
    assert max(other, pairs) < 0.1 and own > max(triples, 0.3) + 0.3


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


def stored(task, plan):
    rows = load_results("t5_reparto")
    return [row["exact"] for row in rows if (row["task"], row["recipe"]) == (task, plan)]


def test_the_table_of_sharing_says_what_the_page_says(chapter):
    """«plural» no llega a añadir una «s»; «cifras» empata, «tema» gana y «fecha» pierde."""
    pairs = {
        task: list(zip(stored(task, "una para todas"), stored(task, "una por tarea"), strict=True))
        for task in ("tema", "plural", "cifras", "fecha")
    }
    add_s = chapter["trivial"]["plural"]["exacta"]
    assert all(max(pair) < add_s for pair in pairs["plural"])
    assert all(together > apart + 0.05 for together, apart in pairs["tema"])
    assert all(together < apart - 0.3 for together, apart in pairs["fecha"])
    signs = [together - apart for together, apart in pairs["cifras"]]
    assert min(signs) < 0 < max(signs)


def test_a_short_pretraining_does_not_save_labels():
    for n_labels in (100, 400, 1600):
        scratch, filled = (
            stored("tema", f"{start}, {n_labels}") for start in ("desde cero", "con huecos")
        )
        gaps = [b - a for a, b in zip(scratch, filled, strict=True)]
        assert sum(gaps) / len(gaps) < 0.02
