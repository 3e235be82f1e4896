"""Modelo de lenguaje recurrente: leer por trozos es leer de seguido, y memoriza un lote."""

import math

import pytest
import torch
import torch.nn.functional as F

from tfcourse.datasets.text.streams import stream_windows
from tfcourse.decoding import sample_decode, temperature_sampler
from tfcourse.layers.recurrent.bptt import rnn_states
from tfcourse.losses import CarriedStateLoss
from tfcourse.metrics import bits_per_character, text_log_probabilities
from tfcourse.models.language import CELLS, VARIANTS, LanguageConfig, RecurrentLM
from tfcourse.training import Steps, fit

N = 7


def build(cell="rnn"):
    torch.manual_seed(0)
    return RecurrentLM(LanguageConfig(N, d_embedding=5, d_hidden=8, cell=cell)).double()


def tokens(*shape, seed=0):
    return torch.randint(N, shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("cell", CELLS)
def test_in_pieces_equals_at_once(cell):
    model, ids = build(cell), tokens(2, 12)
    whole, _ = model(ids)
    first, state = model(ids[:, :5])
    second, state = model(ids[:, 5:10], state)
    third, state = model.step(ids[:, 10:11], state)
    fourth, _ = model.step(ids[:, 11:], state)
    pieces = [first, second, third[:, None], fourth[:, None]]
    torch.testing.assert_close(torch.cat(pieces, 1), whole)


@pytest.mark.parametrize("cell", CELLS)
def test_the_future_never_alters_the_past(cell):
    model, ids = build(cell), tokens(2, 12)
    changed = ids.clone()
    changed[:, 6:] = (changed[:, 6:] + 1) % N
    torch.testing.assert_close(model(ids)[0][:, :6], model(changed)[0][:, :6])
    assert not torch.allclose(model(ids)[0][:, 6:], model(changed)[0][:, 6:])


def test_logits_by_the_equations():
    """h⁽ᵗ⁾ = tanh(xW_x + hW_h + b) y o⁽ᵗ⁾ = hW_out + b, con los pesos del modelo."""
    model, ids = build(), tokens(2, 6)
    rnn = model.rnn
    states = rnn_states(
        model.embedding.weight[ids],
        torch.zeros(2, 8, dtype=torch.float64),
        rnn.weight_ih_l0.T,
        rnn.weight_hh_l0.T,
        rnn.bias_ih_l0 + rnn.bias_hh_l0,
    )
    torch.testing.assert_close(model(ids)[0], states @ model.output.weight.T + model.output.bias)


def test_log_probabilities_do_not_depend_on_the_window():
    model, ids = build("lstm"), tokens(90)
    options = {"batch_size": 3, "repeat": False}
    long = text_log_probabilities(model, stream_windows(ids, window=29, **options))
    short = text_log_probabilities(model, stream_windows(ids, window=4, **options))
    assert long.shape == (3, 29)
    torch.testing.assert_close(long, short)
    rows = ids.view(3, 30)
    logits, _ = model(rows[:, :-1])
    wanted = -F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())
    assert bits_per_character(long) == pytest.approx(-wanted.item() / math.log(2))


def test_bits_of_a_fair_coin():
    assert bits_per_character(torch.full((2, 8), math.log(0.5))) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="al menos un carácter"):
        bits_per_character(torch.empty(0))


def test_carried_loss_continues_and_forgets_where_told():
    model, ids = build(), tokens(2, 13)
    loss_fn, again = CarriedStateLoss(), torch.tensor([False, False])
    start = torch.tensor([True, True])
    loss_fn(model, (ids[:, :6], ids[:, 1:7], start))
    second = loss_fn(model, (ids[:, 6:12], ids[:, 7:], again))
    logits, _ = model(ids[:, :12])
    wanted = F.cross_entropy(logits[:, 6:].flatten(0, 1), ids[:, 7:].flatten())
    torch.testing.assert_close(second, wanted)
    restarted = loss_fn(model, (ids[:, :6], ids[:, 1:7], start))
    torch.testing.assert_close(
        restarted, F.cross_entropy(logits[:, :6].flatten(0, 1), ids[:, 1:7].flatten())
    )


def test_one_text_is_learnt_by_heart():
    model, ids = build().float(), torch.arange(N).repeat(30)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    windows = stream_windows(ids, batch_size=2, window=7)
    history = fit(model, windows, CarriedStateLoss(), budget=Steps(150), optimizer=optimizer)
    assert history.loss[-1] < 0.05 < 1.5 < history.loss[0]


def certain_step(tokens, state):
    """Propone siempre el símbolo siguiente al leído, con una ventaja de 4 sobre el resto."""
    return 4.0 * F.one_hot((tokens[:, 0] + 1) % N, N).double(), state


def test_temperature_and_seed():
    def write(temperature, seed=0):
        g = torch.Generator().manual_seed(seed)
        first = torch.zeros(40, dtype=torch.long)
        choose = temperature_sampler(temperature, g)
        return sample_decode(certain_step, None, first, choose=choose, max_length=20)

    def faithful(written):
        read = F.pad(written, (1, 0))[:, :-1]
        return (written == (read + 1) % N).double().mean().item()

    cold, fair, hot = (faithful(write(t)) for t in (0.1, 1.0, 10.0))
    expected = math.exp(4) / (math.exp(4) + N - 1)
    assert cold == 1.0 and fair == pytest.approx(expected, abs=0.04) and hot < 0.35
    assert torch.equal(write(1.0), write(1.0)) and not torch.equal(write(1.0), write(1.0, seed=1))


def test_bad_sampling_and_sizes_are_refused():
    first, choose = torch.zeros(1, dtype=torch.long), temperature_sampler(1.0)
    with pytest.raises(ValueError, match="max_length=0: hace falta escribir"):
        sample_decode(certain_step, None, first, choose=choose, max_length=0)
    with pytest.raises(ValueError, match="usa una de rnn, gru, lstm"):
        LanguageConfig(N, cell="elman")
    with pytest.raises(ValueError, match="d_hidden=0: debe ser al menos 1"):
        LanguageConfig(N, d_hidden=0)


def test_variants_build():
    for sizes in VARIANTS.values():
        assert LanguageConfig(N, **sizes).n_layers == 1
