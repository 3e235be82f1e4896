"""Cuándo se reconoce un error típico: un diagnóstico equivocado confunde más que ninguno."""

import math

import torch

from tests.exercises.test_exercises import complaint
from tfcourse.exercises.engine import Case, Mistake, Task
from tfcourse.exercises.trials import explains as explains_it
from tfcourse.exercises.trials import run_trials


def double(x):
    return 2 * x


def halves_what_is_even(x):
    """Se equivoca en los pares y no sabe qué hacer con los impares."""
    if x % 2:
        raise ValueError(x)
    return x // 2


def task(*numbers):
    cases = tuple(Case(f"el número {x}", lambda x=x: (x,)) for x in numbers)
    mistake = Mistake("mitad", "has dividido entre 2", (halves_what_is_even,))
    return Task("double", cases, double, (mistake,), differentiable=False)


def explains(variant, answer, *numbers):
    trials = list(run_trials(task(*numbers), answer))
    return explains_it(task(*numbers), variant, trials)


def test_a_mistake_must_give_the_same_in_every_case():
    assert explains(halves_what_is_even, halves_what_is_even, 4, 6, 7)
    assert not explains(halves_what_is_even, lambda x: 2 if x == 4 else 0, 4, 6)


def test_a_mistake_that_breaks_where_the_answer_does_not_is_not_the_one():
    """En el 4 coinciden, pero en el 7 uno da un número y el otro, un error."""
    assert not explains(halves_what_is_even, lambda x: x // 2, 4, 7)
    assert not explains(lambda x: x // 2, halves_what_is_even, 4, 7)


def test_a_mistake_needs_a_case_in_which_it_is_wrong():
    """Si donde se puede comparar da lo correcto, no explica por qué la respuesta no lo es."""

    def right_but_fragile(x):
        if x == 7:
            raise ValueError(x)
        return 2 * x

    assert not explains(right_but_fragile, right_but_fragile, 4, 6, 7)


def test_a_stray_nan_is_named():
    """Un NaN que no sale de ningún error típico se dice, en vez de «los números no coinciden»."""

    def context_vector(alpha, h):
        context = (alpha[:, :, None] * h).sum(dim=1)
        context[0, 0] = math.nan
        return context

    diagnosis, message = complaint("contexto", context_vector)
    assert diagnosis.key == "nan"
    assert "contiene NaN («no es un número»)" in message


def test_infinities_are_not_called_nan():
    diagnosis, _ = complaint("contexto", lambda alpha, h: torch.full_like(h[:, 0], math.inf))
    assert diagnosis.key == "valores"
