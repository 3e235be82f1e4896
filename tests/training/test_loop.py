"""Entrenamiento: reproducible, reanudable y claro cuando algo va mal."""

import json
import subprocess
import sys

import pytest
import torch
from torch import nn

from tfcourse.datasets.batching import minibatches
from tfcourse.datasets.scenes.scenes import CROWDED_SCENES, SHAPE_SCENES, scene_batches
from tfcourse.models.detr import DETR, DETRConfig
from tfcourse.models.detr import VARIANTS as DETR_SIZES
from tfcourse.training import Evaluation, Steps, fit, one_cycle, seed_everything
from tfcourse.training.accumulation import Accumulation
from tfcourse.training.checkpoints import (
    Checkpoint,
    load_checkpoint,
    random_states,
    restore_random_states,
    save_checkpoint,
)
from tfcourse.vision.detection.losses import DETR_LOSS

STEPS = 12


def test_the_chance_of_a_device_that_is_gone_is_ignored():
    states = random_states() | {"cuda": torch.zeros(16, dtype=torch.uint8)}
    expected = torch.rand(3)
    if not torch.cuda.is_available():
        restore_random_states(states)
        assert torch.equal(torch.rand(3), expected)


class Noisy(nn.Module):
    """Modelo con «dropout»: sus pérdidas dependen del azar y delatan una mala reanudación."""

    def __init__(self, d_hidden=8):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(3, d_hidden), nn.Tanh(), nn.Dropout(0.3), nn.Linear(d_hidden, 1)
        )

    def forward(self, x):
        return self.layers(x)


def loss_fn(model, batch):
    x, y = batch
    return (model(x) - y).square().mean()


def data():
    g = torch.Generator().manual_seed(0)
    x = torch.randn(64, 3, generator=g)
    return x, x.sum(dim=1, keepdim=True)


def train(steps=STEPS, checkpoint=None, model=None, total=STEPS, **kwargs):
    seed_everything(3)
    model = model or Noisy()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    history = fit(
        model,
        minibatches(*data(), batch_size=8, seed=1),
        loss_fn,
        budget=Steps(steps),
        optimizer=optimizer,
        schedule=one_cycle(total),
        checkpoint=checkpoint,
        **kwargs,
    )
    return model, history


