"""Casos ligeros de las piezas recurrentes y de las de sonido."""

from functools import partial

import torch
from torch import nn

from tests.accelerator.light import Case, case
from tests.accelerator.material import chosen, floats, yes
from tfcourse.layers import blocks
from tfcourse.layers.recurrent import (
    bidirectional,
    bptt,
    cells,
    depth,
    gates,
    gradients,
    scan,
    state,
)
from tfcourse.layers.sound import dual_path, quantizer, wave_fronts

CASES: list[Case] = []
NOT_HERE = {"solo construye lo que usan los casos": ("layers.sound.wave_fronts.make_front",)}
use = partial(case, CASES, mixed=True)


@use(
    bidirectional.Bidirectional,
    cells.RNNCell,
    cells.GRUCell,
    cells.LSTMCell,
    cells.unroll,
    gates.ResetFirstGRUCell,
    gates.gate_values,
)
def every_cell(d):
    kinds = cells.RNNCell, cells.GRUCell, cells.LSTMCell, gates.ResetFirstGRUCell
    x, made = floats(d, 2, 3, 4), [kind(4, 5).to(d) for kind in kinds]
    both = bidirectional.Bidirectional(cells.GRUCell(4, 5), cells.GRUCell(4, 5)).to(d)
    opened = [gates.gate_values(cell, x) for cell in made[1:3]]
    return [cells.unroll(cell, x) for cell in made], both(x), opened


@case(CASES, bptt.RNNGradients, bptt.rnn_states, bptt.backward_through_time)
def through_time(d):
    x, h_0, w_x, w_h = floats(d, 2, 3, 4), floats(d, 2, 5), floats(d, 4, 5), floats(d, 5, 5)
    states = bptt.rnn_states(x, h_0, w_x, w_h, floats(d, 5))
    with torch.no_grad():
        found = bptt.backward_through_time(x, h_0, w_h, states, torch.ones_like(states))
    return states, found


@case(CASES, depth.block_gradient_norms)
def by_depth(d):
    stack = nn.Sequential(*[blocks.EncoderBlock(8, 2, 16) for _ in range(2)]).to(d)
    return depth.block_gradient_norms(stack(floats(d, 2, 3, 8)).sum(), stack)


@case(CASES, gates.init_memory, gates.copy_cell)
def memories(d):
    for kind in (nn.LSTM, nn.GRU):
        rnn = kind(4, 5).to(d)
        gates.init_memory(rnn, 1.0, balance=True)
        gates.init_memory(rnn, gates.memory_biases(5, 20).to(d))
        copied = gates.copy_cell(rnn)
    return copied, cells.unroll(copied, floats(d, 2, 3, 4))


@case(
    CASES,
    gradients.states_through_time,
    gradients.gradient_norms,
    gradients.spectral_radius,
    gradients.with_spectral_radius,
    gradients.power_method,
    gradients.growth_rate,
    gradients.clip_by_norm,
)
def gradients_through_time(d):
    cell, x, matrix = cells.LSTMCell(4, 5).to(d), floats(d, 2, 3, 4), floats(d, 5, 5)
    norms = gradients.gradient_norms(cell, x, lambda h: h.sum())
    cells.unroll(cell, x)[0].sum().backward()
    assert gradients.clip_by_norm(list(cell.parameters()), 0.1) > 0
    assert gradients.growth_rate(norms[0].clamp(min=1e-6)) > 0
    grown = gradients.with_spectral_radius(matrix, 0.9)
    return norms, grown, gradients.power_method(grown.detach(), torch.ones(5, device=d), 3)


@case(CASES, state.carry_state, state.orthogonal_recurrence_, state.identity_recurrence_)
def carried_state(d):
    rnn = state.orthogonal_recurrence_(nn.LSTM(4, 5, batch_first=True).to(d))
    _, kept = rnn(floats(d, 2, 3, 4))
    simple = state.identity_recurrence_(nn.RNN(4, 5).to(d))
    return rnn, simple, state.carry_state(kept, chosen(d, 2))


@case(CASES, scan.linear_recurrence, scan.MinGRU)
def scans(d):
    both = floats(d, 2, 2, 7, 3)
    return scan.linear_recurrence(*both), scan.MinGRU(4, 5).to(d)(floats(d, 2, 7, 4))


@use(
    dual_path.chunked,
    dual_path.rejoined,
    dual_path.PathTransformer,
    dual_path.DualPathBlock,
    dual_path.along,
)
def dual_paths(d):
    cut = dual_path.chunked(floats(d, 2, 10, 8), 4)
    model = dual_path.DualPathBlock(8, 2, 16, 1, 1).to(d)
    return dual_path.rejoined(model(cut), 10)


@use(quantizer.gumbel_softmax, quantizer.perplexity, quantizer.ProductQuantizer)
def codes(d):
    model, logits = quantizer.ProductQuantizer(8, 4, 2, 5).to(d), floats(d, 2, 3, 5)
    model.train()
    used = quantizer.perplexity(logits.softmax(dim=-1))
    return quantizer.gumbel_softmax(logits, 1.0), used, model(floats(d, 2, 3, 8), yes(d, 2, 3))


@use(wave_fronts.LearnedFront, wave_fronts.STFTFront)
def fronts(d):
    waves, written = floats(d, 2, 64), []
    for kind in wave_fronts.FRONTS:
        front = wave_fronts.make_front(kind, 8, 8, 4).to(d)
        found = front.analyze(waves)
        written += [front.features(found), front.synthesize(found[:, None], 64)]
    return written
