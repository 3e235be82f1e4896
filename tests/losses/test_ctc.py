"""CTC: todos los caminos, uno a uno, con el blanco que sea."""

import itertools
import math

import pytest
import torch
import torch.nn.functional as F

from tfcourse.losses.ctc import can_jump, ctc_forward, ctc_loss, with_blanks


@pytest.mark.parametrize("blank", [0, 2])
def test_ctc_adds_every_path(blank):
    torch.manual_seed(0)
    logits = torch.randn(2, 4, 3, dtype=torch.float64)
    one, other = (symbol for symbol in range(3) if symbol != blank)
    wanted, losses = [[one, one], [other, one]], []
    for row, words in zip(logits.log_softmax(-1), wanted, strict=True):
        total = 0.0
        for path in itertools.product(range(3), repeat=4):
            if [s for s, _ in itertools.groupby(path) if s != blank] == words:
                total += math.exp(sum(float(row[t, s]) for t, s in enumerate(path)))
        losses.append(-math.log(total) / 2)
    found = ctc_loss(logits, torch.tensor(wanted), torch.tensor([2, 2]), blank)
    assert float(found) == pytest.approx(sum(losses) / 2)


def test_only_the_words_that_count_are_read():
    logits = torch.randn(2, 5, 4)
    padded = torch.tensor([[1, 3], [2, 2]])
    found = ctc_loss(logits, padded, torch.tensor([1, 1]), 0)
    torch.testing.assert_close(found, ctc_loss(logits, padded[:, :1], torch.tensor([1, 1]), 0))


def random_case(length, blank, seed=0):
    """Logaritmos de probabilidades, y cuatro frases de 0 a 3 símbolos, con repetidos y relleno."""
    torch.manual_seed(seed)
    log_p = torch.randn(4, length, 5, dtype=torch.float64).log_softmax(-1).requires_grad_()
    words = [s for s in range(5) if s != blank]
    one, other = words[:2]
    heard = torch.tensor([[one, one, other], [other, one, one], [one, other, 3], [other, 0, 0]])
    return log_p, heard, torch.tensor([3, 2, 0, 1])


@pytest.mark.parametrize("blank", [0, 2, 4])
@pytest.mark.parametrize("length", [4, 9, 40])
def test_the_recursion_is_that_of_torch_with_its_gradient(length, blank):
    log_p, heard, counts = random_case(length, blank)
    found = ctc_forward(log_p, heard, counts, blank)
    lengths = torch.full_like(counts, length)
    expected = -F.ctc_loss(log_p.mT.permute(2, 0, 1), heard, lengths, counts, blank, "none")
    torch.testing.assert_close(found, expected, atol=1e-9, rtol=1e-9)
    # PyTorch da el gradiente de los logits: al de los logaritmos le resta las probabilidades.
    logits = torch.randn(4, length, 5, dtype=torch.float64, requires_grad=True)
    mine = ctc_forward(logits.log_softmax(-1), heard, counts, blank).sum()
    its = -F.ctc_loss(logits.log_softmax(-1).transpose(0, 1), heard, lengths, counts, blank, "sum")
    for one, other in zip(
        torch.autograd.grad(mine, logits), torch.autograd.grad(its, logits), strict=True
    ):
        torch.testing.assert_close(one, other, atol=1e-9, rtol=1e-7)


def test_what_does_not_fit_never_happens():
    """«a a» necesita tres instantes, por el blanco de en medio; con dos, ninguno."""
    log_p = torch.zeros(2, 2, 3).log_softmax(-1).requires_grad_()
    found = ctc_forward(log_p, torch.tensor([[1, 1], [1, 2]]), torch.tensor([2, 2]), 0)
    assert found.tolist() == pytest.approx([-math.inf, 2 * math.log(1 / 3)])
    found[1].backward()
    assert log_p.grad.isfinite().all()


def test_the_states_and_the_jumps():
    states = with_blanks(torch.tensor([[5, 5, 7]]), 0)
    assert states.tolist() == [[0, 5, 0, 5, 0, 7, 0]]
    jumps = can_jump(states, 0)[0].tolist()
    assert [place for place, jump in enumerate(jumps) if jump] == [
        1,
        5,
    ]  # ni entre iguales ni a blanco
