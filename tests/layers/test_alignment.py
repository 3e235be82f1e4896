"""Funciones de alineamiento contra su definición con bucles."""

import torch

from tfcourse.layers.alignment.functions import AdditiveAlignment, DotAlignment, GeneralAlignment

B, LQ, LK = 2, 3, 4


def test_additive_by_loops():
    layer = AdditiveAlignment(5, 6, 7).double()
    q, k = torch.randn(B, LQ, 5).double(), torch.randn(B, LK, 6).double()
    scores = layer(q, layer.prepare_keys(k))
    w_q, w_k, v = layer.query_proj.weight, layer.key_proj.weight, layer.score_proj.weight[0]
    for b in range(B):
        for i in range(LQ):
            for j in range(LK):
                expected = sum(
                    v[d] * torch.tanh(w_q[d] @ q[b, i] + w_k[d] @ k[b, j]) for d in range(7)
                )
                torch.testing.assert_close(scores[b, i, j], expected)


def test_additive_equals_concatenation():
    """Bahdanau escribe W_a[s; h]: la concatenación es la suma de dos proyecciones."""
    layer = AdditiveAlignment(5, 6, 7).double()
    q, k = torch.randn(B, LQ, 5).double(), torch.randn(B, LK, 6).double()
    joined = torch.cat([layer.query_proj.weight, layer.key_proj.weight], dim=1)
    pairs = torch.cat(
        [q[:, :, None].expand(-1, -1, LK, -1), k[:, None].expand(-1, LQ, -1, -1)], dim=-1
    )
    expected = torch.tanh(pairs @ joined.T) @ layer.score_proj.weight[0]
    torch.testing.assert_close(layer(q, layer.prepare_keys(k)), expected)


def test_dot_and_general_by_einsum():
    q, k = torch.randn(B, LQ, 5).double(), torch.randn(B, LK, 5).double()
    dot = DotAlignment()
    torch.testing.assert_close(dot(q, dot.prepare_keys(k)), torch.einsum("bid,bjd->bij", q, k))
    general = GeneralAlignment(5, 6).double()
    wide = torch.randn(B, LK, 6).double()
    expected = torch.einsum("bid,de,bje->bij", q, general.key_proj.weight, wide)
    torch.testing.assert_close(general(q, general.prepare_keys(wide)), expected)
