"""Barra de progreso que se lee igual en una terminal, en un cuaderno y en un registro de CI."""

import os
import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm.auto import tqdm

PROGRESS_VARIABLE = "TFCOURSE_PROGRESO"
LOG_LINES = 10  # en un registro no hay barra que redibujar: una línea por cada décimo

Item = TypeVar("Item")


def progress(
    items: Iterable[Item], *, total: int, description: str, start: int = 0
) -> Iterator[Item]:
    """Recorre `items` mostrando el avance.

    Con `TFCOURSE_PROGRESO=no` calla; sin terminal ni cuaderno (CI) escribe unas pocas líneas.
    """
    if os.environ.get(PROGRESS_VARIABLE) == "no":
        return iter(items)
    if sys.stderr.isatty() or _in_notebook():
        return iter(_bar(items, total, description, start))
    return _log(items, total, description, start)


def _in_notebook() -> bool:
    """Dice si el código corre en un cuaderno: solo entonces hay un núcleo de IPython en marcha."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def _bar(items: Iterable[Item], total: int, description: str, start: int) -> Iterable[Item]:
    layout = "{desc}: {percentage:3.0f} % |{bar}| {n_fmt}/{total_fmt} [{elapsed} < {remaining}]"
    return tqdm(items, total=total, initial=start, desc=description, bar_format=layout, leave=False)


def _log(items: Iterable[Item], total: int, description: str, start: int) -> Iterator[Item]:
    every = max(1, total // LOG_LINES)
    for position, item in enumerate(items, start=start + 1):
        yield item
        if position % every == 0 or position == total:
            print(f"{description}: {position}/{total}", file=sys.stderr, flush=True)
