"""Capítulo 8: quién aprende con doce capas, cuánto gradiente llega y qué hace el suavizado."""

import pytest

from tests.recipes import SEEDS, recipe, report

pytestmark = pytest.mark.lento


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/08_entrenar_transformers.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_only_post_ln_needs_a_warmup(chapter, seed):
    runs = {}
    for norm, warmup in (("Post-LN", "ninguno"), ("Post-LN", "lineal"), ("T-Fixup", "ninguno")):
        model, _ = chapter["train_deep"](chapter["Recipe"](norm, warmup), seed + 10)
        runs[norm, warmup] = chapter["score_deep"](model)["loss"]
    row = ", ".join(f"{norm} {warmup} {loss:.2f}" for (norm, warmup), loss in runs.items())
    report(
        "08", seed + 10, f"pérdida en secuencias nuevas: {row} (sin leer, {chapter['blind']:.2f})"
    )
    verdicts = {names: chapter["learns"](loss) for names, loss in runs.items()}
    assert not verdicts["Post-LN", "ninguno"]
    # En tan pocos pasos, Post-LN con calentamiento no siempre llega al final, pero siempre mejora.
    assert runs["Post-LN", "lineal"] < runs["Post-LN", "ninguno"] - 0.3
    assert verdicts["T-Fixup", "ninguno"]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_gradient_of_the_last_layer(chapter, seed):
    found = {
        norm: chapter["gradient_by_depth"](norm, seeds=[10 * seed + k for k in range(10, 13)])
        for norm in ("Post-LN", "Pre-LN", "T-Fixup")
    }
    exponents = {norm: chapter["last_layer_exponent"](rows) for norm, rows in found.items()}
    row = ", ".join(f"{norm} {value:+.2f}" for norm, value in exponents.items())
    report("08", seed, f"exponente del gradiente de la última capa: {row}")
    # La teoría dice 0 y −½; con tres redes por profundidad, el exponente se mueve unas décimas.
    assert abs(exponents["Post-LN"]) < 0.4
    assert -0.75 < exponents["Pre-LN"] < min(-0.3, exponents["Post-LN"] - 0.25)
    deepest = {norm: rows[16].mean(dim=0) for norm, rows in found.items()}
    assert deepest["Post-LN"][0] < 0.1 * deepest["Post-LN"][-1]
    assert deepest["Pre-LN"][0] > 0.5 * deepest["Pre-LN"][-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_smoothing_helps_the_overconfident_and_hurts_the_others(chapter, seed):
    errors = {}
    for size in (60, 600):
        for smoothing in (0.0, 0.1):
            model = chapter["train_smoothed"](size, smoothing, seed=seed + 1)
            errors[size, smoothing] = chapter["calibration"](model)[2].error
    row = ", ".join(f"{size} y ε={eps}: {error:.3f}" for (size, eps), error in errors.items())
    report("08", seed + 1, f"ECE {row}")
    assert errors[60, 0.1] < errors[60, 0.0] - 0.03
    assert errors[600, 0.1] > errors[600, 0.0]
