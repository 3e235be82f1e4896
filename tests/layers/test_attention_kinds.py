"""Las clases de atención: general, local, dura, por niveles, coatención y por rasgos."""

import math

import pytest
import torch
from torch import nn

from tfcourse.layers.alignment.aligned import AlignedAttention, DeAttention
from tfcourse.layers.alignment.coattention import CoAttention
from tfcourse.layers.alignment.distributions import sparsemax
from tfcourse.layers.alignment.functions import AdditiveAlignment, DotAlignment, GeneralAlignment
from tfcourse.layers.alignment.hard import (
    RunningBaseline,
    reinforce_loss,
    sample_positions,
    take_positions,
)
from tfcourse.layers.alignment.hierarchical import (
    AttentivePooling,
    HierarchicalAttention,
    read_sequences,
)
from tfcourse.layers.alignment.local import MonotonicAttention, PredictiveAttention, window_mask
from tfcourse.layers.alignment.representations import (
    MultiDimensionalAttention,
    RepresentationAttention,
)
from tfcourse.layers.attention import masked_softmax
from tfcourse.models.attentive import AttentiveDecoder
from tfcourse.models.seq2seq import LuongDecoder, Seq2Seq, Seq2SeqConfig

B, LQ, LK, D = 2, 3, 6, 4


def tensors(*shapes, seed=0):
    g = torch.Generator().manual_seed(seed)
    return [torch.randn(*shape, generator=g, dtype=torch.float64) for shape in shapes]


def padding(*lengths):
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


@pytest.mark.parametrize("distribution", [masked_softmax, sparsemax])
def test_general_attention_by_loops(distribution):
    q, k, v = tensors((B, LQ, D), (B, LK, 5), (B, LK, 7))
    layer = AlignedAttention(AdditiveAlignment(D, 5, 3), distribution).double()
    mask = padding(6, 2)[:, None]
    mixed, weights = layer(q, layer.prepare_keys(k), v, mask)
    align = layer.alignment
    for b, length in enumerate((6, 2)):
        for t in range(LQ):
            scores = align(q[b : b + 1, t : t + 1], align.prepare_keys(k[b : b + 1, :length]))
            alpha = distribution(scores[0, 0])
            torch.testing.assert_close(weights[b, t, :length], alpha)
            torch.testing.assert_close(
                mixed[b, t], sum(a * x for a, x in zip(alpha, v[b], strict=False))
            )
    assert (weights[1, :, 2:] == 0).all()


def test_deattention_by_pairs():
    q, k, v = tensors((B, LQ, D), (B, LK, 5), (B, LK, 2))
    layer = DeAttention(D, 5, 3).double()
    mixed, weights = layer(q, layer.prepare_keys(k), v, padding(6, 2)[:, None])
    a, b = layer.query_proj(q)[1, 2], layer.key_proj(k)[1, 1]
    near = 2 / (1 + math.exp(float((a - b).detach().abs().sum()) / 3))
    expected = math.tanh(float((a @ b).detach()) / math.sqrt(3)) * near
    assert float(weights[1, 2, 1]) == pytest.approx(expected)
    assert (weights[1, :, 2:] == 0).all() and weights.abs().max() < 1
    torch.testing.assert_close(mixed, weights @ v)


def decoder_model(attention=None):
    torch.manual_seed(0)
    decoder = AttentiveDecoder(9, 4, 6, 6, attention) if attention else None
    return Seq2Seq(Seq2SeqConfig(11, 9, "luong", 4, 3), decoder).double()


SOURCE = torch.tensor([[3, 4, 5, 6, 7], [8, 9, 0, 0, 0]])
LENGTHS, TARGET = torch.tensor([5, 2]), torch.tensor([[1, 3, 4, 5], [1, 6, 7, 8]])
KINDS = {
    "general": lambda: AlignedAttention(GeneralAlignment(6, 6)),
    "monotona": lambda: MonotonicAttention(DotAlignment(), 1),
    "predictiva": lambda: PredictiveAttention(DotAlignment(), 2, 6),
    "coda": lambda: DeAttention(6, 6, 4),
    "sparsemax": lambda: AlignedAttention(DotAlignment(), sparsemax),
}


