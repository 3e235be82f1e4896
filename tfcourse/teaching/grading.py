"""Corregir una entrega: su código corre en el recinto y el veredicto se calcula aquí, fuera.

El corrector es el mismo que ve el estudiante, con otros datos. En lugar de la función recibe un
enlace a ella: los argumentos entran en el recinto, salen los resultados y se comparan en este
proceso. Dentro no están ni los datos que vendrán, ni lo que se espera, ni la nota.
"""

import contextlib
import inspect
import time
from collections.abc import Callable
from dataclasses import replace

from tfcourse.exercises.data import other_data
from tfcourse.exercises.diagnosis import Diagnosis
from tfcourse.exercises.engine import Exercise
from tfcourse.exercises.student import CALL_SECONDS, StoppedByChecker, check_callable
from tfcourse.projects.steps.registry import LENT, REMOTE, STEPS
from tfcourse.teaching.guard import OutOfBounds, clean
from tfcourse.teaching.limits import Limits
from tfcourse.teaching.remote_errors import reported_place
from tfcourse.teaching.sandbox import Sandbox, SandboxDied
from tfcourse.teaching.submission import Step, Submission
from tfcourse.teaching.wire import WireError, opaque
from tfcourse.watch import FREELY, Rules

NO_TIME = Diagnosis(
    "sin-tiempo", "la entrega ha agotado el tiempo de corrección antes de llegar a este ejercicio"
)


class Grader:
    """Recorre los pasos de una entrega y guarda un diagnóstico por ejercicio (`None`: correcto).

    Si una celda mata el recinto o no termina, se levanta otro, se repiten las anteriores y se
    salta la culpable: un ejercicio hostil no arrastra a los demás.
    """

    def __init__(self, submission: Submission, limits: Limits, isolated: bool):
        self.steps, self.limits, self.isolated = submission.steps, limits, isolated
        self.sandbox: Sandbox | None = None
        self.lethal: dict[int, Diagnosis] = {}
        self.failures: dict[str, Diagnosis] = {}
        self.done: set[int] = set()
        self.shares: dict[str, tuple[int, int]] = {}  # por ejercicio, cuánto hace bien
        self.end = time.monotonic() + limits.submission_seconds

    def grade(self, exercises: dict[str, tuple[Exercise, int]]) -> dict[str, Diagnosis | None]:
        """Diagnóstico de cada ejercicio; el número que lo acompaña es la sal de sus datos."""
        found: dict[str, Diagnosis | None] = {}
        try:
            for position, step in enumerate(self.steps):
                if step.kind == "comprobar" and step.name in exercises and step.name not in found:
                    found[step.name] = self._check(position, *exercises[step.name])
        finally:
            if self.sandbox:
                self.sandbox.close()
        return {name: found.get(name, NO_TIME) for name in exercises}

    def _check(self, position: int, exercise: Exercise, salt: int) -> Diagnosis | None:
        """El diagnóstico de un ejercicio; si falla la pieza de un proyecto, sigue la del curso.

        Así un paso mal hecho no arrastra a los que se apoyan en él.
        """
        found = self._diagnosed(position, exercise, salt)
        lendable = exercise.card.id in STEPS and found not in (None, LENT, NO_TIME)
        if lendable and self.sandbox and self.sandbox.alive:
            request = {"ask": "lend", "function": exercise.task.function, "step": exercise.card.id}
            with contextlib.suppress(SandboxDied):
                self.sandbox.ask(request, CALL_SECONDS)
        return found

    def _diagnosed(self, position: int, exercise: Exercise, salt: int) -> Diagnosis | None:
        try:
            described = self._take(position, exercise)
        except SandboxDied as died:
            return Diagnosis(died.key, died.reason)
        if described is None:
            return NO_TIME
        answer = f"{exercise.card.id}-respuesta"
        if described.get("kind") == "lent" and exercise.card.id in STEPS:
            return LENT
        if described.get("kind") != "function":
            if answer in self.failures:
                return self.failures[answer]
            if described.get("kind") == "missing":
                return Diagnosis(
                    "sin-definir",
                    f"no encuentro la función `{exercise.task.function}`: su celda no está, no la "
                    "define o no llega a terminar",
                )
            value = opaque(str(described.get("type")))
            return check_callable(value, exercise.task.function, exercise.task.parameters)
        return self._judge(exercise, salt, described)

    def _judge(self, exercise: Exercise, salt: int, described: dict) -> Diagnosis | None:
        """Compara lo que devuelve con lo esperado; lo que escape de esa cuenta es de la entrega."""
        reports: list[dict] = []
        try:
            with other_data(salt):
                answer = self._remote(described, reports)
                answer.under_rules = self._under_rules(exercise, reports)
                verdict = exercise.judge(answer)
        except KeyboardInterrupt:  # la de quien corrige: las contadas no llegan como tales
            raise
        except BaseException as error:
            if self.sandbox:
                self.sandbox.close()
            return _escaped(error)
        self.shares[exercise.card.id] = verdict.right, verdict.total
        diagnosis = verdict.diagnosis
        if diagnosis is None:
            return None
        # El sitio lo dice el recinto: aquí solo se vería el código del corrector.
        return replace(diagnosis, location=reported_place(reports[-1]) if reports else None)

    def _under_rules(self, exercise: Exercise, reports: list[dict]) -> Callable:
        """Cómo se consigue la misma función, vigilada."""

        def under_rules(rules: Rules) -> Callable:
            def answer(*arguments):
                try:
                    described = self._find(exercise, rules)
                except (SandboxDied, WireError) as error:
                    key = getattr(error, "key", "protocolo")
                    raise StoppedByChecker(key, getattr(error, "reason", str(error))) from None
                return self._remote(described, reports)(*arguments)

            return answer

        return under_rules

    def _take(self, position: int, exercise: Exercise) -> dict | None:
        """Ejecuta lo que falte hasta ese paso y busca la función; `None` si no queda tiempo."""
        while time.monotonic() < self.end:
            if self._run_until(position):
                return self._find(exercise)
        return None

    def _find(self, exercise: Exercise, rules: Rules = FREELY) -> dict:
        """Busca la función en el recinto; lo que no se puede hacer se vigila allí, donde corre."""
        request = {"ask": "take", "function": exercise.task.function, "rules": rules.described()}
        driver = getattr(exercise, "driver", None)
        request |= {"driver": driver} if driver else {}
        # El primer optimizador, que crea quien hace trabajar a un entrenador, tarda en importarse.
        return self.sandbox.ask(request, 6 * CALL_SECONDS if driver else CALL_SECONDS)

    def _run_until(self, position: int) -> bool:
        """Ejecuta las celdas anteriores; `False` si el recinto murió y hay que empezar otro."""
        if self.sandbox is None or not self.sandbox.alive:
            if self.sandbox:
                self.sandbox.close()
            try:
                self.sandbox = Sandbox(self.limits, self.isolated)
            except SandboxDied as died:  # aún no ha corrido nada suyo: no es culpa de la entrega
                raise RuntimeError(f"no se ha podido levantar el recinto: {died.reason}") from died
            self.done.clear()
        for number, step in enumerate(self.steps[:position]):
            if step.kind != "celda" or number in self.done or number in self.lethal:
                continue
            if not self._run_cell(number, step):
                return False
        return True

    def _run_cell(self, number: int, step: Step) -> bool:
        seconds = min(self.limits.cell_seconds, max(1.0, self.end - time.monotonic()))
        request = {"ask": "cell", "name": step.name, "source": step.source}
        try:
            failed = self.sandbox.ask(request, seconds).get("failed")
        except SandboxDied as died:
            diagnosis = Diagnosis(died.key, f"al ejecutar la celda: {died.reason}")
            self.lethal[number] = self.failures[step.name] = diagnosis
            return False
        self.done.add(number)
        if type(failed) is dict:
            self.failures[step.name] = _cell_diagnosis(failed)
        return True

    def _remote(self, described: dict, reports: list[dict]) -> Callable:
        """La función del estudiante, vista desde aquí."""
        sandbox = self.sandbox
        remote = sandbox.peer.proxy(described["number"])
        end = min(self.end, time.monotonic() + self.limits.exercise_seconds)

        def answer(*arguments):
            sandbox.deadline = min(end, time.monotonic() + 2 * CALL_SECONDS)
            try:
                return remote(*arguments)
            except (SandboxDied, WireError) as error:
                sandbox.close()
                key = getattr(error, "key", "protocolo")
                raise StoppedByChecker(key, getattr(error, "reason", str(error))) from None
            except (StoppedByChecker, KeyboardInterrupt):
                sandbox.close()
                raise
            except BaseException as error:
                reports.append(getattr(error, "report", {}))
                raise

        setattr(answer, REMOTE, True)
        signature = _signature(described.get("parameters"))
        if signature is not None:
            answer.__signature__ = signature
        return answer


