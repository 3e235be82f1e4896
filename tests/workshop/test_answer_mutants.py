"""Los mutantes de las soluciones: unos pocos, para saber que la herramienta los juzga bien."""

from dataclasses import replace
from itertools import islice

from tests.conftest import ROOT
from tests.exercises.test_exercises import CELLS
from tfcourse.bank.registry import EXERCISES
from tfcourse.exercises.markers import solved
from workshop.mutants.answers import answer_mutants, judge, known_reasons
from workshop.mutants.operators import mutants


def test_they_are_born_from_the_published_solutions():
    found = list(islice(answer_mutants(ROOT), 40))
    assert len(found) == 40 and all(name in EXERCISES for name, _ in found)


def test_a_solution_that_is_spoilt_is_refused():
    source = "def clip(w, b, limit):\n    norm = (w.square().sum() + b.square().sum()).sqrt()\n"
    source += "    factor = min(1.0, limit / norm)\n    return w * factor, b * factor\n"
    found = {m.after: judge("recorte", m) for m in mutants("recorte", source)}
    assert found and not any(verdict.alive for verdict in found.values())


def test_one_that_changes_nothing_passes():
    name, mutant = next(answer_mutants(ROOT))
    untouched = replace(mutant, source=solved(CELLS[name]))
    assert judge(name, untouched).alive and not judge(name, untouched).unfair


def test_every_reason_is_of_a_mutant_that_exists():
    known = known_reasons()
    assert {name for name, _, _ in known} <= EXERCISES.keys()
    born = {mutant.key for name, mutant in answer_mutants(ROOT) if name in {k[0] for k in known}}
    assert known.keys() <= born
