"""Que un cuaderno que se rompería en una GPU se rompe aquí, y que uno que aprende poco, no."""

import nbformat
import pytest

from tests.accelerator.notebooks import only_there, run_notebook

pytestmark = pytest.mark.lento
START = """\
import torch
from tfcourse.training.budget import Steps
from torch import nn
from tfcourse.training import default_device, fit
device = default_device()
x = torch.randn(8, 4, device=device)"""
TRAIN = """\
model = nn.Linear(4, 3)
batches = [(torch.randn(8, 4), torch.randint(3, (8,)))]
history = fit(
    model, batches, lambda m, batch: nn.functional.cross_entropy(m(batch[0]), batch[1]),
    {budget}, optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
)"""


@pytest.fixture
def broken(tmp_path):
    """Las celdas que fallan en el acelerador, y no en la CPU, de un cuaderno de mentira."""

    def run(*sources: str, tags: tuple[str, ...] = ()) -> list:
        made = [nbformat.v4.new_code_cell(source) for source in (START, *sources)]
        made[-1].metadata["tags"] = list(tags)
        path = tmp_path / "mentira.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=made), path)
        there = run_notebook(path, tmp_path, device="acelerador", precision="bf16")
        here = run_notebook(path, tmp_path, device="cpu")
        return only_there(there.failures, here.failures)

    return run


# Cada error → una celda que lo comete y lo que dice.
MISTAKES = {
    "mezcla": ("x + torch.zeros(8, 4)", "same device"),
    "la CPU, indexada desde el dispositivo": (
        "torch.zeros(8)[x[:, 0].argsort()]",
        "indices should be",
    ),
    "a NumPy sin pasar por la CPU": ("x.numpy()", "to numpy"),
    "a una figura sin pasar por la CPU": (
        "import matplotlib.pyplot as plt\nplt.plot(x[:, 0])",
        "to numpy",
    ),
    "el azar de la CPU, en el dispositivo": (
        "torch.randn(3, device=device, generator=torch.Generator().manual_seed(0))",
        "type for generator",
    ),
    "el azar del dispositivo, en la CPU": (
        "torch.randn(3, generator=torch.Generator(device=device).manual_seed(0))",
        "type for generator",
    ),
    "un modelo que se quedó en la CPU": ("nn.Linear(4, 3)(x)", "same device"),
    "bf16 a NumPy": (
        "with torch.autocast(x.device.type, dtype=torch.bfloat16):\n"
        "    y = nn.Linear(4, 3).to(device)(x)\n"
        "y.detach().cpu().numpy() if device != 'cpu' else 0",
        "BFloat16",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_told_with_its_cell(broken, name):
    source, message = MISTAKES[name]
    (failure,) = broken("y = x.cpu()", source)
    assert failure.cell == 2 and message in failure.message


def test_what_follows_from_the_mistake_is_told_too(broken):
    assert [failure.cell for failure in broken("y = x.numpy()", "print(y)")] == [1, 2]


def test_an_assertion_about_quality_is_computed_and_not_demanded(broken):
    assert broken("assert x.sum() > 1e9", "assert (x > 1e9).all(), 'no aprende'") == []
    for source in ("assert x.numpy().sum() > 0", "assert x.sum() > 1e9\nx.numpy()"):
        (failure,) = broken(source)
        assert "to numpy" in failure.message


def test_a_cell_that_also_fails_on_the_cpu_does_not_count(broken):
    assert broken("[][3]", "raise ValueError(f'hay {torch.rand(1).item()} pasos')") == []


def test_a_cell_that_fails_on_purpose_fails_for_its_own_reason(broken):
    assert broken("1 / 0", tags=("raises-exception",)) == []
    (failure,) = broken("x.numpy()", tags=("raises-exception",))
    assert "to numpy" in failure.message


def test_training_is_cut_and_happens_on_the_device(broken):
    cell = TRAIN.format(budget="budget=Steps(number=500)")
    check = "if len(history.loss) != 2:\n    x.numpy()"  # un fallo que solo se da allí
    assert broken(cell, check) == []
    seen = cell.replace("lambda m, batch:", "lambda m, batch: batch[0].numpy() is None or")
    (failure,) = broken(seen)
    assert "to numpy" in failure.message


PANEL = """\
import ipywidgets
from tfcourse.widgets import Panel
Panel({compute}, scale=ipywidgets.FloatSlider(1.0, min=0.0, max=4.0, description="escala"))"""


@pytest.mark.parametrize(
    ("compute", "said"),
    [
        ("lambda scale: print(torch.randn(1, device=device) * scale)", ""),
        ("lambda scale: print(x * scale) if scale < 2 else x + torch.zeros(8, 4)", "same device"),
        ("lambda scale: print(7)", "«scale» en 4.0: no cambia nada"),
    ],
)
def test_the_controls_of_a_panel_are_moved(tmp_path, compute, said):
    cells = [START, PANEL.format(compute=compute)]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(notebook, tmp_path / "panel.ipynb")
    run = run_notebook(tmp_path / "panel.ipynb", tmp_path, device="acelerador", precision="bf16")
    assert run.failures == ()
    assert [said in told for told in run.panels] == [True] * bool(said)
