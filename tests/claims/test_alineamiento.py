"""Alineamiento: lo que se afirma de las once funciones y de cada casilla de la taxonomía."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento
AHEAD, BEHIND = ("coseno", "producto", "profunda"), ("escalado", "posición", "general + tanh")


@pytest.fixture(scope="module")
def chapter():
    return recipe("1_recurrencia/alineamiento.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_two_groups_of_alignments_never_touch(chapter, seed):
    makers = {name: chapter["ALIGNMENTS"][name] for name in AHEAD + BEHIND}
    makers["media"] = chapter["MeanAlignment"]
    hits = {}
    for name, make in makers.items():
        model, _ = chapter["train_attention"](
            lambda make=make: chapter["AlignedAttention"](make()),
            chapter["date_batches"], chapter["date_vocabularies"], seed=seed,
        )  # fmt: skip
        hits[name] = chapter["score_dates"](model)
    report(seed, "alineamientos: " + ", ".join(f"{n} {h:.1%}" for n, h in hits.items()))
    assert hits["media"] <= 0.08
    assert min(hits[n] for n in AHEAD) >= max(hits[n] for n in BEHIND) + 0.15


@pytest.mark.parametrize("seed", SEEDS)
def test_sparse_weights_touch_few_positions(chapter, seed):
    found = {}
    for name in ("softmax", "sparsemax"):
        model, _ = chapter["train_attention"](
            chapter["DISTRIBUTIONS"][name], chapter["date_batches"],
            chapter["date_vocabularies"], steps=120, seed=seed,
        )  # fmt: skip
        weights, _ = chapter["read_weights"](model)
        found[name] = chapter["score_dates"](model), chapter["count_positions"](weights)
    report(
        seed,
        ", ".join(f"{n}: {h:.1%}, {c:.1f} posiciones" for n, (h, c) in found.items()),
    )
    assert found["sparsemax"][1] <= 2 and found["softmax"][1] >= 4
    assert found["softmax"][0] >= 0.6 and found["sparsemax"][0] >= 0.3


@pytest.mark.parametrize("seed", SEEDS)
def test_a_right_assumption_reaches_unseen_lengths_and_a_wrong_one_does_not(chapter, seed):
    train, vocabularies = chapter["train_attention"], (chapter["english"], chapter["spanish"])
    scores = {}
    for name in ("global", "local monótona"):
        make = chapter["POSITIONS"][name]
        model, _ = train(
            make, chapter["list_batches"], vocabularies, steps=150, seed=seed, similar_lengths=False
        )
        scores[name] = chapter["score_lists"](model)
    lost, _ = train(
        lambda: chapter["MonotonicAttention"](chapter["DotAlignment"](), 4),
        chapter["date_batches"], chapter["date_vocabularies"], steps=100, seed=seed,
    )  # fmt: skip
    on_dates = chapter["score_dates"](lost)
    rows = "; ".join(f"{n} {' '.join(f'{x:.0%}' for x in row)}" for n, row in scores.items())
    report(seed, f"listas: {rows}; monótona en fechas {on_dates:.1%}")
    assert min(scores["local monótona"][3:]) >= 0.5 and max(scores["global"][3:]) <= 0.2
    assert on_dates <= 0.2


@pytest.mark.parametrize("seed", SEEDS)
def test_card_games(chapter, seed):
    """Coatención y por rasgos resuelven lo que sus controles no pueden."""
    joint, alone = (chapter["score_match"](chapter["train_match"](j, seed)) for j in (True, False))
    mixers = [chapter["score_mixer"](chapter["train_mixer"](f, seed)) for f in (True, False)]
    report(
        seed,
        f"coatención {joint[0]:.1%} (masa {joint[1]:.1%}), por separado {alone[0]:.1%}; "
        f"por rasgos {mixers[0]:.1%}, por posición {mixers[1]:.1%}",
    )  # fmt: skip
    assert joint[0] >= 0.85 and joint[1] >= 0.70 and alone[0] <= 0.25
    assert mixers[0] >= 0.95 and mixers[1] <= 0.45


def test_soft_learns_before_hard_and_a_baseline_helps(chapter):
    areas = {}
    for name in chapter["SEARCHES"]:
        curves = [chapter["train_search"](name, seed)[1][1] for seed in range(3, 6)]
        areas[name] = sum(map(sum, curves)) / sum(map(len, curves))
    report(3, "búsqueda: " + ", ".join(f"{n} {a:.1%}" for n, a in areas.items()))
    assert areas["suave"] > areas["dura, base móvil"] > areas["dura, sin base"]


@pytest.mark.parametrize("seed", SEEDS)
def test_texts(chapter, seed):
    """La jerárquica encuentra a la intrusa, y lo desconocido se lee por sus letras."""
    readers = {k: chapter["score_reader"](chapter["train_reader"](k, seed))
               for k in ("control", "jerárquica")}  # fmt: skip
    _, unknown, known = chapter["score_openings"](
        chapter["train_openings"](("palabra", "letras"), seed)
    )
    report(
        seed,
        f"intrusa: acierto {readers['jerárquica'][0]:.1%} (control {readers['control'][0]:.1%}), "
        f"masa {readers['jerárquica'][1]:.1%}; letras: {unknown:.1%} frente a {known:.1%}",
    )  # fmt: skip
    assert readers["jerárquica"][1] >= 0.8
    assert readers["jerárquica"][0] >= readers["control"][0] + 0.05
    assert unknown >= known + 0.2
