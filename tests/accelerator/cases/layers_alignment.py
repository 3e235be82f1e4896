"""Casos ligeros de las maneras de alinear."""

from functools import partial

import torch
from torch import nn

from tests.accelerator.light import Case, case
from tests.accelerator.material import floats, yes
from tfcourse.layers.alignment import (
    aligned,
    coattention,
    distributions,
    functions,
    hard,
    hierarchical,
    local,
    networks,
    products,
    representations,
)

CASES: list[Case] = []
NOT_HERE: dict[str, tuple[str, ...]] = {}
use = partial(case, CASES, mixed=True)


def everything(d):
    """Consultas, claves, valores y máscara."""
    return floats(d, 2, 3, 4), floats(d, 2, 5, 4), floats(d, 2, 5, 6), yes(d, 2, 1, 5)


def aligned_with(d, attention: nn.Module):
    """Lo que lee un módulo de atención con sus claves preparadas."""
    q, k, values, mask = everything(d)
    attention = attention.to(d)
    return attention(q, attention.prepare_keys(k), values, mask)


@use(
    aligned.AlignedAttention,
    functions.Alignment,
    functions.AdditiveAlignment,
    functions.DotAlignment,
    functions.GeneralAlignment,
)
def basic_alignments(d):
    made = functions.AdditiveAlignment(4, 4, 8), functions.DotAlignment()
    return [
        aligned_with(d, aligned.AlignedAttention(alignment))
        for alignment in (*made, functions.GeneralAlignment(4, 4))
    ]


@use(
    networks.DeepAlignment,
    networks.LocationAlignment,
    networks.FeatureAlignment,
    products.CosineAlignment,
    products.ScaledDotAlignment,
    products.BiasedGeneralAlignment,
    products.ActivatedGeneralAlignment,
    products.KernelAlignment,
)
def other_alignments(d):
    made = (
        networks.DeepAlignment(4, 4, 8),
        networks.LocationAlignment(4, 5),
        networks.FeatureAlignment(4, 4, 8),
        products.CosineAlignment(),
        products.ScaledDotAlignment(),
        products.BiasedGeneralAlignment(4, 4),
        products.ActivatedGeneralAlignment(4, 4),
        products.KernelAlignment(4, 8),
    )
    return [aligned_with(d, aligned.AlignedAttention(alignment)) for alignment in made]


@use(aligned.DeAttention, distributions.deattention)
def without_softmax(d):
    x = floats(d, 2, 3, 5)
    return aligned_with(d, aligned.DeAttention(4, 4, 8)), distributions.deattention(x, -x.square())


@use(coattention.CoAttention)
def coattentions(d):
    first, second, model = floats(d, 2, 3, 4), floats(d, 2, 5, 6), coattention.CoAttention(4, 6, 8)
    return model.to(d)(first, second, yes(d, 2, 3), yes(d, 2, 5))


@use(
    distributions.sparsemax,
    distributions.entmax,
    distributions.sigmoid_weights,
    distributions.SparsemaxFunction,
    distributions.EntmaxFunction,
    distributions.positive_power,
)
def other_distributions(d):
    scores, mask = floats(d, 2, 3, 5), yes(d, 2, 1, 5)
    return [
        distributions.sparsemax(scores, mask),
        distributions.entmax(scores, mask),
        distributions.entmax(scores, mask, alpha=1.3),
        distributions.sigmoid_weights(scores, mask),
        distributions.positive_power(scores, 0.5),
    ]


@use(hard.sample_positions, hard.take_positions, hard.reinforce_loss, hard.RunningBaseline)
def hard_choices(d):
    weights, values = floats(d, 2, 5).softmax(dim=-1), floats(d, 2, 5, 4)
    positions = hard.sample_positions(weights)
    baseline, reward = hard.RunningBaseline().to(d), torch.rand(2, device=d)
    before = baseline.update(reward)
    loss = hard.reinforce_loss(weights, positions, reward, 0.5)
    return hard.take_positions(values, positions), loss, before


@use(
    hierarchical.AttentivePooling,
    hierarchical.HierarchicalAttention,
    hierarchical.read_sequences,
)
def hierarchy(d):
    levels = hierarchical.AttentivePooling(8, 6), hierarchical.AttentivePooling(8, 6)
    readers = [nn.GRU(n, 4, batch_first=True, bidirectional=True) for n in (5, 8)]
    model = hierarchical.HierarchicalAttention(*levels, *readers).to(d)
    words, mask = floats(d, 2, 3, 4, 5), yes(d, 2, 3, 4)
    return model(words, mask), hierarchical.read_sequences(None, floats(d, 2, 3, 4), yes(d, 2, 3))


@use(local.window_mask, local.MonotonicAttention, local.PredictiveAttention)
def local_windows(d):
    alignment = functions.DotAlignment()
    return [
        local.window_mask(floats(d, 2, 3), 5, 1),
        aligned_with(d, local.MonotonicAttention(alignment, 2)),
        aligned_with(d, local.PredictiveAttention(alignment, 2, 4)),
    ]


@use(representations.RepresentationAttention, representations.MultiDimensionalAttention)
def representation_attention(d):
    q, k, values, mask = everything(d)
    many = representations.RepresentationAttention((4, 6), 8).to(d)
    dimensions = representations.MultiDimensionalAttention(4, 4, 8, 6).to(d)
    return many((floats(d, 2, 3, 4), floats(d, 2, 3, 6))), dimensions(q, k, values, mask)
