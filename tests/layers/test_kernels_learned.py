"""Alcance adaptativo, LSH, Linformer, Performer, FNet, Fastformer y atención compartida."""

import math

import pytest
import torch
import torch.nn.functional as F

from tests.layers.kernels import B, D, H, L, assert_same, padding, relation, tensors
from tfcourse.layers.attention import attention, attention_weights
from tfcourse.layers.kernels.hashing import LSHAttention, lsh_buckets
from tfcourse.layers.kernels.low_rank import LinformerAttention, pooling_matrix
from tfcourse.layers.kernels.mixing import FastformerAttention, FourierMixing
from tfcourse.layers.kernels.native_sparse import NativeSparseAttention
from tfcourse.layers.kernels.random_features import PerformerAttention, gaussian_directions
from tfcourse.layers.kernels.shared import (
    SharedAttention,
    jensen_shannon,
    layer_similarity,
    sharing_plan,
)
from tfcourse.layers.kernels.span import AdaptiveSpanAttention
from tfcourse.metrics.time_and_memory import growth_exponent

everything = relation(lambda i, j: True)
causal = relation(lambda i, j: j <= i)


def span_by_loops(kernel, q, k, v):
    """La ec. 5 del artículo, pareja a pareja."""
    scores = (q @ k.mT / math.sqrt(D)).exp()
    window = torch.zeros(H, L, L, dtype=torch.float64)
    for h, z in enumerate(kernel.spans().tolist()):
        for i in range(L):
            for j in range(L):
                if j <= i or not kernel.causal:
                    window[h, i, j] = min(1, max(0, (kernel.ramp + z - abs(i - j)) / kernel.ramp))
    weights = scores * window
    return weights / weights.sum(-1, keepdim=True) @ v


@pytest.mark.parametrize("is_causal", [False, True])
def test_adaptive_span_follows_the_ramp(is_causal):
    kernel = AdaptiveSpanAttention(H, 20, ramp=4, causal=is_causal).double()
    kernel.fraction.data = torch.tensor([0.0, 0.3, 0.9], dtype=torch.float64)
    q, k, v = tensors()
    expected = span_by_loops(kernel, q, k, v)
    torch.testing.assert_close(kernel(q, k, v), expected)


def test_full_span_is_full_attention():
    for is_causal, mask in ((False, everything), (True, causal)):
        kernel = AdaptiveSpanAttention(H, L, start=1.0, ramp=4, causal=is_causal).double()
        assert_same(kernel, *tensors(), mask)
        assert_same(kernel, *tensors(), mask, padding())


def test_the_span_learns_in_both_directions():
    """Con pérdida que premia mirar lejos crece; con la penalización sola, encoge."""
    kernel = AdaptiveSpanAttention(1, 20, start=0.2, ramp=8).double()
    assert not kernel.causal  # si no se pide
    q, k, v = tensors(heads=1)
    v = torch.zeros_like(v)
    v[:, :, 0] = 1.0  # lo valioso está al principio, y pregunta la posición 9
    kernel(q, k, v)[:, :, 9].sum().backward()
    assert kernel.fraction.grad.item() > 0
    kernel.fraction.grad = None
    kernel.spans().sum().backward()
    assert kernel.fraction.grad.item() == 20


