"""Los tres lectores: el relleno no cuenta, y cada uno hace lo que dicen sus ecuaciones."""

import pytest
import torch

from tfcourse.models.classifier import Classifier, mean_state
from tfcourse.models.readers import (
    AttentionEncoder,
    ConvolutionEncoder,
    RecurrentEncoder,
    end_states,
    max_state,
)
from tfcourse.models.transformer import TransformerConfig

TOKENS = torch.tensor([[5, 6, 7, 8, 0, 0], [9, 5, 6, 7, 8, 4]])
LENGTHS = torch.tensor([4, 6])


def readers():
    torch.manual_seed(0)
    config = TransformerConfig(12, 12, d_model=8, n_heads=2, n_layers=1, d_hidden=16)
    return {
        "recurrente": Classifier(RecurrentEncoder(12, 8, 6), 12, 3, pool=end_states),
        "convolución": Classifier(ConvolutionEncoder(12, 8, 10), 10, 3, pool=max_state),
        "atención": Classifier(AttentionEncoder(config), 8, 3, pool=mean_state),
    }


@pytest.mark.parametrize("name", ["recurrente", "convolución", "atención"])
def test_padding_does_not_matter(name):
    model = readers()[name].double().eval()
    alone = model(TOKENS[:1, :4], LENGTHS[:1])
    torch.testing.assert_close(model(TOKENS, LENGTHS)[:1], alone)
    changed = TOKENS.clone()
    changed[0, 4:] = 11
    torch.testing.assert_close(model(changed, LENGTHS)[:1], alone)


@pytest.mark.parametrize("name", ["recurrente", "convolución", "atención"])
def test_order_matters(name):
    model = readers()[name].double().eval()
    turned = TOKENS[:1, :4].flip(1)
    assert not torch.allclose(model(TOKENS[:1, :4], LENGTHS[:1]), model(turned, LENGTHS[:1]))


def test_convolution_by_loops():
    torch.manual_seed(0)
    encoder = ConvolutionEncoder(12, 4, 5, width=3).double()
    x = encoder.table(TOKENS[0, :4])
    weight, bias = encoder.convolution.weight, encoder.convolution.bias
    for place in range(4):
        total = bias.clone()
        for offset in (-1, 0, 1):
            if 0 <= place + offset < 4:
                total = total + weight[:, :, offset + 1] @ x[place + offset]
        torch.testing.assert_close(encoder(TOKENS[:1, :4], LENGTHS[:1])[0, place], total.relu())


def test_the_backward_direction_starts_at_the_last_word():
    """La dirección de vuelta lee la frase al revés, no el relleno."""
    torch.manual_seed(0)
    encoder = RecurrentEncoder(12, 4, 5).double()
    states = encoder(TOKENS, LENGTHS)
    reverse = torch.nn.LSTM(4, 5, batch_first=True).double()
    names = {
        n: n + "_reverse" for n in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    }
    source = encoder.rnn.state_dict()
    reverse.load_state_dict({name: source[theirs] for name, theirs in names.items()})
    read, _ = reverse(encoder.table(TOKENS[:1, :4]).flip(1))
    torch.testing.assert_close(states[0, :4, 5:], read[0].flip(0))
    summary = end_states(states, LENGTHS)[0]
    torch.testing.assert_close(summary, torch.cat([states[0, 3, :5], states[0, 0, 5:]]))


def test_max_ignores_padding():
    states = torch.tensor([[[1.0], [-2.0], [9.0]]])
    assert max_state(states, torch.tensor([2])).item() == 1.0


def test_nobody_looks_at_the_padding():
    encoder = readers()["atención"].encoder.eval()
    (weights,) = encoder.attention_maps(TOKENS, LENGTHS)
    assert weights.shape == (2, 2, 6, 6)
    assert torch.all(weights[0, ..., 4:] == 0) and torch.all(weights[1] > 0)


def test_even_window():
    with pytest.raises(ValueError, match="width=4: usa una ventana impar"):
        ConvolutionEncoder(12, 4, 5, width=4)


@pytest.mark.lento
@pytest.mark.parametrize("name", ["recurrente", "convolución", "atención"])
def test_memorizes_a_batch(name):
    model, labels = readers()[name], torch.tensor([0, 2])
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(model(TOKENS, LENGTHS), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.05
