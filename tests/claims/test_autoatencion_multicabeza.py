"""Autoatención: una cabeza no puede donde dos sí, y el divisor reparte el gradiente."""

import pytest

from tests.recipes import SEEDS, recipe, report
from tfcourse.metrics.multiplications import global_attention_macs
from tfcourse.text.attention.head_roles import SPECIAL

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/autoatencion_multicabeza.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_two_heads_do_what_one_cannot(chapter, seed):
    train, measure = chapter["train_heads"], chapter["both_right"]
    scores = {heads: measure(train(heads, seed))["aciertos"] for heads in (1, 2, 4)}
    hidden = measure(train(1, seed, d_hidden=128))["aciertos"]
    row = ", ".join(f"{heads} cabezas {score:.1%}" for heads, score in scores.items())
    report(seed, f"{row}; 1 cabeza y capa oculta {hidden:.1%}")
    assert scores[1] < 0.55 and min(scores[2], scores[4]) >= 0.97
    assert hidden >= 0.9


@pytest.mark.parametrize("seed", SEEDS)
def test_scaling_learns_sooner(chapter, seed):
    last = {name: chapter["scaling_curve"](name, seed)[1][-1] for name in chapter["SCALING"]}
    report(seed, f"con divisor {last['con √d']:.1%}, sin él {last['sin √d']:.1%}")
    assert last["con √d"] >= 0.95 and last["sin √d"] <= last["con √d"] - 0.2


@pytest.mark.parametrize("seed", SEEDS[:1])
def test_no_other_rate_rescues_the_unscaled_reader(chapter, seed):
    def last(name, lr):
        return chapter["scaling_curve"](name, seed, lr, every=60)[1][-1]

    best = last("sin √d", 1e-3)
    for lr in chapter["OTHER_RATES"]:
        scaled, unscaled = last("con √d", lr), last("sin √d", lr)
        report(seed, f"ritmo {lr}: con divisor {scaled:.1%}, sin él {unscaled:.1%}")
        assert unscaled < scaled and unscaled < best + 0.1


@pytest.mark.parametrize("seed", SEEDS)
def test_the_divisor_shares_out_the_gradient_of_the_query(chapter, seed):
    rows = {d_k: chapter["gradient_row"](d_k, seed) for d_k in chapter["SIZES"]}
    middle = {d_k: float(row["sin √d"]["cuantiles"][2]) for d_k, row in rows.items()}
    shown = ", ".join(f"{d_k}: {rows[d_k]['sin √d']['media']:.2f}" for d_k in (64, 512, 4096))
    report(seed, f"media sin divisor {shown}; mediana con 512, {middle[512]:.3f}")
    for row in rows.values():
        low, _, half, _, high = row["con √d"]["cuantiles"].tolist()
        assert 0.2 < low < high < 0.42 and 0.25 < half < 0.33
        assert row["sin √d"]["media"] > 1.3 * row["con √d"]["media"]
    assert middle[64] > 0.4 and middle[512] < 0.1 and middle[4096] < 0.01
    assert float(rows[64]["sin √d"]["cuantiles"][1]) < 0.15
    tied = [rows[d_k]["empatadas"] for d_k in (4, 64, 512)]
    assert tied[0] > 0.5 > 0.3 > tied[1] > tied[2] and rows[4096]["empatadas"] < 0.06


@pytest.mark.parametrize("seed", SEEDS[:1])
def test_some_heads_of_a_trained_model_have_a_role(chapter, seed):
    reader = chapter["load_spanish_reader"]()
    windows = reader.windows(400)[100 * (seed + 1) : 100 * (seed + 2)]  # otras que las de la página
    found = chapter["roles_of_heads"](reader, windows, seed)
    for role, (masses, chance, before) in found.items():
        ordered = masses.flatten().sort(descending=True).values
        report(seed, f"{role}: {ordered[0]:.0%} frente a {chance:.0%} y {before:.0%}")
        assert ordered[0] > 0.7 and ordered[0] > 5 * max(chance, before)
        assert masses[0].argmax() == masses.argmax() or role == SPECIAL
        assert role == SPECIAL or ordered[1] < 1 / 3
    marks = found[SPECIAL][0]
    assert 10 <= (marks > 0.5).sum() <= 13 and marks[2].min() > 0.9


@pytest.mark.parametrize("width", [64, 256, 4096])
def test_projections_and_pairs_cost_the_same_at_twice_the_width(width):
    def ratio(length):
        pairs = 2 * length**2 * width
        return (global_attention_macs(length, width) - pairs) / pairs

    assert ratio(width) == 2 and ratio(2 * width) == 1 and ratio(4 * width) == 0.5
