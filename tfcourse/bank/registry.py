"""El registro del banco: todos los ejercicios, descubiertos carpeta a carpeta.

Cada carpeta de `tfcourse.bank` es un tema y declara en `EXERCISES` los suyos, en su orden.
"""

import importlib
import pkgutil

import tfcourse.bank
from tfcourse.exercises.engine import Exercise


def topics() -> tuple[str, ...]:
    """Los temas del banco, por orden alfabético."""
    return tuple(info.name for info in pkgutil.iter_modules(tfcourse.bank.__path__) if info.ispkg)


def topic_exercises(topic: str) -> tuple[Exercise, ...]:
    """Los ejercicios de un tema, en su orden."""
    return importlib.import_module(f"tfcourse.bank.{topic}").EXERCISES


def _every_exercise() -> dict[str, Exercise]:
    found: dict[str, Exercise] = {}
    for topic in topics():
        for exercise in topic_exercises(topic):
            if exercise.card.id in found:
                raise ValueError(
                    f"hay dos ejercicios «{exercise.card.id}» y uno está en "
                    f"tfcourse/bank/{topic}: cambia el identificador de uno de los dos"
                )
            found[exercise.card.id] = exercise
    return found


EXERCISES: dict[str, Exercise] = _every_exercise()