@pytest.mark.parametrize("kind", KINDS)
def test_step_by_step_equals_all_at_once(kind):
    model = decoder_model(KINDS[kind]())
    state, logits = model.start(SOURCE, LENGTHS), []
    for t in range(TARGET.shape[1]):
        one, state = model.step(TARGET[:, t : t + 1], state)
        logits.append(one)
    torch.testing.assert_close(torch.stack(logits, 1), model(SOURCE, LENGTHS, TARGET))


@pytest.mark.parametrize("kind", ["monotona", "predictiva"])
def test_without_a_mask_everything_is_visible(kind):
    q, k, v = tensors((B, LQ, 6), (B, LK, 6), (B, LK, 2))
    layer = KINDS[kind]().double()
    everything = torch.ones(B, 1, LK, dtype=torch.bool)
    for alone, masked in zip(layer(q, k, v), layer(q, k, v, everything), strict=True):
        torch.testing.assert_close(alone, masked)


@pytest.mark.parametrize("kind", KINDS)
def test_padding_never_matters(kind):
    model = decoder_model(KINDS[kind]())
    alone = model(SOURCE[1:, :2], LENGTHS[1:], TARGET[1:])
    torch.testing.assert_close(model(SOURCE, LENGTHS, TARGET)[1:], alone)


def test_with_general_alignment_it_is_luong():
    """Con la pieza de Luong y los mismos pesos, los mismos logits."""
    attention = AlignedAttention(GeneralAlignment(5, 6))
    mine, luong = AttentiveDecoder(9, 4, 5, 6, attention), LuongDecoder(9, 4, 5, 6)
    weights = {name.removeprefix("attention."): x for name, x in mine.state_dict().items()}
    luong.load_state_dict(weights)
    model = Seq2Seq(Seq2SeqConfig(11, 9, "luong", 4, 3), luong)
    same = Seq2Seq(Seq2SeqConfig(11, 9, "luong", 4, 3), mine)
    same.encoder.load_state_dict(model.encoder.state_dict())
    torch.testing.assert_close(same(SOURCE, LENGTHS, TARGET), model(SOURCE, LENGTHS, TARGET))
    found, expected = (one.attention_maps(SOURCE, LENGTHS, TARGET) for one in (same, model))
    torch.testing.assert_close(found, expected)


def test_monotonic_window_by_enumeration_and_its_limit():
    q, k, v = tensors((B, LQ, D), (B, LK, D), (B, LK, 2))
    layer, mask = MonotonicAttention(DotAlignment(), 1), padding(6, 2)[:, None]
    _, weights = layer(q, k, v, mask, 2)
    for t in range(LQ):
        for i in range(LK):
            allowed = abs(i - (t + 2)) <= 1
            assert bool(weights[0, t, i] > 0) == allowed
            assert bool(weights[1, t, i] > 0) == (allowed and i < 2)
    assert (weights[1, 1:] == 0).all()  # la ventana ya pasó de largo: ni NaN ni relleno
    everything = torch.ones(B, 1, LK, dtype=torch.bool)  # sin máscara, como si todo fuera texto
    torch.testing.assert_close(layer(q, k, v, None, 2), layer(q, k, v, everything, 2))
    wide = MonotonicAttention(DotAlignment(), LK)
    torch.testing.assert_close(
        wide(q, k, v, mask)[1], AlignedAttention(DotAlignment())(q, k, v, mask)[1]
    )


@pytest.mark.parametrize("half_width", [2, 3])  # con 2, la desviación es 1 y no se nota
def test_predictive_window_by_its_equations(half_width):
    q, k, v = tensors((B, LQ, D), (B, LK, D), (B, LK, 2))
    layer = PredictiveAttention(DotAlignment(), half_width, D).double()
    lengths = (6, 4)
    mixed, weights = layer(q, k, v, padding(*lengths)[:, None])
    for b, length in enumerate(lengths):
        for t in range(LQ):
            hidden = torch.tanh(layer.center_hidden.weight @ q[b, t])
            center = float(length * torch.sigmoid(layer.center_score.weight[0] @ hidden))
            seen = [i for i in range(length) if abs(i - center) <= half_width]
            alpha = torch.stack([q[b, t] @ k[b, i] for i in seen]).softmax(0)
            for i in range(LK):
                bell = math.exp(-((i - center) ** 2) / (2 * (half_width / 2) ** 2))
                expected = float(alpha[seen.index(i)]) * bell if i in seen else 0.0
                assert float(weights[b, t, i]) == pytest.approx(expected)
    torch.testing.assert_close(mixed, weights @ v)
    grads = torch.autograd.grad(mixed.sum(), list(layer.parameters()))
    assert all(bool((g != 0).any()) for g in grads), "el centro se queda sin gradiente"


