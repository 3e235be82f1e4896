"""Las piezas que presta el curso, para retomar un proyecto por cualquier paso."""

import importlib
import json
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from tfcourse.projects.wrapping import Search

FOLDER = "tfcourse.projects.lent"


def prestada(step: str) -> object:
    """La pieza de un paso, escrita por el curso: `RMSNorm = prestada("gpt-norma")`.

    Con ella se sigue adelante; ese paso no puntúa. Errores: `ValueError` si no hay tal paso.
    """
    pieces = lent_pieces()
    if step not in pieces:
        close = get_close_matches(str(step), pieces, n=1)
        tip = f"¿querías decir «{close[0]}»?" if close else f"hay estos: {', '.join(pieces)}"
        raise ValueError(f"no hay ningún paso «{step}»: {tip}")
    module, name = pieces[step]
    return getattr(importlib.import_module(f"{FOLDER}.{module}"), name)


@cache
def lent_pieces() -> dict[str, tuple[str, str]]:
    """De cada paso, el módulo que lo presta y cómo se llama su pieza."""
    table = json.loads((Path(__file__).parent / "lent/pasos.json").read_text(encoding="utf-8"))
    return {step: (module, name) for module, own in table.items() for step, name in own.items()}


def is_lent(answer: object, name: str = "") -> bool:
    """Si una respuesta es una pieza prestada o la hereda, y no una escrita por quien la da.

    Con el `name` de la pieza que se pide, tampoco vale la que envuelve a la prestada: se mira el
    código de la respuesta y el de lo que usa, en busca de ella. Lo que no se ve leyéndolo, como
    una copia de su texto, se escapa.
    """
    family = type.mro(answer) if isinstance(answer, type) and answer is not type else [answer]
    if any(_from_lent(own) for own in family):
        return True
    return bool(name) and wraps_lent(answer, name)


def _from_lent(value: object) -> bool:
    return str(getattr(value, "__module__", "")).startswith(FOLDER)


def wraps_lent(answer: object, name: str) -> bool:
    """Si en el código de una respuesta aparece la pieza prestada que se llama así."""
    steps = {step for step, (_, own) in lent_pieces().items() if own == name}
    try:
        return Search(FOLDER, name, steps).finds(answer)
    except Exception:  # un objeto que ni mirarse deja
        return False
