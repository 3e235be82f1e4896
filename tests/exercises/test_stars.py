"""Las estrellas y los minutos van en el orden de lo que hay que escribir y pensar."""

import ast
from statistics import mean, median

from tests.exercises.test_exercises import CELLS
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.markers import split_solution

# Deducir algo cuesta más que las líneas en que acaba.
IDEA = 4
BRANCHES = (ast.For, ast.If, ast.IfExp, ast.While, ast.FunctionDef, ast.comprehension)


def work(name):
    """Lo que pesa una solución: sus líneas, sus bifurcaciones y, si hay que deducirla, la idea."""
    before, solution, after = split_solution(CELLS[name])
    written = [line for line in solution if line.strip() and not line.strip().startswith("#")]
    tree = ast.parse("\n".join([*before, *solution, *after]))
    branches = sum(isinstance(node, BRANCHES) for node in ast.walk(tree)) - 1
    return len(written) + branches + IDEA * ("deduc" in EXERCISES[name].card.objective)


def by_stars(kind, measure):
    cards = [exercise.card for exercise in EXERCISES.values() if exercise.card.kind == kind]
    return {
        stars: [measure(card) for card in cards if card.difficulty == stars] for stars in (1, 2, 3)
    }


def test_more_stars_mean_more_to_write_and_think():
    one, two, three = (median(each) for each in by_stars("codigo", lambda c: work(c.id)).values())
    assert one <= two <= three, (one, two, three)
    assert mean(by_stars("codigo", lambda c: work(c.id))[3]) > one


def test_more_stars_mean_more_minutes():
    for kind in ("comprender", "codigo"):
        found = by_stars(kind, lambda card: card.minutes)
        one, two, three = (mean(each) for each in found.values())
        assert one < two < three, (kind, one, two, three)


def test_no_exercise_of_one_star_takes_longer_than_one_of_three():
    for kind in ("comprender", "codigo"):
        found = by_stars(kind, lambda card: card.minutes)
        assert max(found[1]) <= min(found[3]), (kind, found)