def test_reinforce_is_unbiased_by_exact_enumeration():
    """La media del gradiente sobre todas las posiciones es el gradiente exacto, con y sin base."""
    (scores,) = tensors((1, 4), seed=3)
    scores.requires_grad_()
    reward = torch.tensor([1.0, -2.0, 0.5, 3.0], dtype=torch.float64)
    weights = scores.softmax(-1)
    (exact,) = torch.autograd.grad(-(weights * reward).sum(), scores, retain_graph=True)
    for baseline in (0.0, 1.7):
        mean = torch.zeros_like(exact)
        for place in range(4):
            loss = reinforce_loss(
                weights, torch.tensor([place]), reward[place : place + 1], baseline
            )
            (grad,) = torch.autograd.grad(loss, scores, retain_graph=True)
            mean += weights[0, place].detach() * grad
        torch.testing.assert_close(mean, exact)


def test_positions_are_sampled_with_their_probability():
    weights = torch.tensor([[0.7, 0.0, 0.3]]).expand(20_000, 3)
    counts = sample_positions(weights, torch.Generator().manual_seed(0)).bincount(minlength=3)
    assert counts[1] == 0 and abs(counts[0] / 20_000 - 0.7) < 0.02
    (values,) = tensors((2, 3, 5))
    taken = take_positions(values, torch.tensor([2, 0]))
    torch.testing.assert_close(taken, torch.stack([values[0, 2], values[1, 0]]))


def test_running_baseline_by_its_recurrence():
    baseline, expected = RunningBaseline(0.8), 0.0
    for reward in (torch.tensor([1.0, 3.0]), torch.tensor([-1.0, 0.0])):
        baseline.update(reward)
        expected = 0.8 * expected + 0.2 * float(reward.mean())
    assert float(baseline.value) == pytest.approx(expected)


def test_pooling_and_hierarchy_by_loops():
    word_level, sentence_level = AttentivePooling(D, 5), AttentivePooling(D, 3, sparsemax)
    layer = HierarchicalAttention(word_level, sentence_level).double()
    (words,) = tensors((1, 3, 4, D))
    mask = torch.stack([padding(4, 2, 1), padding(4, 2, 1).flip(0).roll(0)])[:1]
    mask[0, 2] = False  # la tercera oración no existe
    document, word_weights, sentence_weights = layer(words, mask)

    def pool(level, rows, distribution):
        keys = [torch.tanh(level.key_proj(x)) @ level.query for x in rows]
        alpha = distribution(torch.stack(keys))
        return sum(a * x for a, x in zip(alpha, rows, strict=True)), alpha

    first, alpha = pool(word_level, words[0, 0], masked_softmax)
    second, _ = pool(word_level, words[0, 1, :2], masked_softmax)
    expected, beta = pool(sentence_level, torch.stack([first, second]), sparsemax)
    torch.testing.assert_close(document[0], expected)
    torch.testing.assert_close(word_weights[0, 0], alpha)
    torch.testing.assert_close(sentence_weights[0, :2], beta)
    assert (word_weights[0, 2] == 0).all() and sentence_weights[0, 2] == 0


def test_readers_never_read_padding():
    reader = nn.GRU(D, 3, batch_first=True, bidirectional=True).double()
    (x,) = tensors((2, 5, D))
    for length in (1, 2):
        states = read_sequences(reader, x, padding(5, length))
        torch.testing.assert_close(states[1, :length], reader(x[1:, :length])[0][0])
    with pytest.raises(ValueError, match="al final"):
        read_sequences(None, x, padding(5, 2).flip(1))