def test_equals_a_loop_written_by_hand():
    seed_everything(3)
    model = Noisy()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    factor, losses = one_cycle(STEPS), []
    for step, batch in zip(range(STEPS), minibatches(*data(), batch_size=8, seed=1), strict=False):
        optimizer.param_groups[0]["lr"] = 0.02 * factor(step)
        loss = loss_fn(model, batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    ours, history = train()
    assert history.loss == pytest.approx(losses, rel=1e-6)
    for name, value in model.state_dict().items():
        torch.testing.assert_close(ours.state_dict()[name], value)


def test_two_runs_with_one_seed_agree():
    assert train()[1].loss == train()[1].loss


def test_stopped_and_resumed_equals_unbroken(tmp_path):
    model, whole = train()
    checkpoint = Checkpoint(tmp_path / "punto.safetensors", every=5)
    train(steps=5, checkpoint=checkpoint)
    torch.manual_seed(999)  # el azar de fuera no debe importar
    resumed, history = train(checkpoint=checkpoint)
    assert history.loss == whole.loss and history.learning_rate == whole.learning_rate
    for name, value in model.state_dict().items():
        assert torch.equal(resumed.state_dict()[name], value)


def test_resuming_a_finished_run_changes_nothing(tmp_path):
    checkpoint = Checkpoint(tmp_path / "punto.safetensors", every=5)
    _, first = train(checkpoint=checkpoint)
    _, again = train(checkpoint=checkpoint)
    assert again.loss == first.loss


def test_interrupted_run_keeps_its_last_checkpoint(tmp_path):
    path = tmp_path / "punto.safetensors"

    def interrupted(model, batch):
        if interrupted.calls == 7:
            raise KeyboardInterrupt
        interrupted.calls += 1
        return loss_fn(model, batch)

    interrupted.calls = 0
    model = Noisy()
    with pytest.raises(KeyboardInterrupt):
        fit(
            model,
            minibatches(*data(), batch_size=8),
            interrupted,
            budget=Steps(STEPS),
            optimizer=torch.optim.AdamW(model.parameters()),
            checkpoint=Checkpoint(path, every=5),
        )
    assert load_checkpoint(path, Noisy()).step == 5
    assert not list(tmp_path.glob("*.parcial"))


def test_failed_write_keeps_the_previous_checkpoint(tmp_path, monkeypatch):
    path, model = tmp_path / "punto.safetensors", Noisy()
    optimizer = torch.optim.AdamW(model.parameters())
    save_checkpoint(path, model, optimizer, step=1)

    def full_disk(tensors, target, metadata):
        target.write_bytes(b"a medias")
        raise OSError("no queda espacio")

    monkeypatch.setattr("tfcourse.training.checkpoints.save_file", full_disk)
    with pytest.raises(OSError, match="espacio"):
        save_checkpoint(path, model, optimizer, step=2)
    assert load_checkpoint(path, Noisy()).step == 1


def test_evaluation_is_taken_without_dropout_or_gradients():
    def measure(model):
        assert not model.training and not torch.is_grad_enabled()
        return {"error": 1.0}

    _, history = train(evaluation=Evaluation(measure, every=5))
    assert history.curve("error") == ([5, 10, 12], [1.0, 1.0, 1.0])
    with pytest.raises(KeyError, match="no hay medida 'otra'; las que hay: error"):
        history.curve("otra")


def test_one_cycle_rises_to_one_and_falls():
    factor = one_cycle(100, warmup=0.2)
    values = [factor(step) for step in range(100)]
    assert max(values) == values[19] == 1.0
    assert values[:20] == sorted(values[:20]) and values[20:] == sorted(values[20:], reverse=True)
    assert values[-1] < 0.01


def test_parts_of_a_batch_weigh_what_their_loss_averages():
    """Leído en cuatro partes desiguales, el lote da las pérdidas y los pesos de leerlo entero."""
    whole, expected = train_padded()
    parts, history = train_padded(Accumulation(3, count_seen))
    assert history.loss == pytest.approx(expected.loss, rel=1e-5)
    for name, value in whole.state_dict().items():
        torch.testing.assert_close(parts.state_dict()[name], value, atol=1e-6, rtol=1e-5)
    _, by_examples = train_padded(Accumulation(3))
    assert by_examples.loss != pytest.approx(expected.loss, rel=1e-3)
    with pytest.raises(ValueError, match="un lote de 8 ejemplos no se lee en 9 partes"):
        train_padded(Accumulation(9))


def test_terms_are_kept_apart():
    def with_terms(model, batch):
        x, y = batch
        error = model(x) - y
        terms = {"cuadrado": error.square().mean(), "absoluto": error.abs().mean()}
        return terms["cuadrado"] + 0.5 * terms["absoluto"], terms

    seed_everything(3)
    model = plain()
    history = fit(
        model, minibatches(*data(), batch_size=8, seed=1), with_terms, budget=Steps(25),
        optimizer=torch.optim.SGD(model.parameters(), lr=0.1), accumulation=Accumulation(2),
    )  # fmt: skip
    assert list(history.terms) == ["cuadrado", "absoluto"]
    assert len(history.loss) == 25 == len(history.terms["absoluto"])
    for whole, square, absolute in zip(history.loss, *history.terms.values(), strict=True):
        assert whole == pytest.approx(square + 0.5 * absolute, rel=1e-5)


def test_the_model_comes_back_even_if_something_fails(monkeypatch):
    """De donde salió, y en modo de evaluación: también si un lote no cabe en el acelerador."""
    moves = []
    monkeypatch.setattr(Noisy, "to", lambda self, device: moves.append(str(device)) or self)

    def too_big(model, batch):
        raise torch.cuda.OutOfMemoryError("CUDA out of memory")

    model = Noisy()
    with pytest.raises(MemoryError, match="no cabe en la memoria del acelerador: baja batch_size"):
        fit(
            model, minibatches(*data(), batch_size=8), too_big, budget=Steps(2),
            optimizer=torch.optim.SGD(model.parameters(), lr=1),
        )  # fmt: skip
    assert not model.training and moves[-1] == "cpu"


def count_seen(batch):
    """Posiciones que cuentan en un lote con relleno."""
    return int((batch[0][:, 0] > -1.2).sum())


def padded_loss(model, batch):
    """Media del error de las filas que cuentan: unas partes tienen más que otras."""
    seen = batch[0][:, 0] > -1.2
    error = (model(batch[0]) - batch[1]).square()[:, 0]
    return (error * seen).sum() / seen.sum().clamp(min=1)


def train_padded(accumulation=None, steps=STEPS):
    seed_everything(3)
    model, options = plain(), {} if accumulation is None else {"accumulation": accumulation}
    return model, fit(
        model, minibatches(*data(), batch_size=8, seed=1), padded_loss, budget=Steps(steps),
        optimizer=torch.optim.AdamW(model.parameters(), lr=0.02), **options,
    )  # fmt: skip


def train_detector(steps=4):
    """Un detector diminuto, con escenas que no tienen todas los mismos objetos."""
    seed_everything(3)
    model = DETR(DETRConfig(len(SHAPE_SCENES.classes), **DETR_SIZES["mini"])).eval()
    for norm in (x for x in model.modules() if isinstance(x, nn.BatchNorm2d)):
        norm.train = lambda mode=True, norm=norm: norm  # congelada, como en DETR: mira todo el lote
    return model, fit(
        model, scene_batches(4, 0, CROWDED_SCENES), DETR_LOSS.with_terms, budget=Steps(steps),
        optimizer=torch.optim.AdamW(model.parameters(), lr=1e-3), clip_norm=1e9,
    )  # fmt: skip


RUNS = {
    "sin dropout": lambda: train(model=plain()),
    "con relleno": lambda: train_padded(Accumulation(1, count_seen)),
    "DETR": train_detector,
}
TWO_PROCESSES = """
import json
import torch
from tests.training.test_loop import RUNS
found = {}
for name, run in RUNS.items():
    history = run()[1]
    found[name] = [history.loss, history.terms]
if torch.distributed.get_rank() == 0:
    print("PERDIDAS", json.dumps(found))
torch.distributed.destroy_process_group()
"""


def test_two_processes_equal_one(tmp_path, monkeypatch):
    """Repartir cada lote entre dos procesos da las mismas pérdidas que uno solo.

    También si la pérdida es una media de lo que cada uno tiene en distinta cantidad: los símbolos
    sin relleno, o los objetos de una escena.
    """
    script = tmp_path / "dos.py"
    script.write_text(TWO_PROCESSES, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--nproc_per_node=2",
        "--master_port=0",
    ]
    command += ["--standalone", str(script)]
    monkeypatch.setenv("PYTHONPATH", ".")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("TFCOURSE_PROGRESO", "no")
    monkeypatch.setenv("ACCELERATE_USE_CPU", "true")
    result = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    lines = [line for line in result.stdout.splitlines() if line.startswith("PERDIDAS")]
    assert lines, result.stderr[-2000:]
    found = json.loads(lines[0].split(maxsplit=1)[1])
    for name, run in RUNS.items():
        loss, terms = found[name]
        history = run()[1]
        assert loss == pytest.approx(history.loss, rel=1e-4, abs=2e-6), name
        assert list(terms) == list(history.terms)
        for term, values in terms.items():
            assert values == pytest.approx(history.terms[term], rel=1e-3, abs=1e-5), term


def plain():
    """El modelo sin «dropout»: cada proceso tiraría sus propios dados."""
    seed_everything(3)
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


class TestErrors:
    def test_no_steps(self):
        with pytest.raises(ValueError, match=r"Steps\(0\)"):
            train(steps=0)

    def test_no_batches(self):
        model = Noisy()
        with pytest.raises(ValueError, match="se acabaron los lotes"):
            fit(
                model,
                [],
                loss_fn,
                budget=Steps(1),
                optimizer=torch.optim.SGD(model.parameters(), lr=1),
            )

    def test_loss_that_is_not_a_number(self):
        model = Noisy()
        batches = [(torch.full((2, 3), float("nan")), torch.zeros(2, 1))]
        with pytest.raises(FloatingPointError, match="la pérdida vale nan en el paso 1"):
            fit(
                model,
                batches,
                loss_fn,
                budget=Steps(2),
                optimizer=torch.optim.SGD(model.parameters(), lr=1),
            )

    def test_unreadable_checkpoint(self, tmp_path):
        path = tmp_path / "punto.safetensors"
        for content in (b"", b"esto no es un punto de control"):
            path.write_bytes(content)
            with pytest.raises(ValueError, match="no se puede leer el punto de control.*bórralo"):
                train(checkpoint=Checkpoint(path, every=5))
        with pytest.raises(ValueError, match="no se puede leer"):
            load_checkpoint(tmp_path / "no-existe.safetensors", Noisy())

    def test_checkpoint_of_another_model(self, tmp_path):
        checkpoint = Checkpoint(tmp_path / "punto.safetensors", every=5)
        train(checkpoint=checkpoint)
        with pytest.raises(ValueError, match=r"es de otro modelo: «layers.0.bias» mide \(8,\)"):
            train(checkpoint=checkpoint, model=Noisy(d_hidden=9))

    def test_batch_size(self):
        with pytest.raises(ValueError, match="batch_size=65 con 64 ejemplos"):
            minibatches(*data(), batch_size=65)
        with pytest.raises(ValueError, match="tienen 64, 3 ejemplos"):
            minibatches(data()[0], torch.zeros(3), batch_size=2)
