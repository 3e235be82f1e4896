"""Lo que se llama desde el cuaderno: `comprobar` y `pista`."""

import importlib
import sys
from difflib import get_close_matches

from tfcourse.exercises.describe import describe
from tfcourse.exercises.diagnosis import Diagnosis, RespuestaIncorrecta, UsoIncorrecto
from tfcourse.exercises.engine import Exercise

# Se cargan al comprobar: el motor no depende de su contenido.
BANK, PROJECTS = "tfcourse.bank.registry", "tfcourse.projects.steps.registry"
LENT = "prestada"  # la pieza de un proyecto que se ha tomado del curso
_NOT_GIVEN = object()
_last_checked: list[Exercise] = []


def comprobar(
    exercise_id: str,
    answer: object = _NOT_GIVEN,
    *,
    variante: int | None = None,
    solo_forma: bool = False,
) -> None:
    """Comprueba la respuesta a un ejercicio: escribe ✓ o explica qué falla.

    Sin `answer`, toma de tu cuaderno la función que pide el enunciado. `variante` es el número que
    trae tu cuaderno cuando sus constantes son solo tuyas. Con `solo_forma` no se miran los
    valores, sino que la respuesta esté bien formada: los tiene quien corrige.
    Errores: `RespuestaIncorrecta` con el diagnóstico; `UsoIncorrecto` si el ejercicio no existe.
    """
    exercise = _find(exercise_id)
    if variante is not None:
        exercise = exercise.variant(variante).exercise
    _last_checked[:] = [exercise]
    if answer is _NOT_GIVEN:
        answer = _from_the_notebook(exercise.task.function)
    if answer is _NOT_GIVEN:
        likely = (
            f"no encuentro la función `{exercise.task.function}`: ejecuta antes la celda en la que "
            "la escribes, sin cambiarle el nombre"
        )
        diagnosis = Diagnosis("sin-definir", likely)
    else:
        diagnosis = exercise.check_form(answer) if solo_forma else exercise.check(answer)
    if diagnosis is not None and diagnosis.key == LENT:
        print(f"↷ {exercise.card.title} · {diagnosis.likely}.")
        return
    if diagnosis is not None:
        raise RespuestaIncorrecta(_message(exercise, diagnosis), diagnosis) from None
    print(_well_formed(exercise) if solo_forma else _success(exercise))


def pista(number: int = 1, exercise_id: str | None = None) -> None:
    """Da una pista, de menos a más concreta, del último ejercicio comprobado o del que se diga.

    Errores: `UsoIncorrecto` si no hay tal pista o no se sabe de qué ejercicio.
    """
    if exercise_id is None and not _last_checked:
        raise UsoIncorrecto(
            "✗ Todavía no has comprobado ningún ejercicio: di de cuál quieres la pista, p. ej. "
            f"pista(1, {next(iter(_known()))!r})"
        ) from None
    exercise = _last_checked[0] if exercise_id is None else _find(exercise_id)
    hints = exercise.card.hints
    if type(number) is not int or not 1 <= number <= len(hints):
        raise UsoIncorrecto(
            f"✗ El ejercicio «{exercise.card.id}» tiene {len(hints)} pistas: pide "
            + " o ".join(f"pista({position})" for position in range(1, len(hints) + 1))
        ) from None
    print(f"Pista {number} de {len(hints)} · {exercise.card.title}\n{hints[number - 1]}")


def _from_the_notebook(name: str) -> object:
    """Lo que se llama así donde se llamó a `comprobar`, buscando de dentro afuera."""
    frame = sys._getframe(1)
    while frame is not None and name not in frame.f_globals:
        frame = frame.f_back
    return _NOT_GIVEN if frame is None else frame.f_globals[name]


def _known() -> dict[str, Exercise]:
    """Los ejercicios del banco y los pasos de los proyectos, por su identificador."""
    return importlib.import_module(BANK).EXERCISES | importlib.import_module(PROJECTS).STEPS


def _find(exercise_id: object) -> Exercise:
    known = _known()
    if isinstance(exercise_id, str) and exercise_id in known:
        return known[exercise_id]
    name = exercise_id if isinstance(exercise_id, str) else describe(exercise_id)
    close = get_close_matches(name, known, n=1)
    tip = f"¿querías decir «{close[0]}»?" if close else f"hay estos: {', '.join(known)}"
    raise UsoIncorrecto(f"✗ No hay ningún ejercicio «{name}»: {tip}") from None


def _message(exercise: Exercise, diagnosis: Diagnosis) -> str:
    blank = diagnosis.key in ("sin-escribir", "sin-definir")
    state = "falta tu respuesta" if blank else "la respuesta aún no es correcta"
    return diagnosis.render(
        f"{exercise.card.title} · {state}", "¿Necesitas ayuda? Ejecuta pista(1)"
    )


def _well_formed(exercise: Exercise) -> str:
    return (
        f"✓ {exercise.card.title} · bien formada\nTu respuesta tiene la forma que se pide. Si es "
        "correcta se sabrá al corregirla: tus constantes no son las publicadas."
    )


def _success(exercise: Exercise) -> str:
    labels = "; ".join(case.label for case in exercise.task.cases)
    extra = ". También dejas intactas tus entradas y el gradiente llega hasta ellas"
    extra = extra if exercise.task.differentiable else ""
    return f"✓ {exercise.card.title} · correcto\nComprobado con: {labels}{extra}."
