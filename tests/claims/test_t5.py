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
from tfcourse.weights.shipped import weights_card

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
    """«plural» no llega a añadir una «s»; juntas ganan tres tareas y «fecha» pierde."""
    gaps = {}
    for task in ("tema", "plural", "cifras", "fecha"):
        together, apart = stored(task, "una para todas"), stored(task, "una por tarea")
        gaps[task] = [a - b for a, b in zip(together, apart, strict=True)]
        if task == "plural":
            assert max(together + apart) < chapter["trivial"]["plural"]["exacta"]
    assert min(gaps["tema"] + gaps["plural"]) > 0 and min(gaps["cifras"]) > 0.2
    assert max(gaps["fecha"]) < 0


def test_reading_first_saves_labels_but_counting_fills_better():
    """El ritmo se elige con etiquetas aparte; empezar leído gana, y contar palabras no pierde."""
    found = {}
    for row in load_results("t5_etiquetas"):
        key = row["start"], row["n_labels"], row["steps"], row["seed"]
        found.setdefault(key, []).append(row)
    exact = {key: max(rows, key=lambda row: row["valid"])["exact"] for key, rows in found.items()}
    read = {key[1:]: value for key, value in exact.items() if key[0] == "con tramos"}
    assert len(read) == 12
    assert all(value > exact["desde cero", *key] + 0.01 for key, value in read.items())
    few, many = 150, 600
    for labels in (100, 400):
        seeds = range(3)
        late = [exact["desde cero", labels, many, seed] for seed in seeds]
        assert all(low < read[labels, few, s] for s, low in zip(seeds, late, strict=True))
        for steps in (few, many):
            gaps = [exact["TF-IDF", labels, 0, s] - read[labels, steps, s] for s in seeds]
            assert sum(gap > 0 for gap in gaps) == (2 if labels == 100 else 3)
    quality = weights_card("t5_tramos").quality
    read, common, counted = quality.values()
    assert common + 0.2 < read < counted
