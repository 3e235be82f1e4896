"""InfoNCE: la entropía cruzada de elegir el documento, con su gradiente."""

import pytest
import torch
import torch.nn.functional as F

from tfcourse.losses.contrastive import info_nce


def vectors(n, seed):
    generator = torch.Generator().manual_seed(seed)
    return F.normalize(torch.randn(n, 5, generator=generator, dtype=torch.double), dim=1)


@pytest.mark.parametrize("n_documents", [4, 9])
@pytest.mark.parametrize("temperature", [0.05, 1.0])
def test_it_is_the_cross_entropy_with_its_gradient(n_documents, temperature):
    queries, documents = vectors(4, 0).requires_grad_(), vectors(n_documents, 1).requires_grad_()
    loss = info_nce(queries, documents, temperature)
    expected = F.cross_entropy(queries @ documents.T / temperature, torch.arange(4))
    torch.testing.assert_close(loss, expected)
    for ours, theirs in zip(
        torch.autograd.grad(loss, (queries, documents)),
        torch.autograd.grad(expected, (queries, documents)),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs)


def test_what_also_is_right_does_not_count():
    """Lo mismo que quitar la columna, consulta a consulta; la propia no se quita nunca."""
    queries, documents = vectors(3, 2), vectors(5, 3)
    also = torch.zeros(3, 5, dtype=torch.bool)
    also[0, 3] = also[1, 0] = also[2, 2] = True
    logits = queries @ documents.T / 0.1
    rows = [logits[0, [0, 1, 2, 4]], logits[1, [1, 2, 3, 4]], logits[2]]
    rights = [0, 0, 2]
    expected = sum(r.logsumexp(0) - r[i] for r, i in zip(rows, rights, strict=True)) / 3
    torch.testing.assert_close(info_nce(queries, documents, 0.1, also), expected)


def test_the_gradient_by_hand():
    """De cada parecido, (p − 1)/(τ N) si es la pareja y p/(τ N) si no."""
    logits = torch.randn(3, 4, dtype=torch.double, requires_grad=True)
    eye = torch.eye(4, dtype=torch.double)
    info_nce(logits, eye, 0.5).backward()
    p = (logits.detach() / 0.5).softmax(1)
    torch.testing.assert_close(logits.grad, (p - torch.eye(3, 4)) / 0.5 / 3)


def test_wrong_use_says_what_to_do():
    with pytest.raises(ValueError, match="3 consultas, 2 documentos"):
        info_nce(vectors(3, 0), vectors(2, 1), 0.1)
    with pytest.raises(ValueError, match="temperatura 0"):
        info_nce(vectors(2, 0), vectors(2, 1), 0)
