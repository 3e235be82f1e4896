"""Los mutantes de las soluciones: unos pocos, para saber que la herramienta los juzga bien."""

import pytest

from tests.conftest import ROOT
from tfcourse.projects.steps.registry import STEPS
from workshop.mutants.answers import CODED, Mutant, Verdict, judge, known_reasons, solutions
from workshop.mutants.operators import mutants

PUBLISHED = {solution.name: solution for solution in solutions(ROOT)}


def verdict_of(name: str, before: str, after: str) -> Verdict:
    """Lo que se dice de una solución con un cambio hecho a mano."""
    source = PUBLISHED[name].source
    assert source.count(before) == 1
    changed = source.replace(before, after)
    return judge(PUBLISHED[name], Mutant(name, "a mano", 0, 0, before, after, changed))


def test_they_are_born_from_the_published_solutions():
    assert PUBLISHED.keys() == CODED.keys() and STEPS.keys() <= PUBLISHED.keys()


def test_a_solution_that_is_spoilt_is_refused_or_has_its_reason():
    published, known = PUBLISHED["recorte"], known_reasons()
    found = [judge(published, mutant) for mutant in mutants("recorte", published.source)]
    alive = [verdict.mutant.key for verdict in found if verdict.alive or verdict.unfair]
    assert len(found) > 2 * len(alive) and known.keys() >= set(alive)


@pytest.mark.parametrize("name", ["recorte", "gpt-norma", "gpt-bloque"])
def test_one_that_changes_nothing_passes(name):
    untouched = verdict_of(name, PUBLISHED[name].source, PUBLISHED[name].source)
    assert untouched.alive and not untouched.unfair


def test_a_step_is_judged_on_top_of_the_ones_before_it():
    assert not verdict_of("gpt-norma", "mean(-1", "sum(-1").passes[0]
    assert not verdict_of("gpt-bloque", "self.norm1(x)", "x").passes[0]


def test_every_reason_is_of_a_mutant_that_exists():
    known = known_reasons()
    names = {name for name, _, _ in known}
    assert names <= PUBLISHED.keys()
    born = {m.key for name in names for m in mutants(name, PUBLISHED[name].source)}
    assert known.keys() <= born
