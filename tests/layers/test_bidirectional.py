"""Lectura en las dos direcciones: paridad con PyTorch y qué ve cada mitad."""

import torch
from torch import nn

from tfcourse.layers.recurrent.bidirectional import Bidirectional
from tfcourse.layers.recurrent.cells import GRUCell, RNNCell


def twin(cell_class, reference):
    torch.manual_seed(0)
    ours = Bidirectional(cell_class(4, 6), cell_class(4, 6)).double()
    theirs = reference(4, 6, batch_first=True, bidirectional=True).double()
    with torch.no_grad():
        for cell, suffix in ((ours.forward_cell, ""), (ours.backward_cell, "_reverse")):
            getattr(theirs, f"weight_ih_l0{suffix}").copy_(cell.input_proj.weight)
            getattr(theirs, f"bias_ih_l0{suffix}").copy_(cell.input_proj.bias)
            getattr(theirs, f"weight_hh_l0{suffix}").copy_(cell.hidden_proj.weight)
            getattr(theirs, f"bias_hh_l0{suffix}").copy_(cell.hidden_proj.bias)
    return ours, theirs


def test_equals_torch():
    x = torch.randn(3, 5, 4, dtype=torch.float64)
    for pair in ((RNNCell, nn.RNN), (GRUCell, nn.GRU)):
        ours, theirs = twin(*pair)
        torch.testing.assert_close(ours(x), theirs(x)[0])


def test_each_half_sees_its_side():
    ours, _ = twin(RNNCell, nn.RNN)
    x = torch.randn(2, 7, 4, dtype=torch.float64)
    changed = x.clone()
    changed[:, 4] += 1
    moved = (ours(x) != ours(changed)).any(dim=0)
    ahead, behind = moved[:, :6].any(-1), moved[:, 6:].any(-1)
    assert ahead.tolist() == [False] * 4 + [True] * 3
    assert behind.tolist() == [True] * 5 + [False] * 2
