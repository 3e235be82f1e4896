"""Diagnósticos: lo que se le cuenta a quien se ha equivocado, siempre en español."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Diagnosis:
    """Diagnóstico de una respuesta: qué se esperaba, qué ha llegado y cuál es el error probable.

    `key` identifica el error (sirve para contar los más frecuentes); los demás campos son texto
    para el lector y cualquiera, salvo `likely`, puede faltar.
    """

    key: str
    likely: str
    case: str | None = None
    expected: str | None = None
    received: str | None = None
    location: str | None = None
    original: str | None = None

    def at(self, case: str) -> "Diagnosis":
        """El mismo diagnóstico, situado en el caso de prueba en el que apareció."""
        return replace(self, case=case)

    def render(self, title: str, hint: str) -> str:
        """Mensaje completo, de lo que se ve a lo que lo explica."""
        facts = {
            "Caso de prueba": self.case,
            "Se esperaba": self.expected,
            "Ha llegado": self.received,
            "En tu código": self.location,
        }
        known = [f"{name}: {value}" for name, value in facts.items() if value]
        blocks = [f"✗ {title}", "\n".join(known), f"Qué ha pasado: {self.likely}", hint]
        if self.original:
            blocks.append(f"Mensaje original de Python: «{self.original}»")
        return "\n\n".join(block for block in blocks if block)


class _ReadableError(Exception):
    """Base de los errores que un cuaderno muestra sin la traza de Python.

    IPython llama a `_render_traceback_` en lugar de componer la traza habitual.
    """

    def _render_traceback_(self) -> list[str]:
        return str(self).split("\n")


class RespuestaIncorrecta(_ReadableError, AssertionError):
    """La respuesta a un ejercicio no es correcta; `diagnosis` dice por qué."""

    def __init__(self, message: str, diagnosis: Diagnosis):
        super().__init__(message)
        self.diagnosis = diagnosis


class UsoIncorrecto(_ReadableError, ValueError):
    """`comprobar` o `pista` se han llamado mal: con un ejercicio o una pista que no existe."""
