"""Las redes recurrentes no pierden precisión cuando lo demás la pierde."""

import pytest
import torch
from torch import nn

from tfcourse.layers.recurrent.precision import keep_full_precision
from tfcourse.models.seq2seq import Seq2Seq, Seq2SeqConfig


@pytest.mark.parametrize("layer", (nn.RNN, nn.GRU, nn.LSTM))
def test_it_computes_as_if_there_were_no_mixed_precision(layer):
    network, x = layer(3, 4, batch_first=True), torch.randn(2, 5, 3)
    expected, state = network(x)
    keep_full_precision(network)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        half = nn.Linear(3, 3)(x)
        states, again = network(x)
        assert network(half, again)[0].dtype == torch.float32, "también si entra en bfloat16"
    assert half.dtype == torch.bfloat16
    torch.testing.assert_close(states, expected, rtol=0, atol=0)
    torch.testing.assert_close(again, state, rtol=0, atol=0)


def test_the_weights_keep_their_names():
    network = nn.LSTM(3, 4)
    names = list(network.state_dict())
    assert list(keep_full_precision(network).state_dict()) == names


def test_a_translator_reads_packed_sequences_with_it():
    model = Seq2Seq(Seq2SeqConfig(9, 9, "fijo", 4, 4))
    batch = torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2]), torch.tensor([[1, 4]] * 2)
    plain = model(*batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = keep_full_precision(model)(*batch)
    torch.testing.assert_close(mixed.float(), plain, rtol=0.1, atol=0.1)