def test_coattention_by_loops_and_symmetry():
    a, b = tensors((B, 3, D), (B, 5, 2))
    layer = CoAttention(D, 2, 6).double()
    summaries, weights = layer(a, b, padding(3, 2), padding(5, 4))
    x, y = a[1, :2], b[1, :4]
    affinity = torch.stack(
        [torch.stack([torch.tanh(i @ layer.affinity_proj.weight @ j) for j in y]) for i in x]
    )
    w_a, w_b = layer.first_proj.weight, layer.second_proj.weight
    hidden = [
        torch.tanh(w_a @ i + sum(affinity[r, c] * (w_b @ j) for c, j in enumerate(y)))
        for r, i in enumerate(x)
    ]
    alpha = torch.stack([layer.first_score.weight[0] @ h for h in hidden]).softmax(0)
    torch.testing.assert_close(weights[0][1, :2], alpha)
    torch.testing.assert_close(summaries[0][1], alpha @ x)
    mirror = CoAttention(2, D, 6).double()
    mirror.affinity_proj.weight = nn.Parameter(layer.affinity_proj.weight.T)
    for one, other in (("first", "second"), ("second", "first")):
        for piece in ("proj", "score"):
            source = getattr(layer, f"{one}_{piece}")
            getattr(mirror, f"{other}_{piece}").load_state_dict(source.state_dict())
    swapped, _ = mirror(b, a, padding(5, 4), padding(3, 2))
    torch.testing.assert_close(swapped[0], summaries[1])


def test_representation_attention_by_loops():
    a, b = tensors((B, 3, D), (B, 3, 2))
    layer = RepresentationAttention((D, 2), 5).double()
    mixed, weights = layer((a, b))
    parts = [layer.projections[0](a[1, 2]), layer.projections[1](b[1, 2])]
    alpha = torch.stack([layer.score_proj(x)[0] for x in parts]).softmax(0)
    torch.testing.assert_close(weights[1, 2], alpha)
    torch.testing.assert_close(mixed[1, 2], alpha[0] * parts[0] + alpha[1] * parts[1])
    with pytest.raises(ValueError, match="se anunciaron 2"):
        layer((a,))


def test_multidimensional_attention_by_loops_and_its_scalar_case():
    q, k, v = tensors((B, LQ, D), (B, LK, 5), (B, LK, 3))
    layer, mask = MultiDimensionalAttention(D, 5, 4, 3).double(), padding(6, 2)[:, None]
    mixed, weights = layer(q, k, v, mask)
    query = layer.query_proj(q)[1, 0]
    for d in range(3):
        scores = torch.stack([
            layer.score_proj.weight[d] @ torch.tanh(
                layer.key_proj.weight @ x + query
            ) + layer.score_proj.bias[d] for x in k[1, :2]
        ])  # fmt: skip
        torch.testing.assert_close(weights[1, 0, d, :2], scores.softmax(0))
        torch.testing.assert_close(mixed[1, 0, d], scores.softmax(0) @ v[1, :2, d])
    with torch.no_grad():  # si todos los rasgos puntúan igual, es la atención aditiva de siempre
        layer.score_proj.weight.copy_(layer.score_proj.weight[:1].expand(3, -1))
        layer.score_proj.bias.zero_()
        layer.query_proj.bias.zero_()
    additive = AdditiveAlignment(D, 5, 4).double()
    additive.load_state_dict({
        "query_proj.weight": layer.query_proj.weight, "key_proj.weight": layer.key_proj.weight,
        "score_proj.weight": layer.score_proj.weight[:1],
    })  # fmt: skip
    expected, _ = AlignedAttention(additive)(q, additive.prepare_keys(k), v, mask)
    torch.testing.assert_close(layer(q, k, v, mask)[0], expected)


def test_bad_use_is_told_in_spanish():
    with pytest.raises(ValueError, match="half_width=-1"):
        window_mask(torch.zeros(1, 2), 4, -1)
    with pytest.raises(ValueError, match="debe ser una distribución"):
        sample_positions(torch.tensor([[0.5, 0.9]]))
