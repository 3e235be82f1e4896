"""Secuencia a secuencia: cálculo independiente, propiedades y errores."""

import pytest
import torch

from tfcourse.decoding import greedy_decode, translate
from tfcourse.losses import teacher_forcing_loss
from tfcourse.models.seq2seq import DECODERS, Encoder, Memory, Seq2Seq, Seq2SeqConfig
from tfcourse.tokenizers.vocabulary import Vocabulary

N_SOURCE, N_TARGET, D = 11, 9, 6
LENGTHS = torch.tensor([5, 2, 3])


def batch(seed=0):
    g = torch.Generator().manual_seed(seed)
    source = torch.randint(3, N_SOURCE, (3, 5), generator=g)
    source[torch.arange(5) >= LENGTHS[:, None]] = 0
    return source, LENGTHS, torch.randint(3, N_TARGET, (3, 4), generator=g)


def build(decoder):
    torch.manual_seed(0)
    config = Seq2SeqConfig(N_SOURCE, N_TARGET, decoder, d_embedding=4, d_hidden=D)
    return Seq2Seq(config).double()


@pytest.mark.parametrize("decoder", DECODERS)
def test_padding_never_matters(decoder):
    model = build(decoder)
    source, lengths, target = batch()
    alone = model(source[1:2, :2], lengths[1:2], target[1:2])
    torch.testing.assert_close(model(source, lengths, target)[1:2], alone)
    garbage = source.masked_fill(torch.arange(5) >= lengths[:, None], 7)
    torch.testing.assert_close(model(garbage, lengths, target), model(source, lengths, target))


@pytest.mark.parametrize("decoder", DECODERS)
def test_the_written_future_never_alters_the_past(decoder):
    model = build(decoder)
    source, lengths, target = batch()
    changed = target.clone()
    changed[:, 2:] = 3
    before, after = model(source, lengths, target), model(source, lengths, changed)
    torch.testing.assert_close(before[:, :2], after[:, :2])


@pytest.mark.parametrize("decoder", DECODERS)
def test_step_by_step_equals_all_at_once(decoder):
    model = build(decoder)
    source, lengths, target = batch()
    state = model.start(source, lengths)
    logits = []
    for t in range(target.shape[1]):
        one, state = model.step(target[:, t : t + 1], state)
        logits.append(one)
    torch.testing.assert_close(torch.stack(logits, 1), model(source, lengths, target))


def test_encoder_states_by_two_separate_networks():
    """Cada posición reúne lo leído de ida y lo leído de vuelta, sin relleno."""
    encoder = Encoder(N_SOURCE, 4, D).double()
    source, lengths, _ = batch()
    memory = encoder(source, lengths)
    forward, backward = (torch.nn.GRU(4, D, batch_first=True).double() for _ in range(2))
    own = encoder.rnn.state_dict()
    forward.load_state_dict({n: own[n] for n in forward.state_dict()})
    backward.load_state_dict({n: own[n + "_reverse"] for n in backward.state_dict()})
    for row, length in enumerate(lengths.tolist()):
        x = encoder.embedding(source[row : row + 1, :length])
        ahead, last_ahead = forward(x)
        behind, last_behind = backward(x.flip(1))
        expected = torch.cat([ahead, behind.flip(1)], dim=-1)[0]
        torch.testing.assert_close(memory.states[row, :length], expected)
        summary = torch.cat([last_ahead[0, 0], last_behind[0, 0]])
        torch.testing.assert_close(memory.summary[row], summary)
        assert memory.mask[row, 0].tolist() == [i < length for i in range(5)]


def test_bahdanau_by_its_equations():
    """Puntaje, pesos, contexto y estado de un ejemplo, con bucles sobre las posiciones."""
    model = build("bahdanau")
    decoder = model.decoder
    source, lengths, target = batch()
    memory, state = model.start(source, lengths)
    logits, _, weights = decoder(target, state, memory)
    align, length, row = decoder.alignment, 3, 2
    h, s = memory.states[row, :length], state[row]
    for t in range(target.shape[1]):
        scores = torch.stack(
            [
                align.score_proj.weight[0]
                @ torch.tanh(align.query_proj.weight @ s + align.key_proj.weight @ h_i)
                for h_i in h
            ]
        )
        alpha = scores.exp() / scores.exp().sum()
        context = sum(a * h_i for a, h_i in zip(alpha, h, strict=True))
        x = torch.cat([decoder.embedding.weight[target[row, t]], context])
        s = decoder.cell(x[None], s[None])[0]
        torch.testing.assert_close(weights[row, t, :length], alpha)
        expected = decoder.output(torch.cat([s, context]))
        torch.testing.assert_close(logits[row, t], expected)
    assert (weights[row, :, length:] == 0).all()


