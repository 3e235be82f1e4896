"""Qué se recoge y en qué orden: lo lento se busca donde puede estar, y lo más largo va delante.

Recoger una prueba es importar su archivo y todo lo que este importa, y lo hace cada proceso. La
parte lenta de `make prueba` está en la tercera parte de los archivos: los demás no se abren. Que
ninguno se deje una prueba lo mira quien los recoge todos, que es la parte rápida, en cada cambio.
"""

import re
from pathlib import Path

import pytest

# Lo que pide la parte lenta de `make prueba` (el `Makefile`, en `LENTAS`).
SLOW = "lento or sitio"
SLOW_MARKS = frozenset(SLOW.split(" or "))
# Una prueba lleva la marca porque su archivo la escribe o porque la pone `tests.sample.sampled`.
MENTIONED = re.compile(rf"\b({'|'.join(sorted(SLOW_MARKS))}|sampled)\b")
# La que tarda medio minuto o más. Con las de su archivo solo comparte lo que es de la sesión, y no
# pierde por ir separada. La que abre el navegador no la lleva: quedaría abierto para las demás.
LONG = "larga"
# Las que la parte lenta no vería y las que miran el sitio antes de que esté: se apuntan al recoger,
# y `tests/test_order.py` exige que no haya ninguna.
UNSEEN, EARLY = pytest.StashKey[list[str]](), pytest.StashKey[list[str]]()


def may_be_slow(path: Path) -> bool:
    """Si en un archivo de pruebas puede haber alguna de la parte lenta."""
    return MENTIONED.search(path.read_text(encoding="utf-8")) is not None


def is_left_unread(path: Path, asked: str) -> bool:
    """Si un archivo no hace falta abrirlo para lo que se pide con `-m`."""
    tests = path.name.startswith("test_") and path.suffix == ".py"
    return tests and asked == SLOW and not may_be_slow(path)


def hidden(items: list) -> list[str]:
    """Las pruebas lentas de archivos que la parte lenta no abriría: no debe haber ninguna."""
    quick = {path for path in {item.path for item in items} if not may_be_slow(path)}
    return [item.nodeid for item in items if item.path in quick and _is_slow(item)]


def early(items: list) -> list[str]:
    """Las rápidas que piden el sitio, que se construye mientras ellas corren: ninguna."""
    return [item.nodeid for item in items if "site" in item.fixturenames and not _is_slow(item)]


def _is_slow(item) -> bool:
    return any(item.get_closest_marker(mark) for mark in SLOW_MARKS)


def longest_first(items: list, n_workers: int) -> list:
    """Las largas, repartidas al principio de lo que `xdist` da a cada proceso.

    A cada uno le da un trozo seguido; si una larga quedara al final, los demás la esperarían
    parados. Las cortas no cambian de orden: las de un archivo, que comparten recursos, siguen
    juntas.
    """
    long = [item for item in items if item.get_closest_marker(LONG)]
    short = [item for item in items if not item.get_closest_marker(LONG)]
    ordered, left = [], len(items)
    for worker in range(n_workers):
        size, own = left // (n_workers - worker), long[worker::n_workers]
        left -= size
        room = max(0, size - len(own)) if worker < n_workers - 1 else len(short)
        ordered += own + short[:room]
        short = short[room:]
    return ordered
