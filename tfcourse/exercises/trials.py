"""Las pruebas de una respuesta, caso a caso, y qué error típico la explica."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tfcourse.exercises.compare import difference, same
from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.exercises.forms import accepted, is_float
from tfcourse.exercises.python_errors import diagnose_error
from tfcourse.exercises.student import Outcome, StoppedByChecker, run_student
from tfcourse.exercises.task import Case, Task
from tfcourse.watch import FREELY, Rules


@dataclass(frozen=True)
class Trial:
    """Lo que dio la respuesta en un caso, junto a lo esperado."""

    case: Case
    expected: object
    outcome: Outcome

    @property
    def broke_a_rule(self) -> bool:
        """Si no llegó a dar nada porque se salió de las reglas del caso."""
        return self.case.rules != FREELY and self.outcome.error is not None


def run_trials(task: Task, answer: Callable) -> Iterator[Trial]:
    """Lo que da la respuesta, caso a caso."""
    for case in task.cases:
        expected = task.reference(*case.make())
        outcome = run_student(
            _under_rules(case.rules, answer), lambda case=case: task.arguments(case)
        )
        if outcome.error is None:
            value = accepted(
                expected,
                outcome.value,
                keeps_type=task.fixed_type or any(map(is_float, outcome.arguments.values())),
                only_tensors=task.differentiable,
            )
            outcome = replace(outcome, value=value)
        trial = Trial(case, expected, outcome)
        yield trial
        if trial.broke_a_rule or isinstance(outcome.error, (StoppedByChecker, KeyboardInterrupt)):
            return  # no hacer esperar otra vez a quien ya ha esperado


def _under_rules(rules: Rules, answer: Callable) -> Callable:
    """La respuesta, vigilada; si corre en otro proceso, es allí donde se la vigila."""
    if rules == FREELY:
        return answer
    there = getattr(answer, "under_rules", None)
    return there(rules) if there else rules.watched(answer)


def first_problem(task: Task, trials: list[Trial], answer: Callable) -> Diagnosis | None:
    """El diagnóstico del primer caso que falla."""
    for trial in trials:
        found = trial_problem(task, trial, answer)
        if found:
            return (found if task.reveals else replace(found, expected=None)).at(trial.case.label)
    return None


def trial_problem(task: Task, trial: Trial, answer: Callable) -> Diagnosis | None:
    """Lo que va mal en un caso; `None` si nada."""
    if trial.outcome.error is not None:
        return diagnose_error(trial.outcome, answer)
    found = difference(trial.expected, trial.outcome.value, task.tolerance, task.outputs)
    if found is None and trial.outcome.changed:
        names = ", ".join(f"`{name}`" for name in trial.outcome.changed)
        likely = (
            f"el resultado es correcto, pero tu función modifica {names}, que no es suyo: evita "
            "las operaciones que escriben en el sitio (`x += …`, `x[...] = …`, las acabadas en `_`)"
        )
        return Diagnosis("modifica-entradas", likely)
    return found


def is_right(task: Task, trial: Trial) -> bool:
    """Si en ese caso no hay nada que objetar."""
    outcome = trial.outcome
    if outcome.error is not None or outcome.changed:
        return False
    return difference(trial.expected, outcome.value, task.tolerance, task.outputs) is None


def recognise(task: Task, trials: list[Trial], problem: Diagnosis) -> Diagnosis | None:
    """El error típico que explica todo lo que se ha visto, si hay alguno."""
    for mistake in task.mistakes:
        if any(explains(task, variant, trials) for variant in mistake.variants):
            return replace(problem, key=mistake.key, likely=mistake.message)
    return None


def explains(task: Task, variant: Callable, trials: list[Trial]) -> bool:
    """Dice si cometer ese error da, en todos los casos, lo mismo que dio la respuesta.

    Un error puede romper la cuenta en unos casos (formas que no encajan) y no en otros; hace
    falta al menos un caso en el que dé un resultado, y distinto del correcto.
    """
    evidence = False
    for trial in trials:
        if trial.broke_a_rule:
            continue  # qué habría dado no se sabe
        simulated = run_student(variant, lambda case=trial.case: task.arguments(case))
        if (simulated.error is None) != (trial.outcome.error is None):
            return False
        if simulated.error is not None:
            continue
        if not same(simulated.value, trial.outcome.value, task.tolerance):
            return False
        evidence = evidence or not same(simulated.value, trial.expected, task.tolerance)
    return evidence