def test_luong_by_its_equations():
    model = build("luong")
    decoder = model.decoder
    source, lengths, target = batch()
    memory, state = model.start(source, lengths)
    logits, _, weights = decoder(target, state, memory)
    row, length = 0, 5
    states, _ = decoder.rnn(decoder.embedding(target[row : row + 1]), state[None, row : row + 1])
    for t, s in enumerate(states[0]):
        h = memory.states[row, :length]
        alpha = torch.stack([s @ decoder.alignment.key_proj.weight @ h_i for h_i in h]).softmax(0)
        context = alpha @ h
        attended = torch.tanh(decoder.combine(torch.cat([context, s])))
        torch.testing.assert_close(weights[row, t], alpha)
        torch.testing.assert_close(logits[row, t], decoder.output(attended))


def test_fixed_context_only_sees_the_summary():
    model = build("fijo")
    source, lengths, target = batch()
    memory, state = model.start(source, lengths)
    blind = Memory(torch.zeros_like(memory.states), memory.mask, memory.summary)
    torch.testing.assert_close(
        model.decoder(target, state, blind)[0], model(source, lengths, target)
    )


@pytest.mark.lento
@pytest.mark.parametrize("decoder", DECODERS)
def test_one_batch_is_memorised(decoder):
    model = build(decoder).float()
    vocabulary = Vocabulary("abcdef")
    source, lengths, body = batch()
    ends = torch.full((3, 1), vocabulary.stop_id)
    target = torch.cat([torch.full((3, 1), vocabulary.start_id), body, ends], dim=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(150):
        loss = teacher_forcing_loss(model, (source, lengths, target))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.02
    found = translate(model, source, lengths, vocabulary, max_length=8)
    assert found == [vocabulary.decode(row) for row in body.tolist()]


def test_greedy_decode_stops_each_sequence_on_its_own():
    table = torch.tensor([[0, 5, 2, 0], [7, 7, 7, 2]])  # qué símbolo elige cada fila en cada paso

    def step(tokens, position):
        return torch.nn.functional.one_hot(table[:, position], 9).double(), position + 1

    written = greedy_decode(step, 1, torch.tensor([1, 1]), stop_id=2, max_length=9)
    assert written.tolist() == [[5, 2, 2], [7, 7, 2]]
    assert greedy_decode(step, 1, torch.tensor([1, 1]), stop_id=2, max_length=1).shape == (2, 1)


def test_greedy_decode_feeds_back_what_it_writes():
    seen = []

    def step(tokens, state):
        seen.append(tokens[:, 0].tolist())
        return torch.nn.functional.one_hot(tokens[:, 0] + 1, 9).double(), state

    greedy_decode(step, None, torch.tensor([3]), stop_id=8, max_length=3)
    assert seen == [[3], [4], [5]]


@pytest.mark.usefixtures("sin_tipos")
class TestErrors:
    def test_unknown_decoder(self):
        with pytest.raises(ValueError, match="decodificador desconocido: 'lstm'; usa uno de fijo"):
            Seq2SeqConfig(3, 3, decoder="lstm")

    def test_empty_sequence(self):
        with pytest.raises(ValueError, match="hay una secuencia vacía"):
            build("fijo").start(torch.zeros(1, 4, dtype=torch.long), torch.tensor([0]))

    def test_token_out_of_the_vocabulary(self):
        with pytest.raises(ValueError, match=r"entre 99 y 99.*de 0 a 10"):
            build("fijo").start(torch.tensor([[99, 99]]), torch.tensor([2]))

    def test_wrong_shapes(self):
        with pytest.raises(ValueError, match=r"forma \(1, 4\) y las longitudes \(2,\)"):
            build("fijo").start(torch.ones(1, 4, dtype=torch.long), torch.tensor([4, 4]))

    def test_fixed_context_has_no_weights(self):
        with pytest.raises(ValueError, match="no tiene pesos de atención"):
            build("fijo").attention_maps(*batch())

    def test_nothing_to_write(self):
        with pytest.raises(ValueError, match="max_length=0"):
            greedy_decode(None, None, torch.tensor([1]), stop_id=2, max_length=0)
