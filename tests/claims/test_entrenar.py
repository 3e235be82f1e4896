"""Entrenamiento: quién aprende con doce capas, cuánto gradiente llega y qué hace el suavizado."""

import math

import pytest
import torch

from tests.recipes import SEEDS, recipe, report
from tfcourse.training import Steps
from tfcourse.training.optimizers import UpdateRecorder

pytestmark = [pytest.mark.lento, pytest.mark.por_turnos(por="archivo")]


@pytest.fixture(scope="module")
def chapter():
    return recipe("2_transformer/entrenar.ipynb")


@pytest.mark.parametrize("seed", SEEDS)
def test_only_post_ln_needs_a_warmup(chapter, seed):
    runs = {}
    for norm, warmup in (("Post-LN", "ninguno"), ("Post-LN", "lineal"), ("T-Fixup", "ninguno")):
        trained = chapter["train"](chapter["Recipe"](norm, warmup), seed + 10)
        runs[norm, warmup] = chapter["score"](trained.model)["loss"]
    row = ", ".join(f"{norm} {warmup} {loss:.2f}" for (norm, warmup), loss in runs.items())
    report(
        seed + 10,
        f"pérdida en secuencias nuevas: {row} (sin leer, {chapter['blind']:.2f})",
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
    report(seed, f"exponente del gradiente de la última capa: {row}")
    # La teoría dice 0 y −½; con tres redes por profundidad, el exponente se mueve unas décimas.
    assert abs(exponents["Post-LN"]) < 0.4
    assert -0.75 < exponents["Pre-LN"] < min(-0.3, exponents["Post-LN"] - 0.25)
    deepest = {norm: rows[16].mean(dim=0) for norm, rows in found.items()}
    assert deepest["Post-LN"][0] < 0.1 * deepest["Post-LN"][-1]
    assert deepest["Pre-LN"][0] > 0.5 * deepest["Pre-LN"][-1]


@pytest.mark.parametrize("seed", range(3))
def test_the_sum_that_post_ln_divides_is_usually_larger_than_one(chapter, seed):
    """Por eso encoge lo que vuelve: cada normalización divide entre el tamaño de lo que recibe."""
    chapter["seed_everything"](seed)
    model, sizes = chapter["build"](chapter["Recipe"]("Post-LN"), n_layers=16), []
    for module in model.decoder.modules():
        if isinstance(module, chapter["LayerNorm"]):
            module.register_forward_hook(
                lambda _, inputs, __: sizes.append(float(inputs[0].detach().std(dim=-1).mean()))
            )
    batch = next(chapter["reversal_batches"](32, 8, chapter["N_SYMBOLS"], seed))
    chapter["teacher_forcing_loss"](model, batch)
    assert len(sizes) == 3 * 16 and sum(size > 1 for size in sizes) > 0.9 * len(sizes)


@pytest.mark.parametrize("seed", SEEDS)
def test_smoothing_helps_the_overconfident_and_hurts_the_others(chapter, seed):
    errors, confidence = {}, {}
    for size in (60, 600):
        for smoothing in (0.0, 0.1):
            model = chapter["train_smoothed"](size, smoothing, seed=seed + 1)
            said, _, bins = chapter["calibration"](model)
            confidence[size, smoothing], errors[size, smoothing] = said, bins.error
    row = ", ".join(f"{size} y ε={eps}: {error:.3f}" for (size, eps), error in errors.items())
    report(seed + 1, f"ECE {row}")
    assert errors[60, 0.1] < errors[60, 0.0] - 0.03
    assert errors[600, 0.1] > errors[600, 0.0]
    assert all(confidence[size, 0.1] < confidence[size, 0.0] for size in (60, 600))


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_first_steps_of_adam_are_large_and_never_huge(chapter, seed):
    """Se sortea deprisa: van cinco semillas en cada cambio."""
    inverses, advances = chapter["first_steps"](200, seed)
    median, largest = advances.median(dim=1).values, advances.max(dim=1).values
    report(seed, f"avance típico {median[0]:.2f} y {median[-1]:.2f}, mayor {largest.max():.3f}")
    assert inverses[0].quantile(0.99) > 50  # la cola es de 1/√v̂, no del avance
    assert largest.max() < 1.1
    assert all(value <= chapter["largest_advance"](t) + 1e-9 for t, value in enumerate(largest, 1))
    assert median[0] == pytest.approx(1) and 0.1 < median[-1] < 0.2
    settled = math.sqrt((1 - 0.9) / (1 + 0.9))
    assert median[-1] == pytest.approx(0.6745 * settled, rel=0.1)


def test_the_variance_exists_from_three_samples(chapter):
    """Contra la integral: 1/√v̂ con v̂ = χ²/n, en una malla del logaritmo de χ²."""
    logs = torch.linspace(-60, 8, 400_001, dtype=torch.double)
    for n in (3, 4, 5, 9):
        chi = logs.exp()
        density = (n / 2 * logs - chi / 2 - n / 2 * math.log(2) - math.lgamma(n / 2)).exp()
        first, second = (
            torch.trapezoid(density * (n / chi) ** power, logs) for power in (0.5, 1.0)
        )
        assert float(second) == pytest.approx(n / (n - 2), rel=1e-4)
        assert chapter["inverse_root_variance"](n) == pytest.approx(
            float(second - first**2), rel=1e-3
        )
    assert chapter["inverse_root_variance"](2) == math.inf
    assert chapter["approximate_variance"](4) == math.inf > chapter["approximate_variance"](5)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_tiny_step_moves_t_fixup_the_same_at_any_depth(chapter, seed):
    seeds = range(3 * seed + 3, 3 * seed + 6)
    growth = {}
    for start in ("Post-LN", "Pre-LN", "T-Fixup"):
        shallow, deep = (chapter["changes"](start, n, seeds=seeds) for n in (2, 16))
        for kind in ("gradiente", "Adam"):
            growth[start, kind] = sum(row[kind] for row in deep) / sum(row[kind] for row in shallow)
    report(seed, f"cambio de los logits, de 2 a 16 bloques: {growth}")
    assert 1 / 2 < growth["T-Fixup", "gradiente"] < 2
    assert min(growth["Post-LN", "gradiente"], growth["Pre-LN", "gradiente"]) > 2
    assert min(growth[start, "Adam"] for start in ("Post-LN", "Pre-LN", "T-Fixup")) > 1.5


@pytest.mark.parametrize("seed", SEEDS)
def test_the_first_step_shakes_every_architecture(chapter, seed):
    peak, first = chapter["race"].PEAK, chapter["FIRST_STEP"]
    seeds = range(3 * seed, 3 * seed + 3)
    jumps = [
        sum(row["Adam"] for row in chapter["changes"](norm, 6, first, seeds)) * peak / 3
        for norm in ("Post-LN", "Pre-LN", "T-Fixup")
    ]
    report(seed, "primer paso de Adam: " + ", ".join(f"{jump:.1f}" for jump in jumps))
    assert max(jumps) < 2 * min(jumps)


def watched(chapter, warmup, seed):
    """Los primeros pasos de Post-LN: el registro del decodificador."""
    recorders = []

    def watch(model, optimizer):
        matrices = [block.feed_forward.hidden.weight for block in model.decoder]
        recorders.append(UpdateRecorder(optimizer, matrices, torch.linspace(-9, 2, 111)))

    chapter["train"](chapter["Recipe"]("Post-LN", warmup), seed, Steps(34), watch=watch)
    return recorders[0]


def typical(histogram, edges):
    return float(((edges[1:] + edges[:-1]) / 2)[(histogram.cumsum(0) >= 0.5).int().argmax()])


@pytest.mark.parametrize("seed", SEEDS)
def test_without_warmup_post_ln_goes_on_by_inertia(chapter, seed):
    fallen, slope, zeros = {}, {}, {}
    for warmup in ("ninguno", "lineal"):
        found = watched(chapter, warmup, seed)
        fallen[warmup] = typical(found.gradients[0], found.edges) - typical(
            found.gradients[20], found.edges
        )
        ends = [typical(found.updates[t], found.edges) for t in (8, 32)]
        slope[warmup], zeros[warmup] = 10 ** ((ends[1] - ends[0]) / 24), found.zeros[10]
    report(seed, f"caída del gradiente {fallen}, avance por paso {slope}, ceros {zeros}")
    assert fallen["ninguno"] > 2 and fallen["lineal"] < fallen["ninguno"] - 1
    assert slope["ninguno"] == pytest.approx(0.9 / math.sqrt(0.98), abs=0.02)
    assert slope["ninguno"] < slope["lineal"]
    assert zeros["ninguno"] > zeros["lineal"] + 0.1


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_decay_in_the_loss_depends_on_the_noise(chapter, seed):
    penalized = chapter["decayed"](torch.optim.Adam, seed)
    apart = chapter["decayed"](chapter["AdamW"], seed)
    settings = chapter["DECAY"]
    expected = (1 - settings["lr"] * settings["weight_decay"]) ** 300
    report(seed, f"queda, en la pérdida {penalized.tolist()}, aparte {apart.tolist()}")
    assert penalized[0] < 0.1 and penalized[-1] > 0.9
    assert apart.tolist() == pytest.approx([expected] * len(apart), abs=0.02)
