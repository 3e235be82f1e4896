"""Celdas recurrentes: paridad con PyTorch, pesos copiados, en float64."""

import pytest
import torch
from torch import nn

from tfcourse.layers.recurrent.cells import GRUCell, LSTMCell, RNNCell, unroll


@pytest.mark.parametrize(
    ("cell_class", "reference"), [(RNNCell, nn.RNN), (GRUCell, nn.GRU), (LSTMCell, nn.LSTM)]
)
def test_cell_unrolled_equals_torch(cell_class, reference):
    cell = cell_class(4, 6).double()
    theirs = reference(4, 6, batch_first=True).double()
    with torch.no_grad():
        theirs.weight_ih_l0.copy_(cell.input_proj.weight)
        theirs.bias_ih_l0.copy_(cell.input_proj.bias)
        theirs.weight_hh_l0.copy_(cell.hidden_proj.weight)
        theirs.bias_hh_l0.copy_(cell.hidden_proj.bias)
    x = torch.randn(3, 5, 4, dtype=torch.float64)
    outputs, last = unroll(cell, x)
    expected, expected_last = theirs(x)
    torch.testing.assert_close(outputs, expected)
    last, expected_last = (
        (last, expected_last) if cell_class is LSTMCell else ((last,), (expected_last,))
    )
    for ours, reference_state in zip(last, expected_last, strict=True):
        torch.testing.assert_close(ours, reference_state[0])


@pytest.mark.usefixtures("sin_tipos")
def test_empty_sequence_is_refused():
    with pytest.raises(ValueError, match="la secuencia está vacía"):
        unroll(RNNCell(4, 6), torch.zeros(2, 0, 4))
