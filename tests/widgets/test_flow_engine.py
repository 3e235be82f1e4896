"""El motor que dibuja en la página calcula lo mismo que PyTorch, con los mismos pesos."""

import numpy as np
import pytest
import torch

from tests.widgets.engine import as_bytes, engine_source, run_engine
from tests.widgets.test_engine import BOTH_PATHS, TOLERANCE, N, check, with_page_weights
from tfcourse.multimodal.flow.decoding import flow_path, guided
from tfcourse.multimodal.flow.losses import Journey
from tfcourse.multimodal.flow.metrics import agreement
from tfcourse.multimodal.flow.recipe import N_STEPS, asked, draw, judge, load
from tfcourse.weights.packing import packed_weights
from tfcourse.weights.shipped import weights_card

pytestmark = pytest.mark.lento
GUIDANCES = (0.0, 1.0, 2.0, 3.5)

DRAW = """
const model = new DiT(readBytes("pesos"), INPUT.config);
const images = new Float32Array(readBytes("ruido"));
const one = (i) => images.subarray(i * 64, (i + 1) * 64);
ANSWER.velocities = INPUT.times.map((t, i) => [...model.velocity(one(i), t, INPUT.classes[i])]);
ANSWER.paths = INPUT.guidances.map((guidance, i) =>
  model.path(one(i), INPUT.classes[i], guidance, INPUT.steps)
    .map(({ image, aim }) => [[...image], [...aim]]),
);
"""


@pytest.fixture(scope="module")
def maker():
    return with_page_weights("dit_cifras", load("dit_cifras"))


@pytest.fixture(scope="module")
def trips() -> Journey:
    """Ruido, instantes de todo el camino y clases, la callada también."""
    generator = torch.Generator().manual_seed(0)
    noise = torch.randn(N, 1, 8, 8, generator=generator)
    times = torch.arange(N) / N
    return Journey(noise, noise, times, torch.randint(11, (N,), generator=generator))


def draw_in_node(tmp_path, trips, source=None, path="con el núcleo") -> dict:
    given = {
        "config": weights_card("dit_cifras").config,
        "times": trips.times.tolist(),
        "classes": trips.classes.tolist(),
        "guidances": GUIDANCES,
        "steps": N_STEPS,
    }
    files = {"pesos": packed_weights("dit_cifras"), "ruido": as_bytes(trips.noise)}
    return run_engine(tmp_path, DRAW, given, files, source, path)


@BOTH_PATHS
@torch.no_grad()
def test_velocities_and_whole_paths(tmp_path, maker, trips, path):
    answer = draw_in_node(tmp_path, trips, path=path)
    check(answer["velocities"], list(maker(trips.noise, trips.times, trips.classes)))
    for i, guidance in enumerate(GUIDANCES):
        field = guided(maker, trips.classes[i : i + 1], guidance)
        expected = flow_path(field, trips.noise[i : i + 1], N_STEPS)[:, 0].flatten(1)
        images, aims = np.array(answer["paths"][i]).transpose(1, 0, 2)
        assert np.abs(images - expected.numpy()).max() < TOLERANCE
        # Adónde apunta: lo que falta de camino, en línea recta, que es un solo paso desde el ruido.
        straight = flow_path(field, trips.noise[i : i + 1], 1)[-1].flatten()
        assert np.abs(aims[0] - straight.numpy()).max() < TOLERANCE
        assert np.array_equal(aims[-1], images[-1])


BUGS = {
    "los senos delante": ("waves[i] = Math.cos(angle)", "waves[i] = Math.sin(angle)"),
    "sin compuerta": ("v + gate[i % width] * y[i]", "v + y[i]"),
    "la escala, sin el uno": ("1 + v) }", "v) }"),
    "la guía, del revés": ("guidance * (told[i] - v)", "guidance * (v - told[i])"),
}


@torch.no_grad()
@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_dit_is_noticed(tmp_path, bug, maker, trips):
    right, wrong = BUGS[bug]
    source = engine_source()
    assert source.count(right) == 1
    answer = draw_in_node(tmp_path, trips, source.replace(right, wrong))
    last = flow_path(guided(maker, trips.classes[3:4], GUIDANCES[3]), trips.noise[3:4], N_STEPS)
    with pytest.raises(AssertionError):
        check(answer["velocities"], list(maker(trips.noise, trips.times, trips.classes)))
        assert np.abs(np.array(answer["paths"][3][-1][0]) - last[-1].flatten().numpy()).max() < 0.1


def test_with_the_weights_of_the_page_it_still_draws_what_is_asked(maker):
    """Los pesos de la página van en octetos, y con ellos el juez ve lo mismo que con los otros."""
    seen = [agreement(judge(), draw(model, asked(20))) for model in (maker, load("dit_cifras"))]
    assert min(seen) > 0.95
