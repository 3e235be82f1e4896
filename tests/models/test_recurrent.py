"""Lector recurrente: lee de principio a fin, empieza recordando y memoriza un lote."""

import pytest
import torch
from torch import nn

from tfcourse.datasets.puzzles.adding import adding_examples
from tfcourse.layers.recurrent.cells import unroll
from tfcourse.layers.recurrent.gates import gate_values
from tfcourse.models.recurrent import CELLS, VARIANTS, RecurrentConfig, RecurrentReader
from tfcourse.training import Steps, fit, seed_everything


def test_a_relu_net_step_by_step():
    """La red simple con ReLU, con su fórmula escrita paso a paso."""
    seed_everything(0)
    model = RecurrentReader(RecurrentConfig("relu", d_output=3)).double()
    x, state = torch.randn(4, 9, 2).double(), torch.zeros(4, 32).double()
    w = dict(model.rnn.named_parameters())
    for x_t in x.unbind(dim=1):
        read = x_t @ w["weight_ih_l0"].T + w["bias_ih_l0"]
        state = (read + state @ w["weight_hh_l0"].T + w["bias_hh_l0"]).clamp(min=0)
    torch.testing.assert_close(model(x), model.output(state))
    with pytest.raises(TypeError, match="una red simple con ReLU no es una RNNCell"):
        model.cell()


@pytest.mark.parametrize("cell", [name for name in CELLS if name != "relu"])
def test_the_answer_is_read_from_the_last_state(cell):
    model = RecurrentReader(RecurrentConfig(cell, d_output=3)).double()
    x = torch.randn(4, 9, 2).double()
    states, _ = unroll(model.cell(), x)
    torch.testing.assert_close(model(x), model.output(states[:, -1]))
    changed = x.clone()
    changed[:, 0] += 1.0
    assert not torch.equal(model(x), model(changed))


@pytest.mark.parametrize(("cell", "gate"), [("lstm", "forget"), ("gru", "update")])
def test_memory_asked_is_memory_given(cell, gate):
    seed_everything(0)
    long, short = (
        gate_values(
            RecurrentReader(RecurrentConfig(cell, max_memory=m)).cell(), torch.zeros(1, 1, 2)
        )
        for m in (200, None)
    )
    assert float(long[gate].mean()) > 0.95 > 0.6 > float(short[gate].mean())


@pytest.mark.lento
@pytest.mark.parametrize("cell", CELLS)
def test_it_memorises_a_batch(cell):
    seed_everything(0)
    batch = adding_examples(8, 6, torch.Generator().manual_seed(0))
    model = RecurrentReader(RecurrentConfig(cell))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    history = fit(
        model,
        [batch],
        lambda model, batch: nn.functional.mse_loss(model(batch[0]), batch[1]),
        budget=Steps(300),
        optimizer=optimizer,
    )
    assert history.loss[-1] < 1e-3


def test_sizes_are_the_declared_ones():
    for size, options in VARIANTS.items():
        model = RecurrentReader(RecurrentConfig("lstm", **options))
        assert model.rnn.hidden_size == {"aula": 32, "articulo": 100}[size]


def test_bad_configurations_are_refused():
    with pytest.raises(ValueError, match="cell='elman' no existe: usa una de rnn, relu, lstm, gru"):
        RecurrentConfig("elman")
    with pytest.raises(ValueError, match="max_memory=50 con cell='rnn': una red simple no tiene"):
        RecurrentConfig("rnn", max_memory=50)