def _escaped(error: BaseException) -> Diagnosis:
    """Lo que se dice de una entrega cuyo error ha salido por donde no debía."""
    if isinstance(error, StoppedByChecker | SandboxDied):
        return Diagnosis(error.key, error.reason)
    if isinstance(error, OutOfBounds):
        return Diagnosis("sin-tiempo", f"comprobar tu respuesta {error}: devuelve algo más pequeño")
    if isinstance(error, SystemExit):
        return Diagnosis(
            "exit", "tu código llama a `exit` mientras se comprueba: quita esa llamada"
        )
    return Diagnosis(
        "no-comparable",
        f"no se ha podido comprobar tu respuesta ({clean(type(error).__name__, 60)}): devuelve "
        "tensores, números o listas normales, como pide el enunciado",
    )


def _signature(parameters: object) -> inspect.Signature | None:
    """La firma que dice tener la función; `None` si no se entiende."""
    try:
        return inspect.Signature(
            [
                inspect.Parameter(
                    name, inspect._ParameterKind(kind),
                    default=None if optional else inspect.Parameter.empty,
                )
                for name, kind, optional in parameters
            ]
        )  # fmt: skip
    except (TypeError, ValueError):
        return None


def _cell_diagnosis(failed: dict) -> Diagnosis:
    shown, message = str(failed.get("shown"))[:60], str(failed.get("message"))[:200]
    return Diagnosis(
        "celda-con-error",
        "tu celda de respuesta se detiene con un error antes de definir la función",
        location=reported_place(failed),
        original=f"{shown}: {message}",
    )
