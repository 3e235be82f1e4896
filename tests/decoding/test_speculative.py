"""Decodificación especulativa: la misma distribución que el grande, contada de dos maneras."""

import pytest
import torch
from scipy.stats import chisquare

from tfcourse.decoding.speculative import accept_drafts, expected_tokens, speculative_decode

N_TOKENS = 4


def bigram(seed, sharpness=1.5):
    """Un modelo en el que el siguiente depende del último: se puede enumerar entero."""
    table = sharpness * torch.randn(
        N_TOKENS, N_TOKENS, generator=torch.Generator().manual_seed(seed)
    )
    return lambda tokens: table[tokens]


def exact_joint(model, first, length):
    """Probabilidad de cada continuación, multiplicando."""
    paths = {(): 1.0}
    for _ in range(length):
        longer = {}
        for path, probability in paths.items():
            last = path[-1] if path else first
            row = model(torch.tensor([[last]]))[0, -1].softmax(-1).tolist()
            longer |= {(*path, token): probability * row[token] for token in range(N_TOKENS)}
        paths = longer
    return paths


@pytest.mark.parametrize("n_draft", [1, 3])
def test_what_is_written_follows_the_target(n_draft):
    target, draft = bigram(0), bigram(1)
    expected = exact_joint(target, 2, 3)
    generator, times = torch.Generator().manual_seed(n_draft), dict.fromkeys(expected, 0)
    n = 500
    for _ in range(n):
        found = speculative_decode(
            target, draft, torch.tensor([[2]]), max_length=3, n_draft=n_draft, generator=generator
        )
        times[tuple(found.tokens[0].tolist())] += 1
    common = [path for path in expected if expected[path] * n >= 5]
    seen = [times[path] for path in common] + [n - sum(times[path] for path in common)]
    theory = [n * expected[path] for path in common]
    theory.append(n - sum(theory))
    assert chisquare(seen, theory).pvalue > 0.01
    wrong = exact_joint(draft, 2, 3)
    theirs = [n * wrong[path] for path in common]
    theirs.append(n - sum(theirs))
    assert chisquare(seen, theirs).pvalue < 1e-6  # y no la del pequeño


def test_a_draft_that_is_the_target_is_always_accepted():
    model = bigram(3)
    found = speculative_decode(model, model, torch.tensor([[0]]), max_length=20, n_draft=4)
    assert found.acceptance() == 1 and found.passes == 4 and found.tokens.shape == (1, 20)
    assert found.tokens_per_pass() == expected_tokens(1, 4) == 5


def test_a_draft_that_is_never_right_writes_one_at_a_time():
    def only(token):
        logits = torch.full((N_TOKENS,), -torch.inf)
        logits[token] = 0.0
        return lambda tokens: logits.expand(*tokens.shape, N_TOKENS)

    found = speculative_decode(only(1), only(2), torch.tensor([[0]]), max_length=6, n_draft=3)
    assert found.tokens.tolist() == [[1] * 6]
    assert found.passes == 6 and found.accepted == 0
    assert found.drafted == 12 and found.judged == 5  # una por pasada; en la última no se propone


def test_rejection_by_hand():
    """p = (1, 0) y q = (0, 1): lo propuesto nunca vale y sale lo de p."""
    p = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    q = torch.tensor([[0.0, 1.0]])
    assert accept_drafts(p, q, torch.tensor([1])).tolist() == [0]
    assert accept_drafts(p, p[:1], torch.tensor([0])).tolist() == [0, 1]
    assert expected_tokens(0.5, 2) == pytest.approx(1 + 0.5 + 0.25)


def test_what_can_not_be():
    with pytest.raises(ValueError, match="hace falta un comienzo"):
        speculative_decode(bigram(0), bigram(1), torch.zeros(1, 0, dtype=torch.long), max_length=3)
