"""Lo que viene de una entrega, acotado: sus textos, y el tiempo y la memoria que cuesta mirarlo.

Fuera del recinto también se gasta en una entrega: al leerla, al diagnosticarla y al dibujarla. Lo
que pase de estos límites, o falle, es una nota de quien la hizo y no para a los demás.
"""

import contextlib
import signal
import threading
import unicodedata
from collections.abc import Iterator

from tfcourse.teaching.limits import MEGABYTE, memory_bound

MAX_NOTE, MAX_NOTES = 300, 40
# Como mucho, lo que lleva cada campo de un diagnóstico a una página.
MAX_FIELDS = {
    "key": 60, "likely": 1_000, "case": 300, "expected": 400, "received": 400, "location": 320,
    "original": 400,
}  # fmt: skip
READING_SECONDS = RENDERING_SECONDS = 10.0  # de procesador, por entrega
OUTSIDE_MEMORY = 1024 * MEGABYTE


class OutOfBounds(BaseException):
    """Mirar una entrega ha costado demasiado.

    No hereda de `Exception` para que quien mira no lo tome por un error cualquiera.
    """


@contextlib.contextmanager
def bounded(seconds: float, memory: int = OUTSIDE_MEMORY) -> Iterator[None]:
    """Corta el bloque si gasta ese tiempo de procesador (`OutOfBounds`) o esa memoria de más.

    Solo en el hilo principal, que es el que recibe las alarmas.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise OutOfBounds(f"ha gastado más de {seconds:g} s de procesador")

    previous = signal.signal(signal.SIGVTALRM, stop)
    try:
        with memory_bound(memory):
            # Si alguien se lo traga, vuelve a sonar.
            outer = signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, *outer)
    finally:
        signal.signal(signal.SIGVTALRM, previous)


def storable(text: str) -> str:
    """Un texto que cabe en UTF-8: un sustituto suelto se cambia por «?»."""
    return text.encode("utf-8", "replace").decode()


def clean(text: object, limit: int = MAX_NOTE) -> str:
    """Un texto ajeno en una línea, recortado y sin caracteres que den órdenes a la terminal."""
    try:
        raw = text if type(text) is str else str(text)
    except Exception:  # un objeto con un __str__ roto
        return "?"
    raw = raw[: 4 * limit]
    shown = "".join(c if _is_plain(c) else " " for c in raw)
    joined = " ".join(part for part in shown.split(" ") if part)
    return joined if len(joined) <= limit else joined[: limit - 1] + "…"


def _is_plain(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp", "Co", "Cn")


def clean_notes(notes: list) -> list[str]:
    """Los avisos de una entrega, acotados: ni muchos ni largos."""
    kept = [clean(note) for note in notes[:MAX_NOTES]]
    left = len(notes) - len(kept)
    return [*kept, f"y {left} avisos más"] if left > 0 else kept


def clean_fields(details: dict) -> dict:
    """Los campos de un diagnóstico, acotados."""
    return {
        name: clean(value, MAX_FIELDS[name]) if type(value) is str and name in MAX_FIELDS else value
        for name, value in details.items()
    }


def failure_text(error: BaseException) -> str:
    """Qué error ha sido, en pocas palabras y sin fiarse de él."""
    name, message = clean(type(error).__name__, 60), clean(error, 200)
    return f"{name}: {message}" if message else name
