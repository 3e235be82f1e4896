"""LSTM y GRU: el radio predice, el recorte salva, y empezar abiertas deja recordar cien pasos."""

import math

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from tests.recipes import SEEDS, recipe, report
from tfcourse.layers.recurrent.cells import unroll
from tfcourse.layers.recurrent.gradients import power_method, spectral_radius

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("1_recurrencia/lstm_gru.ipynb")


@pytest.fixture(scope="module")
def trained(chapter):
    """Cada red se entrena una vez: la miran varias pruebas."""
    done = {}

    def train(name, seed):
        if (name, seed) not in done:
            prepare = None if name == "rnn" else chapter["remember"](chapter["LENGTH"])
            options = {"steps": chapter["STEPS"][name], "seed": seed, "prepare": prepare}
            done[name, seed] = chapter["train_reader"](name, every=1000, **options)
        return done[name, seed]

    return train


@pytest.mark.parametrize("seed", SEEDS)
def test_the_spectral_radius_predicts_the_rate(chapter, seed):
    rows = {radius: chapter["backward_rates"](radius, seed) for radius in chapter["RADII"]}
    shown = " ".join(f"{r}→{silent:.3f}/{driven:.3f}" for r, (silent, driven, _) in rows.items())
    report(seed, f"ritmo sin y con entrada: {shown}")
    for radius, (silent, driven, corrected) in rows.items():
        assert silent == pytest.approx(radius, rel=0.03)
        if radius <= 1.0:
            assert driven == pytest.approx(corrected, rel=0.04)
    assert rows[1.1][1] < 1 < rows[1.1][0]


@pytest.mark.parametrize("seed", SEEDS)
def test_most_matrices_turn_instead_of_aligning(seed):
    """La pareja dominante es compleja, y aun así el estirón medio es el radio espectral."""
    matrices = torch.randn(100, 32, 32, generator=torch.Generator().manual_seed(seed)).double()
    values = torch.linalg.eigvals(matrices)
    dominant = values.gather(1, values.abs().argmax(dim=1, keepdim=True))
    turning = dominant.imag.abs()[:, 0] > 1e-6
    report(seed, f"dominante compleja en el {turning.float().mean():.0%}")
    assert turning.float().mean() > 0.4
    matrix = matrices[turning][0]
    stretches, _ = power_method(matrix, torch.ones(32).double(), 4000)
    radius = spectral_radius(matrix)
    assert float(stretches[1000:].log().mean().exp()) == pytest.approx(radius, rel=0.01)
    assert float(stretches[1000:].max() / stretches[1000:].min()) > 1.02


@pytest.mark.parametrize("seed", SEEDS)
def test_clipping_turns_a_divergence_into_learning(chapter, seed):
    for name, (clip_norm, radius) in chapter["CLIPPING"].items():
        losses, failure = chapter["train_short"](clip_norm, seed, radius)
        final = sum(losses[-50:]) / 50
        report(seed, f"{name}: {'diverge' if failure else f'error {final:.3f}'}")
        assert bool(failure) == (name == "sin recorte")
        assert name != "con recorte" or final < 0.11


@pytest.mark.parametrize("seed", SEEDS)
def test_gates_that_start_open_remember_a_hundred_steps(chapter, trained, seed):
    runs = {name: trained(name, seed) for name in ("rnn", "lstm", "gru")}
    errors = {name: history.metrics[-1]["error"] for name, (_, history, _) in runs.items()}
    steps = chapter["STEPS"]
    spent = {name: chapter["multiplications"](name, steps[name]) / 1e9 for name in runs}
    shown = ", ".join(f"{n} {errors[n]:.4f} con {spent[n]:.1f}e9 multiplicaciones" for n in runs)
    report(seed, f"suma de 100 pasos: {shown}")
    nothing = (chapter["test_y"] - 1).square().mean().item()
    assert nothing == pytest.approx(chapter["ADDING_BASELINE"], rel=0.05)
    assert errors["rnn"] > 0.95 * nothing and errors["lstm"] <= 0.005 and errors["gru"] <= 0.005
    assert steps["rnn"] == max(steps.values()) and spent["rnn"] >= spent["gru"]


def test_the_multiplications_are_those_pytorch_counts(chapter):
    """Un paso de entrenamiento de cada celda, desenrollada."""
    x = torch.randn(32, chapter["LENGTH"], 2, requires_grad=True)
    for name, products in chapter["PRODUCTS"].items():
        cell = chapter["RecurrentReader"](chapter["RecurrentConfig"](name)).cell()
        with FlopCounterMode(display=False) as counter:
            unroll(cell, x)[0].sum().backward()
        counted = counter.get_total_flops() / 2  # cada multiplicación, con su suma
        free = 32 * products * cell.d_hidden**2  # nadie pide el gradiente del primer estado
        assert counted == chapter["multiplications"](name, 1) - free, name


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gates_open_at_the_marks(chapter, trained, seed):
    for name, gate in (("lstm", "input"), ("gru", "update")):
        model = trained(name, seed)[0]
        with_mark, without = chapter["opening_at_marks"](model, gate)
        unit = int((with_mark - without).abs().argmax())
        report(
            seed,
            f"{gate}: {with_mark[unit]:.2f} con marca, {without[unit]:.2f} sin ella",
        )
        if name == "lstm":
            assert with_mark[unit] > 0.4 and without[unit] < 0.05
        else:
            assert with_mark[unit] < 0.75 and without[unit] > 0.8


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gradient_reaches_the_first_step_after_training(chapter, trained, seed):
    for name in ("lstm", "gru"):
        carrier = chapter["norms_of"](trained(name, seed)[0])[-1]
        report(seed, f"gradiente mínimo de {name}: {carrier.min() / carrier[-1]:.2f}")
        assert carrier.min() / carrier[-1] > 0.05


@pytest.mark.parametrize("seed", SEEDS)
def test_memory_biases_solve_the_short_task(chapter, seed):
    errors = {name: chapter["train_with_bias"](name, seed)[1][-1] for name in chapter["BIASES"]}
    shown = ", ".join(f"{name} {error:.4f}" for name, error in errors.items())
    report(seed, f"sesgos, 30 pasos: {shown}")
    # Quien responde siempre lo mismo se queda en 0,167.
    assert errors["1 a 30 pasos, equilibrado"] <= 0.02


def test_half_life_and_mean_life_are_those_of_the_page():
    """Con sesgo ln 99, la media vida es 69 pasos y la vida media, 100."""
    opening = torch.sigmoid(torch.tensor(99.0).log()).item()
    assert math.log(0.5) / math.log(opening) == pytest.approx(69, abs=0.1)
    assert sum(opening**k for k in range(100_000)) == pytest.approx(100, rel=1e-3)