def lsh_relation(kernel, q):
    """Qué parejas compara, por la definición: ordenar, trocear y mirar cubo y trozo."""
    buckets = kernel.assign(q)
    union = torch.zeros(B, H, L, L, dtype=torch.bool)
    for b in range(B):
        for h in range(H):
            for r in range(kernel.rounds):
                cube = buckets[b, h, :, r].tolist()
                ordered = sorted(range(L), key=lambda i: (cube[i], i))
                chunk = {i: place // kernel.chunk for place, i in enumerate(ordered)}
                for i in range(L):
                    for j in range(L):
                        if cube[i] == cube[j] and chunk[i] - chunk[j] in (0, 1):
                            union[b, h, i, j] = True
    return union


@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("rounds", [1, 3])
def test_lsh_attends_to_the_union_of_its_rounds(rounds, is_causal):
    kernel = LSHAttention(4, chunk=5, rounds=rounds, causal=is_causal)
    q, k, v = tensors()
    seen = lsh_relation(kernel, q) & (causal if is_causal else everything)
    others = seen & ~torch.eye(L, dtype=torch.bool)
    alone = ~others.any(-1, keepdim=True)
    expected = attention(q, F.normalize(q, dim=-1), v, mask=others)
    expected = torch.where(alone, v, expected)
    torch.testing.assert_close(kernel(q, k, v), expected)
    assert alone.any() or not is_causal


@pytest.mark.parametrize("rounds", [1, 2])
def test_one_bucket_is_full_attention_with_shared_queries(rounds):
    kernel = LSHAttention(1, chunk=L, rounds=rounds)
    q, k, v = tensors()
    not_itself = everything & ~torch.eye(L, dtype=torch.bool)
    expected = attention(q, F.normalize(q, dim=-1), v, mask=not_itself)
    torch.testing.assert_close(kernel(q, k, v), expected)
    padded = attention(q, F.normalize(q, dim=-1), v, mask=not_itself & padding())
    torch.testing.assert_close(kernel(q, k, v, mask=padding()), padded)


def test_similar_vectors_share_bucket_more_often():
    g = torch.Generator().manual_seed(0)
    x = torch.randn(400, D, generator=g)
    near = x + 0.1 * torch.randn(400, D, generator=g)
    far = torch.randn(400, D, generator=g)
    rotation = torch.randn(D, 4, generator=g)
    own = lsh_buckets(x, rotation)
    assert (own == lsh_buckets(near, rotation)).float().mean() > 0.8
    assert (own == lsh_buckets(far, rotation)).float().mean() < 0.25
    assert (own == lsh_buckets(7 * x, rotation)).all() and own.max() == 7


def test_odd_buckets_are_explained():
    with pytest.raises(ValueError, match="n_buckets=3: debe ser par"):
        LSHAttention(3)


def test_linformer_with_k_equal_to_the_length_is_full_attention():
    assert_same(LinformerAttention(L, L).double(), *tensors(), everything)


def test_linformer_follows_the_corrected_equation():
    kernel = LinformerAttention(L, 5).double()
    torch.nn.init.normal_(kernel.key_proj), torch.nn.init.normal_(kernel.value_proj)
    q, k, v = tensors()
    e, f = kernel.key_proj, kernel.value_proj
    keys, values = torch.einsum("kn,bhnd->bhkd", e, k), torch.einsum("kn,bhnd->bhkd", f, v)
    weights = (torch.einsum("bhid,bhkd->bhik", q, keys) / math.sqrt(D)).softmax(-1)
    expected = torch.einsum("bhik,bhkd->bhid", weights, values)
    torch.testing.assert_close(kernel(q, k, v), expected)


def test_linformer_error_falls_with_k_on_smooth_sequences():
    time = torch.linspace(0, 3, 64, dtype=torch.float64)[:, None] * torch.arange(1, D + 1)
    q, k, v = (torch.sin(time + phase).expand(1, 1, 64, D) for phase in (0.0, 0.3, 0.6))
    exact = attention(q, k, v)
    errors = [
        (LinformerAttention(64, size).double()(q, k, v) - exact).norm()
        for size in (4, 8, 16, 32, 64)
    ]
    assert all(a > 1.5 * b for a, b in zip(errors, errors[1:], strict=False))
    assert errors[-1] < 1e-10


def test_pooling_matrix_averages():
    torch.testing.assert_close(
        pooling_matrix(2, 4), torch.tensor([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    )
    torch.testing.assert_close(pooling_matrix(5, 5), torch.eye(5))
    with pytest.raises(ValueError, match="k=6: debe estar entre 1 y la longitud, 5"):
        pooling_matrix(6, 5)
    with pytest.raises(ValueError, match="23 claves y E solo tiene 10 columnas"):
        LinformerAttention(10, 4).double()(*tensors())


def performer_errors(m, orthogonal, trials=40):
    q, k, v = (0.4 * x.detach() for x in tensors())
    exact, found = attention(q, k, v), []
    for _ in range(trials):
        kernel = PerformerAttention(D, m, orthogonal=orthogonal).double()
        found.append((kernel(q, k, v) - exact).square().mean())
    return torch.stack(found).mean().sqrt().item()


def test_performer_error_falls_as_the_square_root():
    torch.manual_seed(0)
    sizes = [64, 256, 1024, 4096]
    errors = [performer_errors(m, True) for m in sizes]
    assert growth_exponent(sizes, errors) == pytest.approx(-0.5, abs=0.08)


def test_orthogonal_directions_err_less():
    torch.manual_seed(0)
    assert performer_errors(D, True, 400) < 0.97 * performer_errors(D, False, 400)


def test_directions_are_orthogonal_and_gaussian():
    torch.manual_seed(0)
    rows = gaussian_directions(4 * D, D)
    for block in rows.split(D):
        product = block @ block.T
        torch.testing.assert_close(product, product.diag().diag(), atol=1e-4, rtol=0)
    many = gaussian_directions(40_000, D)
    torch.testing.assert_close(many.T @ many / 40_000, torch.eye(D), atol=0.03, rtol=0)
    assert gaussian_directions(5, 3).shape == (5, 3)


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("is_causal", [False, True])
def test_performer_equals_the_quadratic_form_of_its_features(is_causal, padded):
    """Cambiar el orden de los productos no cambia nada: φ(Q)φ(K)ᵀ normalizado por filas."""
    kernel = PerformerAttention(D, 32, causal=is_causal).double()
    q, k, v = tensors(150)
    pad = padding(150) if padded else None
    phi = [
        (x * D**-0.25 @ kernel.directions.T - x.square().sum(-1, True) / D**0.5 / 2).exp()
        for x in (q, k)
    ]
    weights = phi[0] @ phi[1].mT
    if is_causal:
        weights = weights * relation(lambda i, j: j <= i, 150)
    if padded:
        weights = weights * pad
    expected = weights / weights.sum(-1, keepdim=True) @ v
    torch.testing.assert_close(kernel(q, k, v, mask=pad), expected)


def test_performer_survives_large_scores():
    q, k, v = (30 * x.detach().float() for x in tensors())
    kernel = PerformerAttention(D, 64)
    assert kernel(q, k, v).isfinite().all()
    with pytest.raises(ValueError, match="n_features=0"):
        PerformerAttention(D, 0)


def test_fourier_mixing_by_its_matrices():
    q, k, v = tensors()
    joined = v.transpose(1, 2).flatten(2)

    def dft(n):
        place = torch.arange(n, dtype=torch.float64)
        return torch.polar(
            torch.ones(n, n, dtype=torch.float64), -2 * math.pi * place[:, None] * place / n
        )

    full = dft(L) @ joined.to(torch.complex128) @ dft(H * D) / math.sqrt(L * H * D)
    expected = full.real.unflatten(2, (H, D)).transpose(1, 2)
    torch.testing.assert_close(FourierMixing()(q, k, v), expected)


def test_fourier_mixing_keeps_energy_of_the_complex_transform():
    """La unitaria conserva la norma; su parte real, de una señal real, cerca de la mitad."""
    q, k, v = tensors(256)
    ratio = FourierMixing()(q, k, v).norm() ** 2 / v.norm() ** 2
    assert 0.4 < ratio < 0.6


def test_fastformer_by_its_equations():
    torch.manual_seed(0)
    kernel = FastformerAttention(H, D).double()
    q, k, v = tensors()
    w_q, w_k = kernel.query_score[:, 0], kernel.key_score[:, 0]
    alpha = (torch.einsum("bhid,hd->bhi", q, w_q) / math.sqrt(D)).softmax(-1)
    global_q = torch.einsum("bhi,bhid->bhd", alpha, q)
    p = torch.einsum("bhd,bhid->bhid", global_q, k)
    beta = (torch.einsum("bhid,hd->bhi", p, w_k) / math.sqrt(D)).softmax(-1)
    global_k = torch.einsum("bhi,bhid->bhd", beta, p)
    u = torch.einsum("bhd,bhid->bhid", global_k, v)
    expected = torch.einsum("bhid,od->bhio", u, kernel.transform.weight) + kernel.transform.bias + q
    torch.testing.assert_close(kernel(q, k, v), expected)


LEARNED = {
    "alcance": lambda: AdaptiveSpanAttention(H, 12, ramp=4).double(),
    "LSH": lambda: LSHAttention(4, chunk=8, rounds=2),
    "Linformer": lambda: LinformerAttention(L, 6).double(),
    "Performer": lambda: PerformerAttention(D, 32).double(),
    "FNet": FourierMixing,
    "Fastformer": lambda: FastformerAttention(H, D).double(),
}


@pytest.mark.parametrize("name", LEARNED)
def test_padding_never_matters(name):
    """Cambiar lo que hay en el relleno no cambia lo que reciben las demás posiciones."""
    kernel, pad = LEARNED[name](), padding()
    q, k, v = (x.detach() for x in tensors())
    before = kernel(q, k, v, mask=pad)
    hidden = ~pad[:, 0, 0]
    for x in (q, k, v):
        x.transpose(1, 2)[hidden] += 5.0
    after = kernel(q, k, v, mask=pad)
    visible = pad[:, 0, 0]
    torch.testing.assert_close(after.transpose(1, 2)[visible], before.transpose(1, 2)[visible])


@pytest.mark.parametrize("name", LEARNED)
def test_pairwise_masks_are_refused(name):
    with pytest.raises(ValueError, match="solo admite máscaras de relleno"):
        LEARNED[name]()(*tensors(), mask=causal[None, None])


ALONE = {name: LEARNED[name] for name in ("alcance", "LSH", "FNet", "Fastformer")} | {
    "Performer causal": lambda: PerformerAttention(D, 32, causal=True).double(),
    "NSA": lambda: NativeSparseAttention(D, 4, 2, 3).double(),
}


@pytest.mark.parametrize("name", ALONE)
def test_a_sequence_that_looks_at_another_is_refused(name):
    q, k, v = tensors()
    with pytest.raises(ValueError, match="20 consultas y 23 claves"):
        ALONE[name]()(q[:, :, :20], k, v)


def test_shared_weights_are_computed_once_and_forgotten():
    first, second = tensors(), tensors(seed=1)
    kernel = SharedAttention(2)
    torch.testing.assert_close(kernel(*first), attention(*first))
    weights = attention_weights(*first[:2])
    torch.testing.assert_close(kernel(*second), weights @ second[2])
    assert kernel.kept is None
    torch.testing.assert_close(kernel(*second), attention(*second))


def test_shared_mix_and_groups_of_one():
    first, second = tensors(), tensors(seed=1)
    kernel = SharedAttention(2, share="mezcla")
    torch.testing.assert_close(kernel(*first), kernel(*second))
    alone = SharedAttention(1)
    for qkv in (first, second):
        torch.testing.assert_close(alone(*qkv), attention(*qkv))
    with pytest.raises(ValueError, match="compartir «pesos» o «mezcla»"):
        SharedAttention(2, share="todo")


def test_jensen_shannon_by_hand():
    p, q = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    assert jensen_shannon(p, q).item() == pytest.approx(1)
    assert jensen_shannon(p, p).item() == 0
    half = torch.tensor([0.5, 0.5])
    kl_p = 1 * math.log2(1 / 0.75)
    kl_half = 0.5 * math.log2(0.5 / 0.75) + 0.5 * math.log2(0.5 / 0.25)
    assert jensen_shannon(p, half).item() == pytest.approx((kl_p + kl_half) / 2)
    a, b = torch.rand(2, 9, 7).softmax(-1)
    torch.testing.assert_close(jensen_shannon(a, b), jensen_shannon(b, a))


def test_similarity_and_plan():
    torch.manual_seed(0)
    base = torch.randn(2, 2, 6, 6)
    maps = [
        x.softmax(-1)
        for x in (base, base + 0.1 * torch.randn_like(base), 8 * torch.randn_like(base))
    ]
    similarity = layer_similarity(maps)
    torch.testing.assert_close(similarity, similarity.T)
    torch.testing.assert_close(similarity.diag(), torch.ones(3))
    assert similarity[0, 1] > 0.95 > 0.8 > similarity[1, 2]
    assert sharing_plan(similarity, 0.9) == [2, 1]
    assert sharing_plan(similarity, 1.0) == [1, 1, 1] and sharing_plan(similarity, 0.0) == [3]
    with pytest.raises(ValueError, match="threshold=1.5"):
        sharing_plan(similarity, 1.5)


def test_the_plan_averages_every_pair_of_the_group():
    """Dos capas vecinas se parecen, pero la tercera ya no se parece a la primera."""
    chain = torch.tensor([[1.0, 0.9, 0.3], [0.9, 1.0, 0.9], [0.3, 0.9, 1.0]])
    assert sharing_plan(chain, 0.8) == [2, 1]  # (0,9 + 0,9 + 0,3) / 3 = 0,7
    assert sharing_plan(chain, 0.65) == [3]


LIMITS = {
    "un resumen": (lambda k: pooling_matrix(k, 4), 1, 0),
    "tantos resúmenes como tokens": (lambda k: pooling_matrix(k, 4), 4, 5),
    "Linformer: la longitud justa": (
        lambda n: LinformerAttention(4, 2)(*torch.ones(3, 1, 1, n, 2)), 4, 5,
    ),
    "un rasgo aleatorio": (lambda n: PerformerAttention(4, n), 1, 0),
    "un cubo": (lambda n: LSHAttention(n), 1, 0),
    "cubos pares": (lambda n: LSHAttention(n), 2, 3),
    "una capa que comparte": (SharedAttention, 1, 0),
    "nada se parece": (lambda t: sharing_plan(torch.eye(2), t), 0.0, -0.1),
    "todo se parece": (lambda t: sharing_plan(torch.eye(2), t), 1.0, 1.1),
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_the_last_that_fits_and_the_first_that_does_not(name):
    build, last, first = LIMITS[name]
    build(last)
    with pytest.raises(ValueError):
        build(first)


def test_what_the_limits_are_worth():
    torch.testing.assert_close(pooling_matrix(4, 4), torch.eye(4))
    torch.testing.assert_close(pooling_matrix(1, 4), torch.full((1, 4), 0.25))
    assert sharing_plan(torch.eye(3), 0.0) == [3] and sharing_plan(torch.eye(3), 1.0) == [1, 1, 1]


def test_scores_of_fastformer_start_of_size_one():
    torch.manual_seed(0)
    kernel = FastformerAttention(16, 64)
    for score in (kernel.query_score, kernel.key_score):
        assert score.std().item() == pytest.approx(1.0, rel=0.1)
