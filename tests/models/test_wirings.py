"""Las conexiones: qué pasa por cada una, y el forzado del profesor en paralelo."""

import torch
from torch import nn

from tfcourse.models.gap_filling import GapFiller
from tfcourse.models.wirings import (
    OutputEachStep,
    OutputFeedback,
    SingleOutput,
    VectorToSequence,
)


def double(*shape, seed=0):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=g, dtype=torch.float64)


def test_the_single_output_is_the_last_of_many():
    torch.manual_seed(0)
    many = OutputEachStep(3, 5, 2).double()
    one = SingleOutput(3, 5, 2).double()
    one.load_state_dict(many.state_dict())
    x = double(4, 6, 3)
    torch.testing.assert_close(one(x), many(x)[:, -1])


def test_teacher_forcing_in_parallel_equals_one_step_at_a_time():
    torch.manual_seed(0)
    model = OutputFeedback(3, 5, 2).double()
    x, target = double(4, 6, 3), double(4, 6, 2, seed=1).sigmoid()
    fed, steps = torch.zeros(4, 2, dtype=torch.float64), []
    for t in range(6):
        steps.append(model.respond(x[:, t], fed))
        fed = target[:, t]
    torch.testing.assert_close(model(x, target), torch.stack(steps, 1))


def test_free_running_is_teacher_forcing_with_its_own_answers():
    torch.manual_seed(0)
    model, x = OutputFeedback(3, 5, 2).double(), double(4, 6, 3)
    free = model(x)
    torch.testing.assert_close(model(x, free.sigmoid()), free)


def test_output_feedback_only_remembers_what_it_said():
    """Con la misma respuesta anterior, da igual qué se leyó antes."""
    model = OutputFeedback(3, 5, 2).double()
    x, other = double(4, 6, 3), double(4, 6, 3, seed=7)
    other[:, -1] = x[:, -1]
    target = double(4, 6, 2, seed=1).sigmoid()
    torch.testing.assert_close(model(x, target)[:, -1], model(other, target)[:, -1])
    elman = OutputEachStep(3, 5, 2).double()
    assert not torch.allclose(elman(x)[:, -1], elman(other)[:, -1])


def test_vector_to_sequence_step_by_step():
    torch.manual_seed(0)
    model = VectorToSequence(4, 9, 5, 6).double()
    vector, tokens = double(3, 4), torch.randint(9, (3, 7))
    state, logits = model.start(vector), []
    for t in range(7):
        one, state = model.step(tokens[:, t : t + 1], state)
        logits.append(one)
    torch.testing.assert_close(torch.stack(logits, 1), model(vector, tokens))


def test_the_vector_reaches_every_step():
    torch.manual_seed(0)
    model = VectorToSequence(4, 9, 5, 6).double()
    vector, tokens = double(3, 4).requires_grad_(), torch.randint(9, (3, 7))
    (gradient,) = torch.autograd.grad(model(vector, tokens)[:, 0].sum(), vector)
    assert gradient.abs().sum() > 0


def test_gap_filler_reads_the_sides_it_says():
    torch.manual_seed(0)
    sizes = {"d_embedding": 4, "d_before": 6}
    causal = GapFiller(9, 3, **sizes, d_after=0).double()
    both = GapFiller(9, 3, **sizes, d_after=5).double()
    left, right = torch.randint(9, (2, 8)), torch.randint(9, (2, 6))
    changed = (right + 1) % 9
    torch.testing.assert_close(causal(left, right), causal(left, changed))
    assert not torch.allclose(both(left, right), both(left, changed))


def test_gap_filler_reads_the_right_side_backwards():
    """El último símbolo que lee la segunda red es el que toca el hueco."""
    torch.manual_seed(0)
    model = GapFiller(9, 3, d_embedding=4, d_before=6, d_after=5)
    reference = nn.RNN(4, 5, batch_first=True)
    reference.load_state_dict(model.after.state_dict())
    left, right = torch.randint(9, (2, 8)), torch.randint(9, (2, 6))
    ahead = model.before(model.embedding(left))[1][0]
    behind = reference(model.embedding(right)[:, [5, 4, 3, 2, 1, 0]])[0][:, -1]
    torch.testing.assert_close(model(left, right), model.output(torch.cat([ahead, behind], -1)))
