"""Ejecución de la función de quien resuelve el ejercicio, sin que nada de lo que haga escape."""

import contextlib
import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import no_type_check

from tfcourse.exercises.compare import same
from tfcourse.exercises.describe import describe
from tfcourse.exercises.diagnosis import Diagnosis

CALL_SECONDS = 10.0
GLANCE, GLANCES = 0.5, 240  # cada cuánto se mira si una importación ha acabado, y cuántas veces


class StoppedByChecker(BaseException):
    """Corta una función que no acaba.

    No hereda de `Exception` para que un `except Exception` de la respuesta no se la trague.
    """

    def __init__(self, key: str, reason: str):
        super().__init__(reason)
        self.key, self.reason = key, reason


@dataclass(frozen=True)
class Outcome:
    """Resultado de una llamada: un valor o un error, y qué argumentos quedaron modificados."""

    arguments: dict[str, object]
    value: object = None
    error: BaseException | None = None
    changed: tuple[str, ...] = ()


def run_student(function: Callable, make: Callable[[], dict[str, object]]) -> Outcome:
    """Llama a `function` con los argumentos recién hechos por `make`; nunca lanza un error."""
    arguments = make()
    try:
        with time_limit(CALL_SECONDS):
            value = function(*arguments.values())
    except BaseException as error:  # también sys.exit() o la tecla de interrumpir
        return Outcome(make(), error=error)
    pristine = make()
    changed = tuple(name for name in arguments if _differs(pristine[name], arguments[name]))
    return Outcome(pristine, value=value, changed=changed)


def _differs(before: object, after: object) -> bool:
    if callable(before) or before is after:  # `None` y los números que no han cambiado
        return False
    if before is None:
        return after is not None
    try:
        return not same(before, after, tolerance=0.0)
    except Exception:  # ya no se parece a lo que se le dio
        return True


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrumpe el bloque si tarda demasiado, donde el sistema ofrece alarmas (no en Windows).

    Una importación no se corta: el módulo quedaría a medias y ya no serviría en todo el cuaderno
    (el primer optimizador de PyTorch importa el suyo, que en un equipo lento pasa del límite).
    Cuando acaba, el reloj empieza de nuevo.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or not hasattr(signal, "setitimer"):
        yield
        return

    glances, again = 0, True

    @no_type_check  # nace en cada llamada: decorarla en las pruebas costaría más que ella
    def stop(_, frame):
        nonlocal glances, again
        if glances < GLANCES and _importing(frame):
            glances += 1
            signal.setitimer(signal.ITIMER_REAL, GLANCE)
            return
        if glances and again:
            again = False
            signal.setitimer(signal.ITIMER_REAL, seconds)
            return
        reason = f"tu función lleva más de {seconds:g} s sin terminar y se ha detenido"
        raise StoppedByChecker("no-termina", reason)

    previous = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _importing(frame: FrameType | None) -> bool:
    """Si lo que se ejecuta es el comienzo de un módulo que se está importando."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def check_callable(answer: object, name: str, parameters: list[str]) -> Diagnosis | None:
    """Comprueba que la respuesta es una función a la que se puede llamar como pide el enunciado."""
    if not callable(answer) or inspect.isclass(answer):
        likely = (
            f"se esperaba tu función `{name}` y has pasado {describe(answer)}: pasa la función "
            "misma, sin paréntesis ni argumentos"
        )
        return Diagnosis("no-es-funcion", likely)
    try:
        signature = inspect.signature(answer)
    except Exception:  # funciones escritas en C o con una firma trucada: se llaman sin más
        return None
    try:
        signature.bind(*parameters)
    except TypeError:
        wanted = f"({', '.join(parameters)})" if parameters else "() sin argumentos"
        likely = (
            f"tu función debe poder llamarse con {wanted} y la tuya es `{name}{signature}`: no "
            "cambies los argumentos del enunciado"
        )
        return Diagnosis("argumentos", likely)
    return None
